/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What makes two packets of one stream, and the table that finds streams among very many.
 */
#include "flow/key.h"

#include "flow/build.h"
#include "support.h"

enum {
    KEYS = 200000,
};

struct difference {
    const char *name;
    struct build other; /* than the default */
    bool same_stream;
    bool same_hosts;
};

static const struct difference differences[] = {
    {"nothing", {0}, true, true},
    {"psn", {.psn = 7}, true, true},
    {"udp-source-port", {.port = 50001}, true, true},
    {"vlan", {.vlan = 4}, true, true},
    {"interface", {.interface = 1}, true, true},
    {"opcode", {.opcode = RDC_RC_ACKNOWLEDGE}, true, true},
    {"qpn", {.dest_qpn = 0x23}, false, true},
    {"direction", {.back = true}, false, true},
    {"destination", {.host_b = 3}, false, false},
    {"source", {.host_a = 3}, false, false},
    {"ipv6", {.encapsulation = BUILD_ROCEV2_IPV6}, false, false},
    {"rocev1", {.encapsulation = BUILD_ROCEV1}, false, false},
    {"ib-lid", {.encapsulation = BUILD_IB_LID}, false, false},
    {"ib-gid", {.encapsulation = BUILD_IB_GID}, false, false},
    {"tunnel", {.tunnel = RDC_TUNNEL_VXLAN + 1}, false, false},
    {"tunnel-id", {.tunnel = RDC_TUNNEL_VXLAN + 1, .tunnel_id = 1}, false, false},
    {"tunnel-kind", {.tunnel = RDC_TUNNEL_MPLS + 1, .tunnel_id = 1}, false, false},
};

static struct flow_key key_of(const struct build *b)
{
    struct rdc_packet pkt = build_packet(b);
    struct flow_key key;

    memset(&key, 0xa5, sizeof(key));
    flow_key_of(&pkt, &key);
    return key;
}

/* Each against each: equal only when none of the two is a stream of its own. */
static void test_differences(void **state)
{
    struct flow_hash_key hk = {{1, 2}};

    (void)state;
    for (size_t i = 0; i < SUPPORT_COUNT(differences); i++) {
        for (size_t j = 0; j < i; j++) {
            struct flow_key a = key_of(&differences[i].other), b = key_of(&differences[j].other);
            struct flow_key hosts_a, hosts_b;
            bool same = differences[i].same_stream && differences[j].same_stream;

            assert_int_equal(flow_key_equal(&a, &b), same);
            assert_int_equal(flow_key_hash(&hk, &a) == flow_key_hash(&hk, &b), same);
            flow_key_pair(&a, &hosts_a);
            flow_key_pair(&b, &hosts_b);
            assert_int_equal(flow_key_equal(&hosts_a, &hosts_b),
                             differences[i].same_hosts && differences[j].same_hosts);
        }
    }
}

static void test_sides(void **state)
{
    struct flow_key forth = key_of(&(struct build){0}),
                    back = key_of(&(struct build){.back = true});
    struct flow_key pair;

    (void)state;
    assert_int_not_equal(flow_key_pair(&forth, &pair), flow_key_pair(&back, &pair));
}

struct many {
    struct flow_hash_key hk;
    struct flow_key *keys;
    const struct flow_key *wanted;
    uint64_t compared;
};

static bool equal(const void *context, uint32_t index)
{
    struct many *m = (struct many *)(uintptr_t)context;

    m->compared++;
    return flow_key_equal(&m->keys[index], m->wanted);
}

static uint64_t hash_of(const void *context, uint32_t index)
{
    const struct many *m = context;

    return flow_key_hash(&m->hk, &m->keys[index]);
}

/* Keys as many queue pairs between few hosts have them: found again, and hardly ever another one
 * looked at. */
static void test_many_keys(void **state)
{
    struct many m = {.keys = calloc(KEYS, sizeof(struct flow_key))};
    struct flow_table table = {0};
    struct flow_key absent = key_of(&(struct build){.dest_qpn = 0xabcdef});

    (void)state;
    assert_non_null(m.keys);
    flow_hash_key_init(&m.hk);
    for (uint32_t i = 0; i < KEYS; i++) {
        m.keys[i] = key_of(&(struct build){.dest_qpn = 2 + i / 4,
                                           .host_a = (uint8_t)(1 + i % 2),
                                           .host_b = (uint8_t)(3 + i / 2 % 2)});
        assert_true(flow_table_add(&table, hash_of(&m, i), i, hash_of, &m));
    }
    for (uint32_t i = 0; i < KEYS; i++) {
        m.wanted = &m.keys[i];
        assert_int_equal(flow_table_find(&table, hash_of(&m, i), equal, &m), i);
    }
    assert_true(m.compared < KEYS + KEYS / 100);
    m.wanted = &absent;
    assert_int_equal(flow_table_find(&table, flow_key_hash(&m.hk, &absent), equal, &m), UINT32_MAX);
    assert_true((uint64_t)table.mask + 1 <= KEYS * 4);
    flow_table_done(&table);
    assert_int_equal(flow_table_find(&table, 1, equal, &m), UINT32_MAX);
    free(m.keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_differences),
        cmocka_unit_test(test_sides),
        cmocka_unit_test(test_many_keys),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
