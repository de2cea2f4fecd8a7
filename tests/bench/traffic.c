/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * See traffic.h. A connection's messages all have the same number of PSNs and what a PSN carries
 * follows from its number, so that going back needs no memory of what was sent.
 */
#include "traffic.h"

#include <stdlib.h>
#include <string.h>

#include "rdc/ib.h"

enum {
    MAX_BURST = 8,  /* packets of one connection in a row */
    MAX_AFTER = 16, /* packets that are in flight behind a lost one */
    ECT0 = 2,
    CE = 3,
    NO_LOSS = -1,
    CNP_RESERVED = 16,
    SYNDROME_ACK = 0x1f, /* credits invalid */
    SYNDROME_NAK = 0x60, /* PSN sequence error */
};

struct flow {
    uint32_t index;      /* PSN to send next, counted from the first */
    uint32_t top;        /* one behind the highest sent */
    int64_t lost;        /* index of a lost packet that the responder still waits for, or NO_LOSS */
    uint16_t after;      /* packets until its NAK */
    uint16_t reading;    /* READ responses to come */
    uint16_t request_id; /* IPv4 identification of both directions */
    uint16_t response_id;
    bool ack_due;
    bool cnp_due;
};

struct traffic {
    struct traffic_options options;
    struct traffic_counts counts;
    uint64_t random;
    uint32_t current; /* flow that sends */
    uint32_t burst;   /* packets left of it */
    struct flow flows[];
};

static bool step(struct traffic *t, uint32_t id, struct frame *f);
static bool send_request(struct traffic *t, uint32_t id, struct frame *f);
static void request_headers(const struct traffic *t, uint32_t id, uint32_t index, struct frame *f);
static void send_response(struct traffic *t, uint32_t id, uint32_t index, uint8_t opcode,
                          struct frame *f);
static void put_aeth(const struct traffic *t, struct frame *f, uint8_t syndrome, uint32_t index);
static bool is_read(const struct traffic *t, uint32_t id, uint32_t index);
static uint32_t qpn(uint32_t id, bool responder);
static uint16_t source_port(uint32_t id);
static uint32_t first_psn(uint32_t id);
static uint64_t mix(uint64_t x);
static bool happens(struct traffic *t, double probability);

struct traffic *traffic_new(const struct traffic_options *options)
{
    struct traffic *t = calloc(1, sizeof(*t) + options->flows * sizeof(struct flow));

    if (!t)
        return NULL;
    t->options = *options;
    t->random = mix(options->seed);
    for (uint32_t i = 0; i < options->flows; i++)
        t->flows[i].lost = NO_LOSS;
    return t;
}

void traffic_free(struct traffic *t)
{
    free(t);
}

const struct traffic_counts *traffic_counts(const struct traffic *t)
{
    return &t->counts;
}

void traffic_next(struct traffic *t, struct frame *f)
{
    do {
        if (t->burst == 0) {
            t->random = mix(t->random);
            t->current = (uint32_t)((t->random >> 32) % t->options.flows);
            t->burst = 1 + (uint32_t)(t->random % MAX_BURST);
        }
        t->burst--;
    } while (!step(t, t->current, f));
}

/* One packet of a connection; false when it was lost before the tap. */
static bool step(struct traffic *t, uint32_t id, struct frame *f)
{
    struct flow *flow = &t->flows[id];

    if (flow->cnp_due) {
        flow->cnp_due = false;
        t->counts.cnps++;
        send_response(t, id, 0, RDC_CNP, f);
        f->psn = 0;
        f->becn = true;
        memset(f->ext, 0, CNP_RESERVED);
        f->ext_size = CNP_RESERVED;
    } else if (flow->ack_due) {
        flow->ack_due = false;
        t->counts.acks++;
        send_response(t, id, flow->index - 1, RDC_RC_ACKNOWLEDGE, f);
        put_aeth(t, f, SYNDROME_ACK, flow->index);
    } else if (flow->reading > 0) {
        uint32_t index = flow->index - flow->reading;
        bool first = flow->reading == t->options.message;
        bool last = flow->reading == 1;

        flow->reading--;
        t->counts.responses++;
        send_response(t, id, index,
                      first && last ? RDC_RC_RDMA_READ_RESPONSE_ONLY
                      : first       ? RDC_RC_RDMA_READ_RESPONSE_FIRST
                      : last        ? RDC_RC_RDMA_READ_RESPONSE_LAST
                                    : RDC_RC_RDMA_READ_RESPONSE_MIDDLE,
                      f);
        f->payload = true;
        if (first || last)
            put_aeth(t, f, SYNDROME_ACK, flow->index);
    } else if (flow->lost != NO_LOSS && flow->after == 0) {
        flow->index = (uint32_t)flow->lost;
        flow->lost = NO_LOSS;
        t->counts.naks++;
        send_response(t, id, flow->index, RDC_RC_ACKNOWLEDGE, f);
        put_aeth(t, f, SYNDROME_NAK, flow->index);
    } else {
        return send_request(t, id, f);
    }
    return true;
}

static bool send_request(struct traffic *t, uint32_t id, struct frame *f)
{
    struct flow *flow = &t->flows[id];
    uint32_t index = flow->index;
    bool read = is_read(t, id, index);
    bool last = read || (index + 1) % t->options.message == 0;

    flow->request_id++;
    flow->index += read ? t->options.message : 1;
    if (!read && flow->lost == NO_LOSS && happens(t, t->options.loss)) {
        flow->lost = index;
        flow->after = (uint16_t)(1 + t->random % MAX_AFTER);
        flow->top = flow->index > flow->top ? flow->index : flow->top;
        t->counts.lost++;
        return false;
    }
    request_headers(t, id, index, f);
    t->counts.requests++;
    t->counts.retransmitted += index < flow->top;
    if (flow->index > flow->top)
        flow->top = flow->index;
    if (flow->lost != NO_LOSS) {
        flow->after = read ? 0 : (uint16_t)(flow->after - 1);
    } else if (read) {
        flow->reading = (uint16_t)t->options.message;
    } else {
        flow->ack_due = last;
    }
    if (happens(t, t->options.ce)) {
        f->ecn = CE;
        t->counts.ce++;
        flow->cnp_due = flow->cnp_due || happens(t, t->options.cnp);
    }
    return true;
}

static void request_headers(const struct traffic *t, uint32_t id, uint32_t index, struct frame *f)
{
    uint32_t position = index % t->options.message;
    bool read = is_read(t, id, index);
    bool write = mix((uint64_t)id << 32 | index / t->options.message) & 1;
    bool first = position == 0;
    bool last = position + 1 == t->options.message;
    uint8_t *p = f->ext;

    *f = (struct frame){
        .src = 0x0a000000 | (1 + id % t->options.hosts),
        .dst = 0x0a010000 | (1 + id % t->options.hosts),
        .sport = source_port(id),
        .ip_id = t->flows[id].request_id,
        .ecn = ECT0,
        .dest_qpn = qpn(id, true),
        .psn = (first_psn(id) + index) & 0xffffff,
        .ack_req = last || read,
        .payload = !read,
    };
    if (read)
        f->opcode = RDC_RC_RDMA_READ_REQUEST;
    else if (first && last)
        f->opcode = write ? RDC_RC_RDMA_WRITE_ONLY : RDC_RC_SEND_ONLY;
    else if (first)
        f->opcode = write ? RDC_RC_RDMA_WRITE_FIRST : RDC_RC_SEND_FIRST;
    else if (last)
        f->opcode = write ? RDC_RC_RDMA_WRITE_LAST : RDC_RC_SEND_LAST;
    else
        f->opcode = write ? RDC_RC_RDMA_WRITE_MIDDLE : RDC_RC_SEND_MIDDLE;
    if (read || (write && first)) {
        p = frame_put32(frame_put32(p, 0x00007f00), id << 12);
        p = frame_put32(p, 0x00001000 + id);
        p = frame_put32(p, t->options.message * t->options.payload);
        f->ext_size = (size_t)(p - f->ext);
    }
}

static void send_response(struct traffic *t, uint32_t id, uint32_t index, uint8_t opcode,
                          struct frame *f)
{
    *f = (struct frame){
        .src = 0x0a010000 | (1 + id % t->options.hosts),
        .dst = 0x0a000000 | (1 + id % t->options.hosts),
        .sport = source_port(id),
        .ip_id = ++t->flows[id].response_id,
        .ecn = ECT0,
        .opcode = opcode,
        .dest_qpn = qpn(id, false),
        .psn = (first_psn(id) + index) & 0xffffff,
    };
}

/* MSN: messages that end before `index` */
static void put_aeth(const struct traffic *t, struct frame *f, uint8_t syndrome, uint32_t index)
{
    uint32_t msn = index / t->options.message & 0xffffff;

    f->ext_size = (size_t)(frame_put32(f->ext, (uint32_t)syndrome << 24 | msn) - f->ext);
}

static bool is_read(const struct traffic *t, uint32_t id, uint32_t index)
{
    uint64_t hash = mix((uint64_t)id << 32 | index / t->options.message);

    return index % t->options.message == 0 && (double)(hash >> 11) * 0x1p-53 < t->options.read;
}

static uint32_t qpn(uint32_t id, bool responder)
{
    return (responder ? 0x800100u : 0x000100u) + id;
}

/* As the Linux kernel folds the two QPNs into a port */
static uint16_t source_port(uint32_t id)
{
    uint64_t v = (uint64_t)qpn(id, false) * qpn(id, true);

    v ^= v >> 20;
    v ^= v >> 40;
    v &= 0xfffff;
    return (uint16_t)(((v & 0x3fff) ^ (v >> 14)) | 0xc000);
}

static uint32_t first_psn(uint32_t id)
{
    return (uint32_t)mix(id) & 0xffffff;
}

/* A step of the splitmix64 generator; a good hash of small numbers too */
static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static bool happens(struct traffic *t, double probability)
{
    if (probability <= 0)
        return false;
    t->random = mix(t->random);
    return (double)(t->random >> 11) * 0x1p-53 < probability;
}
