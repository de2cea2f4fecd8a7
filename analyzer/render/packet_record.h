/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One packet as `dump` shows it: which fields there are, in which order, under which names. One
 * table (packet_fields.c) feeds JSON, CSV and the tree, so that they can't disagree.
 *
 * A field that the packet does not have is absent. A field that it has but that can't be seen in
 * this capture (cut by the snap length, not checkable) is unknown: null, with its reason.
 */
#ifndef RENDER_PACKET_RECORD_H
#define RENDER_PACKET_RECORD_H

#include <stdbool.h>
#include <stddef.h>

#include "flow/fpdu.h"
#include "rdc/cm.h"
#include "rdc/iwarp.h"
#include "rdc/mad.h"
#include "rdc/packet.h"
#include "render/json_writer.h"

/* Groups of fields, in output order. At most 64: sets of groups are bit masks. */
enum packet_group {
    GROUP_FRAME,
    GROUP_FILE,
    GROUP_TIME,
    GROUP_MAC,
    GROUP_VLAN,
    GROUP_TUNNEL,
    GROUP_ADDRESS,
    GROUP_TRANSPORT,
    GROUP_REFUSED,
    GROUP_UDP,
    GROUP_IP,
    GROUP_LRH,
    GROUP_GRH,
    GROUP_BTH,
    GROUP_RETH,
    GROUP_AETH,
    GROUP_DETH,
    GROUP_ATOMIC_ETH,
    GROUP_ATOMIC_ACK_ETH,
    GROUP_IMM,
    GROUP_IETH,
    GROUP_RDETH,
    GROUP_XRCETH,
    GROUP_FETH,
    GROUP_PAYLOAD,
    GROUP_ICRC,
    GROUP_VCRC,
    GROUP_MAD,
    GROUP_CM,
    GROUP_PAUSE,
    GROUP_FLOW_CONTROL,
    GROUP_TCP,
    GROUP_MPA,
    GROUP_FPDUS,
    GROUP_NOTES,
    GROUP_COUNT,
};

enum {
    PACKET_PRIVATE_SHOWN = 64, /* bytes of an MPA frame's private data */
};

struct packet_record {
    struct rdc_packet pkt; /* pkt.frame: the number within its file */
    const char *file;      /* borrowed; NULL when there is only one */
    bool untimed;          /* there is no time of it: pkt.time_ns and rel_ns mean nothing */
    int64_t rel_ns;        /* since the capture's first packet */
    uint64_t present;      /* set of enum packet_group */
    uint64_t unknown;      /* groups that the packet has but that can't be seen */
    /* set when their groups are present */
    struct rdc_mad mad;
    struct rdc_cm cm;
    /* TCP, which only the flow engine can tell; the caller's */
    struct rdc_mpa mpa; /* set when has_mpa; of its private data the first PACKET_PRIVATE_SHOWN */
    const struct flow_fpdu *fpdus; /* borrowed */
    size_t fpdu_count;
    bool has_mpa;
    bool iwarp; /* of an iWARP connection */
};

enum packet_field_type {
    FIELD_NUMBER, /* unsigned, of the member's size */
    FIELD_TIME,   /* int64_t nanoseconds */
    FIELD_BOOL,
    FIELD_HEX,    /* a hex string of as many digits as the member has */
    FIELD_CUSTOM, /* `write` */
};

struct packet_field {
    const char *key;
    const char *quoted; /* "key": with the quotes, for the JSON writer */
    uint16_t quoted_size;
    uint16_t offset; /* in struct packet_record */
    uint8_t size;
    uint8_t type; /* enum packet_field_type */
    /* Has this packet the field? NULL: all that have the group */
    bool (*applies)(const struct packet_record *r);
    /* Writes a JSON value; for FIELD_CUSTOM */
    void (*write)(struct json_writer *w, const struct packet_record *r);
};

struct packet_group_info {
    const char *name;  /* the object that holds the fields; NULL: they stand at the top */
    const char *title; /* for people */
    const struct packet_field *fields;
    size_t count;
};

extern const struct packet_group_info packet_groups[GROUP_COUNT];

/* Decodes what is inside the payload (management) and fills in all but `pkt`, `file`, `untimed`,
 * `rel_ns` and what is said of TCP, which are the caller's */
void packet_record_complete(struct packet_record *r);
/* Why its times are unknown, where they are */
extern const char packet_untimed_reason[];
/* Why a group of r->unknown can't be seen; a static string */
const char *packet_record_reason(const struct packet_record *r, enum packet_group group);
/* All of them: an object of reasons by key */
void packet_record_write_reasons(struct json_writer *w, const struct packet_record *r);
/* The key of a group in JSON. Groups that can be unknown have an object of their own or one field
 */
const char *packet_group_key(enum packet_group group);
/* The value of a field, as JSON */
void packet_field_write(struct json_writer *w, const struct packet_field *field,
                        const struct packet_record *r);

static inline bool packet_field_applies(const struct packet_field *field,
                                        const struct packet_record *r)
{
    return field->applies == NULL || field->applies(r);
}

static inline bool packet_record_has(const struct packet_record *r, enum packet_group group)
{
    return (r->present >> group & 1) != 0;
}

/* One object, on one line with its newline */
void packet_json(struct buffer *out, const struct packet_record *r);

/* One line; packet_csv_header() names the columns */
void packet_csv_header(struct buffer *out);
void packet_csv(struct buffer *out, const struct packet_record *r);

/* One line for people. Columns get wider as the packets need it: `layout` remembers, zero at the
 * start. */
struct packet_layout {
    bool color;
    size_t frame;
    size_t addresses;
    size_t opcode;
};
void packet_line(struct buffer *out, const struct packet_record *r, struct packet_layout *layout);
/* All fields, indented, a header a line */
void packet_tree(struct buffer *out, const struct packet_record *r);

#endif
