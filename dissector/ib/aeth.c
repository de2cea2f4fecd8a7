/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The ACK extended transport header: its syndrome and what the codes in it stand for.
 */
#include "rdc/ib.h"

#include <stddef.h>

/* IBTA vol. 1, 9.5 and 9.7.5.1.1 (table 43):
 *   syndrome: resv:1 kind:2 value:5   msn:24
 *   kind 00 ACK, 01 RNR NAK, 10 reserved, 11 NAK; the reserved bit makes any of them reserved */
struct rdc_aeth rdc_aeth_from_wire(uint32_t word)
{
    static const uint8_t kinds[8] = {
        RDC_AETH_ACK,      RDC_AETH_RNR_NAK,  RDC_AETH_RESERVED, RDC_AETH_NAK,
        RDC_AETH_RESERVED, RDC_AETH_RESERVED, RDC_AETH_RESERVED, RDC_AETH_RESERVED,
    };

    return (struct rdc_aeth){
        .syndrome = (uint8_t)(word >> 24),
        .kind = kinds[word >> 29],
        .value = word >> 24 & 0x1f,
        .msn = word & RDC_PSN_MASK,
    };
}

/* Table 45, in units of 10 us */
uint64_t rdc_rnr_timer_ns(uint8_t code)
{
    static const uint32_t units[32] = {
        65536, 1,    2,    3,    4,    6,     8,     12,    16,    24,    32,
        48,    64,   96,   128,  192,  256,   384,   512,   768,   1024,  1536,
        2048,  3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152,
    };

    return (uint64_t)units[code & 0x1f] * 10000;
}

/* Table 44: two steps an octave */
uint32_t rdc_aeth_credits(uint8_t code)
{
    static const uint16_t credits[32] = {
        0,    1,    2,    3,    4,    6,     8,     12,    16,    24,   32,
        48,   64,   96,   128,  192,  256,   384,   512,   768,   1024, 1536,
        2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 0,
    };

    return credits[code & 0x1f];
}

const char *rdc_nak_name(uint8_t code)
{
    static const char *const names[] = {
        [RDC_NAK_SEQUENCE] = "sequence",
        [RDC_NAK_INVALID_REQUEST] = "invalid_request",
        [RDC_NAK_REMOTE_ACCESS] = "access",
        [RDC_NAK_REMOTE_OPERATIONAL] = "operational",
        [RDC_NAK_INVALID_RD_REQUEST] = "invalid_rd",
    };

    return code < sizeof names / sizeof *names ? names[code] : "reserved";
}
