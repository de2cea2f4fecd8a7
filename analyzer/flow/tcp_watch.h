/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * TCP connections of which it is not known (or known not to be true) that they carry iWARP: nearly
 * all TCP of most captures. A table of fixed rows, found by a keyed 64-bit hash of the connection
 * and replaced when it is full: forgetting one only costs a second look.
 *
 * Memory: TCP_WATCH_MAX rows of 64 bytes, 16 MiB, reached only with that many connections.
 */
#ifndef FLOW_TCP_WATCH_H
#define FLOW_TCP_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "rdc/packet.h"

enum {
    TCP_WATCH_MAX = 1 << 18,
    TCP_WATCH_LOOKS = 96,    /* segments of a connection looked at before it is called no iWARP */
    TCP_WATCH_ANYWHERE = 64, /* of these, at all bytes */
};

struct tcp_watched {
    uint64_t hash; /* 0: free */
    uint64_t first_frame;
    int64_t first_ns;
    uint64_t wire_bytes[2]; /* by direction */
    uint32_t packets[2];
    uint32_t first_seq[2]; /* of the SYN; of its first byte otherwise */
    uint16_t looks;
    bool syn[2], data[2]; /* seen */
    uint8_t first_dir;
    bool refused; /* no iWARP, until a start-up frame says other */
};

struct tcp_watch {
    struct tcp_watched *rows; /* owned */
    uint32_t size;            /* a power of two */
    uint32_t used;
};

void tcp_watch_done(struct tcp_watch *w);
/* The row of a connection, made when new; NULL when memory is refused. Valid until the next call.
 */
struct tcp_watched *tcp_watch_get(struct tcp_watch *w, uint64_t hash, const struct rdc_packet *pkt,
                                  unsigned dir);
/* Counts the packet. True: the connection is worth following from this packet on. */
bool tcp_watch_packet(struct tcp_watched *row, const struct rdc_packet *pkt, unsigned dir);

#endif
