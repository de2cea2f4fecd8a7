/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How fast is a link? As the user said, or as the capture file says of the interface, or at least
 * as fast as the lowest standard Ethernet rate that can carry the highest load seen in 1 ms.
 */
#ifndef ANALYSIS_LINK_RATE_H
#define ANALYSIS_LINK_RATE_H

#include "analysis/capture.h"
#include "flow/batch.h"
#include "rdc/packet.h"

enum {
    LINK_RATES = 14,
    LOAD_SLOTS = 256,
    LOAD_PAIRS = 256,
    LOAD_LINKS = 64,
};

/* Standard Ethernet rates, ascending */
extern const uint64_t link_rates[LINK_RATES];

enum link_rate_source {
    LINK_RATE_GIVEN,
    LINK_RATE_INTERFACE,
    LINK_RATE_INFERRED,
};

struct link_rate {
    uint64_t bps;
    enum link_rate_source source;
};

const char *link_rate_source_name(enum link_rate_source source);

/* The lowest rate that can carry the load of each link. Both directions share a capture, and a link
 * carries each at its full rate, so the load is counted by the MAC address that sends and by the
 * one that receives; what one sends to another is added up before. */
struct load_key {
    uint64_t first;  /* the receiver's address, and two bytes of the sender's */
    uint64_t second; /* the rest of it, and the link */
};

/* It stays where it is until another one takes the place. */
struct load_pair {
    struct load_key key;
    uint64_t bytes; /* since they were last added to what both do; 0: not in the running window */
    uint64_t name;  /* no other pair has ever had it; modulo LOAD_PAIRS, its place */
};

/* Where packets in brief of a route count */
struct load_route {
    struct load_key key;
    uint64_t name; /* of the pair when it was last seen; 0: nothing is known yet */
};

struct load_slot {
    uint64_t mac;
    int64_t window;
    uint64_t bytes;
    uint32_t link;
};

struct load_link {
    unsigned rate;              /* index into link_rates */
    uint64_t bytes;             /* that it carries in a window */
    uint64_t since[LINK_RATES]; /* the frame that made it so high; 0: it is not */
};

struct load_meter {
    int64_t window; /* the running one, of 1 ms */
    int64_t from_ns;
    struct load_pair pairs[LOAD_PAIRS];
    uint64_t named;            /* pairs so far */
    struct load_route *routes; /* owned, of RDC_ROUTES */
    size_t dirty_count;        /* pairs in the running window */
    uint8_t dirty[LOAD_PAIRS];
    struct load_slot senders[LOAD_SLOTS], receivers[LOAD_SLOTS];
    struct load_link links[LOAD_LINKS]; /* those beyond share the last */
};

void load_meter_init(struct load_meter *m);
void load_meter_done(struct load_meter *m);
/* Packets without MAC addresses are passed over. */
void load_meter_batch(struct load_meter *m, const struct flow_batch *batch);
/* After the last packet */
void load_meter_settle(struct load_meter *m);
/* The rate of a link, as an index into link_rates, as it was known at a PFC or PAUSE frame, or at
 * the end (UINT64_MAX). Another thread may ask while later packets are counted. */
unsigned load_meter_rate(const struct load_meter *m, uint32_t link, uint64_t frame);

/* What is known without looking at the load; false: nothing */
bool link_rate_known(const struct capture *capture, uint32_t interface, struct link_rate *out);
#endif
