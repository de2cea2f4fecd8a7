/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * CRCs with the instructions of x86-64: carry-less multiplication for every polynomial, the CRC-32C
 * instruction for that one. On other processors these are not there (RDC_CRC_X86 is 0).
 */
#ifndef RDC_WIRE_CRC_X86_H
#define RDC_WIRE_CRC_X86_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define RDC_CRC_X86 1
#else
#define RDC_CRC_X86 0
#endif

/* What one polynomial needs to fold 128 bits over some bytes, and to reduce them */
struct rdc_crc_fold {
    uint64_t by_256[2];
    uint64_t by_192[2];
    uint64_t by_128[2];
    uint64_t by_64[2];
    uint64_t by_16[2];
    uint64_t to_96[4][2]; /* 512 bits times x^32 to 96 bits; the last two are for 128 bits */
    uint64_t to_64;       /* those to 64 */
    uint64_t barrett[2];  /* x^64 / P, and P */
};

#if RDC_CRC_X86
/* Whether this processor can; no more than a load and a test (the compiler's runtime asks the
 * processor once, before main) */
static inline bool rdc_crc_can_fold(void)
{
    return __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("ssse3");
}

static inline bool rdc_crc_has_crc32c(void)
{
    return __builtin_cpu_supports("sse4.2") != 0;
}

/* The CRC of `size` >= 16 bytes, the first `masked` of them (a multiple of 16, or 0; may be more
 * than `size`) or'ed with those at `mask` */
uint32_t rdc_crc_fold(const struct rdc_crc_fold *fold, uint32_t crc, const uint8_t *data,
                      size_t size, const uint8_t *mask, size_t masked);

/* CRC-32C, 8 bytes an instruction */
uint32_t rdc_crc32c_words(uint32_t crc, const uint8_t *data, size_t size);
#endif

#endif
