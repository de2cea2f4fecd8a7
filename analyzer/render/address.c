/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Addresses as text; see address.h. inet_ntop() would do, at several times the cost.
 */
#include "render/address.h"

#include "rdc/packet.h"
#include "rdc/wire.h"

enum {
    GROUPS = 8, /* of an IPv6 address */
};

static void ipv4(struct buffer *b, const uint8_t *p);
static void ipv6(struct buffer *b, const uint8_t *p);

void address_text(struct buffer *b, uint8_t kind, const uint8_t address[16])
{
    switch ((enum rdc_address_kind)kind) {
    case RDC_ADDRESS_NONE:
        break;
    case RDC_ADDRESS_IPV4:
        ipv4(b, address);
        break;
    case RDC_ADDRESS_IPV6:
    case RDC_ADDRESS_GID:
        ipv6(b, address);
        break;
    case RDC_ADDRESS_LID:
        buffer_string(b, "lid:");
        buffer_uint(b, rdc_be16(address));
        break;
    }
}

void address_mac(struct buffer *b, const uint8_t mac[6])
{
    for (unsigned i = 0; i < 6; i++) {
        if (i > 0)
            buffer_char(b, ':');
        buffer_hex(b, mac[i], 2);
    }
}

static void ipv4(struct buffer *b, const uint8_t *p)
{
    for (unsigned i = 0; i < 4; i++) {
        if (i > 0)
            buffer_char(b, '.');
        buffer_uint(b, p[i]);
    }
}

/* The longest run of at least two zero groups, the first of equals (RFC 5952, 4.2) */
static unsigned longest_zeros(const uint8_t *p, unsigned *length)
{
    unsigned best = GROUPS;

    *length = 1;
    for (unsigned i = 0; i < GROUPS; i++) {
        unsigned n = 0;

        while (i + n < GROUPS && rdc_be16(p + 2 * (i + n)) == 0)
            n++;
        if (n > *length) {
            best = i;
            *length = n;
        }
        i += n;
    }
    return best;
}

static void ipv6(struct buffer *b, const uint8_t *p)
{
    static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    unsigned zeros_length;
    unsigned zeros = longest_zeros(p, &zeros_length);

    if (memcmp(p, mapped, sizeof(mapped)) == 0) { /* 5: the IPv4 part stays readable */
        buffer_string(b, "::ffff:");
        ipv4(b, p + sizeof(mapped));
        return;
    }
    for (unsigned i = 0; i < GROUPS; i++) {
        if (i == zeros) {
            buffer_string(b, "::");
            i += zeros_length - 1;
            continue;
        }
        if (i > 0 && i != zeros + zeros_length)
            buffer_char(b, ':');
        buffer_hex(b, rdc_be16(p + 2 * i), 1);
    }
}
