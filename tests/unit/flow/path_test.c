/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What changes on the way of a stream, and what only looks like a change.
 */
#include "flow/build.h"
#include "flow/path.h"
#include "support.h"

struct step {
    uint8_t opcode, pcp; /* pcp: 0 no tag, else PCP + 1 */
    uint8_t dscp, ttl, mac;
    uint32_t interface;
};

#define WRITE RDC_RC_RDMA_WRITE_MIDDLE
#define ACK RDC_RC_ACKNOWLEDGE
#define CNP RDC_CNP

static const struct row {
    const char *name;
    struct step steps[5];
    unsigned count;
    uint64_t priority_changes, priority_frame, ttl_changes, ttl_frame, mac_frame;
} rows[] = {
    {"steady", {{WRITE, 4, 26, 64, 1, 0}, {WRITE, 4, 26, 64, 1, 0}}, 2, 0, 0, 0, 0, 0},
    {"dscp", {{WRITE, 4, 26, 64, 1, 0}, {WRITE, 4, 0, 64, 1, 0}}, 2, 1, 2, 0, 0, 0},
    {"pcp", {{WRITE, 4, 26, 64, 1, 0}, {WRITE, 1, 26, 64, 1, 0}}, 2, 1, 2, 0, 0, 0},
    {"untagged", {{WRITE, 1, 0, 64, 1, 0}, {WRITE, 0, 0, 64, 1, 0}}, 2, 1, 2, 0, 0, 0},
    {"there-and-back",
     {{WRITE, 4, 26, 64, 1, 0}, {WRITE, 4, 0, 64, 1, 0}, {WRITE, 4, 26, 64, 1, 0}},
     3,
     2,
     2,
     0,
     0,
     0},
    {"each-class-its-own",
     {{WRITE, 4, 26, 64, 1, 0},
      {ACK, 4, 0, 64, 1, 0},
      {CNP, 7, 48, 64, 1, 0},
      {WRITE, 4, 26, 64, 1, 0}},
     4,
     0,
     0,
     0,
     0,
     0},
    {"ttl", {{WRITE, 0, 0, 64, 1, 0}, {WRITE, 0, 0, 63, 1, 0}}, 2, 0, 0, 1, 2, 0},
    {"ttl-of-cnps",
     {{WRITE, 0, 0, 64, 1, 0}, {CNP, 0, 0, 255, 1, 0}, {WRITE, 0, 0, 64, 1, 0}},
     3,
     0,
     0,
     0,
     0,
     0},
    {"mac",
     {{WRITE, 0, 0, 64, 1, 0}, {WRITE, 0, 0, 64, 2, 0}, {WRITE, 0, 0, 64, 1, 0}},
     3,
     0,
     0,
     0,
     0,
     2},
    {"another-interface", {{WRITE, 0, 0, 64, 1, 0}, {WRITE, 2, 9, 63, 2, 1}}, 2, 0, 0, 0, 0, 0},
};

static void check_row(void **state)
{
    static const struct flow_path_changes none;
    const struct row *row = *state;
    const struct flow_path_changes *n;
    struct flow_path p = {0};
    struct flow_arena arena = {.left = 1 << 20};

    for (unsigned i = 0; i < row->count; i++) {
        const struct step *s = &row->steps[i];
        struct build b = {.frame = i + 1,
                          .opcode = s->opcode,
                          .size = BUILD_DEFAULT_SIZE,
                          .vlan = s->pcp,
                          .interface = s->interface};
        struct rdc_packet pkt = build_packet(&b);

        pkt.ip.dscp = s->dscp;
        pkt.ip.ttl = s->ttl;
        pkt.has_mac = true;
        memset(pkt.src_mac, s->mac, 6);
        memset(pkt.dst_mac, 9, 6);
        flow_path_packet(&p, &pkt, flow_packet_class(&pkt), &arena);
    }
    n = p.changes != NULL ? p.changes : &none;
    assert_int_equal(n->priority_changes, row->priority_changes);
    assert_int_equal(n->priority_frame, row->priority_frame);
    assert_int_equal(n->ttl_changes, row->ttl_changes);
    assert_int_equal(n->ttl_frame, row->ttl_frame);
    assert_int_equal(n->src_mac_frame, row->mac_frame);
    assert_int_equal(p.src_mac[5], row->steps[0].mac);
    flow_arena_done(&arena);
}

/* Path MTU 1024 */
static const struct size_row {
    const char *name;
    uint8_t opcode;
    uint32_t size, pmtu;
    uint64_t larger, smaller;
} size_rows[] = {
    {"filled", RDC_RC_RDMA_WRITE_FIRST, 1024, 1024, 0, 0},
    {"short-middle", RDC_RC_RDMA_WRITE_MIDDLE, 1000, 1024, 0, 1},
    {"short-first", RDC_RC_SEND_FIRST, 512, 1024, 0, 1},
    {"short-last", RDC_RC_RDMA_WRITE_LAST, 1, 1024, 0, 0},
    {"short-only", RDC_RC_SEND_ONLY, 0, 1024, 0, 0},
    {"large-only", RDC_RC_SEND_ONLY, 1025, 1024, 1, 0},
    {"large-middle", RDC_RC_RDMA_READ_RESPONSE_MIDDLE, 2048, 1024, 1, 0},
    {"unknown", RDC_RC_RDMA_WRITE_MIDDLE, 1000, 0, 0, 0},
};

static void check_size(void **state)
{
    static const struct flow_path_changes none;
    const struct size_row *row = *state;
    struct build b = {.frame = 3, .opcode = row->opcode, .size = row->size};
    struct rdc_packet pkt = build_packet(&b);
    const struct flow_path_changes *n;
    struct flow_path p = {0};
    struct flow_arena arena = {.left = 1 << 20};

    flow_path_size(&p, &pkt, row->pmtu, &arena);
    n = p.changes != NULL ? p.changes : &none;
    assert_int_equal(n->larger, row->larger);
    assert_int_equal(n->smaller, row->smaller);
    assert_int_equal(n->larger_frame, row->larger > 0 ? 3 : 0);
    assert_int_equal(n->smaller_frame, row->smaller > 0 ? 3 : 0);
    assert_int_equal(p.largest, row->size);
    flow_arena_done(&arena);
}

static struct CMUnitTest row_test(const char *name, CMUnitTestFunction check, const void *row)
{
    return (struct CMUnitTest){name, check, NULL, NULL, (void *)(uintptr_t)row};
}

int main(void)
{
    struct CMUnitTest tests[SUPPORT_COUNT(rows) + SUPPORT_COUNT(size_rows)];
    size_t n = 0;

    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++)
        tests[n++] = row_test(rows[i].name, check_row, &rows[i]);
    for (size_t i = 0; i < SUPPORT_COUNT(size_rows); i++)
        tests[n++] = row_test(size_rows[i].name, check_size, &size_rows[i]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
