/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Whom did a pause hit, and who sent all the same? Packets that travel towards the port that paused
 * are held back: a stream that fell silent for that time, and does not do so anyway, is a victim; a
 * packet of that priority is a violation.
 *
 * A port of a switch has an address that no data carries. What travels towards it is then what the
 * one host sends that takes part in all packets of the link.
 */
#ifndef ANALYSIS_PAUSE_EFFECT_H
#define ANALYSIS_PAUSE_EFFECT_H

#include "analysis/pause_clock.h"
#include "rdc/packet.h"

enum {
    PAUSE_VICTIMS = 64,
    PAUSE_SENDERS = 8,
};

#define PAUSE_STALL_NS INT64_C(10000) /* shorter silences are none */

/* The hosts that take part in all packets of a link so far */
struct pause_hosts {
    bool any;
    unsigned count; /* 0..2 */
    uint8_t mac[2][6];
};

void pause_hosts_packet(struct pause_hosts *h, const struct rdc_packet *pkt);

struct pause_sender {
    uint8_t mac[6];
    uint64_t packets;
    uint64_t frame; /* the first */
};

struct pause_victim {
    uint32_t stream;
    bool to_port; /* its packets name the port as their destination */
    uint8_t src_mac[6];
    int64_t from_ns, to_ns; /* its longest silence */
    uint32_t paused;        /* silences while the port paused */
    int64_t paused_ns;      /* all of them */
    uint32_t ordinary;      /* others since the first of these, as long as the longest of these */
};

struct pause_effect {
    struct pause_sender senders[PAUSE_SENDERS]; /* of packets in spite of the pause */
    uint64_t sent_to_port;                      /* of these packets, addressed to the port */
    uint64_t sent_to_port_frame;
    int64_t sent_to_port_ns;  /* when the latest packet to the port came, paused or not */
    uint64_t by_pcp, by_dscp; /* packets of the priority, by what tells it */
    uint32_t victim_count;
    struct pause_victim victims[PAUSE_VICTIMS];
};

/* A packet that may be held back by the clock's port, whose address is `mac`. */
void pause_effect_packet(struct pause_effect *e, const struct pause_clock *c, const uint8_t mac[6],
                         const struct rdc_packet *pkt);
/* What such a packet tells about pauses of `count` clocks. `silence_ns` of its stream; negative:
 * not known. To call after the two others. */
void pause_effect_clocks(struct pause_effect *e, struct pause_clock *clocks, unsigned count,
                         const uint8_t mac[6], const struct rdc_packet *pkt, int64_t silence_ns);
/* `stream`, whose packets go from src to dst, sent no data in [from, to]. */
void pause_effect_silence(struct pause_effect *e, const struct pause_clock *c, const uint8_t mac[6],
                          const uint8_t src[6], const uint8_t dst[6], uint32_t stream, int64_t from,
                          int64_t to);

/* Time that a pause took of [from, to]: of the latest one only */
int64_t pause_overlap_ns(const struct pause_clock *c, int64_t from, int64_t to);

/* The priority of a packet: its PCP, else what adapters make of its DSCP when nobody tells them
 * otherwise: its upper three bits. */
unsigned pause_priority_of(const struct rdc_packet *pkt);

struct pause_judgement {
    uint64_t violations;
    uint64_t frame;      /* the first; 0: none */
    const char *unknown; /* NULL, or why they can't be told */
};
/* `is_host`: the port's address is the source or destination of data. */
struct pause_judgement pause_effect_judge(const struct pause_effect *e,
                                          const struct pause_hosts *hosts, bool is_host);
/* Whether the direction of a victim is the one that the port held back, and its silence unusual.
 * `usual_ns`: the mean gap between its packets but for these silences; 0: not known. */
bool pause_effect_hits(const struct pause_victim *v, const struct pause_hosts *hosts, bool is_host,
                       int64_t usual_ns);

#endif
