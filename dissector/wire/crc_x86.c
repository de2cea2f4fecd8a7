/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Folding by carry-less multiplication: 128 bits A followed by a distance of d bits are worth
 * A * x^d modulo the polynomial, so they can be multiplied by constants and added (xor) to the 128
 * bits that stand d further on, until 128 bits are left. Those are folded twice more into 64 bits,
 * whose rest modulo the polynomial comes from a multiplication by its reciprocal (Barrett). All of
 * it is reflected: the first byte's lowest bit is the highest power.
 */
#include "wire/crc_x86.h"

#if RDC_CRC_X86
#include <immintrin.h>
#include <string.h>

#define PCLMUL __attribute__((target("pclmul,ssse3")))
#define WIDE __attribute__((target("pclmul,ssse3,avx512f,avx512bw,vpclmulqdq")))

enum {
    FOUR_LANES_MIN = 128, /* four lanes hide the latency of the multiplication */
    WIDE_MIN = 96,        /* bytes from which blocks of 64 are faster than of 16 */
    WORD = 4,
};

static __m128i fold_wide(const struct rdc_crc_fold *fold, uint32_t crc, const uint8_t *data,
                         size_t size, const uint8_t *mask, size_t masked);
static __m128i fold_narrow(const struct rdc_crc_fold *fold, uint32_t crc, const uint8_t *data,
                           size_t size, const uint8_t *mask, size_t masked);
static __m128i fold_four(const struct rdc_crc_fold *fold, __m128i carry, const uint8_t *data,
                         size_t size);
static __m128i fold_tail(__m128i a, __m128i by_16, __m128i last, size_t size);
static uint32_t reduce(const struct rdc_crc_fold *fold, __m128i a);

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

/* The last 16 bytes */
static inline __m128i load_last(const uint8_t *data, size_t size, const uint8_t *mask,
                                size_t masked)
{
    __m128i v = load(data + size - 16);

    return size < masked ? _mm_or_si128(v, load(mask + size - 16)) : v;
}

static inline bool can_fold_wide(void)
{
    return __builtin_cpu_supports("vpclmulqdq") && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512bw");
}

PCLMUL static inline __m128i move_by(__m128i a, __m128i constants)
{
    return fold_one(a, constants, _mm_setzero_si128());
}

PCLMUL uint32_t rdc_crc_fold(const struct rdc_crc_fold *fold, uint32_t crc, const uint8_t *data,
                             size_t size, const uint8_t *mask, size_t masked)
{
    if (size >= WIDE_MIN && size % WORD == 0 && can_fold_wide())
        return reduce(fold, fold_wide(fold, crc, data, size, mask, masked));
    return reduce(fold, fold_narrow(fold, crc, data, size, mask, masked));
}

PCLMUL static __m128i fold_narrow(const struct rdc_crc_fold *fold, uint32_t crc,
                                  const uint8_t *data, size_t size, const uint8_t *mask,
                                  size_t masked)
{
    const __m128i by_16 = pair(fold->by_16);
    __m128i carry = _mm_cvtsi32_si128((int)crc); /* what is added to the next 16 bytes */
    __m128i a = carry;
    size_t done = 0, long_part;

    for (; done < masked && size - done >= 16; done += 16) {
        a = _mm_xor_si128(carry, _mm_or_si128(load(data + done), load(mask + done)));
        carry = move_by(a, by_16);
    }
    long_part = (size - done) & ~(size_t)63;
    if (long_part >= FOUR_LANES_MIN) {
        a = fold_four(fold, carry, data + done, long_part);
        carry = move_by(a, by_16);
        done += long_part;
    }
    for (; size - done >= 16; done += 16) {
        a = _mm_xor_si128(carry, load(data + done));
        carry = move_by(a, by_16);
    }
    if (size > done)
        a = fold_tail(a, by_16, load_last(data, size, mask, masked), size - done);
    return move_by(a, pair(fold->to_96[3]));
}

/* The last 1 to 15 bytes: as many of the first bytes of `a` move over 16, behind which the rest of
 * it and those bytes, the last of `last`, are the new 16. */
PCLMUL static inline __m128i fold_tail(__m128i a, __m128i by_16, __m128i last, size_t size)
{
    static const int8_t shift[48] = {
        -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, /* zeros */
        0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, /* the bytes */
        -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
    };
    const __m128i to_end = load((const uint8_t *)shift + size);
    const __m128i to_start = load((const uint8_t *)shift + 16 + size);
    const __m128i before = _mm_cmpgt_epi8(_mm_setzero_si128(), to_end);
    const __m128i rest =
        _mm_or_si128(_mm_shuffle_epi8(a, to_start), _mm_andnot_si128(before, last));

    return fold_one(_mm_shuffle_epi8(a, to_end), by_16, rest);
}

/* 96 bits modulo the polynomial; the earliest bits are the lowest of the register. */
PCLMUL static inline uint32_t reduce(const struct rdc_crc_fold *fold, __m128i a)
{
    const __m128i to_64 = _mm_cvtsi64_si128((long long)fold->to_64);
    const __m128i barrett = pair(fold->barrett);
    const __m128i first_32 = _mm_cvtsi32_si128(-1);
    __m128i quotient;

    a = _mm_xor_si128(_mm_clmulepi64_si128(_mm_and_si128(a, first_32), to_64, 0x00),
                      _mm_srli_si128(a, 4));
    quotient = _mm_clmulepi64_si128(_mm_and_si128(a, first_32), barrett, 0x00);
    a = _mm_xor_si128(a, _mm_clmulepi64_si128(_mm_and_si128(quotient, first_32), barrett, 0x10));
    return (uint32_t)_mm_cvtsi128_si32(_mm_srli_si128(a, 4));
}

/* Folds `size` bytes, a multiple of 64, to the first of which `carry` is added */
PCLMUL static __m128i fold_four(const struct rdc_crc_fold *fold, __m128i carry, const uint8_t *data,
                                size_t size)
{
    const __m128i by_64 = pair(fold->by_64);
    const __m128i by_16 = pair(fold->by_16);
    __m128i lane[4] = {_mm_xor_si128(carry, load(data)), load(data + 16), load(data + 32),
                       load(data + 48)};
    size_t done = 64;

    for (; size - done >= 64; done += 64) {
        lane[0] = fold_one(lane[0], by_64, load(data + done));
        lane[1] = fold_one(lane[1], by_64, load(data + done + 16));
        lane[2] = fold_one(lane[2], by_64, load(data + done + 32));
        lane[3] = fold_one(lane[3], by_64, load(data + done + 48));
    }
    carry = fold_one(lane[0], by_16, lane[1]);
    carry = fold_one(carry, by_16, lane[2]);
    return fold_one(carry, by_16, lane[3]);
}

WIDE static inline __m512i fold_one_wide(__m512i a, __m512i constants, __m512i next)
{
    __m512i early = _mm512_clmulepi64_epi128(a, constants, 0x00);
    __m512i late = _mm512_clmulepi64_epi128(a, constants, 0x11);

    return _mm512_ternarylogic_epi64(early, late, next, 0x96); /* xor of three */
}

/* The bytes of a 64-byte word that are before `end` */
static inline uint64_t first_bytes(size_t end)
{
    return end >= 64 ? UINT64_MAX : (UINT64_C(1) << end) - 1;
}

/* Zeros in front of a message do not count, so it gets as many as make whole blocks of 64 bytes;
 * bytes outside of it are not read. So `crc` is added behind them. */
WIDE static inline __m512i load_first(uint32_t crc, const uint8_t *data, size_t zeros,
                                      const uint8_t *mask, size_t masked)
{
    const uint64_t there = ~first_bytes(zeros);
    __m512i v = _mm512_maskz_loadu_epi8(there, (const void *)((uintptr_t)data - zeros));

    if (masked > 0) /* a load of nothing from nowhere takes long */
        v = _mm512_or_si512(v, _mm512_maskz_loadu_epi8(there & first_bytes(zeros + masked),
                                                       (const void *)((uintptr_t)mask - zeros)));
    return _mm512_xor_si512(
        v, _mm512_maskz_mov_epi8(UINT64_C(0xf) << zeros, _mm512_set1_epi32((int)crc)));
}

WIDE static inline __m512i wide(const uint64_t constants[2])
{
    return _mm512_broadcast_i32x4(pair(constants));
}

/* Four blocks that follow each other, to the last of them */
WIDE static inline __m512i join(const struct rdc_crc_fold *fold, __m512i a, __m512i b, __m512i c,
                                __m512i d)
{
    d = fold_one_wide(c, wide(fold->by_64), d);
    d = fold_one_wide(b, wide(fold->by_128), d);
    return fold_one_wide(a, wide(fold->by_192), d);
}

/* Four blocks before `data`, and those from there on, to the last of them: each over the three
 * beside it */
WIDE static inline __m512i fold_lanes(const struct rdc_crc_fold *fold, __m512i a, __m512i b,
                                      __m512i c, __m512i d, const uint8_t *data, const uint8_t *end)
{
    const __m512i by_256 = wide(fold->by_256);

    for (; end - data >= 256; data += 256) {
        a = fold_one_wide(a, by_256, _mm512_loadu_si512(data));
        b = fold_one_wide(b, by_256, _mm512_loadu_si512(data + 64));
        c = fold_one_wide(c, by_256, _mm512_loadu_si512(data + 128));
        d = fold_one_wide(d, by_256, _mm512_loadu_si512(data + 192));
    }
    if (data == end)
        return join(fold, a, b, c, d);
    a = fold_one_wide(a, by_256, _mm512_loadu_si512(data));
    if (end - data == 64)
        return join(fold, b, c, d, a);
    b = fold_one_wide(b, by_256, _mm512_loadu_si512(data + 64));
    if (end - data == 128)
        return join(fold, c, d, a, b);
    c = fold_one_wide(c, by_256, _mm512_loadu_si512(data + 128));
    return join(fold, d, a, b, c);
}

/* `size`, a multiple of 4, is more than one block */
WIDE static __m128i fold_wide(const struct rdc_crc_fold *fold, uint32_t crc, const uint8_t *data,
                              size_t size, const uint8_t *mask, size_t masked)
{
    const size_t zeros = -size & 63, first = 64 - zeros;
    const uint8_t *end = data + size;
    __m512i a = load_first(crc, data, zeros, mask, masked);
    __m512i b = _mm512_loadu_si512(data + first);
    __m256i half;

    if (masked > first)
        b = _mm512_or_si512(b, _mm512_maskz_loadu_epi8(first_bytes(masked - first), mask + first));
    data += first + 64;
    if (end - data >= 128)
        a = fold_lanes(fold, a, b, _mm512_loadu_si512(data), _mm512_loadu_si512(data + 64),
                       data + 128, end);
    else
        a = fold_one_wide(a, wide(fold->by_64), b);
    if (end - data == 64)
        a = fold_one_wide(a, wide(fold->by_64), _mm512_loadu_si512(data));
    a = fold_one_wide(a, _mm512_loadu_si512(fold->to_96), _mm512_setzero_si512());
    half = _mm256_xor_si256(_mm512_castsi512_si256(a), _mm512_extracti64x4_epi64(a, 1));
    return _mm_xor_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
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
