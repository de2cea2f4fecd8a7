/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * TCP (RFC 9293): the header and the options that following a stream needs (RFC 7323, 2883).
 * Whether a stream is iWARP only its bytes in order can tell.
 */
#include "link/link.h"

enum {
    TCP_LEN = 20,
    OPTION_END = 0,
    OPTION_NOP = 1,
    OPTION_WINDOW_SCALE = 3,
    OPTION_WINDOW_SCALE_LEN = 3,
    OPTION_SACK = 5,
    OPTION_SACK_BLOCK_LEN = 8,
    OPTION_TIMESTAMPS = 8,
    OPTION_TIMESTAMPS_LEN = 10,
};

static void read_options(struct rdc_cursor options, struct rdc_tcp *tcp);
static void read_option(const uint8_t *p, size_t size, struct rdc_tcp *tcp);
static void read_sack(const uint8_t *p, size_t size, struct rdc_tcp *tcp);

/*  source port:16 destination port:16 sequence:32 acknowledgement:32
 *  offset:4 reserved:4 flags:8 window:16 checksum:16 urgent:16 options
 *
 * Options cut by the snap length leave a packet whose payload is not there, of known size. */
enum rdc_status rdc_tcp_decode(struct rdc_cursor *cur, struct rdc_packet *pkt,
                               struct rdc_next *next)
{
    struct rdc_cursor rest = *cur, options;
    const uint8_t *p;
    enum rdc_status st = rdc_take(&rest, TCP_LEN, &p);
    size_t size;

    if (st != RDC_OK)
        return st;
    size = (size_t)(p[12] >> 4) * 4;
    if (size < TCP_LEN || size - TCP_LEN > rest.wire)
        return RDC_MALFORMED;
    size -= TCP_LEN;
    options = rest;
    (void)!rdc_limit(&options, size);
    if (options.captured < size)
        pkt->notes |= RDC_NOTE_BIT(HEADER_TRUNCATED);
    rest.at += options.captured;
    rest.captured -= options.captured;
    rest.wire -= size;
    *cur = rest;
    pkt->src_port = rdc_be16(p);
    pkt->dst_port = rdc_be16(p + 2);
    pkt->tcp = (struct rdc_tcp){
        .seq = rdc_be32(p + 4),
        .ack = rdc_be32(p + 8),
        .window = rdc_be16(p + 14),
        .flags = p[13],
        .window_scale = -1,
        .payload_size = (uint32_t)rest.wire,
        .payload_captured = (uint32_t)rest.captured,
        .payload = rest.captured > 0 ? rest.at : NULL,
    };
    read_options(options, &pkt->tcp);
    pkt->kind = RDC_KIND_TCP;
    rdc_mark(pkt, RDC_LAYER_TCP);
    *next = (struct rdc_next){RDC_SPACE_NONE, 0};
    return RDC_OK;
}

/* kind:8 size:8 value; the two kinds without size and value pad */
static void read_options(struct rdc_cursor options, struct rdc_tcp *tcp)
{
    const uint8_t *p = options.at;
    size_t left = options.captured;

    while (left > 0 && p[0] != OPTION_END) {
        size_t size = 1;

        if (p[0] != OPTION_NOP) {
            if (left < 2 || p[1] < 2 || p[1] > left)
                return;
            size = p[1];
            read_option(p, size, tcp);
        }
        p += size;
        left -= size;
    }
}

static void read_option(const uint8_t *p, size_t size, struct rdc_tcp *tcp)
{
    if (p[0] == OPTION_TIMESTAMPS && size == OPTION_TIMESTAMPS_LEN) {
        tcp->has_timestamps = true;
        tcp->ts_value = rdc_be32(p + 2);
        tcp->ts_echo = rdc_be32(p + 6);
    } else if (p[0] == OPTION_WINDOW_SCALE && size == OPTION_WINDOW_SCALE_LEN &&
               (tcp->flags & RDC_TCP_SYN) != 0) {
        tcp->window_scale = (int8_t)(p[2] > 14 ? 14 : p[2]);
    } else if (p[0] == OPTION_SACK) {
        read_sack(p + 2, size - 2, tcp);
    }
}

/* Blocks of begin:32 end:32. The first one tells of bytes that came twice when they were
 * acknowledged before, or are part of the second block (RFC 2883, 4). */
static void read_sack(const uint8_t *p, size_t size, struct rdc_tcp *tcp)
{
    uint32_t begin, end;
    bool in_second;

    if (size < OPTION_SACK_BLOCK_LEN)
        return;
    begin = rdc_be32(p);
    end = rdc_be32(p + 4);
    p += OPTION_SACK_BLOCK_LEN;
    in_second = size >= 2 * OPTION_SACK_BLOCK_LEN && rdc_seq_diff(begin, rdc_be32(p)) >= 0 &&
                rdc_seq_diff(end, rdc_be32(p + 4)) <= 0;
    if (rdc_seq_diff(end, begin) <= 0 || (!in_second && rdc_seq_diff(end, tcp->ack) > 0))
        return;
    tcp->has_dsack = true;
    tcp->dsack_begin = begin;
    tcp->dsack_end = end;
}
