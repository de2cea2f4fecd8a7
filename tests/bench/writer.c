/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * See writer.h. Numbers are in the byte order of a little-endian host.
 */
#include "writer.h"

#include <string.h>
#include <unistd.h>

enum {
    PCAP_RECORD = 16,
    PCAPNG_PACKET = 28, /* of an enhanced packet block, before the packet */
    PCAPNG_TRAILER = 4,
    NS = 1000000000,
};

static void put(struct writer *w, const void *data, uint32_t size);
static void flush(struct writer *w);

void writer_init(struct writer *w, int fd, bool pcapng, uint32_t snaplen)
{
    static const uint16_t version[2] = {2, 4};
    const uint32_t pcap[] = {0xa1b23c4d, 0, 0, 0, snaplen, 1};
    const uint32_t section[] = {0x0a0d0d0a, 28, 0x1a2b3c4d, 1, 0xffffffff, 0xffffffff, 28};
    /* if_tsresol (9): 10^-9 s */
    const uint32_t interface[] = {1, 32, 1, snaplen, 0x00010009, 9, 0, 32};

    w->fd = fd;
    w->pcapng = pcapng;
    w->failed = false;
    w->used = 0;
    if (pcapng) {
        put(w, section, sizeof(section));
        put(w, interface, sizeof(interface));
    } else {
        put(w, pcap, sizeof(pcap));
        memcpy(w->buffer + 4, version, sizeof(version));
    }
}

uint8_t *writer_reserve(struct writer *w, uint32_t size)
{
    if (w->used + PCAPNG_PACKET + size + PCAPNG_TRAILER + 4 > WRITER_BUFFER)
        flush(w);
    return w->buffer + w->used + (w->pcapng ? PCAPNG_PACKET : PCAP_RECORD);
}

void writer_commit(struct writer *w, int64_t time_ns, uint32_t captured, uint32_t wire)
{
    if (w->pcapng) {
        uint32_t padded = (captured + 3) & ~3u;
        uint32_t block = PCAPNG_PACKET + padded + PCAPNG_TRAILER;
        const uint32_t head[] = {
            6, block, 0, (uint32_t)((uint64_t)time_ns >> 32), (uint32_t)time_ns, captured, wire};

        put(w, head, sizeof(head));
        memset(w->buffer + w->used + captured, 0, padded - captured);
        w->used += padded;
        put(w, &block, sizeof(block));
    } else {
        const uint32_t head[] = {(uint32_t)(time_ns / NS), (uint32_t)(time_ns % NS), captured,
                                 wire};

        put(w, head, sizeof(head));
        w->used += captured;
    }
}

bool writer_done(struct writer *w)
{
    flush(w);
    return !w->failed;
}

static void put(struct writer *w, const void *data, uint32_t size)
{
    memcpy(w->buffer + w->used, data, size);
    w->used += size;
}

static void flush(struct writer *w)
{
    uint32_t at = 0;

    while (at < w->used && !w->failed) {
        ssize_t n = write(w->fd, w->buffer + at, w->used - at);

        if (n <= 0)
            w->failed = true;
        else
            at += (uint32_t)n;
    }
    w->used = 0;
}
