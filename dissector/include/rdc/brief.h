/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Packets in brief. Nearly all packets of a stream have the headers of the one before it, but for a
 * few fields. So what stays is kept once, in a context, and of a packet only what changes is taken:
 * one comparison and few fields, where decoding looks at every header (as RFC 1144 and RFC 5795 do
 * to send less).
 *
 *     contexts = calloc(1, rdc_contexts_size());
 *     ...
 *     if (!rdc_brief_decode_now(contexts, config, in, &brief)) {
 *         rdc_decode(config, in, &packet);
 *         packet.frame = ...; packet.interface = ...;
 *         context = rdc_contexts_learn(contexts, in, &packet);
 *     }
 *
 * Only plain RoCEv2 frames are brief (link/plain.c) of reliable connections, whose opcode has at
 * most RDC_BRIEF_EXTS bytes of extension headers and that have no notes. A brief and its context
 * say all that rdc_decode() does, but for the payload's bytes.
 */
#ifndef RDC_BRIEF_H
#define RDC_BRIEF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rdc/ib.h"
#include "rdc/packet.h"
#include "rdc/wire.h"

enum {
    RDC_BRIEF_BTH = 12,        /* bytes */
    RDC_BRIEF_EXTS = 16,       /* bytes of extension headers: RETH, AETH, immediate data */
    RDC_CONTEXTS = 1 << 18,    /* numbers are below; the latest are kept */
    RDC_ROUTES = 1 << 16,      /* numbers are below, and from 1 on */
    RDC_BRIEFS_LENT = 1 << 13, /* packets in others' hands, at most */
    RDC_NO_CONTEXT = 0,        /* no context has this number */
};

/* What differs between packets of one context */
struct rdc_brief {
    uint64_t frame; /* 1-based number in the capture: the caller sets it */
    int64_t time_ns;
    uint32_t captured_size;
    uint32_t wire_size;
    uint32_t context;      /* RDC_NO_CONTEXT: not brief; then all here but `learned` is undefined */
    uint32_t learned;      /* of one that is not brief: the context of those like it that follow */
    uint32_t payload_size; /* as in struct rdc_ib_packet; so are the next two */
    uint32_t headers_hash;
    uint32_t icrc;
    uint16_t route;     /* of its context: 1 to RDC_ROUTES - 1 */
    uint16_t id;        /* IPv4 identification; 0 for IPv6 */
    uint8_t ecn;        /* of the IP header */
    uint8_t icrc_check; /* enum rdc_check */
    bool icrc_captured;
    bool truncated;                                  /* captured_size < wire_size */
    uint8_t headers[RDC_BRIEF_BTH + RDC_BRIEF_EXTS]; /* BTH, then the opcode's extension headers */
};

static inline uint8_t rdc_brief_opcode(const struct rdc_brief *brief)
{
    return brief->headers[0];
}

/* IBTA vol. 1, 9.2: the last word of a BTH is ack_req:1 resv:7 psn:24 */
static inline uint32_t rdc_brief_psn(const struct rdc_brief *brief)
{
    return rdc_be32(brief->headers + 8) & RDC_PSN_MASK;
}

static inline bool rdc_brief_asks(const struct rdc_brief *brief)
{
    return brief->headers[8] >> 7 != 0;
}

/* Contexts are of one route that have in common: interface, MAC addresses, VLAN tag, all of the IP
 * header that stays the same in a stream (addresses, TTL, DSCP) but IPv6's flow label, FECN and
 * BECN. What depends on no more is best kept by route: there are few, and a number is never another
 * route's. A route may have several numbers, where it was forgotten; a frame whose route would be
 * one too many has no context.
 *
 * Contexts of one sequence of frames. One thread decodes and learns; others may read contexts of
 * briefs that they were handed, of which there may be RDC_BRIEFS_LENT at most, whole packets
 * between them included: as many of the oldest contexts are kept only for these, and no frame is
 * theirs. */
struct rdc_contexts;

/* Bytes of it; zeros are one without contexts. The core allocates nothing, so the caller does:
 * calloc(1, rdc_contexts_size()), of which most is not touched before there are many contexts. */
size_t rdc_contexts_size(void);

/* Where a frame's context is looked for. With many contexts, memory is far: each step asks for what
 * the next one needs, and is best taken some frames before it. */
struct rdc_lookup {
    uint32_t hash;
    uint32_t context; /* most likely the frame's; RDC_NO_CONTEXT: none is known */
    uint8_t shape;    /* which headers it has */
};

/* First step. The frame may change its place meanwhile, but not its bytes. */
void rdc_lookup_begin(const struct rdc_contexts *contexts, const struct rdc_input *in,
                      struct rdc_lookup *lookup);
/* Second step */
void rdc_lookup_go_on(const struct rdc_contexts *contexts, struct rdc_lookup *lookup);

/* Last step, before which contexts may have been learned: what of a frame its context does not say;
 * or false, and `context` is RDC_NO_CONTEXT: it must be decoded whole. */
bool rdc_brief_decode(const struct rdc_contexts *contexts, const struct rdc_config *config,
                      const struct rdc_input *in, const struct rdc_lookup *lookup,
                      struct rdc_brief *brief);

/* All steps at once */
static inline bool rdc_brief_decode_now(const struct rdc_contexts *contexts,
                                        const struct rdc_config *config, const struct rdc_input *in,
                                        struct rdc_brief *brief)
{
    struct rdc_lookup lookup;

    rdc_lookup_begin(contexts, in, &lookup);
    rdc_lookup_go_on(contexts, &lookup);
    return rdc_brief_decode(contexts, config, in, &lookup, brief);
}

/* Frames like this one, which was decoded as `pkt`, may be brief from now on. Returns the number of
 * their context, or RDC_NO_CONTEXT when they can't be. The context takes the place of the oldest
 * one. */
uint32_t rdc_contexts_learn(struct rdc_contexts *contexts, const struct rdc_input *in,
                            const struct rdc_packet *pkt);

/* The whole packet of one whose context is known and has not made way, as rdc_decode() tells it;
 * its payload's bytes count as captured, but are not there: `payload` is NULL. */
void rdc_brief_whole(const struct rdc_contexts *contexts, const struct rdc_brief *brief,
                     struct rdc_packet *pkt);

#endif
