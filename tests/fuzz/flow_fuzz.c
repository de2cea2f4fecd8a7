/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Any sequence of packets as input of the flow engine. An input is four bytes of choices and eight
 * bytes a packet:
 *   choices: limits, encapsulation, place in the PSN space, packets between previews
 *   packet:  kind, who to whom, PSN, time, size, acknowledgement, IPv4 identification, flags
 * PSNs are relative to where the stream (of answers: the peer's stream) is, so that small numbers
 * make sense. Whatever comes, the engine's books balance, a preview changes nothing, and the same
 * packets mean the same again.
 */
#include <stdlib.h>

#include "../unit/flow/build.h"
#include "../unit/flow/ledger.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    CHOICES = 4,
    RECORD = 8,
    PACKETS_MAX = 600,
    WHO_BACK = 0x01,
    WHO_QPN = 0x06, /* << 1 */
    WHO_HOST = 0x08,
    WHO_TUNNEL = 0x10,
    WHO_PORT = 0x60, /* << 5 */
    WHO_INTERFACE = 0x80,
    FLAG_ACK_REQ = 0x01,
    FLAG_BAD = 0x02,
    FLAG_CUT = 0x04,
    FLAG_NO_EXTS = 0x08,
    FLAG_AGAIN = 0x10, /* the packet before, once more */
    FLAG_FECN = 0x20,
    FLAG_ECN = 0x40,
    FLAG_SALT = 0x80,
    TIME_YEARS = 0xb8, /* all of these, in a packet's time */
    CM = 0x100,
    PAUSE = 0x200,
};

static const uint16_t kinds[] = {
    RDC_RC_RDMA_WRITE_ONLY,
    RDC_RC_SEND_ONLY,
    RDC_RC_SEND_FIRST,
    RDC_RC_SEND_MIDDLE,
    RDC_RC_SEND_LAST,
    RDC_RC_RDMA_WRITE_FIRST,
    RDC_RC_RDMA_WRITE_MIDDLE,
    RDC_RC_RDMA_WRITE_LAST,
    RDC_RC_RDMA_READ_REQUEST,
    RDC_RC_CMP_SWAP,
    RDC_RC_FETCH_ADD,
    RDC_RC_FLUSH,
    RDC_RC_ATOMIC_WRITE,
    RDC_RC_ACKNOWLEDGE,
    RDC_RC_ACKNOWLEDGE,
    RDC_RC_ATOMIC_ACKNOWLEDGE,
    RDC_RC_RDMA_READ_RESPONSE_FIRST,
    RDC_RC_RDMA_READ_RESPONSE_MIDDLE,
    RDC_RC_RDMA_READ_RESPONSE_LAST,
    RDC_RC_RDMA_READ_RESPONSE_ONLY,
    RDC_CNP,
    RDC_UC_SEND_FIRST,
    RDC_UC_SEND_MIDDLE,
    RDC_UC_SEND_LAST,
    RDC_UC_SEND_ONLY,
    RDC_UD_SEND_ONLY,
    RDC_XRC_SEND_ONLY,
    RDC_XRC_RDMA_READ_REQUEST,
    RDC_XRC_ACKNOWLEDGE,
    RDC_RD_SEND_ONLY,
    CM | 0x10, /* REQ */
    CM | 0x13, /* REP */
    CM | 0x15, /* DREQ */
    CM | 0x16, /* DREP */
    PAUSE,
    0x1f, /* reserved */
};
static const uint32_t sizes[] = {64,   1024, 0,       256,        257,
                                 4096, 5000, 1 << 20, 0x80000000, 0xffffffff};
static const int32_t jumps[] = {1 << 22, (1 << 22) + 1, -(1 << 22), -(1 << 22) - 1, 1 << 23, 20000};

struct run {
    const uint8_t *data;
    size_t count;
    uint32_t psn[4][2][2]; /* where the requests of (QPN, host, direction) are */
    int64_t time_ns;
    uint16_t id[2];
    uint8_t mad[BUILD_MAD_SIZE];
    struct build before;
    uint16_t kind_before;
    struct ledger ledger;
    struct flow_engine *engine;
};

static void play(struct run *run, const uint8_t *choices, unsigned preview);
static void packet(struct run *run, const uint8_t *record, const uint8_t *choices, uint64_t frame);
static uint32_t choose_psn(struct run *run, const uint8_t *record, uint8_t opcode);
static int64_t choose_time(int64_t now, uint8_t choice);
static void feed(struct run *run, struct build *b, uint16_t kind, const uint8_t *record);
static void compare(const struct run *a, const struct run *b);
static void must(bool holds, const char *what);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct run plain = {0}, previewed = {0};

    if (size < CHOICES)
        return 0;
    plain.data = previewed.data = data + CHOICES;
    plain.count = (size - CHOICES) / RECORD;
    if (plain.count > PACKETS_MAX)
        plain.count = PACKETS_MAX;
    previewed.count = plain.count;
    play(&plain, data, 0);
    play(&previewed, data, data[3] % 32 + 1u);
    compare(&plain, &previewed);
    flow_engine_free(plain.engine);
    flow_engine_free(previewed.engine);
    ledger_done(&plain.ledger);
    ledger_done(&previewed.ledger);
    return 0;
}

static void play(struct run *run, const uint8_t *choices, unsigned preview)
{
    struct flow_config config = {0};
    struct flow_sink sink = ledger_sink(&run->ledger);
    uint32_t start = (uint32_t)choices[2] * 3;
    const char *complaint;

    if ((choices[0] & 1) != 0)
        config.max_streams = 3;
    if ((choices[0] & 2) != 0)
        config.max_state_bytes = 8192;
    run->engine = flow_engine_new(&config, &sink);
    must(run->engine != NULL, "memory");
    for (int i = 0; i < 16; i++)
        run->psn[i / 4][i / 2 % 2][i % 2] = (0u - start) & RDC_PSN_MASK;
    run->time_ns = 1000000000;
    for (size_t i = 0; i < run->count; i++) {
        packet(run, run->data + i * RECORD, choices, i + 1);
        if (preview != 0 && i % preview == 0)
            ledger_preview(&run->ledger, run->engine);
    }
    ledger_finish(&run->ledger, run->engine);
    complaint = ledger_check(&run->ledger, run->engine);
    must(complaint == NULL, complaint);
}

static void packet(struct run *run, const uint8_t *record, const uint8_t *choices, uint64_t frame)
{
    static const uint16_t ports[] = {0, 50001, 0xc000, 0xd3a0};
    uint16_t kind = kinds[record[0] % (sizeof(kinds) / sizeof(kinds[0]))];
    uint8_t who = record[1], flags = record[7];
    bool back = (who & WHO_BACK) != 0;
    struct build b = {
        .opcode = (kind & CM) != 0 ? RDC_UD_SEND_ONLY : (uint8_t)kind,
        .back = back,
        .host_b = (who & WHO_HOST) != 0 ? 3 : 2,
        .dest_qpn = (who & WHO_QPN) == 0 ? 0 : 0x100u + ((uint32_t)(who & WHO_QPN) << 4) + back,
        .tunnel = (who & WHO_TUNNEL) != 0 ? RDC_TUNNEL_VXLAN + 1 : 0,
        .port = ports[(who & WHO_PORT) >> 5],
        .interface = (who & WHO_INTERFACE) != 0,
        .size = sizes[record[4] % (sizeof(sizes) / sizeof(sizes[0]))],
        .aeth_kind = record[5] >> 5 & 3,
        .aeth_value = record[5] & 31,
        .encapsulation = choices[1] % BUILD_ENCAPSULATIONS,
        .ack_req = (flags & FLAG_ACK_REQ) != 0,
        .icrc_bad = (flags & FLAG_BAD) != 0,
        .icrc_unchecked = (flags & FLAG_CUT) != 0,
        .exts_cut = (flags & FLAG_NO_EXTS) != 0,
        .fecn = (flags & FLAG_FECN) != 0,
        .ecn = (flags & FLAG_ECN) != 0 ? 3 : 2,
        .salt = (flags & FLAG_SALT) != 0,
    };

    if (rdc_opcode_table[b.opcode].payload && b.size > 4096)
        b.size = 1024;
    run->time_ns = choose_time(run->time_ns, record[3]);
    b.psn = choose_psn(run, record, b.opcode);
    if (record[6] != 0)
        b.ip_id = run->id[back] = (uint16_t)(run->id[back] + (int8_t)record[6]);
    if ((flags & FLAG_AGAIN) != 0 && frame > 1) {
        b = run->before;
        kind = run->kind_before;
    }
    run->before = b;
    run->kind_before = kind;
    b.frame = frame;
    b.time_ns = run->time_ns;
    feed(run, &b, kind, record);
}

static uint32_t choose_psn(struct run *run, const uint8_t *record, uint8_t opcode)
{
    bool back = (record[1] & WHO_BACK) != 0;
    bool answers = rdc_opcode_table[opcode].role == RDC_ROLE_RESPONSE;
    uint32_t *at =
        &run->psn[(record[1] & WHO_QPN) >> 1][(record[1] & WHO_HOST) != 0][answers ? !back : back];
    int delta = record[2] < 128 ? record[2] : record[2] - 256;
    uint32_t psn;

    if (delta >= 122)
        psn = *at + (uint32_t)jumps[delta - 122];
    else
        psn = *at + (uint32_t)delta;
    psn &= RDC_PSN_MASK;
    if (!answers && rdc_psn_diff(psn, *at) >= 0)
        *at = (psn + 1) & RDC_PSN_MASK;
    return psn;
}

/* Nanoseconds: 0 to 0.5 s later or earlier, or years, up to the ends of what a time can be */
static int64_t choose_time(int64_t now, uint8_t choice)
{
    static const int64_t years[] = {
        RDC_TIME_FIRST_NS,     RDC_TIME_LAST_NS, 1700000000000000000, 4294967295000000000, -1, 0,
        RDC_TIME_FIRST_NS + 1, 1000000000};
    int64_t ns = (int64_t)1 << (choice & 0x1f);
    bool back = (choice & 0xc0) == 0xc0;

    if ((choice & TIME_YEARS) == TIME_YEARS)
        return years[choice & 7];
    if (ns > 500000000)
        ns = 500000000;
    if (back)
        return now < RDC_TIME_FIRST_NS + ns ? RDC_TIME_FIRST_NS : now - ns;
    return now > RDC_TIME_LAST_NS - ns ? RDC_TIME_LAST_NS : now + ns - 1;
}

static void feed(struct run *run, struct build *b, uint16_t kind, const uint8_t *record)
{
    struct rdc_packet pkt = build_packet(b);

    if ((kind & CM) != 0) {
        const struct build_cm cm = {.cid = record[5] & 7,
                                    .rid = record[5] >> 3 & 7,
                                    .qpn = b->back ? BUILD_QPN_B : BUILD_QPN_A,
                                    .timeout = record[4] & 31,
                                    .mtu = record[4] >> 5};

        build_cm_message(&pkt, run->mad, (uint8_t)kind, &cm);
    } else if ((kind & PAUSE) != 0) {
        pkt.kind = RDC_KIND_PAUSE;
        pkt.transport = RDC_TRANSPORT_MACCTRL;
        pkt.pause = (struct rdc_pause){.pfc = true, .enabled = record[2]};
    }
    ledger_feed(&run->ledger, run->engine, &pkt);
}

/* The preview took nothing away, and the random key of the tables decided nothing. */
static void compare(const struct run *a, const struct run *b)
{
    must(a->ledger.count == b->ledger.count, "a preview changed the events");
    must(flow_connection_count(a->engine) == flow_connection_count(b->engine),
         "a preview changed the connections");
    for (size_t i = 0; i < flow_connection_count(a->engine); i++) {
        struct flow_connection x, y;

        flow_connection_get(a->engine, i, &x);
        flow_connection_get(b->engine, i, &y);
        must(x.a_to_b.stream == y.a_to_b.stream && x.b_to_a.stream == y.b_to_a.stream,
             "a preview changed a pairing");
        must(x.state == y.state && x.paired_by == y.paired_by && x.epochs == y.epochs,
             "a preview changed a state");
        /* NOLINTBEGIN(bugprone-suspicious-memory-comparison): they begin as zeros, padding too */
        must(memcmp(x.a_to_b.counters, y.a_to_b.counters, sizeof(*x.a_to_b.counters)) == 0,
             "a preview changed counters");
        must(x.b_to_a.counters == NULL ||
                 memcmp(x.b_to_a.counters, y.b_to_a.counters, sizeof(*x.b_to_a.counters)) == 0,
             "a preview changed counters");
        /* NOLINTEND(bugprone-suspicious-memory-comparison) */
    }
}

static void must(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "flow_fuzz: %s\n", what);
    abort();
}
