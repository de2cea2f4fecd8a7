/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What makes two packets of one stream, and the table that finds streams among very many.
 */
#include "flow/key.h"

#include "flow/build.h"
#include "support.h"

enum {
    KEYS = 200000,
    FLOOD = 50000,
    LONGEST_PROBE = 150, /* of random hashes in a table half full: about 60 */
    HASH_KEYS = 8,
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
        assert_true(flow_table_add(&table, hash_of(&m, i), i));
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

/* ------------------------------------------------------------------ made to collide */

static void put32(uint8_t *at, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> (24 - 8 * i));
}

static void sequential(uint32_t i, struct flow_key *key)
{
    key->dest_qpn = i;
}

static void upper_bits(uint32_t i, struct flow_key *key)
{
    put32(key->src, i << 16 | i >> 16);
    put32(key->dst + 8, i << 15);
}

/* Two bits changed, other ones in each key */
static void bits(uint32_t i, struct flow_key *key)
{
    uint8_t *bytes = (uint8_t *)key;
    uint32_t first = i % 320, second = (first + 1 + i / 320) % 320;

    bytes[first / 8] ^= (uint8_t)(1 << first % 8);
    bytes[second / 8] ^= (uint8_t)(1 << second % 8);
}

static void equal_sum(uint32_t i, struct flow_key *key)
{
    put32(key->src + 12, i);
    put32(key->dst + 12, UINT32_MAX - i);
}

static void equal_exclusive_or(uint32_t i, struct flow_key *key)
{
    put32(key->src + 12, i * 2654435761u);
    put32(key->dst + 12, i * 2654435761u);
    put32(key->src + 4, i);
    put32(key->dst + 4, i);
}

static void equal_words(uint32_t i, struct flow_key *key)
{
    for (unsigned at = 0; at < 16; at += 4) {
        put32(key->src + at, i);
        put32(key->dst + at, i);
    }
    key->dest_qpn = key->tunnel_id = i;
}

/* The same sum where each byte counts 33 times the next */
static void equal_sum_of_bytes(uint32_t i, struct flow_key *key)
{
    for (unsigned at = 0; at < 16; at += 2, i /= 8) {
        key->dst[at] = (uint8_t)(8 - i % 8);
        key->dst[at + 1] = (uint8_t)(i % 8 * 33);
    }
}

static void tunnels(uint32_t i, struct flow_key *key)
{
    key->tunnel_id = i << 8;
    key->dest_qpn = 0 - i;
}

static void ipv4_equal_sum(uint32_t i, struct flow_key *key)
{
    key->address_kind = RDC_ADDRESS_IPV4;
    put32(key->src, i << 8);
    put32(key->dst, UINT32_MAX - (i << 8));
}

static void ipv4_equal(uint32_t i, struct flow_key *key)
{
    key->address_kind = RDC_ADDRESS_IPV4;
    put32(key->src, i);
    put32(key->dst, i);
    key->dest_qpn = i;
}

static const struct family {
    const char *name;
    void (*make)(uint32_t i, struct flow_key *key);
} families[] = {
    {"sequential", sequential},
    {"upper bits", upper_bits},
    {"two bits", bits},
    {"equal sum", equal_sum},
    {"equal exclusive or", equal_exclusive_or},
    {"equal words", equal_words},
    {"equal sum of bytes", equal_sum_of_bytes},
    {"tunnels", tunnels},
    {"IPv4, equal sum", ipv4_equal_sum},
    {"IPv4, equal", ipv4_equal},
};

/* The longest run of entries in use is the most that a lookup can take. */
static uint32_t longest_probe(const struct flow_table *table)
{
    uint32_t longest = 0, run = 0;

    for (uint32_t i = 0; i < 2 * (table->mask + 1); i++) { /* around the end */
        run = table->entries[i & table->mask].index != 0 ? run + 1 : 0;
        longest = longest < run ? run : longest;
    }
    return longest;
}

/* Streams' keys, and what the other tables hash (pairs, ports, communication IDs) */
static uint64_t hash_of_words(const void *context, uint32_t index)
{
    const struct many *m = context;
    uint64_t words[2];

    memcpy(words, (const uint8_t *)&m->keys[index] + 24, sizeof(words));
    return flow_hash_words(&m->hk, words[0], words[1] ^ m->keys[index].dest_qpn);
}

static void flood(const struct family *family, struct many *m,
                  uint64_t (*hash)(const void *context, uint32_t index))
{
    struct flow_table table = {0};
    uint32_t probe;

    for (uint32_t i = 0; i < FLOOD; i++)
        assert_true(flow_table_add(&table, hash(m, i), i));
    probe = longest_probe(&table);
    if (probe > LONGEST_PROBE)
        fail_msg("%s: a lookup takes %u steps", family->name, probe);
    flow_table_done(&table);
}

static void test_collisions(void **state)
{
    struct many m = {.keys = calloc(FLOOD, sizeof(struct flow_key))};

    (void)state;
    assert_non_null(m.keys);
    for (size_t f = 0; f < SUPPORT_COUNT(families); f++) {
        for (uint32_t i = 0; i < FLOOD; i++) {
            m.keys[i] = key_of(&(struct build){.encapsulation = BUILD_ROCEV2_IPV6});
            families[f].make(i, &m.keys[i]);
        }
        for (unsigned k = 0; k < HASH_KEYS; k++) {
            flow_hash_key_init(&m.hk);
            flood(&families[f], &m, hash_of);
        }
        if (families[f].make == equal_sum || families[f].make == equal_words)
            flood(&families[f], &m, hash_of_words);
    }
    free(m.keys);
}

/* What collides under one hash key does not under another: keys can't be made beforehand. */
static void test_hash_keys(void **state)
{
    struct flow_hash_key hk[HASH_KEYS];
    struct flow_key key = key_of(&(struct build){0});

    (void)state;
    for (unsigned i = 0; i < HASH_KEYS; i++) {
        flow_hash_key_init(&hk[i]);
        for (unsigned j = 0; j < i; j++) {
            assert_int_not_equal(hk[i].k[0], hk[j].k[0]);
            assert_int_not_equal(hk[i].k[1], hk[j].k[1]);
            assert_int_not_equal(flow_key_hash(&hk[i], &key), flow_key_hash(&hk[j], &key));
            assert_int_not_equal(flow_hash_words(&hk[i], 1, 2), flow_hash_words(&hk[j], 1, 2));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_differences), cmocka_unit_test(test_sides),
        cmocka_unit_test(test_many_keys),   cmocka_unit_test(test_collisions),
        cmocka_unit_test(test_hash_keys),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
