/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Folding by carry-less multiplication: 128 bits A followed by a distance of d bits are worth
 * A * x^d modulo the polynomial, so they can be multiplied by constants and added (xor) to the 128
 * bits that stand d further on, until 128 bits are left. No reduction here: the caller runs the
 * last 16 bytes through its tables.
 */
#include "wire/crc_x86.h"

#if RDC_CRC_X86
#include <immintrin.h>
#include <string.h>

static inline __m128i load(const uint8_t *p)
{
    __m128i v;

    memcpy(&v, p, sizeof v);
    return v;
}

__attribute__((target("pclmul"))) static inline __m128i fold_one(__m128i a, __m128i constants,
                                                                 __m128i next)
{
    __m128i early = _mm_clmulepi64_si128(a, constants, 0x00);
    __m128i late = _mm_clmulepi64_si128(a, constants, 0x11);

    return _mm_xor_si128(_mm_xor_si128(early, late), next);
}

static inline __m128i pair(const uint64_t constants[2])
{
    return _mm_set_epi64x((long long)constants[1], (long long)constants[0]);
}

__attribute__((target("pclmul"))) size_t rdc_crc_fold(const struct rdc_crc_fold *fold, uint32_t crc,
                                                      const uint8_t *data, size_t size,
                                                      uint8_t out[16])
{
    const uint8_t *p = data + 16;
    const uint8_t *end = data + (size & ~(size_t)15);
    __m128i by_16 = pair(fold->by_16);
    __m128i a = _mm_xor_si128(load(data), _mm_cvtsi32_si128((int)crc));

    if (size >= 128) { /* four lanes hide the latency of the multiplication */
        __m128i by_64 = pair(fold->by_64);
        __m128i b = load(p);
        __m128i c = load(p + 16);
        __m128i d = load(p + 32);

        for (p += 48; end - p >= 64; p += 64) {
            a = fold_one(a, by_64, load(p));
            b = fold_one(b, by_64, load(p + 16));
            c = fold_one(c, by_64, load(p + 32));
            d = fold_one(d, by_64, load(p + 48));
        }
        a = fold_one(a, by_16, b);
        a = fold_one(a, by_16, c);
        a = fold_one(a, by_16, d);
    }
    for (; p < end; p += 16)
        a = fold_one(a, by_16, load(p));
    memcpy(out, &a, sizeof a);
    return (size_t)(end - data);
}

__attribute__((target("sse4.2"))) uint32_t rdc_crc32c_words(uint32_t crc, const uint8_t *data,
                                                            size_t size)
{
    uint64_t crc64 = crc;

    for (; size >= 8; data += 8, size -= 8) {
        uint64_t word;

        memcpy(&word, data, sizeof word);
        crc64 = _mm_crc32_u64(crc64, word);
    }
    crc = (uint32_t)crc64;
    for (; size > 0; data++, size--)
        crc = _mm_crc32_u8(crc, *data);
    return crc;
}
#else
typedef int rdc_crc_x86_not_here; /* a translation unit must not be empty */
#endif
