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

#define PCLMUL __attribute__((target("pclmul")))
#define WIDE __attribute__((target("pclmul,avx512f,vpclmulqdq")))

enum {
    FOUR_LANES_MIN = 128, /* four lanes hide the latency of the multiplication */
    WIDE_MIN = 512,       /* four lanes of four */
};

static __m128i fold_wide(const struct rdc_crc_fold *fold, __m128i crc, const uint8_t *data,
                         size_t size);
static __m128i fold_four(const struct rdc_crc_fold *fold, __m128i crc, const uint8_t *data,
                         size_t size);

static inline __m128i load(const uint8_t *p)
{
    __m128i v;

    memcpy(&v, p, sizeof v);
    return v;
}

static inline __m128i pair(const uint64_t constants[2])
{
    return _mm_set_epi64x((long long)constants[1], (long long)constants[0]);
}

PCLMUL static inline __m128i fold_one(__m128i a, __m128i constants, __m128i next)
{
    __m128i early = _mm_clmulepi64_si128(a, constants, 0x00);
    __m128i late = _mm_clmulepi64_si128(a, constants, 0x11);

    return _mm_xor_si128(_mm_xor_si128(early, late), next);
}

PCLMUL size_t rdc_crc_fold(const struct rdc_crc_fold *fold, uint32_t crc, const uint8_t *data,
                           size_t size, uint8_t out[16])
{
    const __m128i by_16 = pair(fold->by_16);
    __m128i a = _mm_cvtsi32_si128((int)crc);
    size_t done = size & ~(size_t)63;

    if (size >= WIDE_MIN && __builtin_cpu_supports("vpclmulqdq") &&
        __builtin_cpu_supports("avx512f")) {
        a = fold_wide(fold, a, data, done);
    } else if (size >= FOUR_LANES_MIN) {
        a = fold_four(fold, a, data, done);
    } else {
        a = _mm_xor_si128(a, load(data));
        done = 16;
    }
    for (; size - done >= 16; done += 16)
        a = fold_one(a, by_16, load(data + done));
    memcpy(out, &a, sizeof a);
    return done;
}

/* Both fold all of `size` bytes, a multiple of 64 */
PCLMUL static __m128i fold_four(const struct rdc_crc_fold *fold, __m128i crc, const uint8_t *data,
                                size_t size)
{
    const __m128i by_64 = pair(fold->by_64);
    const __m128i by_16 = pair(fold->by_16);
    __m128i lane[4] = {_mm_xor_si128(crc, load(data)), load(data + 16), load(data + 32),
                       load(data + 48)};
    size_t done = 64;

    for (; size - done >= 64; done += 64) {
        lane[0] = fold_one(lane[0], by_64, load(data + done));
        lane[1] = fold_one(lane[1], by_64, load(data + done + 16));
        lane[2] = fold_one(lane[2], by_64, load(data + done + 32));
        lane[3] = fold_one(lane[3], by_64, load(data + done + 48));
    }
    crc = fold_one(lane[0], by_16, lane[1]);
    crc = fold_one(crc, by_16, lane[2]);
    return fold_one(crc, by_16, lane[3]);
}

WIDE static inline __m512i fold_one_wide(__m512i a, __m512i constants, __m512i next)
{
    __m512i early = _mm512_clmulepi64_epi128(a, constants, 0x00);
    __m512i late = _mm512_clmulepi64_epi128(a, constants, 0x11);

    return _mm512_ternarylogic_epi64(early, late, next, 0x96); /* xor of three */
}

WIDE static __m128i fold_wide(const struct rdc_crc_fold *fold, __m128i crc, const uint8_t *data,
                              size_t size)
{
    const __m512i by_256 = _mm512_broadcast_i32x4(pair(fold->by_256));
    const __m512i by_64 = _mm512_broadcast_i32x4(pair(fold->by_64));
    const __m128i by_16 = pair(fold->by_16);
    __m512i lane[4] = {_mm512_xor_si512(_mm512_zextsi128_si512(crc), _mm512_loadu_si512(data)),
                       _mm512_loadu_si512(data + 64), _mm512_loadu_si512(data + 128),
                       _mm512_loadu_si512(data + 192)};
    size_t done = 256;

    for (; size - done >= 256; done += 256) {
        lane[0] = fold_one_wide(lane[0], by_256, _mm512_loadu_si512(data + done));
        lane[1] = fold_one_wide(lane[1], by_256, _mm512_loadu_si512(data + done + 64));
        lane[2] = fold_one_wide(lane[2], by_256, _mm512_loadu_si512(data + done + 128));
        lane[3] = fold_one_wide(lane[3], by_256, _mm512_loadu_si512(data + done + 192));
    }
    lane[0] = fold_one_wide(lane[0], by_64, lane[1]);
    lane[0] = fold_one_wide(lane[0], by_64, lane[2]);
    lane[0] = fold_one_wide(lane[0], by_64, lane[3]);
    for (; size - done >= 64; done += 64)
        lane[0] = fold_one_wide(lane[0], by_64, _mm512_loadu_si512(data + done));
    crc = _mm512_castsi512_si128(lane[0]);
    crc = fold_one(crc, by_16, _mm512_extracti32x4_epi32(lane[0], 1));
    crc = fold_one(crc, by_16, _mm512_extracti32x4_epi32(lane[0], 2));
    return fold_one(crc, by_16, _mm512_extracti32x4_epi32(lane[0], 3));
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
