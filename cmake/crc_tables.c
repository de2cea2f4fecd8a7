/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Runs while the project is built: writes the tables and folding constants of the CRCs as a C
 * header to standard output. All are reflected CRCs of 32 bits; the 16-bit one is taken times x^16,
 * so that the same code serves it.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

static const struct poly {
    const char *name;
    uint32_t reflected;
} polys[] = {
    {"crc32", 0xedb88320},
    {"crc32c", 0x82f63b78},
    {"crc16", 0xd008},
};

enum {
    SLICES = 8,
};

/* value times x, modulo the polynomial */
static uint32_t times_x(uint32_t value, uint32_t poly)
{
    return value >> 1 ^ (value & 1 ? poly : 0);
}

/* x^n modulo the polynomial, placed for a carry-less multiplication of 64-bit halves: the
 * reflected product of two reflected 64-bit numbers is x short, and the constant stands x^31 up */
static uint64_t fold_constant(unsigned n, uint32_t poly)
{
    uint32_t value = 0x80000000;

    while (n-- > 0)
        value = times_x(value, poly);
    return (uint64_t)value << 1;
}

static void print_table(const struct poly *p)
{
    uint32_t row[256];

    printf("static const uint32_t %s_table[%d][256] = {\n", p->name, SLICES);
    for (uint32_t i = 0; i < 256; i++) {
        row[i] = i;
        for (int bit = 0; bit < 8; bit++)
            row[i] = times_x(row[i], p->reflected);
    }
    for (int slice = 0; slice < SLICES; slice++) {
        printf("    {");
        for (int i = 0; i < 256; i++) {
            printf("%s0x%08" PRIx32 ",", i % 8 ? " " : "\n        ", row[i]);
            for (int bit = 0; bit < 8; bit++)
                row[i] = times_x(row[i], p->reflected);
        }
        printf("\n    },\n");
    }
    printf("};\n\n");
}

static void print_distance(const char *name, unsigned bytes, uint32_t poly)
{
    printf("    %s{UINT64_C(0x%" PRIx64 "), UINT64_C(0x%" PRIx64 ")},\n", name,
           fold_constant(bytes * 8 + 32, poly), fold_constant(bytes * 8 - 32, poly));
}

/* x^64 / P, reflected: bit 0 is x^32 */
static uint64_t quotient(uint32_t poly)
{
    const uint64_t whole = (uint64_t)poly << 1 | 1;
    uint64_t rest = 1, result = 0;

    for (int i = 0; i <= 32; i++) {
        if (rest & 1) {
            result |= (uint64_t)1 << i;
            rest ^= whole;
        }
        rest >>= 1;
    }
    return result;
}

/* To move 128 bits over a distance of d bits, the half with the earlier bytes is multiplied by
 * x^(d + 64), the other by x^d; 32 of either are in the constant's place (fold_constant) */
static void print_fold(const struct poly *p)
{
    printf("static const struct rdc_crc_fold %s_fold = {\n", p->name);
    print_distance(".by_256 = ", 256, p->reflected);
    print_distance(".by_192 = ", 192, p->reflected);
    print_distance(".by_128 = ", 128, p->reflected);
    print_distance(".by_64 = ", 64, p->reflected);
    print_distance(".by_16 = ", 16, p->reflected);
    printf("    .to_96 = {\n");
    for (unsigned behind = 4; behind-- > 0;)
        printf("        {UINT64_C(0x%" PRIx64 "), UINT64_C(0x%" PRIx64 ")},\n",
               fold_constant(behind * 128 + 96, p->reflected),
               fold_constant(behind * 128 + 32, p->reflected));
    printf("    },\n");
    printf("    .to_64 = UINT64_C(0x%" PRIx64 "),\n", fold_constant(64, p->reflected));
    printf("    .barrett = {UINT64_C(0x%" PRIx64 "), UINT64_C(0x%" PRIx64 ")},\n",
           quotient(p->reflected), (uint64_t)p->reflected << 1 | 1);
    printf("};\n\n");
}

int main(void)
{
    printf("/* Written by cmake/crc_tables.c */\n\n");
    for (size_t i = 0; i < sizeof polys / sizeof *polys; i++) {
        print_table(&polys[i]);
        print_fold(&polys[i]);
    }
    return fflush(stdout) == 0 ? 0 : 1;
}
