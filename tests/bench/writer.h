/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Writes a capture file, pcap or pcapng, nanoseconds, Ethernet, through one large buffer.
 */
#ifndef BENCH_WRITER_H
#define BENCH_WRITER_H

#include <stdbool.h>
#include <stdint.h>

enum {
    WRITER_BUFFER = 1 << 20,
};

struct writer {
    int fd;
    bool pcapng;
    bool failed; /* a write did not succeed; all later ones are dropped */
    uint32_t used;
    uint8_t buffer[WRITER_BUFFER];
};

/* Starts the file; `fd` is borrowed. */
void writer_init(struct writer *w, int fd, bool pcapng, uint32_t snaplen);
/* Room for a record of `size` packet bytes: the packet goes to the returned address. */
uint8_t *writer_reserve(struct writer *w, uint32_t size);
/* Ends the record whose packet bytes are at the reserved address. */
void writer_commit(struct writer *w, int64_t time_ns, uint32_t captured, uint32_t wire);
/* Writes what is left; false when any write failed. */
bool writer_done(struct writer *w);

#endif
