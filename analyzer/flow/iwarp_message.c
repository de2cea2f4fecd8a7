/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the FPDUs of a connection say: DDP segments become RDMAP messages (RFC 5040, 5041), READs
 * and atomics find their answers, messages their acknowledgement.
 */
#include <stdlib.h>

#include "flow/iwarp.h"
#include "flow/stream.h"

static void count_fpdu(struct iwarp_conn *conn, unsigned dir, const struct mpa_found *f,
                       struct flow_fpdu *out);
static void decode(const struct mpa_found *f, struct flow_fpdu *out);
static void take_segment(struct iwarp *w, struct iwarp_conn *conn, unsigned dir,
                         const struct flow_fpdu *f, int64_t end);
static void check_msn(struct iwarp *w, struct iwarp_conn *conn, unsigned dir,
                      const struct flow_fpdu *f);
static void complete(struct iwarp *w, struct iwarp_conn *conn, unsigned dir,
                     const struct flow_fpdu *f, const struct iwarp_message *message, int64_t end);
static void request(struct iwarp *w, struct iwarp_dir *d, const struct rdc_rdmap *rdmap);
static void answer(struct iwarp *w, struct iwarp_dir *asker, const struct flow_fpdu *f);
static void terminate(struct iwarp *w, struct iwarp_conn *conn, unsigned dir,
                      const struct flow_fpdu *f);

void iwarp_fpdu(struct iwarp *w, struct iwarp_conn *conn, unsigned dir,
                const struct mpa_found *found)
{
    struct flow_fpdu f = {.stream = iwarp_stream(conn, dir),
                          .tcp_seq = (uint32_t)found->pos,
                          .total = found->total,
                          .length = found->length,
                          .markers = found->markers,
                          .inferred = conn->mpa.inferred,
                          .other_way = dir != w->dir};
    struct flow_event ev = {.kind = FLOW_CRC_BAD, .certain = true};

    count_fpdu(conn, dir, found, &f);
    if (f.length > 0) /* else it says only that its sender is ready (RFC 6581, 9.2) */
        decode(found, &f);
    conn->dir[dir].w.opcodes[f.ddp.opcode & 15] += f.ddp_set;
    if (f.crc == FPDU_CRC_BAD) {
        ev.psn = f.tcp_seq;
        ev.count = f.total;
        iwarp_event(w, conn, dir, &ev);
    } else if (f.ddp_set) {
        take_segment(w, conn, dir, &f, found->pos + found->total);
        iwarp_note_stags(&conn->dir[dir], &f, w->pkt->frame);
    }
    if (w->engine->sink.fpdu != NULL)
        w->engine->sink.fpdu(w->engine->sink.context, &f);
}

static void count_fpdu(struct iwarp_conn *conn, unsigned dir, const struct mpa_found *f,
                       struct flow_fpdu *out)
{
    uint8_t in_use = mpa_crc_in_use(&conn->mpa);
    struct flow_iwarp *c = &conn->dir[dir].w;

    out->crc = f->crc;
    if (in_use == MPA_CRC_OFF)
        out->crc = FPDU_CRC_OFF;
    else if (f->crc == FPDU_CRC_ZERO)
        out->crc = in_use == MPA_CRC_ON ? FPDU_CRC_BAD : FPDU_CRC_OFF;
    c->fpdus++;
    c->crc_ok += out->crc == FPDU_CRC_OK;
    c->crc_bad += out->crc == FPDU_CRC_BAD;
    conn->dir[dir].c.icrc_bad += out->crc == FPDU_CRC_BAD;
    conn->dir[dir].c.icrc_checked += out->crc <= FPDU_CRC_BAD;
    c->crc_off += out->crc == FPDU_CRC_OFF;
    c->crc_unseen += out->crc == FPDU_CRC_UNSEEN;
    c->markers += f->markers;
    c->markers_bad += f->marker_bad;
    if (f->marker_bad)
        out->notes |= RDC_NOTE_BIT(MARKER_BAD);
    if (out->crc == FPDU_CRC_BAD)
        out->notes |= RDC_NOTE_BIT(FPDU_CRC_BAD);
}

static void decode(const struct mpa_found *f, struct flow_fpdu *out)
{
    struct rdc_cursor cur = {f->header, f->header_size, f->length};
    enum rdc_status st = rdc_ddp_decode(&cur, &out->ddp);

    out->ddp_set = st == RDC_OK;
    if (out->ddp_set) {
        out->notes |= out->ddp.notes;
        st = rdc_rdmap_decode(&cur, &out->ddp, &out->rdmap);
        out->rdmap_set = st == RDC_OK;
    }
    if (out->rdmap_set) {
        out->notes |= out->rdmap.notes;
        out->rdmap.payload = NULL;
        out->rdmap.payload_captured = 0;
    } else {
        out->notes |=
            st == RDC_TRUNCATED ? RDC_NOTE_BIT(HEADER_TRUNCATED) : RDC_NOTE_BIT(HEADER_MALFORMED);
    }
}

/* ------------------------------------------------------------------ segments and messages */

static enum rdc_operation operation_of(const struct flow_fpdu *f)
{
    static const uint8_t operations[16] = {
        [RDC_RDMAP_WRITE] = RDC_OP_WRITE,
        [RDC_RDMAP_READ_REQUEST] = RDC_OP_READ,
        [RDC_RDMAP_SEND] = RDC_OP_SEND,
        [RDC_RDMAP_SEND_INV] = RDC_OP_SEND_WITH_INVALIDATE,
        [RDC_RDMAP_SEND_SE] = RDC_OP_SEND,
        [RDC_RDMAP_SEND_SE_INV] = RDC_OP_SEND_WITH_INVALIDATE,
        [RDC_RDMAP_IMMEDIATE] = RDC_OP_IMMEDIATE_DATA,
        [RDC_RDMAP_IMMEDIATE_SE] = RDC_OP_IMMEDIATE_DATA,
        [RDC_RDMAP_ATOMIC_REQUEST] = RDC_OP_ATOMIC,
    };
    static const uint8_t atomics[16] = {
        [RDC_RDMAP_FETCH_ADD] = RDC_OP_FETCH_ADD,
        [RDC_RDMAP_SWAP] = RDC_OP_SWAP,
        [RDC_RDMAP_CMP_SWAP] = RDC_OP_CMP_SWAP,
    };
    uint8_t atomic;

    if (f->ddp.opcode == RDC_RDMAP_ATOMIC_REQUEST && f->rdmap_set && f->rdmap.header) {
        atomic = atomics[f->rdmap.atomic_request.operation & 15];
        return atomic != RDC_OP_NONE ? atomic : RDC_OP_ATOMIC;
    }
    return operations[f->ddp.opcode & 15];
}

static struct iwarp_message *message_of(struct iwarp_dir *d, const struct rdc_ddp *ddp)
{
    if (ddp->tagged)
        return &d->tagged[ddp->opcode == RDC_RDMAP_READ_RESPONSE];
    return &d->untagged[ddp->qn < IWARP_QUEUES ? ddp->qn : 0];
}

static void take_segment(struct iwarp *w, struct iwarp_conn *conn, unsigned dir,
                         const struct flow_fpdu *f, int64_t end)
{
    struct iwarp_dir *d = &conn->dir[dir];
    struct iwarp_message *message = message_of(d, &f->ddp);
    uint32_t payload = f->rdmap_set ? f->rdmap.payload_size : 0;

    if (!f->ddp.tagged)
        check_msn(w, conn, dir, f);
    if (!message->open || (!f->ddp.tagged && f->ddp.mo == 0))
        *message = (struct iwarp_message){true, w->pkt->time_ns, 0};
    message->bytes += payload;
    d->c.payload_bytes += payload;
    if (f->ddp.opcode == RDC_RDMAP_READ_RESPONSE)
        answer(w, &conn->dir[1 - dir], f);
    if (!f->ddp.last)
        return;
    message->open = false;
    complete(w, conn, dir, f, message, end);
}

/* MSNs count the messages of a queue (RFC 5041, 4.3). Behind an open hole some are still to come.
 */
static void check_msn(struct iwarp *w, struct iwarp_conn *conn, unsigned dir,
                      const struct flow_fpdu *f)
{
    struct iwarp_dir *d = &conn->dir[dir];
    struct flow_event ev = {.kind = FLOW_MSN_GAP, .certain = true};
    struct iwarp_queue *q;
    int32_t step;

    if (f->ddp.qn >= IWARP_QUEUES)
        return;
    q = &d->queues[f->ddp.qn];
    step = q->known ? rdc_seq_diff(f->ddp.msn, q->next) : 0;
    if (step > 0 && d->contiguous && conn->mpa.dir[dir].tcp.front->next == NULL) {
        d->w.msn_gaps++;
        ev.psn = q->next;
        ev.count = (uint32_t)step;
        ev.code = (uint8_t)f->ddp.qn;
        iwarp_event(w, conn, dir, &ev);
    }
    if (!q->known || step >= 0)
        q->next = f->ddp.msn + f->ddp.last;
    q->known = true;
}

static void wait_for_ack(struct iwarp_dir *d, int64_t end, int64_t start_ns)
{
    if (d->unacked == NULL)
        d->unacked = malloc(IWARP_MESSAGES_MAX * sizeof(*d->unacked));
    if (d->unacked == NULL || d->unacked_count == IWARP_MESSAGES_MAX)
        return;
    d->unacked[(d->unacked_first + d->unacked_count++) % IWARP_MESSAGES_MAX] =
        (struct iwarp_unacked){end, start_ns};
}

static void complete(struct iwarp *w, struct iwarp_conn *conn, unsigned dir,
                     const struct flow_fpdu *f, const struct iwarp_message *message, int64_t end)
{
    struct iwarp_dir *d = &conn->dir[dir];
    enum rdc_operation op = operation_of(f);

    if (f->ddp.opcode == RDC_RDMAP_TERMINATE)
        terminate(w, conn, dir, f);
    if (f->ddp.opcode == RDC_RDMAP_ATOMIC_RESPONSE)
        answer(w, &conn->dir[1 - dir], f);
    if (op == RDC_OP_NONE)
        return;
    d->c.messages[op]++;
    d->c.message_bytes += message->bytes;
    d->w.invalidates += op == RDC_OP_SEND_WITH_INVALIDATE;
    if (iwarp_times(d) != NULL)
        flow_histogram_add(&d->times->message_size, (int64_t)message->bytes, NULL);
    if (f->ddp.opcode == RDC_RDMAP_READ_REQUEST || f->ddp.opcode == RDC_RDMAP_ATOMIC_REQUEST) {
        if (f->rdmap_set && f->rdmap.header)
            request(w, d, &f->rdmap);
    } else {
        wait_for_ack(d, end, message->start_ns);
    }
}

void iwarp_acknowledged(struct iwarp *w, struct iwarp_conn *conn, unsigned dir, int64_t pos)
{
    struct iwarp_dir *d = &conn->dir[dir];

    while (d->unacked_count > 0 && d->unacked[d->unacked_first].end <= pos) {
        int64_t latency = w->pkt->time_ns - d->unacked[d->unacked_first].start_ns;

        if (iwarp_times(d) != NULL)
            flow_histogram_add(&d->times->message_latency, latency, NULL);
        d->unacked_first = (d->unacked_first + 1) % IWARP_MESSAGES_MAX;
        d->unacked_count--;
    }
}

/* ------------------------------------------------------------------ requests and answers */

static void request(struct iwarp *w, struct iwarp_dir *d, const struct rdc_rdmap *rdmap)
{
    struct iwarp_read *read;

    if (d->reads == NULL)
        d->reads = malloc(IWARP_READS_MAX * sizeof(*d->reads));
    if (d->reads == NULL)
        return;
    if (d->read_count == IWARP_READS_MAX) {
        d->read_first = (d->read_first + 1) % IWARP_READS_MAX;
        d->read_count--;
    }
    read = &d->reads[(d->read_first + d->read_count++) % IWARP_READS_MAX];
    if (rdmap->opcode == RDC_RDMAP_READ_REQUEST)
        *read = (struct iwarp_read){.stag = rdmap->read_request.sink_stag,
                                    .to = rdmap->read_request.sink_to,
                                    .size = rdmap->read_request.size,
                                    .start_ns = w->pkt->time_ns};
    else
        *read = (struct iwarp_read){
            .id = rdmap->atomic_request.request_id, .start_ns = w->pkt->time_ns, .atomic = true};
    if (d->read_count > d->w.max_outstanding_reads)
        d->w.max_outstanding_reads = d->read_count;
}

static bool is_answer(const struct iwarp_read *read, const struct flow_fpdu *f)
{
    if (f->ddp.opcode == RDC_RDMAP_ATOMIC_RESPONSE)
        return read->atomic && f->rdmap_set && f->rdmap.header &&
               f->rdmap.atomic_response.request_id == read->id;
    return !read->atomic && f->ddp.stag == read->stag && f->ddp.to - read->to <= read->size;
}

/* Answers come in the order of the requests (RFC 5040, 5.5): one for a later request says that
 * those before it are answered too, on bytes that the capture missed. */
static void answer(struct iwarp *w, struct iwarp_dir *asker, const struct flow_fpdu *f)
{
    for (uint32_t i = 0; f->ddp.last && i < asker->read_count; i++) {
        const struct iwarp_read *read = &asker->reads[(asker->read_first + i) % IWARP_READS_MAX];

        if (!is_answer(read, f))
            continue;
        if (iwarp_times(asker) != NULL)
            flow_histogram_add(&asker->times->message_latency, w->pkt->time_ns - read->start_ns,
                               NULL);
        asker->read_first = (asker->read_first + i + 1) % IWARP_READS_MAX;
        asker->read_count -= i + 1;
        return;
    }
}

static void terminate(struct iwarp *w, struct iwarp_conn *conn, unsigned dir,
                      const struct flow_fpdu *f)
{
    const struct rdc_rdmap_terminate *t = &f->rdmap.terminate;
    struct flow_event ev = {.kind = FLOW_TERMINATE, .psn = f->tcp_seq, .certain = true};

    conn->dir[dir].w.terminates++;
    conn->state = FLOW_STATE_ERROR;
    if (!f->rdmap_set || !f->rdmap.header) {
        ev.certain = false;
        iwarp_event(w, conn, dir, &ev);
        return;
    }
    ev.terminate = (struct flow_terminate){.layer = t->layer, .type = t->type, .code = t->code};
    if (t->ddp_set) {
        ev.terminate.has_ddp = true;
        ev.terminate.tagged = t->ddp.tagged;
        ev.terminate.opcode = t->ddp.opcode;
        ev.terminate.stag = t->ddp.tagged ? t->ddp.stag : 0;
        ev.terminate.qn = t->ddp.tagged ? 0 : t->ddp.qn;
        ev.terminate.msn = t->ddp.tagged ? 0 : t->ddp.msn;
    }
    if (t->read_request_set) {
        ev.terminate.has_read_request = true;
        ev.terminate.stag = t->read_request.source_stag;
    }
    iwarp_event(w, conn, dir, &ev);
}
