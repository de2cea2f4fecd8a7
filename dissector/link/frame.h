/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a frame says before its first header is looked at.
 */
#ifndef RDC_LINK_FRAME_H
#define RDC_LINK_FRAME_H

#include "rdc/packet.h"
#include "rdc/wire.h"

static inline int64_t rdc_believable(int64_t time_ns)
{
    if (time_ns > RDC_TIME_LAST_NS)
        return RDC_TIME_LAST_NS;
    return time_ns < RDC_TIME_FIRST_NS ? RDC_TIME_FIRST_NS : time_ns;
}

static inline void rdc_frame_basics(const struct rdc_input *restrict in,
                                    struct rdc_packet *restrict pkt)
{
    pkt->time_ns = rdc_believable(in->time_ns);
    pkt->wire_size = in->wire > in->captured ? in->wire : in->captured;
    pkt->captured_size = in->captured;
    pkt->interface = in->interface;
    pkt->linktype = in->linktype;
    pkt->truncated = in->captured < in->wire;
    pkt->notes = 0;
    pkt->refusal = RDC_REFUSAL_NONE;
    pkt->vlan_count = 0;
    pkt->tunnel_count = 0;
}

/* Without the frame check sequence, which only Ethernet may have: other links say nothing. */
static inline struct rdc_cursor rdc_frame_cursor(const struct rdc_input *in)
{
    uint32_t wire = in->wire > in->captured ? in->wire : in->captured;
    struct rdc_cursor cur = {in->bytes, in->captured, wire};

    if (in->fcs_size <= 0 || in->linktype != RDC_LINKTYPE_ETHERNET || (uint8_t)in->fcs_size > wire)
        return cur;
    cur.wire -= (uint8_t)in->fcs_size;
    if (cur.captured > cur.wire)
        cur.captured = cur.wire;
    return cur;
}

#endif
