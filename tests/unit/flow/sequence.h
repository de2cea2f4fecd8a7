/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Packet sequences as short text, and what the engine says about them as text.
 *
 * Packets are separated by ';'. A packet is its direction ('>' from host A to B, '<' back) and time
 * in microseconds ('+' before it: after the previous packet), its kind, its PSN (or a range: as
 * many packets, a microsecond apart), and what is special about it:
 *
 *     > 0 w 0..3; < +10 a 3; > 20 r 4 len=2048; < 30 nak 2; > 40 w 2 #77
 *
 * Kinds: see sequence_kinds. Words behind the PSN: see sequence_words. The word "ids" alone, as the
 * first of all: each packet gets the next IPv4 identification of its direction, but for those with
 * their own ("#77").
 *
 * The engine's answer has a line for each event, round, stream and connection that has something to
 * say, "; " between them; sequence_expect compares such texts without regard to spaces. PSNs are
 * relative to the option `base`, so that a table can be run at any place of the PSN space.
 */
#ifndef FLOW_TEST_SEQUENCE_H
#define FLOW_TEST_SEQUENCE_H

#include <ctype.h>
#include <stdio.h>

#include "flow/build.h"
#include "flow/ledger.h"
#include "support.h"

struct sequence_options {
    uint32_t base; /* added to all PSNs */
    bool xrc;      /* XRC opcodes instead of those of RC */
    bool mirrored; /* A has the higher address */
    uint8_t encapsulation;
    uint8_t tunnel;
    const struct flow_config *config;
};

struct sequence {
    struct sequence_options options;
    struct flow_engine *engine;
    struct ledger ledger;
    struct build previous;
    uint64_t frame;
    bool ids;
    uint16_t next_id[2];
    uint8_t mad[BUILD_MAD_SIZE];
    void (*each)(void *context, const struct rdc_packet *pkt); /* gets each packet too; NULL */
    void *context;
    char text[131072];
    size_t used;
};

static const struct sequence_kind {
    const char *name;
    int opcode;
    int aeth_kind; /* -1: no AETH */
    int aeth_value;
} sequence_kinds[] = {
    {"s", RDC_RC_SEND_ONLY, -1, 0},
    {"sf", RDC_RC_SEND_FIRST, -1, 0},
    {"sm", RDC_RC_SEND_MIDDLE, -1, 0},
    {"sl", RDC_RC_SEND_LAST, -1, 0},
    {"w", RDC_RC_RDMA_WRITE_ONLY, -1, 0},
    {"wf", RDC_RC_RDMA_WRITE_FIRST, -1, 0},
    {"wm", RDC_RC_RDMA_WRITE_MIDDLE, -1, 0},
    {"wl", RDC_RC_RDMA_WRITE_LAST, -1, 0},
    {"wi", RDC_RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE, -1, 0},
    {"r", RDC_RC_RDMA_READ_REQUEST, -1, 0},
    {"cs", RDC_RC_CMP_SWAP, -1, 0},
    {"fa", RDC_RC_FETCH_ADD, -1, 0},
    {"fl", RDC_RC_FLUSH, -1, 0},
    {"aw", RDC_RC_ATOMIC_WRITE, -1, 0},
    {"rf", RDC_RC_RDMA_READ_RESPONSE_FIRST, RDC_AETH_ACK, 31},
    {"rm", RDC_RC_RDMA_READ_RESPONSE_MIDDLE, -1, 0},
    {"rl", RDC_RC_RDMA_READ_RESPONSE_LAST, RDC_AETH_ACK, 31},
    {"ro", RDC_RC_RDMA_READ_RESPONSE_ONLY, RDC_AETH_ACK, 31},
    {"aa", RDC_RC_ATOMIC_ACKNOWLEDGE, RDC_AETH_ACK, 31},
    {"a", RDC_RC_ACKNOWLEDGE, RDC_AETH_ACK, 31},
    {"nak", RDC_RC_ACKNOWLEDGE, RDC_AETH_NAK, RDC_NAK_SEQUENCE},
    {"invalid", RDC_RC_ACKNOWLEDGE, RDC_AETH_NAK, RDC_NAK_INVALID_REQUEST},
    {"access", RDC_RC_ACKNOWLEDGE, RDC_AETH_NAK, RDC_NAK_REMOTE_ACCESS},
    {"operational", RDC_RC_ACKNOWLEDGE, RDC_AETH_NAK, RDC_NAK_REMOTE_OPERATIONAL},
    {"rnr", RDC_RC_ACKNOWLEDGE, RDC_AETH_RNR_NAK, 14},
    {"rnr0", RDC_RC_ACKNOWLEDGE, RDC_AETH_RNR_NAK, 0},
    {"us", RDC_UC_SEND_ONLY, -1, 0},
    {"usf", RDC_UC_SEND_FIRST, -1, 0},
    {"usm", RDC_UC_SEND_MIDDLE, -1, 0},
    {"usl", RDC_UC_SEND_LAST, -1, 0},
    {"ud", RDC_UD_SEND_ONLY, -1, 0},
    {"cnp", RDC_CNP, -1, 0},
    {"req", RDC_UD_SEND_ONLY, -1, 0x10},
    {"rej", RDC_UD_SEND_ONLY, -1, 0x12},
    {"rep", RDC_UD_SEND_ONLY, -1, 0x13},
    {"rtu", RDC_UD_SEND_ONLY, -1, 0x14},
    {"dreq", RDC_UD_SEND_ONLY, -1, 0x15},
    {"drep", RDC_UD_SEND_ONLY, -1, 0x16},
};

/* Words behind the PSN, "name" or "name=number". Of connection management: cid (own communication
 * id), rid (the other's), qpn, timeout, mtu (both as codes). */
#define SEQUENCE_WORDS(X)                                                                          \
    X(len, size)                                                                                   \
    X(port, port)                                                                                  \
    X(qpn, dest_qpn)                                                                               \
    X(from, src_qpn)                                                                               \
    X(A, host_a)                                                                                   \
    X(B, host_b)                                                                                   \
    X(salt, salt)                                                                                  \
    X(ecn, ecn)                                                                                    \
    X(fecn, fecn)                                                                                  \
    X(ar, ack_req)                                                                                 \
    X(bad, icrc_bad)                                                                               \
    X(badip, ip_checksum_bad)                                                                      \
    X(cut, icrc_unchecked)                                                                         \
    X(noexts, exts_cut)                                                                            \
    X(vlan, vlan)                                                                                  \
    X(tunnel, tunnel)                                                                              \
    X(vni, tunnel_id)                                                                              \
    X(encap, encapsulation)                                                                        \
    X(if, interface)                                                                               \
    X(timer, aeth_value)

/* ------------------------------------------------------------------ text to packets */

static inline void sequence_feed(struct sequence *q, struct build *b, const struct build_cm *cm,
                                 uint8_t message)
{
    struct rdc_packet pkt;

    b->frame = ++q->frame;
    if (q->ids && b->ip_id == 0)
        b->ip_id = ++q->next_id[b->back];
    pkt = build_packet(b);
    if (message != 0)
        build_cm_message(&pkt, q->mad, message, cm);
    ledger_feed(&q->ledger, q->engine, &pkt);
    if (q->each != NULL)
        q->each(q->context, &pkt);
}

static inline void sequence_word(struct build *b, struct build_cm *cm, const char *word)
{
    const char *equals = strchr(word, '=');
    size_t size = equals != NULL ? (size_t)(equals - word) : strlen(word);
    uint32_t value = equals != NULL ? (uint32_t)strtoul(equals + 1, NULL, 0) : 1;

    if (word[0] == '#') {
        b->ip_id = (uint16_t)strtoul(word + 1, NULL, 0);
        return;
    }
#define X(name, member)                                                                            \
    if (size == strlen(#name) && strncmp(word, #name, size) == 0) {                                \
        b->member = (__typeof__(b->member))value;                                                  \
        cm->qpn = b->dest_qpn;                                                                     \
        return;                                                                                    \
    }
    SEQUENCE_WORDS(X)
#undef X
    if (strncmp(word, "cid=", 4) == 0)
        cm->cid = value;
    else if (strncmp(word, "rid=", 4) == 0)
        cm->rid = value;
    else if (strncmp(word, "timeout=", 8) == 0)
        cm->timeout = (uint8_t)value;
    else if (strncmp(word, "mtu=", 4) == 0)
        cm->mtu = (uint8_t)value;
    else
        fail_msg("what is '%s'?", word);
}

static inline const struct sequence_kind *sequence_kind_of(const char *name)
{
    for (size_t i = 0; i < SUPPORT_COUNT(sequence_kinds); i++)
        if (name != NULL && strcmp(sequence_kinds[i].name, name) == 0)
            return &sequence_kinds[i];
    fail_msg("what kind of packet is '%s'?", name != NULL ? name : "");
    return &sequence_kinds[0];
}

static inline struct build sequence_start(struct sequence *q, const struct sequence_kind *kind)
{
    bool rc = rdc_opcode_table[kind->opcode].service == RDC_SERVICE_RC;

    return (struct build){
        .opcode = (uint8_t)(kind->opcode + (q->options.xrc && rc ? 0xa0 : 0)),
        .size = BUILD_DEFAULT_SIZE,
        .aeth_kind = kind->aeth_kind < 0 ? RDC_AETH_RESERVED : (uint8_t)kind->aeth_kind,
        .aeth_value = (uint8_t)kind->aeth_value,
        .host_a = q->options.mirrored ? 2 : 1,
        .host_b = q->options.mirrored ? 1 : 2,
        .encapsulation = q->options.encapsulation,
        .tunnel = q->options.tunnel,
        .tunnel_id = q->options.tunnel != 0 ? 7 : 0,
    };
}

static inline void sequence_packet(struct sequence *q, char *text)
{
    char *rest = NULL, *when, *end, *word;
    const struct sequence_kind *kind;
    struct build_cm cm = {0};
    struct build b;
    uint32_t first, last;
    char way = text[0];

    assert_true(way == '>' || way == '<');
    when = strtok_r(text + 1, " \n", &rest);
    kind = sequence_kind_of(strtok_r(NULL, " \n", &rest));
    b = sequence_start(q, kind);
    b.back = way == '<';
    b.time_ns = (int64_t)(strtod(when + (*when == '+'), NULL) * 1000 + 0.5);
    b.time_ns += *when == '+' ? q->previous.time_ns : 1000000000;
    word = strtok_r(NULL, " \n", &rest);
    assert_non_null(word);
    first = last = (uint32_t)strtoul(word, &end, 0);
    if (strncmp(end, "..", 2) == 0)
        last = (uint32_t)strtoul(end + 2, &end, 0);
    assert_int_equal(*end, '\0');
    while ((word = strtok_r(NULL, " \n", &rest)) != NULL)
        sequence_word(&b, &cm, word);
    for (uint32_t psn = first; psn <= last; psn++) {
        struct build one = b;

        one.psn = rdc_psn_add(psn, q->options.base);
        sequence_feed(q, &one, &cm,
                      kind->opcode == RDC_UD_SEND_ONLY ? (uint8_t)kind->aeth_value : 0);
        q->previous = one;
        b.time_ns += 1000;
        b.ip_id = b.ip_id != 0 ? (uint16_t)(b.ip_id + 1) : 0;
    }
}

/* ------------------------------------------------------------------ what the engine says, as text
 */

__attribute__((format(printf, 2, 3))) static inline void sequence_say(struct sequence *q,
                                                                      const char *format, ...)
{
    va_list args;
    int size;

    va_start(args, format);
    size = vsnprintf(q->text + q->used, sizeof(q->text) - q->used, format, args);
    va_end(args);
    assert_true(size >= 0 && (size_t)size < sizeof(q->text) - q->used);
    q->used += (size_t)size;
}

static inline unsigned sequence_psn(const struct sequence *q, uint32_t psn)
{
    return (psn - q->options.base) & RDC_PSN_MASK;
}

static inline void sequence_say_resent(struct sequence *q, const struct flow_event *ev)
{
    unsigned psn = sequence_psn(q, ev->psn);

    sequence_say(q, "resent %u", psn);
    if (ev->original_frame != 0)
        sequence_say(q, " of %u", (unsigned)ev->original_frame);
    if (ev->round != 0)
        sequence_say(q, " r%u", ev->round);
    sequence_say(q, "%s%s", ev->spurious ? " spurious" : "", ev->certain ? "" : " unsure");
}

static inline void sequence_say_event(struct sequence *q, const struct flow_event *ev, bool amended)
{
    unsigned psn = sequence_psn(q, ev->psn);

    sequence_say(q, "%u ", (unsigned)ev->frame);
    if (ev->stream == FLOW_NO_STREAM)
        sequence_say(q, "s- ");
    else if (ev->stream != 0)
        sequence_say(q, "s%u ", ev->stream);
    if (ev->kind == FLOW_GAP)
        sequence_say(q, "gap %u+%u", psn, ev->count);
    else if (ev->kind == FLOW_RETRANSMISSION)
        sequence_say_resent(q, ev);
    else if (ev->kind == FLOW_OUT_OF_ORDER && amended)
        sequence_say(q, "late %u after all", psn);
    else if (ev->kind == FLOW_OUT_OF_ORDER)
        sequence_say(q, "late %u by %u/%dus", psn, (unsigned)ev->late.packets,
                     (int)(ev->late.ns / 1000));
    else if (ev->kind == FLOW_DUPLICATE)
        sequence_say(q, "copy %u of %u", psn, (unsigned)ev->original_frame);
    else if (ev->kind == FLOW_HOLE_CLOSED)
        sequence_say(q, "closed %u+%u %s", psn, ev->count, flow_hole_end_name(ev->as));
    else if (ev->kind == FLOW_NAK)
        sequence_say(q, "nak %u %s", psn, rdc_nak_name(ev->code));
    else if (ev->kind == FLOW_RNR_NAK)
        sequence_say(q, "rnr %u %uus", psn, (unsigned)(ev->timer_ns / 1000));
    else if (ev->kind == FLOW_ACKED_UNSEEN)
        sequence_say(q, "unseen %u+%u", psn, ev->count);
    else if (ev->kind == FLOW_ACKED_EARLY)
        sequence_say(q, "early %u+%u", psn, ev->count);
    else if (ev->kind == FLOW_RETRY_EXHAUSTED)
        sequence_say(q, "exhausted %u x%u%s", psn, ev->count, ev->code == 1 ? " rnr" : "");
    else
        sequence_say(q, "%s", flow_event_name(ev->kind));
    sequence_say(q, "; ");
}

static inline void sequence_say_time(struct sequence *q, const char *name, int64_t ns)
{
    if (ns != -1)
        sequence_say(q, " %s %dus", name, (int)(ns / 1000));
}

static inline void sequence_say_round(struct sequence *q, const struct flow_round *round)
{
    sequence_say(q, "round %u", round->number);
    if (round->stream != 0)
        sequence_say(q, " s%u", round->stream);
    sequence_say(q, " %s", flow_trigger_name(round->trigger));
    if (round->trigger_frame != 0)
        sequence_say(q, "@%u", (unsigned)round->trigger_frame);
    sequence_say(q, "%s %u..%u x%u", round->certain ? "" : "?", sequence_psn(q, round->psn),
                 sequence_psn(q, round->end_psn), (unsigned)round->packets);
    sequence_say(q, "%s%s",
                 round->superseded ? " cut"
                 : round->complete ? ""
                                   : " running",
                 round->original_seen              ? ""
                 : round->lost == FLOW_LOST_BEFORE ? " unseen"
                                                   : " unseen, not lost");
    sequence_say_time(q, "nak", round->nak_delay_ns);
    sequence_say_time(q, "resend", round->resend_delay_ns);
    sequence_say_time(q, "stall", round->stall_ns);
    sequence_say_time(q, "recovery", round->recovery_ns);
    sequence_say(q, "%s; ", round->lost == FLOW_LOST_ANSWER ? " answer lost" : "");
}

static inline void sequence_say_stream(struct sequence *q, const struct flow_direction *d)
{
    const struct flow_counters *c = d->counters;

    if (c == NULL || c->lost_before_tap + c->lost_after_tap + c->dropped_messages == 0)
        return;
    sequence_say(q, "s%u:", d->stream);
    if (c->lost_before_tap != 0)
        sequence_say(q, " %u before", (unsigned)c->lost_before_tap);
    if (c->lost_after_tap != 0)
        sequence_say(q, " %u after", (unsigned)c->lost_after_tap);
    if (c->dropped_messages != 0)
        sequence_say(q, " %u dropped", (unsigned)c->dropped_messages);
    sequence_say(q, "; ");
}

/* Says nothing of a connection that is the only one of its hosts, open, in its first epoch. */
static inline void sequence_say_connection(struct sequence *q, size_t index)
{
    struct flow_connection c;
    const char *by;

    flow_connection_get(q->engine, index, &c);
    sequence_say_stream(q, &c.a_to_b);
    sequence_say_stream(q, &c.b_to_a);
    if (c.paired_by == FLOW_PAIRED_ONLY && c.state == FLOW_STATE_OPEN && c.epochs == 1)
        return;
    by = flow_pairing_name(c.paired_by);
    sequence_say(q, "c%u: %s", c.id, by != NULL ? by : "one-way");
    if (c.a_to_b.stream != 0 || c.b_to_a.stream > 1)
        sequence_say(q, " s%u", c.a_to_b.stream);
    if (c.a_to_b.stream != 0 && c.b_to_a.stream != FLOW_NO_STREAM)
        sequence_say(q, "-s%u", c.b_to_a.stream);
    else if (c.b_to_a.stream > 1 && c.b_to_a.stream != FLOW_NO_STREAM)
        sequence_say(q, "-s%u", c.b_to_a.stream);
    if (c.state != FLOW_STATE_OPEN)
        sequence_say(q, " %s", flow_state_name(c.state));
    if (c.epochs != 1)
        sequence_say(q, " %u epochs", c.epochs);
    if (c.service == RDC_SERVICE_UD && c.a.qpn_known)
        sequence_say(q, " from %u", c.a.qpn);
    sequence_say(q, "; ");
}

static inline void sequence_describe(struct sequence *q)
{
    for (size_t i = 0; i < q->ledger.count; i++)
        sequence_say_event(q, &q->ledger.events[i], q->ledger.amended[i]);
    for (size_t i = 0; i < q->ledger.round_count; i++)
        if (!q->ledger.rounds[i].cancelled)
            sequence_say_round(q, &q->ledger.rounds[i]);
    for (size_t i = 0; i < flow_connection_count(q->engine); i++)
        sequence_say_connection(q, i);
}

/* ------------------------------------------------------------------ comparing */

/* The same line, spaces aside; a line ends at ';' or at the end of its text. */
static inline bool sequence_same_line(const char *a, const char *b)
{
    for (;;) {
        while (isspace((unsigned char)*a))
            a++;
        while (isspace((unsigned char)*b))
            b++;
        if (*a == ';' || *a == '\0' || *b == ';' || *b == '\0')
            return (*a == ';' || *a == '\0') && (*b == ';' || *b == '\0');
        if (*a != *b)
            return false;
        a++;
        b++;
    }
}

static inline const char *sequence_next_line(const char *text)
{
    text += strcspn(text, ";");
    text += *text == ';';
    return text + strspn(text, " \n");
}

static inline void sequence_expect(struct sequence *q, const char *name, const char *expect)
{
    const char *said = q->text, *want = expect;

    while (*said != '\0' && *want != '\0' && sequence_same_line(said, want)) {
        said = sequence_next_line(said);
        want = sequence_next_line(want);
    }
    if (*said == '\0' && *want == '\0')
        return;
    print_error("%s (base %#x%s%s%s), all that was said:\n", name, q->options.base,
                q->options.xrc ? ", XRC" : "", q->options.mirrored ? ", mirrored" : "",
                q->options.tunnel != 0 ? ", tunnel" : "");
    for (const char *line = q->text; *line != '\0'; line = sequence_next_line(line))
        print_error("    %.*s\n", (int)strcspn(line, ";"), line);
    fail_msg("%s: said '%.*s', expected '%.*s'", name, (int)strcspn(said, ";"), said,
             (int)strcspn(want, ";"), want);
}

/* ------------------------------------------------------------------ running */

/* Runs the packets; the engine is finished and its books are checked. Each packet goes to `each`
 * too, unless that is NULL. Release with sequence_done. */
static inline struct sequence *
sequence_run_each(const char *packets, const struct sequence_options *options,
                  void (*each)(void *context, const struct rdc_packet *pkt), void *context)
{
    struct sequence *q = calloc(1, sizeof(*q));
    char *copy = strdup(packets), *rest = NULL;
    struct flow_sink sink;
    const char *complaint;

    assert_non_null(q);
    assert_non_null(copy);
    if (options != NULL)
        q->options = *options;
    q->each = each;
    q->context = context;
    sink = ledger_sink(&q->ledger);
    q->engine = flow_engine_new(q->options.config, &sink);
    assert_non_null(q->engine);
    for (char *one = strtok_r(copy, ";", &rest); one != NULL; one = strtok_r(NULL, ";", &rest)) {
        one += strspn(one, " \n");
        if (strcmp(one, "ids") == 0)
            q->ids = true;
        else if (*one != '\0')
            sequence_packet(q, one);
    }
    free(copy);
    ledger_finish(&q->ledger, q->engine);
    sequence_describe(q);
    complaint = ledger_check(&q->ledger, q->engine);
    if (complaint != NULL)
        fail_msg("the books of '%s' do not balance: %s", packets, complaint);
    return q;
}

static inline struct sequence *sequence_run(const char *packets,
                                            const struct sequence_options *options)
{
    return sequence_run_each(packets, options, NULL, NULL);
}

static inline void sequence_done(struct sequence *q)
{
    flow_engine_free(q->engine);
    ledger_done(&q->ledger);
    free(q);
}

/* A row of a table: what a sequence of packets means, wherever in the PSN space it is. */
struct sequence_row {
    const char *name;
    const char *packets;
    const char *expect;
};

static inline void sequence_once(const struct sequence_row *row,
                                 const struct sequence_options *options)
{
    struct sequence *q = sequence_run(row->packets, options);

    sequence_expect(q, row->name, row->expect);
    sequence_done(q);
}

/* Runs a row at PSN 0, so that it wraps at each of its first PSNs, as XRC, with the addresses
 * exchanged, and inside a tunnel: what is said must not change. */
static inline void sequence_test(void **state)
{
    const struct sequence_row *row = *state;

    sequence_once(row, &(struct sequence_options){0});
    sequence_once(row, &(struct sequence_options){.base = 0x123456, .mirrored = true});
    for (uint32_t before = 1; before <= 12; before++)
        sequence_once(
            row, &(struct sequence_options){.base = 0x1000000 - before, .xrc = before % 2 == 0});
    sequence_once(row, &(struct sequence_options){.base = 0x7ffffe, .tunnel = 5, .xrc = true});
}

/* A test of each row of the table. */
static inline struct CMUnitTest *sequence_tests(const struct sequence_row *rows, size_t count)
{
    struct CMUnitTest *tests = calloc(count, sizeof(*tests));

    assert_non_null(tests);
    for (size_t i = 0; i < count; i++) {
        struct sequence_row *row = malloc(sizeof(*row));

        assert_non_null(row);
        *row = rows[i];
        tests[i] = (struct CMUnitTest){
            .name = row->name, .test_func = sequence_test, .initial_state = row};
    }
    return tests;
}

static inline void sequence_tests_done(struct CMUnitTest *tests, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(tests[i].initial_state);
    free(tests);
}

/* Main of a test program that has one table */
static inline int sequence_main(const char *name, const struct sequence_row *rows, size_t count)
{
    struct CMUnitTest *tests = sequence_tests(rows, count);
    int failed = _cmocka_run_group_tests(name, tests, count, NULL, NULL);

    sequence_tests_done(tests, count);
    return failed;
}

#endif
