/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How fast is a link? As the user said, or as the capture file says of the interface, or at least
 * as fast as the lowest standard Ethernet rate that can carry the highest load seen in 1 ms.
 */
#ifndef ANALYSIS_LINK_RATE_H
#define ANALYSIS_LINK_RATE_H

#include "analysis/capture.h"
#include "rdc/packet.h"

enum {
    LINK_RATES = 14,
    LOAD_SLOTS = 256,
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

/* The highest load of each link. Both directions share a capture, and a link carries each at its
 * full rate, so the load is counted by the MAC address that sends and by the one that receives. */
struct load_slot {
    uint64_t key;
    int64_t window; /* ms */
    uint64_t bytes;
    uint32_t link;
};

struct load_meter {
    struct load_slot slots[LOAD_SLOTS];
    uint64_t peak_bytes[LOAD_LINKS]; /* in 1 ms; links beyond share the last */
};

/* A packet that has MAC addresses */
void load_meter_packet(struct load_meter *m, uint32_t link, const struct rdc_packet *pkt);
/* bit/s */
uint64_t load_meter_peak(const struct load_meter *m, uint32_t link);

/* What is known without looking at the load; false: nothing */
bool link_rate_known(const struct capture *capture, uint32_t interface, struct link_rate *out);
/* Index into link_rates of the lowest that carries a load */
unsigned link_rate_for_load(uint64_t bps);

#endif
