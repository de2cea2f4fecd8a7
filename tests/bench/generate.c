/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * rdmagen: writes a capture of RoCEv2 traffic of any size to a file or to standard output. What it
 * holds is said on standard error, a `name=count` each.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frame.h"
#include "traffic.h"
#include "writer.h"

static const char usage[] =
    "Usage: rdmagen [OPTION VALUE]... >FILE\n"
    "  -n packets (1000000)          -o file (standard output)    -g pcapng instead of pcap: 1\n"
    "  -f connections (64)           -H hosts a side (16)         -x random seed (1)\n"
    "  -s payload bytes (1024)       -m packets a message (8)     -S snap length (none)\n"
    "  -l lost requests, percent (0) -c CE marks, percent (0)     -C CNPs of the CE marks, percent "
    "(0)\n"
    "  -r READs of the messages, percent (10)                     -b link rate, Gbit/s (100)\n"
    "  -P packets from one PFC frame to the next (no PFC)\n";

struct options {
    struct traffic_options traffic;
    uint64_t packets;
    uint32_t snaplen;
    uint32_t pause;
    bool pcapng;
    double gbps;
    const char *file;
};

static bool options_parse(struct options *o, int argc, char **argv);
static bool generate(const struct options *o, int fd);
static void report(const struct options *o, const struct traffic_counts *c, uint64_t bytes);

int main(int argc, char **argv)
{
    struct options o = {
        .traffic =
            {.flows = 64, .hosts = 16, .payload = 1024, .message = 8, .read = 0.1, .seed = 1},
        .packets = 1000000,
        .gbps = 100,
    };
    int fd = STDOUT_FILENO;

    if (!options_parse(&o, argc, argv)) {
        fputs(usage, stderr);
        return 2;
    }
    if (o.file)
        fd = open(o.file, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd < 0 || !generate(&o, fd) || close(fd) != 0) {
        fprintf(stderr, "rdmagen: %s: %s\n", o.file ? o.file : "standard output", strerror(errno));
        return 1;
    }
    return 0;
}

static bool options_parse(struct options *o, int argc, char **argv)
{
    int c;

    while ((c = getopt(argc, argv, "n:o:g:f:H:x:s:m:S:l:c:C:r:b:P:")) != -1) {
        char *end = NULL;
        double v = c == '?' || c == 'o' ? 0 : strtod(optarg, &end);

        double most = c == 'n' || c == 'x' ? 1e15 : UINT32_MAX;

        if ((end && *end != '\0') || !(v >= 0 && v <= most))
            return false;
        switch (c) {
        case 'n':
            o->packets = (uint64_t)v;
            break;
        case 'o':
            o->file = optarg;
            break;
        case 'g':
            o->pcapng = v > 0;
            break;
        case 'f':
            o->traffic.flows = (uint32_t)v;
            break;
        case 'H':
            o->traffic.hosts = (uint32_t)v;
            break;
        case 'x':
            o->traffic.seed = (uint64_t)v;
            break;
        case 's':
            o->traffic.payload = (uint32_t)v;
            break;
        case 'm':
            o->traffic.message = (uint32_t)v;
            break;
        case 'S':
            o->snaplen = (uint32_t)v;
            break;
        case 'l':
            o->traffic.loss = v / 100;
            break;
        case 'c':
            o->traffic.ce = v / 100;
            break;
        case 'C':
            o->traffic.cnp = v / 100;
            break;
        case 'r':
            o->traffic.read = v / 100;
            break;
        case 'b':
            o->gbps = v;
            break;
        case 'P':
            o->pause = (uint32_t)v;
            break;
        default:
            return false;
        }
    }
    return optind == argc && o->traffic.flows > 0 && o->traffic.flows <= 0x700000 &&
           o->traffic.hosts > 0 && o->traffic.hosts <= 0xfff0 && o->traffic.payload > 0 &&
           o->traffic.payload <= FRAME_MAX_PAYLOAD && o->traffic.message > 0 &&
           o->traffic.message <= 0xffff && o->traffic.loss <= 0.5 && o->gbps > 0;
}

static bool generate(const struct options *o, int fd)
{
    struct writer *w = malloc(sizeof(*w));
    struct frame_builder *b = malloc(sizeof(*b));
    struct traffic *t = traffic_new(&o->traffic);
    double ns_per_byte = 8 / o->gbps;
    double rel_ns = 0;
    uint64_t bytes = 0;
    struct frame f = {0};
    bool ok = w && b && t;

    if (ok) {
        frame_builder_init(b, o->traffic.payload, o->snaplen);
        writer_init(w, fd, o->pcapng, o->snaplen ? o->snaplen : 262144);
        for (uint64_t i = 1; i <= o->packets && !w->failed; i++) {
            uint8_t *out = writer_reserve(w, FRAME_MAX);
            uint32_t captured = FRAME_PAUSE;
            uint32_t wire = FRAME_PAUSE;

            if (o->pause > 0 && i % o->pause == 0) {
                frame_pause(&f, out);
            } else {
                traffic_next(t, &f);
                wire = frame_build(b, &f, out, &captured);
            }
            writer_commit(w, 1700000000000000000 + (int64_t)rel_ns, captured, wire);
            rel_ns += (wire + 24) * ns_per_byte; /* preamble, FCS, gap between frames */
            bytes += wire;
        }
        ok = writer_done(w);
        report(o, traffic_counts(t), bytes);
    }
    traffic_free(t);
    free(b);
    free(w);
    return ok;
}

static void report(const struct options *o, const struct traffic_counts *c, uint64_t bytes)
{
    fprintf(stderr,
            "packets=%" PRIu64 "\nbytes=%" PRIu64 "\nrequests=%" PRIu64 "\nresponses=%" PRIu64
            "\nacks=%" PRIu64 "\nnaks=%" PRIu64 "\nlost=%" PRIu64 "\nretransmitted=%" PRIu64
            "\nce=%" PRIu64 "\ncnps=%" PRIu64 "\n",
            o->packets, bytes, c->requests, c->responses, c->acks, c->naks, c->lost,
            c->retransmitted, c->ce, c->cnps);
}
