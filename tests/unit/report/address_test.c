/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Addresses as text, RFC 5952 row by row; and whatever the address, the text that inet_pton() reads
 * back to it.
 */
#include <arpa/inet.h>

#include "support.h"

#include "rdc/packet.h"
#include "render/address.h"

static const struct row {
    const char *name;
    uint8_t kind;
    uint8_t address[16];
    const char *want;
} rows[] = {
    {"ipv4", RDC_ADDRESS_IPV4, {10, 0, 255, 1}, "10.0.255.1"},
    {"lid", RDC_ADDRESS_LID, {0xc0, 0x01}, "lid:49153"},
    {"none", RDC_ADDRESS_NONE, {1}, ""},
    {"all-zero", RDC_ADDRESS_IPV6, {0}, "::"},
    {"loopback", RDC_ADDRESS_IPV6, {[15] = 1}, "::1"},
    {"link-local",
     RDC_ADDRESS_GID,
     {0xfe, 0x80, [8] = 2, [11] = 0xff, 0xfe, [15] = 1},
     "fe80::200:ff:fe00:1"},
    {"mapped-gid", RDC_ADDRESS_GID, {[10] = 0xff, 0xff, 192, 168, 0, 1}, "::ffff:192.168.0.1"},
    {"one-zero-group-stays",
     RDC_ADDRESS_IPV6,
     {0x20, 1, 0xd, 0xb8, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1},
     "2001:db8:0:1:1:1:1:1"},
    {"first-of-equal-runs",
     RDC_ADDRESS_IPV6,
     {0x20, 1, 0xd, 0xb8, [9] = 1, [15] = 1},
     "2001:db8::1:0:0:1"},
    {"longest-run", RDC_ADDRESS_IPV6, {0x20, 1, [7] = 1, [15] = 1}, "2001:0:0:1::1"},
    {"run-at-the-end", RDC_ADDRESS_IPV6, {0x20, 1, 0xd, 0xb8}, "2001:db8::"},
    {"no-zeros",
     RDC_ADDRESS_IPV6,
     {0xff, 0xff, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0xab, 0xcd},
     "ffff:102:304:506:708:90a:b0c:abcd"},
};

static void check_row(void **state)
{
    const struct row *row = *state;
    struct buffer b = {0};

    address_text(&b, row->kind, row->address);
    buffer_char(&b, '\0');
    assert_string_equal(b.data, row->want);
    buffer_done(&b);
}

/* All 256 patterns of zero and non-zero groups */
static void check_round_trip(void **state)
{
    (void)state;
    for (unsigned pattern = 0; pattern < 256; pattern++) {
        uint8_t address[16] = {0};
        uint8_t back[16];
        struct buffer b = {0};

        for (unsigned i = 0; i < 8; i++)
            address[2 * i + 1] = (pattern >> i & 1) != 0 ? (uint8_t)(0x20 + i) : 0;
        address_text(&b, RDC_ADDRESS_IPV6, address);
        buffer_char(&b, '\0');
        assert_true(b.used <= ADDRESS_MAX + 1);
        assert_int_equal(inet_pton(AF_INET6, b.data, back), 1);
        assert_memory_equal(back, address, sizeof(address));
        buffer_done(&b);
    }
}

static void check_mac(void **state)
{
    static const uint8_t mac[6] = {0x01, 0x80, 0xc2, 0, 0, 0x01};
    struct buffer b = {0};

    (void)state;
    address_mac(&b, mac);
    buffer_char(&b, '\0');
    assert_string_equal(b.data, "01:80:c2:00:00:01");
    buffer_done(&b);
}

int main(void)
{
    struct CMUnitTest tests[SUPPORT_COUNT(rows) + 2] = {
        cmocka_unit_test(check_round_trip),
        cmocka_unit_test(check_mac),
    };

    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++)
        tests[2 + i] =
            (struct CMUnitTest){rows[i].name, check_row, NULL, NULL, (void *)(uintptr_t)&rows[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
