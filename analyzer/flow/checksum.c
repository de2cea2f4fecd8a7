/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Damaged packets (see checksum.h).
 */
#include "flow/checksum.h"

#include <string.h>

enum {
    FIRST_ROOM = 8,
};

static void note_unjudged(struct flow_engine *e, struct stream *s)
{
    e->summary.icrc_unjudged++;
    if (s != NULL)
        s->c.icrc_unjudged++;
}

/* ------------------------------------------------------------------ senders */

struct query {
    const struct icrc_sender *senders;
    const struct icrc_sender *wanted;
};

static bool is_same(const struct icrc_sender *a, const struct icrc_sender *b)
{
    return a->interface == b->interface && a->address_kind == b->address_kind &&
           memcmp(a->address, b->address, sizeof(a->address)) == 0;
}

static bool query_fits(const void *context, uint32_t index)
{
    const struct query *q = context;

    return is_same(&q->senders[index], q->wanted);
}

static uint64_t hash(const struct flow_hash_key *key, const struct icrc_sender *sender)
{
    uint64_t half[2];

    memcpy(half, sender->address, sizeof(half));
    return flow_hash_words(key, flow_hash_words(key, half[0], half[1]),
                           (uint64_t)sender->address_kind << 32 | sender->interface);
}

/* Its index, made when new; UINT32_MAX when memory is refused */
static uint32_t index_of(struct flow_engine *e, const struct icrc_sender *wanted)
{
    struct query q = {e->senders, wanted};
    uint64_t at = hash(&e->hash_key, wanted);
    uint32_t index = flow_table_find(&e->sender_table, at, query_fits, &q);
    struct icrc_sender *list;

    if (index != UINT32_MAX)
        return index;
    if (e->sender_count == SENDERS_MAX)
        return SENDERS_MAX - 1;
    list = flow_arena_room(&e->arena, e->senders, sizeof(*list), e->sender_count, &e->sender_room,
                           FIRST_ROOM);
    if (list == NULL)
        return UINT32_MAX;
    e->senders = list;
    if (!flow_table_add(&e->sender_table, at, e->sender_count)) {
        engine_refused(e);
        return UINT32_MAX;
    }
    e->senders[e->sender_count] = *wanted;
    return e->sender_count++;
}

/* NULL when memory is refused */
static struct icrc_sender *find_sender(struct flow_engine *e, struct stream *s,
                                       const struct rdc_packet *pkt)
{
    struct icrc_sender all = {.interface = pkt->interface, .address_kind = ICRC_OF_ALL};
    struct icrc_sender own = {.interface = pkt->interface, .address_kind = pkt->address_kind};
    uint32_t index;

    memcpy(own.address, pkt->src, sizeof(own.address));
    all.all = own.all = index_of(e, &all);
    index = own.all != UINT32_MAX ? index_of(e, &own) : UINT32_MAX;
    if (index == UINT32_MAX)
        return NULL;
    if (s != NULL)
        s->sender = (uint16_t)(index + 1);
    return &e->senders[index];
}

/* A stream has one source address, and mostly one interface. */
static inline struct icrc_sender *sender_of(struct flow_engine *e, struct stream *s,
                                            const struct rdc_packet *pkt)
{
    if (s != NULL && s->sender != 0 && e->senders[s->sender - 1].interface == pkt->interface)
        return &e->senders[s->sender - 1];
    return find_sender(e, s, pkt);
}

/* ------------------------------------------------------------------ judging */

static bool is_usable(const struct icrc_sender *sender)
{
    return sender->good * 10 >= sender->checked;
}

bool checksum_judge(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt)
{
    bool bad = pkt->ib.icrc_check == RDC_CHECK_BAD;
    struct icrc_sender *sender = sender_of(e, s, pkt);

    if (sender == NULL)
        return checksum_is_bad(pkt);
    checksum_count(sender, bad);
    checksum_count(&e->senders[sender->all], bad);
    if (s != NULL)
        s->c.icrc_checked++;
    if (!bad || is_usable(sender))
        return checksum_is_bad(pkt);
    if (sender->checked < ICRC_JUDGED)
        e->early = sender;
    else
        note_unjudged(e, s);
    return false;
}

void checksum_early(struct flow_engine *e, const struct stream *s, const struct rdc_packet *pkt)
{
    struct icrc_sender *sender = e->early;

    if (sender->early_count < ICRC_JUDGED)
        sender->early[sender->early_count++] =
            (struct early_icrc){pkt->frame, pkt->time_ns, s != NULL ? s->index : FLOW_NO_STREAM};
    e->early = NULL;
}

static void settle(struct flow_engine *e, const struct early_icrc *early, bool usable, bool preview)
{
    struct stream *s = early->stream != FLOW_NO_STREAM ? e->streams[early->stream] : NULL;
    struct flow_event ev = {
        .kind = FLOW_ICRC_BAD, .certain = true, .frame = early->frame, .time_ns = early->time_ns};

    if (!usable) {
        if (!preview)
            note_unjudged(e, s);
        return;
    }
    e->summary.icrc_bad += !preview;
    if (s != NULL)
        s->c.icrc_bad += !preview;
    engine_event(e, &ev, s, NULL);
}

void checksum_settle(struct flow_engine *e, bool preview)
{
    for (uint32_t i = 0; i < e->sender_count; i++) {
        const struct icrc_sender *sender = &e->senders[i];
        /* what is seen too seldom is judged by its whole interface */
        const struct icrc_sender *judged =
            sender->checked < ICRC_JUDGED ? &e->senders[sender->all] : sender;
        bool usable = judged->checked < ICRC_JUDGED || is_usable(judged);

        for (uint32_t k = 0; k < sender->early_count; k++)
            settle(e, &sender->early[k], usable, preview);
    }
}
