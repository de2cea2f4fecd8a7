/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Capture sources: one or several capture files as one sequence of packets, in batches.
 *
 * pcap and pcapng (all their variants, plain or in gz, zst, lz4; recognised by content, never by
 * name) are read by a reader of our own; any other format by libwiretap where the build has it.
 * Several files are one timeline: they follow each other in the order of their first packets.
 *
 *     struct source *src = source_open(paths, count, &options, &error);
 *     while ((n = source_next(src, batch, SOURCE_BATCH)) > 0)
 *         for (i = 0; i < n; i++)
 *             rdc_decode(&config, &batch[i].in, &packet);
 *     for (i = 0; i < source_damage_count(src); i++)
 *         ... source_damage(src, i)->text
 *     source_close(src);
 *
 * One source belongs to one thread at a time.
 */
#ifndef CAPTURE_SOURCE_H
#define CAPTURE_SOURCE_H

#include <glib.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rdc/packet.h"

enum {
    SOURCE_BATCH = 256,              /* a good batch size */
    SOURCE_MAX_RECORD = 16 << 20,    /* no record or block above this is believed */
    SOURCE_USUAL_RECORD = 256 << 10, /* pcap: records up to this are believed whatever snaplen says,
                                        larger ones only up to snaplen */
    SOURCE_MAX_INTERFACES = 1 << 20, /* of all files together */
    SOURCE_MAX_TEXT = 512,           /* bytes kept of an interface's name, description, filter */
    SOURCE_MAX_TEXTS = 64 << 20,     /* bytes kept of these in a file */
};

#define SOURCE_ERROR source_error_quark()
GQuark source_error_quark(void);

enum source_error {
    SOURCE_ERROR_FILE,   /* a file can't be opened or is no capture */
    SOURCE_ERROR_FILTER, /* the filter expression is wrong: a mistake of usage */
};

/* How a signal handler asks a source to end early: it sets `asked` and makes `fd` readable (-1:
 * there is none), which wakes a source that waits for a pipe. */
struct source_stop {
    volatile sig_atomic_t asked;
    int fd;
};

/* All zero: no filter, no limit. */
struct source_options {
    const char *bpf;       /* libpcap filter expression, or NULL; compiled for each link type */
    uint64_t limit;        /* packets to deliver (behind the filter); 0: all */
    bool own_formats_only; /* pcap and pcapng: libwiretap is never asked */
    bool none_will_do;     /* where no file can be read: a source of no packets, with the damage */
    const struct source_stop *stop; /* NULL: reads to the end. Borrowed until source_close. When
                                       asked, the file being read counts as damaged there */
};

enum source_direction {
    SOURCE_DIRECTION_UNKNOWN,
    SOURCE_DIRECTION_IN,
    SOURCE_DIRECTION_OUT,
};

struct source_record {
    struct rdc_input in; /* in.bytes is borrowed until the next call of source_next or source_close;
                            in.interface is an index for source_interface() */
    uint64_t frame;      /* 1-based within its file; a filter leaves numbers out */
    uint32_t file;       /* index into the paths given to source_open */
    uint32_t drops;      /* packets that the capture lost between this and the packet before it on
                            the same interface, where the file says so (pcapng); else 0 */
    uint8_t direction;   /* enum source_direction */
    bool untimed;        /* the format has no time for this packet (pcapng simple packet block):
                            time_ns repeats the one before it in the file; at the start the
                            one that follows, or 0 where none is near */
};

/* What is known about an interface: of a pcapng file, an interface description; of others, the one
 * interface that the file has. Strings are valid UTF-8, NULL when unknown. */
struct source_interface {
    uint32_t file;     /* index into the paths */
    uint32_t section;  /* 0-based within the file */
    uint32_t index;    /* 0-based within the section */
    uint32_t linktype; /* LINKTYPE_* */
    uint32_t snaplen;  /* 0: no limit, or unknown */
    int8_t fcs_size;   /* bytes, -1 unknown */
    bool ts_binary;    /* a tick is 2^-ts_exponent s, else 10^-ts_exponent s */
    uint8_t ts_exponent;
    int64_t ts_offset_s;
    uint64_t speed_bps; /* 0: unknown */
    char *name;
    char *description;
    char *filter;
    char *hardware;
    char *os;
    /* drop counters as the file last stated them (interface statistics block); a count that is not
     * known is UINT64_MAX */
    uint64_t received;
    uint64_t dropped;      /* by the interface, for lack of resources */
    uint64_t os_dropped;   /* by the operating system */
    uint64_t packet_drops; /* sum of the drop counts beside packets; 0 when there were none */
};

/* The largest count; a sum that would be larger stays there. */
#define SOURCE_MOST (UINT64_MAX - 1)

static inline uint64_t source_sum(uint64_t a, uint64_t b)
{
    return a > SOURCE_MOST || b > SOURCE_MOST - a ? SOURCE_MOST : a + b;
}

struct source_file {
    const char *path;        /* as given */
    const char *name;        /* for messages: the path, or "standard input" */
    const char *format;      /* "pcap", "pcapng", or libwiretap's name; NULL before it was opened */
    const char *compression; /* "gz", "zst", "lz4", or NULL */
    char *application;       /* what wrote it (pcapng), or NULL */
    uint32_t sections;       /* pcapng: section headers seen so far; others: 1 */
    bool big_endian;         /* of the first section */
    uint64_t packets;        /* read so far, filtered ones too */
};

/* Where a file stops making sense. What came before it has been delivered. */
struct source_damage {
    uint32_t file;
    uint64_t offset;   /* byte offset where the record or block begins that can't be read */
    bool decompressed; /* the offset counts bytes of the decompressed file */
    uint64_t frame;    /* number that the next packet would have had */
    char *text;        /* "FILE: what is wrong (where); what to do", one line, no newline */
};

/* Records of one file that say what can't be, of one kind */
struct source_odd {
    uint32_t file;
    uint64_t frame;   /* of the first; 0: of no packet */
    uint64_t count;   /* of records, all that were read */
    const char *text; /* the warning about them */
};

/* Opens `count` >= 1 files and reads up to the first packet of each. "-" is standard input. Returns
 * NULL and sets `error` ("FILE: what is wrong; what to do") when none of them can be opened and is
 * a capture, or when the filter is wrong; where some can, the others count as damaged. `options`
 * may be NULL. Nothing is kept of the arguments. */
struct source *source_open(const char *const *paths, size_t count,
                           const struct source_options *options, GError **error);

/* Fills out[0 .. n-1], 1 <= n <= max, all of one file, and returns n; 0 at the end of the last file
 * or at the limit. May return less than `max` at any time. Damage ends its file; the next file
 * follows. */
size_t source_next(struct source *src, struct source_record *out, size_t max);

/* The library that reads other formats than pcap and pcapng, with its version; NULL: this build has
 * none. */
const char *source_other_formats(void);

/* NULL is accepted. Everything borrowed from the source ends here. */
void source_close(struct source *src);

/* Damage found so far, at most one a file, in the order found. */
size_t source_damage_count(const struct source *src);
const struct source_damage *source_damage(const struct source *src, size_t i);

/* Warnings so far, in the order found: link types that are not decoded, link types that the filter
 * can't be compiled for, records that say what can't be (oddity.h). Each "FILE: ...", one line. */
size_t source_warning_count(const struct source *src);
const char *source_warning(const struct source *src, size_t i);

/* Those of the warnings that are about records; complete at the end of all files. */
size_t source_odd_count(const struct source *src);
const struct source_odd *source_odd(const struct source *src, size_t i);

/* Interfaces described so far, in the order found; the pointers stay valid until source_close. */
size_t source_interface_count(const struct source *src);
const struct source_interface *source_interface(const struct source *src, size_t id);

/* In the order of the paths given */
size_t source_file_count(const struct source *src);
const struct source_file *source_file(const struct source *src, size_t i);

/* Bytes of the files read so far (compressed size) and in all; `total` is 0 when it is not known
 * (standard input, pipes). For progress. */
void source_progress(const struct source *src, uint64_t *done, uint64_t *total);

#endif
