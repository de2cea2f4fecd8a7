/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Is a packet damaged, so that its receiver drops it? Where hardly any ICRC of a sender is good at
 * an interface (left to its adapter, anonymised), they mean nothing, and verdicts go on without
 * them.
 */
#ifndef FLOW_CHECKSUM_H
#define FLOW_CHECKSUM_H

#include "flow/stream.h"

enum {
    ICRC_JUDGED = 8,       /* checked ICRCs of a sender after which they can be called unusable */
    SENDERS_MAX = 1 << 12, /* that are told apart; the others count as one */
    ICRC_OF_ALL = UINT8_MAX,
};

static_assert(SENDERS_MAX < UINT16_MAX, "a stream has 16 bits for the number of one");

/* A bad ICRC from before it was known whether those of its sender mean anything */
struct early_icrc {
    uint64_t frame;
    int64_t time_ns;
    uint32_t stream;
};

/* One address as one interface saw it, or all of an interface together */
struct icrc_sender {
    uint8_t address[16];
    uint32_t interface;
    uint32_t all;         /* of its interface: an index */
    uint8_t address_kind; /* enum rdc_address_kind, or ICRC_OF_ALL */
    uint8_t early_count;
    uint64_t checked, good;
    struct early_icrc early[ICRC_JUDGED];
};

static inline void checksum_count(struct icrc_sender *sender, bool bad)
{
    sender->checked++;
    sender->good += !bad;
}

static inline bool checksum_is_bad(const struct rdc_packet *pkt)
{
    return pkt->ib.icrc_check == RDC_CHECK_BAD || rdc_ip_checksum_is_bad(pkt);
}

/* checksum_corrupt() of a packet whose ICRC was checked */
bool checksum_judge(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt);

/* Whether the receiver drops the packet. `s`: its stream, NULL when there is none. Sets e->early
 * when too few of its sender's were seen to know: checksum_early() then has to be told the stream.
 */
static inline bool checksum_corrupt(struct flow_engine *e, struct stream *s,
                                    const struct rdc_packet *pkt)
{
    if (pkt->ib.icrc_check != RDC_CHECK_BAD && pkt->ib.icrc_check != RDC_CHECK_OK)
        return checksum_is_bad(pkt);
    return checksum_judge(e, s, pkt);
}

/* A good one in a stream whose sender is known, at the same interface */
static inline void checksum_good(struct flow_engine *e, struct stream *s)
{
    struct icrc_sender *sender = &e->senders[s->sender - 1];

    checksum_count(sender, false);
    checksum_count(&e->senders[sender->all], false);
    s->c.icrc_checked++;
}

void checksum_early(struct flow_engine *e, const struct stream *s, const struct rdc_packet *pkt);
/* Says which early ICRCs are bad; `preview`: counts nothing. */
void checksum_settle(struct flow_engine *e, bool preview);

#endif
