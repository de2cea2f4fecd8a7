/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Credits of virtual lanes (see credits.h). One link: a capture of several would mix them.
 */
#include "analysis/credits.h"

#include <glib.h>

enum {
    COUNTER = 4096, /* both counters are of 12 bits */
    PLAUSIBLE = COUNTER / 2,
    VL15 = 15,
};

static uint32_t ahead(uint16_t to, uint16_t from)
{
    return (uint32_t)(to - from) & (COUNTER - 1);
}

/* How far the numbers went on since the port's latest packet; COUNTER * 2: not by this port */
static uint32_t distance(const struct credit_port *p, const struct rdc_flow_control *fc)
{
    uint32_t sent = ahead(fc->fctbs, p->fctbs), limit = ahead(fc->fccl, p->fccl);

    return sent < PLAUSIBLE && limit < PLAUSIBLE ? sent + limit : 2 * COUNTER;
}

/* Ports take turns: on a quiet lane, where both tell the same, that decides. */
static unsigned port_of(const struct credit_lane *lane, const struct rdc_flow_control *fc)
{
    uint32_t a = distance(&lane->ports[0], fc), b = distance(&lane->ports[1], fc);

    if (!lane->ports[0].seen)
        return 0;
    if (!lane->ports[1].seen)
        return 1;
    if (a == b)
        return !lane->latest;
    return a < b ? 0 : 1;
}

static void sample(struct credit_port *p, const struct credit_port *other, uint64_t frame,
                   int64_t time_ns)
{
    uint32_t left = ahead(other->fccl, p->fctbs);

    if (left > PLAUSIBLE)
        return;
    if (p->at_zero && time_ns > p->last_ns)
        p->at_zero_ns += time_ns - p->last_ns;
    if (p->samples == 0 || left < p->min)
        p->min = left;
    if (left > p->max)
        p->max = left;
    p->sum += left;
    p->samples++;
    p->at_zero = left == 0;
    if (left == 0 && p->zeros++ == 0)
        p->zero_frame = frame;
}

void credit_packet(struct credit_lane *lane, const struct rdc_flow_control *fc, uint64_t frame,
                   int64_t time_ns)
{
    unsigned port = port_of(lane, fc);
    struct credit_port *p = &lane->ports[port];
    const struct credit_port *other = &lane->ports[!port];
    bool turns = p->seen && other->seen && other->last_ns >= p->last_ns;

    p->fctbs = fc->fctbs;
    p->fccl = fc->fccl;
    if (turns) /* else only one port's packets are on the capture */
        sample(p, other, frame, time_ns);
    p->seen = true;
    p->packets++;
    p->last_ns = time_ns;
    lane->latest = port;
}

static void unusual(void *state, const struct rdc_packet *pkt)
{
    struct credits *c = state;

    if (pkt->kind == RDC_KIND_FLOW_CONTROL) {
        c->packets++;
        credit_packet(&c->lanes[pkt->flow_control.vl & (CREDIT_LANES - 1)], &pkt->flow_control,
                      pkt->frame, pkt->time_ns);
        return;
    }
    if (pkt->transport != RDC_TRANSPORT_IB)
        return;
    c->ib_packets++;
    if ((pkt->layers >> RDC_LAYER_LRH & 1) != 0 && pkt->lrh.vl == VL15) {
        tally_add(&c->vl15, pkt->frame);
        c->vl15_bytes += pkt->wire_size;
    }
}

/* ------------------------------------------------------------------ report */

static void put_port(struct report_node *table, unsigned vl, unsigned number,
                     const struct credit_port *p)
{
    static const char one_sided[] = "the other port's flow control is not on the capture";
    struct report_value none = report_unknown(one_sided);
    bool known = p->samples > 0;

    if (!p->seen)
        return;
    report_row(table,
               (struct report_value[]){
                   report_number(vl), report_number(number), report_count(p->packets),
                   known ? report_count(p->min) : none,
                   known ? report_count(p->sum / p->samples) : none,
                   known ? report_count(p->max) : none, known ? report_ns(p->at_zero_ns) : none,
                   known ? report_count(p->zeros) : none,
                   p->zero_frame != 0 ? report_frame(p->zero_frame) : report_none()});
}

static void report(const void *state, const struct analysis_input *in, struct report_node *root)
{
    static const struct report_column columns[] = {
        {"vl", "VL", false},
        {"port", "Port", false},
        {"packets", "Packets", false},
        {"credits_min", "Least", false},
        {"credits_mean", "Mean", false},
        {"credits_max", "Most", false},
        {"at_zero_ns", "At zero", false},
        {"times_at_zero", "Times", false},
        {"zero_frame", "First frame", false},
    };
    const struct credits *c = state;
    struct report_node *section = report_section(root, "credits", "");
    struct report_node *table =
        report_table(section, "lanes", "Credits left, by virtual lane and port (64 bytes each)",
                     REPORT_ARRAY, columns, G_N_ELEMENTS(columns));

    (void)in;
    for (unsigned vl = 0; vl < CREDIT_LANES; vl++)
        for (unsigned i = 0; i < CREDIT_PORTS; i++)
            put_port(table, vl, i, &c->lanes[vl].ports[i]);
    report_item(section, "flow_control_packets", NULL,
                c->packets > 0
                    ? report_count(c->packets)
                    : report_unknown("no InfiniBand flow control is visible at this place"));
    report_item(section, "vl15_packets", NULL,
                c->ib_packets > 0 ? report_count(c->vl15.count)
                                  : report_unknown("there are no InfiniBand packets"));
    report_item(section, "vl15_bytes", NULL,
                c->ib_packets > 0 ? report_bytes(c->vl15_bytes)
                                  : report_unknown("there are no InfiniBand packets"));
    report_item(section, "vl15_frames", NULL, tally_frames(&c->vl15));
}

const struct analysis an_credits = {
    .name = "credits",
    .summary = "credits of InfiniBand virtual lanes",
    .state_size = sizeof(struct credits),
    .unusual = unusual,
    .report = report,
};
