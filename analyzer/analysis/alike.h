/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What packets are, to those who only count: packets that are alike in all of that are one group. A
 * packet is counted once, in its group, and the analyses are told of groups, not of packets.
 */
#ifndef ANALYSIS_ALIKE_H
#define ANALYSIS_ALIKE_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/first_frames.h"
#include "flow/batch.h"
#include "rdc/packet.h"

/* Times of packets from `from` on, for `ns`; ALIKE_ALWAYS is all of them */
struct alike_span {
    int64_t from;
    uint64_t ns;
};

#define ALIKE_ALWAYS ((struct alike_span){INT64_MIN, UINT64_MAX})

struct alike {
    uint8_t transport; /* enum rdc_transport */
    uint8_t kind;      /* enum rdc_kind */
    bool ip_checksum_bad;
    /* of RoCE and InfiniBand (RDC_KIND_BTH), else zero */
    uint8_t opcode;
    bool management; /* of QP0 or QP1 */
    bool set_up;     /* and of the communication manager */
    bool fecn, becn;
    uint8_t icrc_check, vcrc_check; /* enum rdc_check */
    bool tagged;                    /* has a VLAN tag: the innermost one's PCP */
    uint8_t pcp;
    uint8_t dscp, ecn; /* of RoCEv2, else zero */

    uint64_t packets;
    uint64_t bytes; /* on the wire */
    struct first_frames first;
    struct alike_span span; /* their times are in it, or before all spans of its like */
};

/* Whom the groups are told. Frames of later groups may lie before those of earlier ones. */
struct alike_reader {
    void *context;
    /* A group begins with a packet of that time: makes `span` shorter where packets that are
     * further apart count differently. */
    void (*begin)(void *context, const struct alike *group, int64_t time_ns,
                  struct alike_span *span);
    /* A group is counted; more of the same kind may follow. */
    void (*counted)(void *context, const struct alike *group);
};

struct alike_table;

struct alike_table *alike_new(const struct alike_reader *reader);
/* NULL is accepted */
void alike_free(struct alike_table *table);
void alike_batch(struct alike_table *table, const struct flow_batch *batch);
/* Tells the reader of all that it was not told yet. */
void alike_settle(struct alike_table *table);

#endif
