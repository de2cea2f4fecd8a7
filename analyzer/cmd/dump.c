/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * rdmapcap dump: one record per packet.
 */
#include "cmd/feed.h"
#include "cmd/frame_list.h"
#include "cmd/message.h"
#include "cmd/output.h"
#include "cmd/tcp_follow.h"
#include "render/packet_record.h"
#include "report/frame.h"

struct dump {
    struct options options;
    gboolean verbose;
    gboolean rdma_only;
    struct frame_list frames;
    bool any; /* packet was shown */
    struct output out;
    struct packet_layout layout;
};

static void write_all(struct dump *d, struct feed *in);
static void write_packet(struct dump *d, const struct capture *capture, struct tcp_follow *tcp,
                         const struct rdc_packet *pkt);
static void show(struct dump *d, const struct packet_record *record);

static enum exit_status run(const struct command *self, int argc, char **argv)
{
    struct dump d = {0};
    char *frames = NULL;
    const GOptionEntry own[] = {
        {"verbose", 'v', 0, G_OPTION_ARG_NONE, &d.verbose, "Text: every field of every header",
         NULL},
        {"rdma", 0, 0, G_OPTION_ARG_NONE, &d.rdma_only, "Leave out packets that are not RDMA",
         NULL},
        {"frames", 0, 0, G_OPTION_ARG_STRING, &frames, "Only these, such as 226,368,481-490",
         "LIST"},
        {0},
    };
    enum exit_status status;
    struct feed *in = NULL;

    if (options_parse(&d.options, self, own, argc, argv, &status)) {
        if (frame_list_read(&d.frames, "--frames", frames))
            in = feed_open(&d.options, &status);
        else
            status = STATUS_USAGE;
    }
    if (in != NULL) {
        /* writing takes nearly all of the time, and may end before reading does */
        d.options.threads = 1;
        output_open(&d.out);
        d.layout.color = d.options.color;
        if (d.options.format == FORMAT_CSV)
            packet_csv_header(&d.out.buffer);
        write_all(&d, in);
        status = output_close(&d.out, feed_close(in, status));
    }
    frame_list_done(&d.frames);
    g_free(frames);
    options_done(&d.options);
    return status;
}

/* Nothing behind this frame is asked for: files need not be read to their end. */
static bool is_last(const struct dump *d, const struct capture *capture, uint64_t frame)
{
    return capture->file_count == 1 && frame_list_ends(&d->frames, frame_number(frame));
}

static void write_all(struct dump *d, struct feed *in)
{
    const struct capture *capture = feed_capture(in);
    struct tcp_follow *tcp = tcp_follow_new();
    const struct rdc_packet *packets;
    bool open = true;
    size_t count;

    while (open && (count = feed_next(in, &packets)) > 0) {
        for (size_t i = 0; open && i < count; i++) {
            write_packet(d, capture, tcp, &packets[i]);
            open = output_record_done(&d->out) && !is_last(d, capture, packets[i].frame);
        }
    }
    if (open && !d->any && d->frames.ranges != NULL && !d->options.quiet)
        message_note("no such frame among the packets that were read");
    feed_saw_iwarp(in, tcp_follow_engine(tcp));
    tcp_follow_free(tcp);
}

static void write_packet(struct dump *d, const struct capture *capture, struct tcp_follow *tcp,
                         const struct rdc_packet *pkt)
{
    struct packet_record record;
    size_t file = frame_file(pkt->frame);

    record.pkt = *pkt;
    tcp_follow_packet(tcp, &record);
    if (!frame_list_holds(&d->frames, frame_number(pkt->frame)))
        return;
    if (d->rdma_only && pkt->transport == RDC_TRANSPORT_NONE && !record.iwarp)
        return;
    record.pkt.frame = frame_number(pkt->frame);
    d->any = true;
    record.file = capture->file_count > 1 ? capture->files[file] : NULL;
    record.untimed = !capture_frame_is_timed(capture, pkt->frame);
    record.rel_ns = pkt->time_ns - capture->first_time_ns;
    packet_record_complete(&record);
    show(d, &record);
}

static void show(struct dump *d, const struct packet_record *record)
{
    struct buffer *out = &d->out.buffer;

    if (d->options.format == FORMAT_JSONL) {
        packet_json(out, record);
    } else if (d->options.format == FORMAT_CSV) {
        packet_csv(out, record);
    } else {
        packet_line(out, record, &d->layout);
        if (d->verbose)
            packet_tree(out, record);
    }
}

const struct command cmd_dump = {
    .name = "dump",
    .summary = "One record per packet.",
    .usage = "FILE...",
    .options = OPTIONS_FILES | OPTIONS_COLOR,
    .formats = "text jsonl csv",
    .details = "Text is a line a packet: frame, seconds since the first packet, addresses,\n"
               "transport, operation, queue pair, PSN, sizes, and what is special about it.\n"
               "In jsonl a key that is absent means that the packet has no such field; null\n"
               "means that this capture does not show it, and \"unknown\" says why.\n",
    .example = "  rdmapcap dump -v --frames 226,368-370 capture.pcap\n"
               "  rdmapcap dump --bpf 'host 10.0.0.1' -v capture.pcapng\n"
               "  rdmapcap dump -f jsonl capture.pcap.gz | jq -c 'select(.icrc == \"bad\")'\n",
    .run = run,
};
