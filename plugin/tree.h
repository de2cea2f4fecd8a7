/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Adding to the packet's tree. All values are generated: they stand for no bytes of the frame.
 */
#ifndef PLUGIN_TREE_H
#define PLUGIN_TREE_H

#include "plugin/fields.h"
#include "plugin/state.h"

struct tree {
    proto_tree *tree; /* NULL: Wireshark wants none */
    tvbuff_t *tvb;
    packet_info *pinfo;
    const struct shown_packet *p;
};

proto_item *tree_uint(struct tree *t, enum field field, uint32_t value);
proto_item *tree_uint64(struct tree *t, enum field field, uint64_t value);
proto_item *tree_bool(struct tree *t, enum field field, bool value);
/* NULL is "unknown" */
proto_item *tree_text(struct tree *t, enum field field, const char *value);
proto_item *tree_time(struct tree *t, enum field field, int64_t ns);
/* A field without a value */
proto_item *tree_mark(struct tree *t, enum field field);

/* Nothing for frame 0 */
void tree_link(struct tree *t, enum field field, uint64_t frame);
/* The same, below an item */
struct tree tree_below(const struct tree *t, proto_item *item);

/* iWARP: what the segment completes; and one of its events */
void tree_iwarp(struct tree *t);
proto_item *tree_iwarp_event(struct tree *t, const struct flow_event *event);

/* The packet's events; `top` gets a word for each. */
void tree_events(struct tree *t, proto_item *top);

#endif
