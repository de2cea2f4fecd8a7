/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Load of links by packets in brief: more pairs of hosts than are told apart at a time, so that the
 * places of pairs change hands behind the back of the contexts.
 */
#include "support.h"

#include "analysis/link_rate.h"

enum {
    PAIRS = 1000,
    WIRE = 1230, /* and framing: what 10 Mbit/s carries in 1 ms */
    HEADERS = 14 + 20 + 8 + 12,
};

/* A SEND of one host to one other, each with a MAC address of its own */
static void make_frame(uint8_t frame[HEADERS], unsigned pair)
{
    static const uint8_t plain[HEADERS] = {
        2,
        0,
        0,
        0,
        0,
        0,
        2,
        1,
        0,
        0,
        0,
        0,
        0x08,
        0, /* Ethernet */
        0x45,
        0,
        (WIRE - 14) >> 8,
        (WIRE - 14) & 0xff,
        0,
        0,
        0x40,
        0,
        64,
        17, /* IPv4 */
        0,
        0,
        10,
        0,
        0,
        0,
        10,
        1,
        0,
        0, /* */
        0xc0,
        0,
        0x12,
        0xb7,
        (WIRE - 34) >> 8,
        (WIRE - 34) & 0xff,
        0,
        0, /* UDP */
        RDC_RC_SEND_ONLY,
        0,
        0xff,
        0xff,
        0,
        0,
        0,
        0x11,
        0,
        0,
        0,
        0, /* BTH */
    };

    memcpy(frame, plain, HEADERS);
    frame[4] = frame[10] = frame[28] = frame[32] = (uint8_t)(pair >> 8);
    frame[5] = frame[11] = frame[29] = frame[33] = (uint8_t)pair;
}

struct run {
    struct rdc_contexts *contexts;
    struct load_meter meter;
    uint64_t frame;
    size_t briefs;
};

static void take(struct run *r, unsigned pair, int64_t time_ns)
{
    static const struct rdc_config config = {.skip_checksums = true};
    uint8_t bytes[HEADERS];
    struct rdc_input in = {.bytes = bytes,
                           .captured = HEADERS,
                           .wire = WIRE,
                           .linktype = RDC_LINKTYPE_ETHERNET,
                           .time_ns = time_ns};
    struct rdc_packet packet;
    struct rdc_brief brief;
    struct flow_batch batch;

    make_frame(bytes, pair);
    flow_batch_init(&batch, &packet, 1);
    batch.contexts = r->contexts;
    batch.briefs = &brief;
    if (rdc_brief_decode_now(r->contexts, &config, &in, &brief)) {
        batch.whole = 0;
        r->briefs++;
    } else {
        rdc_decode(&config, &in, &packet);
        brief.learned = rdc_contexts_learn(r->contexts, &in, &packet);
    }
    packet.frame = brief.frame = ++r->frame;
    load_meter_batch(&r->meter, &batch);
}

static void check_many_pairs(void **state)
{
    struct run *r = calloc(1, sizeof(*r));

    (void)state;
    /* -fanalyzer: there is memory for it */
    r->contexts = calloc(1, rdc_contexts_size());
    load_meter_init(&r->meter);
    for (unsigned ms = 0; ms < 3; ms++)
        for (unsigned i = 0; i < PAIRS; i++)
            take(r, i, ms * INT64_C(1000000) + i);
    load_meter_settle(&r->meter);
    assert_int_equal(r->briefs, 2 * PAIRS);
    assert_int_equal(link_rates[load_meter_rate(&r->meter, 0, UINT64_MAX)], 10000000);
    for (unsigned k = 0; k < 2; k++)
        take(r, 7, INT64_C(9000000));
    load_meter_settle(&r->meter);
    assert_int_equal(link_rates[load_meter_rate(&r->meter, 0, UINT64_MAX)], 100000000);
    load_meter_done(&r->meter);
    free(r->contexts);
    free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_many_pairs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
