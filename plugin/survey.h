/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The command line's reports about a run of packets, as text.
 */
#ifndef PLUGIN_SURVEY_H
#define PLUGIN_SURVEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rdc/packet.h"

struct survey;

struct survey_options {
    bool flows;                /* what rdmapcap flows prints; else rdmapcap stats */
    uint64_t link_rate_bps;    /* 0: not known */
    int64_t reorder_window_ns; /* the same */
};

struct survey *survey_new(const struct survey_options *options);
/* NULL is accepted */
void survey_free(struct survey *s);
/* Before the first packet of the interface pkt->interface; name NULL: not known */
void survey_interface(struct survey *s, const struct rdc_packet *pkt, const char *name);
bool survey_knows_interface(const struct survey *s, const struct rdc_packet *pkt);
/* In file order. Packets that come after survey_text() are not taken. */
void survey_packet(struct survey *s, const struct rdc_packet *pkt);
/* Once; later NULL. Owned by the caller (g_free). */
char *survey_text(struct survey *s, size_t width);

#endif
