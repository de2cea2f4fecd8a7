/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The least that any program does that reads a pcap file: read(2) in blocks of 1 MiB, a step from
 * record to record, two bytes of each packet. What pcap_loop takes beyond it is libpcap's.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    FILE_HEADER = 24,
    RECORD_HEADER = 16,
    BLOCK = 1 << 20,
    ROOM = BLOCK + (1 << 19), /* and what was left of a record */
};

static uint8_t room[ROOM];

/* Steps over the whole records from *at on. Written on a machine of the same byte order. */
static unsigned long walk(size_t *at, size_t end, unsigned long *sum)
{
    unsigned long packets = 0;

    while (end - *at >= RECORD_HEADER) {
        const uint8_t *bytes = room + *at + RECORD_HEADER;
        uint32_t captured;

        memcpy(&captured, room + *at + 8, sizeof captured);
        if (captured > end - *at - RECORD_HEADER)
            break;
        if (captured > 42)
            *sum += bytes[12] + (unsigned long)bytes[42];
        *at += RECORD_HEADER + captured;
        packets++;
    }
    return packets;
}

int main(int argc, char **argv)
{
    int fd = argc == 2 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;
    unsigned long packets = 0, sum = 0;
    size_t at = FILE_HEADER, end = 0;
    ssize_t got;

    if (fd < 0) {
        fprintf(stderr, "usage: read_loop FILE.pcap\n");
        return 1;
    }
    while (end < sizeof room &&
           (got = read(fd, room + end, end + BLOCK <= sizeof room ? BLOCK : sizeof room - end)) >
               0) {
        end += (size_t)got;
        packets += walk(&at, end, &sum);
        memmove(room, room + at, end - at);
        end -= at;
        at = 0;
    }
    printf("%lu packets, sum %lu\n", packets, sum);
    return 0;
}
