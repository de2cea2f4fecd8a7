/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Groups of packets: all packets are told of, in groups of those that are alike, however many kinds
 * there are; what makes one kind; spans of time.
 */
#include "support.h"

#include "analysis/alike.h"
#include "rdc/ib.h"
#include "rdc/mad.h"

enum { GROUPS_MAX = 1 << 14 };

struct told {
    struct alike groups[GROUPS_MAX];
    size_t count;
    int64_t span_ns; /* 0: always */
};

static void on_begin(void *context, const struct alike *group, int64_t time_ns,
                     struct alike_span *span)
{
    const struct told *t = context;

    assert_int_equal(group->packets, 0);
    if (t->span_ns != 0)
        *span = (struct alike_span){time_ns / t->span_ns * t->span_ns, (uint64_t)t->span_ns};
}

static void on_counted(void *context, const struct alike *group)
{
    struct told *t = context;

    assert_true(t->count < GROUPS_MAX);
    t->groups[t->count++] = *group;
}

static struct told *run(const struct rdc_packet *packets, size_t count, int64_t span_ns)
{
    struct told *told = calloc(1, sizeof(*told));
    struct alike_table *table = alike_new(&(struct alike_reader){told, on_begin, on_counted});
    struct flow_batch batch;

    told->span_ns = span_ns;
    for (size_t at = 0; at < count; at += FLOW_BATCH) {
        flow_batch_init(&batch, packets + at, count - at < FLOW_BATCH ? count - at : FLOW_BATCH);
        alike_batch(table, &batch);
    }
    alike_settle(table);
    alike_settle(table);
    alike_free(table);
    return told;
}

static struct rdc_packet plain(void)
{
    struct rdc_packet pkt = {
        .transport = RDC_TRANSPORT_ROCEV2,
        .kind = RDC_KIND_BTH,
        .layers = 1u << RDC_LAYER_ETHERNET | 1u << RDC_LAYER_IPV4,
        .wire_size = 1000,
        .vlans = {{.pcp = 1}, {.pcp = 3}},
    };

    pkt.ip.dscp = 26;
    pkt.ip.ecn = 2;
    pkt.ib.bth.opcode = RDC_RC_SEND_ONLY;
    pkt.ib.bth.dest_qpn = 0x11;
    pkt.ib.icrc_check = RDC_CHECK_OK;
    return pkt;
}

static struct alike group_of_plain(void)
{
    return (struct alike){
        .transport = RDC_TRANSPORT_ROCEV2,
        .kind = RDC_KIND_BTH,
        .opcode = RDC_RC_SEND_ONLY,
        .icrc_check = RDC_CHECK_OK,
        .dscp = 26,
        .ecn = 2,
    };
}

/* ------------------------------------------------------------------ what makes another kind */

#define CHANGE(name, in_packet, in_group)                                                          \
    static void name(struct rdc_packet *pkt, struct alike *group)                                  \
    {                                                                                              \
        in_packet;                                                                                 \
        in_group;                                                                                  \
    }

CHANGE(rocev1, pkt->transport = RDC_TRANSPORT_ROCEV1,
       *group = ((struct alike){.transport = RDC_TRANSPORT_ROCEV1,
                                .kind = RDC_KIND_BTH,
                                .opcode = RDC_RC_SEND_ONLY,
                                .icrc_check = RDC_CHECK_OK}))
CHANGE(tcp, (pkt->transport = RDC_TRANSPORT_NONE, pkt->kind = RDC_KIND_TCP),
       *group = (struct alike){.kind = RDC_KIND_TCP})
CHANGE(opcode, pkt->ib.bth.opcode = RDC_RC_ACKNOWLEDGE, group->opcode = RDC_RC_ACKNOWLEDGE)
CHANGE(dscp, pkt->ip.dscp = 63, group->dscp = 63)
CHANGE(ecn, pkt->ip.ecn = 3, group->ecn = 3)
CHANGE(fecn, pkt->ib.bth.fecn = true, group->fecn = true)
CHANGE(becn, pkt->ib.bth.becn = true, group->becn = true)
CHANGE(management, pkt->ib.bth.dest_qpn = 1, group->management = true)
static void become_datagram(struct rdc_packet *pkt, uint32_t qpn, uint8_t mgmt_class)
{
    static uint8_t mads[256][2]; /* base version, class */

    mads[mgmt_class][0] = 1;
    mads[mgmt_class][1] = mgmt_class;
    pkt->ib.bth.opcode = RDC_UD_SEND_ONLY;
    pkt->ib.bth.dest_qpn = qpn;
    pkt->ib.payload = mads[mgmt_class];
    pkt->ib.payload_captured = sizeof(mads[mgmt_class]);
}

static void become_group(struct alike *group, bool of_set_up)
{
    group->opcode = RDC_UD_SEND_ONLY;
    group->management = true;
    group->set_up = of_set_up;
}

CHANGE(set_up, become_datagram(pkt, 1, RDC_MAD_CLASS_CM), become_group(group, true))
CHANGE(other_class, become_datagram(pkt, 1, RDC_MAD_CLASS_SUBN_ADM), become_group(group, false))
CHANGE(class_on_qp0, become_datagram(pkt, 0, RDC_MAD_CLASS_CM), become_group(group, false))
CHANGE(icrc, pkt->ib.icrc_check = RDC_CHECK_SKIPPED, group->icrc_check = RDC_CHECK_SKIPPED)
CHANGE(vcrc, pkt->ib.vcrc_check = RDC_CHECK_BAD, group->vcrc_check = RDC_CHECK_BAD)
CHANGE(checksum, pkt->ip.checksum_bad = true, group->ip_checksum_bad = true)
CHANGE(tagged, pkt->vlan_count = 1, (group->tagged = true, group->pcp = 1))
CHANGE(tagged_twice, pkt->vlan_count = 2, (group->tagged = true, group->pcp = 3))

static const struct row {
    const char *name;
    void (*change)(struct rdc_packet *pkt, struct alike *group);
} rows[] = {
    {"transport", rocev1}, {"kind", tcp},
    {"opcode", opcode},    {"dscp", dscp},
    {"ecn", ecn},          {"fecn", fecn},
    {"becn", becn},        {"qp1", management},
    {"cm", set_up},        {"subn-adm", other_class},
    {"qp0", class_on_qp0}, {"icrc", icrc},
    {"vcrc", vcrc},        {"ip-sum", checksum},
    {"pcp", tagged},       {"inner-pcp", tagged_twice},
};

static void expect_kind(const struct alike *group, const struct alike *want)
{
    assert_int_equal(group->transport, want->transport);
    assert_int_equal(group->kind, want->kind);
    assert_int_equal(group->ip_checksum_bad, want->ip_checksum_bad);
    assert_int_equal(group->opcode, want->opcode);
    assert_int_equal(group->management, want->management);
    assert_int_equal(group->set_up, want->set_up);
    assert_int_equal(group->fecn, want->fecn);
    assert_int_equal(group->becn, want->becn);
    assert_int_equal(group->icrc_check, want->icrc_check);
    assert_int_equal(group->vcrc_check, want->vcrc_check);
    assert_int_equal(group->tagged, want->tagged);
    assert_int_equal(group->pcp, want->pcp);
    assert_int_equal(group->dscp, want->dscp);
    assert_int_equal(group->ecn, want->ecn);
}

/* Three plain packets, and two of another kind between them */
static void check_kind(void **state)
{
    const struct row *row = *state;
    struct rdc_packet packets[5];
    struct alike want[2] = {group_of_plain(), group_of_plain()};
    struct told *told;

    for (unsigned i = 0; i < 5; i++) {
        packets[i] = plain();
        if (i % 2 != 0)
            row->change(&packets[i], &want[1]);
        packets[i].frame = i + 1;
    }
    told = run(packets, 5, 0);
    assert_int_equal(told->count, 2);
    for (unsigned i = 0; i < 2; i++) {
        const struct alike *group = &told->groups[i];
        bool other = group->packets == 2;

        expect_kind(group, &want[other]);
        assert_int_equal(group->packets, other ? 2 : 3);
        assert_int_equal(group->bytes, other ? 2000 : 3000);
        assert_int_equal(group->first.count, group->packets);
        assert_int_equal(group->first.frames[1], other ? 4 : 3);
    }
    free(told);
}

/* ------------------------------------------------------------------ how many, and when */

/* More kinds than have room at a time, twenty packets each, in turn: all are told of, each kind
 * with its first frames. */
static void check_many(void **state)
{
    enum { KINDS = 600, EACH = 20 };
    struct rdc_packet *packets = calloc(KINDS * EACH, sizeof(*packets));
    uint64_t counts[KINDS] = {0}, first[KINDS] = {0};
    struct told *told;

    (void)state;
    assert_non_null(packets);
    for (unsigned i = 0; i < KINDS * EACH; i++) {
        packets[i] = plain(); /* -fanalyzer: it does not know cmocka */
        packets[i].ib.bth.opcode = (uint8_t)(i % KINDS);
        packets[i].ip.dscp = (uint8_t)(i % KINDS / 256);
        packets[i].frame = i + 1;
    }
    told = run(packets, (size_t)KINDS * EACH, 0);
    for (size_t i = 0; i < told->count; i++) {
        const struct alike *group = &told->groups[i];
        unsigned kind = group->dscp * 256u + group->opcode;

        counts[kind] += group->packets;
        if (first[kind] == 0 || group->first.frames[0] < first[kind])
            first[kind] = group->first.frames[0];
    }
    for (unsigned i = 0; i < KINDS; i++) {
        assert_int_equal(counts[i], EACH);
        assert_int_equal(first[i], i + 1);
    }
    free(told);
    free(packets);
}

/* A group ends where its span does, on either side. */
static void check_spans(void **state)
{
    static const int64_t times[] = {10, 19, 20, 29, 15, 16, 20};
    struct rdc_packet packets[SUPPORT_COUNT(times)];
    static const uint64_t want[] = {2, 2, 2, 1};
    struct told *told;

    (void)state;
    for (unsigned i = 0; i < SUPPORT_COUNT(times); i++) {
        packets[i] = plain();
        packets[i].time_ns = times[i];
    }
    told = run(packets, SUPPORT_COUNT(times), 10);
    assert_int_equal(told->count, SUPPORT_COUNT(want));
    for (unsigned i = 0; i < SUPPORT_COUNT(want); i++) {
        assert_int_equal(told->groups[i].packets, want[i]);
        assert_int_equal(told->groups[i].span.from, i % 2 == 0 ? 10 : 20);
    }
    free(told);
}

/* Ten frames of a group are kept. */
static void check_frames(void **state)
{
    struct rdc_packet packets[12];
    struct told *told;

    (void)state;
    for (unsigned i = 0; i < 12; i++) {
        packets[i] = plain();
        packets[i].frame = i + 1;
        packets[i].time_ns = i % 2 == 0 ? RDC_TIME_FIRST_NS : RDC_TIME_LAST_NS;
    }
    told = run(packets, 12, 0);
    assert_int_equal(told->count, 1);
    assert_int_equal(told->groups[0].packets, 12);
    assert_int_equal(told->groups[0].first.count, FIRST_FRAMES);
    assert_int_equal(told->groups[0].first.frames[FIRST_FRAMES - 1], FIRST_FRAMES);
    free(told);
}

int main(void)
{
    const struct CMUnitTest single[] = {
        {"many-kinds", check_many, NULL, NULL, NULL},
        {"spans", check_spans, NULL, NULL, NULL},
        {"first-frames", check_frames, NULL, NULL, NULL},
    };
    enum { ONE = SUPPORT_COUNT(single), ALL = ONE + SUPPORT_COUNT(rows) };
    struct CMUnitTest tests[ALL];

    memcpy(tests, single, sizeof(single));
    for (size_t i = ONE; i < ALL; i++)
        tests[i] = (struct CMUnitTest){rows[i - ONE].name, check_kind, NULL, NULL,
                                       (void *)(uintptr_t)&rows[i - ONE]};
    return _cmocka_run_group_tests("alike", tests, ALL, NULL, NULL);
}
