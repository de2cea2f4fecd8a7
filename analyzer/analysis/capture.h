/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What is known about the capture as a whole, whatever was in its packets.
 */
#ifndef ANALYSIS_CAPTURE_H
#define ANALYSIS_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/say.h"

enum {
    CAPTURE_MAX_PROTOCOLS = 48,
    CAPTURE_MAX_LINKTYPES = 16,
    CAPTURE_MAX_DAMAGE = 16,
    CAPTURE_MAX_WARNINGS = 64,
    CAPTURE_MAX_ODD = 16,
    CAPTURE_MAX_OVERLAPS = 8,
};

#define CAPTURE_LINKTYPE_UNKNOWN UINT32_MAX /* of an interface without packets */

struct capture_protocol {
    const char *name; /* static: render/protocol.h */
    uint64_t packets;
    uint64_t bytes;
};

/* Of a pcapng file as its writer described it; of others, what the file header says */
struct capture_interface {
    const char *name; /* NULL: not known */
    const char *file;
    uint32_t linktype;
    uint32_t snaplen;   /* 0: none */
    uint64_t speed_bps; /* 0: not known */
    uint64_t drops;     /* UINT64_MAX: not known */
};

/* Packets one behind the other; frame references */
struct capture_span {
    uint64_t first;
    uint64_t last;
};

/* Records of a file that say what can't be */
struct capture_odd {
    uint64_t frame;   /* reference of the first; 0: of no packet */
    const char *text; /* what, and where the first is; a sentence without its full stop */
};

/* A file that begins before one in front of it on the timeline has ended */
struct capture_overlap {
    uint64_t frame; /* reference of its first packet */
    size_t earlier; /* place of the other on the timeline */
    int64_t ns;     /* how long before */
};

/* Grows while packets are read: an interface is in the list before its first packet is seen. */
struct capture {
    const char *const *files; /* in the order of the timeline: the file index of frame references;
                                those without packets at the end */
    size_t file_count;
    uint64_t packets;
    uint64_t bytes;                           /* on the wire */
    uint64_t truncated;                       /* packets cut by the snap length */
    uint64_t time_runs_back;                  /* packets older than the one before */
    uint64_t untimed;                         /* packets whose file has no time for them */
    const struct capture_span *untimed_spans; /* where they are, ascending */
    size_t untimed_span_count;
    int64_t
        first_time_ns; /* of the first packet in file order that has one; rel_ns counts from it */
    int64_t last_time_ns; /* the latest */
    int64_t previous_ns;  /* of the packet before, while packets come */
    const struct capture_interface *interfaces;
    size_t interface_count;
    const char *silent; /* why drops, speeds and names are missing; NULL: the file lacks them */
    bool drops_known;   /* some interface has a count of what its capture lost */
    uint64_t drops;
    uint32_t linktypes[CAPTURE_MAX_LINKTYPES];
    size_t linktype_count;
    uint64_t rdma_packets;
    struct capture_protocol protocols[CAPTURE_MAX_PROTOCOLS]; /* that are no RDMA */
    size_t protocol_count;
    uint64_t link_rate_bps;    /* as the user gave it; 0: not given */
    int64_t reorder_window_ns; /* the same */
    uint64_t limit;            /* packets behind which reading stops; 0: none */
    const char *filter;        /* that packets have to pass; NULL: none */
    const char *options;       /* those that were given for reading, as a shell takes them, each
                                * behind a space; NULL: none */
    /* where files stop making sense, in words; NULL-terminated */
    const char *damage[CAPTURE_MAX_DAMAGE + 1];
    /* what is strange about files, but can be read, in words; NULL-terminated */
    const char *warnings[CAPTURE_MAX_WARNINGS + 1];
    struct capture_odd odd[CAPTURE_MAX_ODD]; /* the first kinds of them */
    size_t odd_count;
    uint64_t odd_records;                                  /* all */
    struct capture_overlap overlaps[CAPTURE_MAX_OVERLAPS]; /* the first of them */
    uint64_t overlap_count;                                /* all */
};

struct flow_batch;
struct flow_engine;

/* Whether the file has a time for any packet; false, too, where there is none */
static inline bool capture_has_times(const struct capture *c)
{
    return c->untimed < c->packets;
}

/* Why what depends on the order of packets is unknown, static; NULL: it is known */
static inline const char *capture_disordered_reason(const struct capture *c)
{
    return c->overlap_count > 0 ? "files of the same time were read one behind the other" : NULL;
}

/* Whether reading stopped at its limit */
static inline bool capture_is_limited(const struct capture *c)
{
    return c->limit != 0 && c->packets >= c->limit;
}

/* "the end of the capture", or of what was read of it */
const char *capture_end(const struct capture *c);
/* What the user's limit and filter leave out, a sentence; NULL: nothing. g_free() it. */
char *capture_chosen(const struct capture *c);
/* Why what is computed from times of packets is unknown, static; NULL: it is known */
const char *capture_untimed_reason(const struct capture *c);
/* A time between packets in a sentence; "an unknown time" where packets have none */
struct say say_span(const struct capture *c, int64_t ns);
/* Where a time is, to stand behind "from": "4.00 us into the capture"; where the first packet of
 * the file is not the oldest, maybe "4.00 us before the first packet" */
struct say say_since_start(const struct capture *c, int64_t time_ns);
/* Has this packet a time of its own? */
bool capture_frame_is_timed(const struct capture *c, uint64_t frame);

/* A file begins whose first packet has this frame reference and time; before it is counted.
 * `earlier`: the place of the file with the latest packet so far. */
void capture_begin_file(struct capture *c, uint64_t frame, int64_t time_ns, size_t earlier);
/* Counts packets. Returns how many of them are no RDMA (PFC and PAUSE are none): those are to be
 * counted by name, too; all came whole. */
size_t capture_count(struct capture *c, const struct flow_batch *batch);
/* Counts a packet that is no RDMA. `protocol` is static. */
void capture_count_other(struct capture *c, const char *protocol, uint32_t bytes);
/* After the last packet: what was counted as TCP is RDMA as far as it is iWARP. */
void capture_saw_iwarp(struct capture *c, const struct flow_engine *engine);

#endif
