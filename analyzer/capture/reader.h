/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One capture file being read: what the formats (pcap.c, pcapng.c, wiretap.c) share. source.c puts
 * readers in a row.
 */
#ifndef CAPTURE_READER_H
#define CAPTURE_READER_H

#include "capture/oddity.h"
#include "capture/source.h"
#include "capture/window.h"

struct reader;

struct format {
    const char *name;
    size_t size; /* of its struct, which begins with a struct reader */
    bool (*matches)(const uint8_t *start, size_t size);
    /* Reads the file's header; r->window is at its start */
    bool (*begin)(struct reader *r, GError **error);
    /* As source_next; in.interface counts from the file's first interface. 0: end or damage */
    size_t (*next)(struct reader *r, struct source_record *out, size_t max);
    void (*end)(struct reader *r);
};

struct reader {
    const struct format *format;
    const char *name; /* of the file, for messages */
    uint32_t file_index;
    struct source_file *file; /* what becomes known about the file */
    struct input *input;      /* below the window's stream, for progress; NULL: no window */
    struct window window;
    bool decompressed;
    bool reopenable;
    GPtrArray *interfaces; /* of struct source_interface; those before `handed_on` are owned by
                              the source */
    size_t handed_on;
    uint32_t interface_base;     /* of this file's first interface in the source */
    uint32_t interface_room;     /* interfaces that this file may still have */
    uint64_t frames;             /* read so far */
    struct source_damage damage; /* text NULL: none */
    struct oddities odd;
    bool has_pending; /* a record was read in advance */
    struct source_record pending;
};

/* Opens a file, whatever its format and compression, and fills `file` in. Without `others`, pcap
 * and pcapng only. */
struct reader *reader_open(struct source_file *file, uint32_t file_index, bool others,
                           const struct source_stop *stop, GError **error);
void reader_close(struct reader *r);

/* Reads the first record in advance: NULL when there is none. */
const struct source_record *reader_peek(struct reader *r);
/* Records with interface numbers of the source */
size_t reader_next(struct reader *r, struct source_record *out, size_t max);

/* For formats: a new interface of this file, all zero but for fcs_size, drop counters and the file
 * index; NULL when there are too many, or when there is no memory for more. */
struct source_interface *reader_add_interface(struct reader *r);
/* The latest one again: its description can't be believed. */
void reader_drop_interface(struct reader *r);
void interface_free(struct source_interface *face);

/* For formats: notes damage, unless there is some already. `offset` is of the stream; the text says
 * what is wrong, without the file's name and the place, which are added. */
void reader_damage(struct reader *r, uint64_t offset, const char *text, ...) G_GNUC_PRINTF(3, 4);
/* For formats: the stream ends inside a record or block of `expected` bytes that begins where the
 * window is. When the stream itself failed, that is the damage. */
void reader_damage_cut(struct reader *r, const char *what, uint64_t expected);

extern const struct format format_pcap;
extern const struct format format_pcapng;

/* Any other format, read by libwiretap. NULL when it is not recognised, or when the build has no
 * libwiretap. */
struct reader *wiretap_open(struct source_file *file, uint32_t file_index, GError **error);
/* What to do about a file of an unknown format: the end of a message */
const char *wiretap_advice(void);

#endif
