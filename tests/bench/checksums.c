/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * checksums: how fast the core's CRC-32 and CRC-32c are, beside zlib's crc32, in one run: the
 * median of several rounds over packets of 1 KiB.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

#include "rdc/crc.h"

enum {
    PACKET = 1024,
    PACKETS = 200000,
    ROUNDS = 7,
};

static uint8_t packet[PACKET];
static volatile uint32_t sink; /* sums go here, or they would not be made */

static uint32_t by_core(void)
{
    return rdc_crc32_done(rdc_crc32_update(RDC_CRC32_INIT, packet, PACKET));
}

static uint32_t by_core_c(void)
{
    return rdc_crc32c_done(rdc_crc32c_update(RDC_CRC32C_INIT, packet, PACKET));
}

static uint32_t by_zlib(void)
{
    return (uint32_t)crc32(0, packet, PACKET);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Nanoseconds of CPU time a packet */
static double measure(uint32_t (*sum)(void))
{
    double rounds[ROUNDS];

    for (int i = 0; i < ROUNDS; i++) {
        clock_t start = clock();

        for (int k = 0; k < PACKETS; k++) {
            packet[k % PACKET]++;
            sink ^= sum();
        }
        rounds[i] = (double)(clock() - start) * 1e9 / CLOCKS_PER_SEC / PACKETS;
    }
    qsort(rounds, ROUNDS, sizeof(*rounds), by_value);
    return rounds[ROUNDS / 2];
}

int main(void)
{
    double zlib, core, core_c;

    for (int i = 0; i < PACKET; i++)
        packet[i] = (uint8_t)(i * 7);
    if (by_core() != by_zlib()) {
        fprintf(stderr, "checksums: the core's CRC-32 is not zlib's\n");
        return 1;
    }
    zlib = measure(by_zlib);
    core = measure(by_core);
    core_c = measure(by_core_c);
    printf("CRC-32 of %d bytes: core %.1f ns, zlib %.1f ns: %.1f times faster; CRC-32c %.1f ns\n",
           PACKET, core, zlib, zlib / core, core_c);
    return 0;
}
