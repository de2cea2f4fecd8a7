/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Groups of packets (see alike.h). What makes a packet's group is one number, its look. A capture
 * has few of them; where one was made to have many, groups end early and come again.
 */
#include "analysis/alike.h"

#include <glib.h>

#include "rdc/ib.h"
#include "rdc/mad.h"

enum {
    ROWS_LOG2 = 9,
    ROWS = 1 << ROWS_LOG2,
    NEAR = 8,  /* rows in which a look may be */
    LINE = 64, /* bytes of a cache line: a packet needs the first one of a row */
};

/* Where it is in a look */
enum {
    TRANSPORT = 0,
    KIND = 8,
    DSCP = 16,
    ECN = 24,
    ICRC = 32,
    VCRC = 40,
    PCP = 44,
    TAGGED = 47,
    OPCODE = 48,
    FECN = 56,
    BECN,
    MANAGEMENT,
    IP_BAD,
    SOME, /* in every look: none is 0 */
    SET_UP,
};

/* What of a look a route does not say */
#define OF_EACH ((uint64_t)0xff << ECN | (uint64_t)0xff << ICRC | (uint64_t)0xff << OPCODE)

static_assert(ICRC == ECN + 8, "of a brief, one access reads both");

struct row {
    uint64_t look; /* 0: free */
    struct alike_span span;
    uint64_t packets, bytes;
    uint64_t frames[FIRST_FRAMES];
    uint8_t fill[LINE - (5 + FIRST_FRAMES) * sizeof(uint64_t) % LINE];
};

struct alike_table {
    struct row rows[ROWS];
    struct alike_reader reader;
    uint64_t *common; /* by route: what its packets in brief have in common; 0: not known yet */
};

struct alike_table *alike_new(const struct alike_reader *reader)
{
    struct alike_table *t = g_aligned_alloc0(1, sizeof(*t), LINE);

    t->reader = *reader;
    t->common = g_new0(uint64_t, RDC_ROUTES);
    return t;
}

void alike_free(struct alike_table *table)
{
    if (table == NULL)
        return;
    g_free(table->common);
    g_aligned_free(table);
}

/* ------------------------------------------------------------------ looks */

/* Where they stand side by side in a packet, one access reads two of them */
static inline uint64_t two(uint8_t low, uint8_t high)
{
    return (uint64_t)(low | high << 8);
}

static inline uint64_t headers_of(const struct rdc_packet *pkt)
{
    return (uint64_t)pkt->ib.bth.opcode << OPCODE | two(pkt->ib.icrc_check, pkt->ib.vcrc_check)
                                                        << ICRC;
}

static inline uint64_t ip_of(const struct rdc_packet *pkt)
{
    return two(pkt->ip.dscp, pkt->ip.ecn) << DSCP;
}

/* A datagram of the communication manager (IBTA vol. 1, 13.4.2: the class is its second byte) */
static bool is_set_up(const struct rdc_packet *pkt)
{
    return pkt->ib.bth.dest_qpn == 1 &&
           rdc_opcode_table[pkt->ib.bth.opcode].service == RDC_SERVICE_UD &&
           pkt->ib.payload_captured > 1 && pkt->ib.payload[1] == RDC_MAD_CLASS_CM;
}

static uint64_t marks_of(const struct rdc_packet *pkt)
{
    const struct rdc_bth *bth = &pkt->ib.bth;
    uint64_t marks = (uint64_t)bth->fecn << FECN | (uint64_t)bth->becn << BECN |
                     (uint64_t)(bth->dest_qpn < RDC_QPN_FIRST) << MANAGEMENT |
                     (uint64_t)is_set_up(pkt) << SET_UP;

    if (pkt->vlan_count > 0)
        marks |= (uint64_t)1 << TAGGED | (uint64_t)(pkt->vlans[pkt->vlan_count - 1].pcp & 7) << PCP;
    return marks;
}

/* Any packet's, beside its transport and kind */
static __attribute__((noinline)) uint64_t rest_of(const struct rdc_packet *pkt)
{
    uint64_t look = (uint64_t)rdc_ip_checksum_is_bad(pkt) << IP_BAD;

    if (pkt->kind != RDC_KIND_BTH)
        return look;
    if (pkt->transport == RDC_TRANSPORT_ROCEV2)
        look |= ip_of(pkt);
    return look | headers_of(pkt) | marks_of(pkt);
}

/* RoCEv2, which always has an IP header, and nothing of it that few have */
static inline bool is_plain(const struct rdc_packet *pkt)
{
    return pkt->transport == RDC_TRANSPORT_ROCEV2 && pkt->kind == RDC_KIND_BTH &&
           pkt->vlan_count == 0 && pkt->ib.bth.dest_qpn >= RDC_QPN_FIRST && !pkt->ip.checksum_bad &&
           !pkt->ib.bth.fecn && !pkt->ib.bth.becn;
}

static inline uint64_t look_of(const struct rdc_packet *pkt)
{
    uint64_t look = (uint64_t)1 << SOME | two(pkt->transport, pkt->kind) << TRANSPORT;

    if (__builtin_expect(is_plain(pkt), true))
        return look | headers_of(pkt) | ip_of(pkt);
    return look | rest_of(pkt);
}

static struct alike group_of(const struct row *r)
{
    uint64_t look = r->look;
    struct alike group = {
        .transport = look >> TRANSPORT & 0xff,
        .kind = look >> KIND & 0xff,
        .ip_checksum_bad = look >> IP_BAD & 1,
        .opcode = look >> OPCODE & 0xff,
        .management = look >> MANAGEMENT & 1,
        .set_up = look >> SET_UP & 1,
        .fecn = look >> FECN & 1,
        .becn = look >> BECN & 1,
        .icrc_check = look >> ICRC & 0xf,
        .vcrc_check = look >> VCRC & 0xf,
        .tagged = look >> TAGGED & 1,
        .pcp = look >> PCP & 7,
        .dscp = look >> DSCP & 0xff,
        .ecn = look >> ECN & 0xff,
        .packets = r->packets,
        .bytes = r->bytes,
        .first.count = (unsigned)MIN(r->packets, FIRST_FRAMES),
        .span = r->span,
    };

    memcpy(group.first.frames, r->frames, sizeof(r->frames));
    return group;
}

/* ------------------------------------------------------------------ rows */

static inline uint64_t place_of(uint64_t look)
{
    return (look * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - ROWS_LOG2);
}

/* That of the look, or one that is free for it, or one whose group has to make way */
static struct row *row_for(struct alike_table *t, uint64_t look)
{
    uint64_t at = place_of(look);

    for (unsigned i = 0; i < NEAR; i++) {
        struct row *r = &t->rows[(at + i) % ROWS];

        if (r->look == look || r->look == 0)
            return r;
    }
    return &t->rows[at];
}

static void tell(const struct alike_table *t, struct row *r)
{
    struct alike group = group_of(r);

    if (r->packets > 0)
        t->reader.counted(t->reader.context, &group);
    r->packets = r->bytes = 0;
}

void alike_settle(struct alike_table *t)
{
    for (unsigned i = 0; i < ROWS; i++) {
        tell(t, &t->rows[i]);
        t->rows[i].look = 0;
    }
}

/* The row becomes that of a group that begins at this time. */
static void begin(struct alike_table *t, struct row *r, uint64_t look, int64_t time_ns)
{
    struct alike group;

    tell(t, r);
    r->look = look;
    r->span = ALIKE_ALWAYS;
    group = group_of(r);
    t->reader.begin(t->reader.context, &group, time_ns, &r->span);
}

static inline bool covers(const struct alike_span *span, int64_t time_ns)
{
    return (uint64_t)time_ns - (uint64_t)span->from < span->ns;
}

/* A look that is not at its place, or whose group has ended */
static __attribute__((noinline)) struct row *seek(struct alike_table *t, uint64_t look,
                                                  int64_t time_ns)
{
    struct row *r = row_for(t, look);

    if (r->look != look || !covers(&r->span, time_ns))
        begin(t, r, look, time_ns);
    return r;
}

static inline void count(struct alike_table *t, uint64_t look, int64_t time_ns, uint64_t frame,
                         uint32_t wire_size)
{
    struct row *r = &t->rows[place_of(look)];

    if (r->look != look || !covers(&r->span, time_ns))
        r = seek(t, look, time_ns);
    if (r->packets < FIRST_FRAMES)
        r->frames[r->packets] = frame;
    r->packets++;
    r->bytes += wire_size;
}

/* By the first packet in brief of a route */
static __attribute__((noinline)) uint64_t
common_of(struct alike_table *t, const struct rdc_contexts *contexts, const struct rdc_brief *brief)
{
    struct rdc_packet like;

    rdc_brief_whole(contexts, brief, &like);
    t->common[brief->route] = look_of(&like) & ~OF_EACH;
    return t->common[brief->route];
}

static inline void count_brief(struct alike_table *t, const struct rdc_contexts *contexts,
                               const struct rdc_brief *brief)
{
    uint64_t look = t->common[brief->route];

    if (look == 0)
        look = common_of(t, contexts, brief);
    look |= (uint64_t)rdc_brief_opcode(brief) << OPCODE | two(brief->ecn, brief->icrc_check) << ECN;
    count(t, look, brief->time_ns, brief->frame, brief->wire_size);
}

static inline void count_whole(struct alike_table *t, const struct rdc_packet *pkt)
{
    count(t, look_of(pkt), pkt->time_ns, pkt->frame, pkt->wire_size);
}

void alike_batch(struct alike_table *t, const struct flow_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        size_t end = flow_batch_run(batch, i);

        for (; i < end; i++)
            count_brief(t, batch->contexts, &batch->briefs[i]);
        if (i < batch->count)
            count_whole(t, &batch->packets[i]);
    }
}
