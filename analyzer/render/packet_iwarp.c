/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The `mpa` and `fpdus` members of a dump, and what its lines say of them (see packet_iwarp.h).
 */
#include "render/packet_iwarp.h"

#include "render/packet_record.h"

enum {
    LINE_FPDUS = 3, /* that a line shows */
};

/* What may be the first message between peers (RFC 6581, 9.2) */
static void write_first_messages(struct json_writer *w, const struct rdc_mpa *mpa)
{
    json_bool_member(w, "first_send", mpa->rtr_send);
    json_bool_member(w, "first_write", mpa->rtr_write);
    json_bool_member(w, "first_read", mpa->rtr_read);
}

static void write_private_data(struct json_writer *w, const struct rdc_mpa *mpa)
{
    static const char digits[] = "0123456789abcdef";
    char hex[2 * PACKET_PRIVATE_SHOWN + 1];
    size_t n = 0;

    for (size_t i = 0; i < mpa->private_data_captured && i < PACKET_PRIVATE_SHOWN; i++) {
        hex[n++] = digits[mpa->private_data[i] >> 4];
        hex[n++] = digits[mpa->private_data[i] & 0xf];
    }
    hex[n] = '\0';
    json_key(w, "private_data");
    json_plain(w, hex);
}

void packet_write_mpa(struct json_writer *w, const struct packet_record *r)
{
    const struct rdc_mpa *mpa = &r->mpa;

    json_open(w, '{');
    json_key(w, "frame");
    json_plain(w, mpa->reply ? "reply" : "request");
    json_key(w, "markers");
    json_bool(w, mpa->markers);
    json_key(w, "crc");
    json_bool(w, mpa->crc);
    json_key(w, "reject");
    json_bool(w, mpa->reject);
    json_key(w, "revision");
    json_uint(w, mpa->revision);
    json_key(w, "private_bytes");
    json_uint(w, mpa->private_size);
    if (mpa->enhanced) {
        json_key(w, "peer_to_peer");
        json_bool(w, mpa->peer_to_peer);
        json_key(w, "ird");
        json_uint(w, mpa->ird);
        json_key(w, "ord");
        json_uint(w, mpa->ord);
    }
    if (mpa->enhanced && mpa->peer_to_peer)
        write_first_messages(w, mpa);
    if (mpa->private_data != NULL)
        write_private_data(w, mpa);
    json_close(w, '}');
}

/* ------------------------------------------------------------------ FPDUs as JSON */

static void hex(struct json_writer *w, const char *key, uint64_t value, unsigned digits)
{
    json_key(w, key);
    json_hex(w, value, digits);
}

static void text(struct json_writer *w, const char *key, const char *value)
{
    json_key(w, key);
    if (value != NULL)
        json_plain(w, value);
    else
        json_null(w);
}

static const char *crc_name(uint8_t crc)
{
    static const char *const names[] = {
        [FPDU_CRC_OK] = "ok",     [FPDU_CRC_BAD] = "bad", [FPDU_CRC_ZERO] = "off",
        [FPDU_CRC_UNSEEN] = NULL, [FPDU_CRC_OFF] = "off",
    };

    return names[crc];
}

static bool invalidates(const struct rdc_ddp *ddp)
{
    return ddp->opcode == RDC_RDMAP_SEND_INV || ddp->opcode == RDC_RDMAP_SEND_SE_INV;
}

static void write_ddp(struct json_writer *w, const struct rdc_ddp *ddp)
{
    json_key(w, "ddp");
    json_open(w, '{');
    json_bool_member(w, "tagged", ddp->tagged);
    json_bool_member(w, "last", ddp->last);
    if (ddp->tagged) {
        hex(w, "stag", ddp->stag, 8);
        hex(w, "to", ddp->to, 16);
    } else {
        json_uint_member(w, "qn", ddp->qn);
        json_uint_member(w, "msn", ddp->msn);
        json_uint_member(w, "mo", ddp->mo);
        if (invalidates(ddp))
            hex(w, "invalidate_stag", ddp->invalidate_stag, 8);
    }
    json_close(w, '}');
}

static void write_terminate(struct json_writer *w, const struct rdc_rdmap_terminate *t)
{
    json_key(w, "terminate");
    json_open(w, '{');
    json_uint_member(w, "layer", t->layer);
    text(w, "layer_name", rdc_terminate_layer_name(t->layer));
    json_uint_member(w, "type", t->type);
    text(w, "type_name", rdc_terminate_type_name(t->layer, t->type));
    json_uint_member(w, "code", t->code);
    text(w, "code_text", rdc_terminate_code_text(t->layer, t->type, t->code));
    if (t->ddp_set) {
        write_ddp(w, &t->ddp);
        text(w, "rdmap_name", rdc_rdmap_name(t->ddp.opcode));
    }
    if (t->read_request_set)
        hex(w, "source_stag", t->read_request.source_stag, 8);
    json_close(w, '}');
}

static void write_read_request(struct json_writer *w, const struct rdc_rdmap_read_request *q)
{
    json_key(w, "read_request");
    json_open(w, '{');
    hex(w, "sink_stag", q->sink_stag, 8);
    hex(w, "sink_to", q->sink_to, 16);
    json_uint_member(w, "size", q->size);
    hex(w, "source_stag", q->source_stag, 8);
    hex(w, "source_to", q->source_to, 16);
    json_close(w, '}');
}

static void write_atomic(struct json_writer *w, const struct rdc_rdmap_atomic_request *q)
{
    json_key(w, "atomic_request");
    json_open(w, '{');
    text(w, "operation", rdc_rdmap_atomic_name(q->operation));
    json_uint_member(w, "request_id", q->request_id);
    hex(w, "stag", q->stag, 8);
    hex(w, "to", q->to, 16);
    hex(w, "add_swap", q->add_swap, 16);
    hex(w, "compare", q->compare, 16);
    json_close(w, '}');
}

static void write_header(struct json_writer *w, const struct rdc_rdmap *rdmap)
{
    switch (rdmap->opcode) {
    case RDC_RDMAP_READ_REQUEST:
        write_read_request(w, &rdmap->read_request);
        break;
    case RDC_RDMAP_TERMINATE:
        write_terminate(w, &rdmap->terminate);
        break;
    case RDC_RDMAP_IMMEDIATE:
    case RDC_RDMAP_IMMEDIATE_SE:
        hex(w, "immediate", rdmap->immediate, 16);
        break;
    case RDC_RDMAP_ATOMIC_REQUEST:
        write_atomic(w, &rdmap->atomic_request);
        break;
    case RDC_RDMAP_ATOMIC_RESPONSE:
        json_uint_member(w, "request_id", rdmap->atomic_response.request_id);
        hex(w, "original", rdmap->atomic_response.original, 16);
        break;
    default:
        break;
    }
}

static void write_notes(struct json_writer *w, rdc_notes notes)
{
    json_key(w, "notes");
    json_open(w, '[');
    for (unsigned i = 0; i < RDC_NOTE_COUNT; i++) {
        if ((notes >> i & 1) == 0)
            continue;
        json_element(w);
        json_plain(w, rdc_note_table[i].id);
    }
    json_close(w, ']');
}

void packet_write_fpdu(struct json_writer *w, const struct flow_fpdu *f)
{
    json_open(w, '{');
    json_uint_member(w, "tcp_seq", f->tcp_seq);
    json_uint_member(w, "length", f->length);
    text(w, "crc", crc_name(f->crc));
    json_uint_member(w, "markers", f->markers);
    if (f->ddp_set) {
        write_ddp(w, &f->ddp);
        json_uint_member(w, "rdmap_opcode", f->ddp.opcode);
        text(w, "rdmap_name", rdc_rdmap_name(f->ddp.opcode));
    } else {
        text(w, "ddp", NULL);
        text(w, "rdmap_opcode", NULL);
    }
    if (f->rdmap_set && f->rdmap.header)
        write_header(w, &f->rdmap);
    if (f->rdmap_set)
        json_uint_member(w, "payload_bytes", f->rdmap.payload_size);
    if (f->inferred)
        json_bool_member(w, "inferred", true);
    if (f->other_way)
        json_bool_member(w, "other_direction", true);
    if (f->notes != 0)
        write_notes(w, f->notes);
    json_close(w, '}');
}

void packet_write_fpdus(struct json_writer *w, const struct packet_record *r)
{
    json_open(w, '[');
    for (size_t i = 0; i < r->fpdu_count; i++) {
        json_element(w);
        packet_write_fpdu(w, &r->fpdus[i]);
    }
    json_close(w, ']');
}

/* ------------------------------------------------------------------ FPDUs in a line */

static void put_fpdu(struct buffer *out, const struct flow_fpdu *f)
{
    buffer_char(out, ' ');
    if (!f->ddp_set) {
        buffer_printf(out, "FPDU of %u bytes", f->length);
    } else if (f->ddp.tagged) {
        buffer_printf(out, "%s stag 0x%08x to 0x%llx", rdc_rdmap_name(f->ddp.opcode), f->ddp.stag,
                      (unsigned long long)f->ddp.to);
    } else {
        buffer_printf(out, "%s msn %u", rdc_rdmap_name(f->ddp.opcode), f->ddp.msn);
        if (f->ddp.mo != 0)
            buffer_printf(out, " mo %u", f->ddp.mo);
    }
    if (f->rdmap_set && f->rdmap.header && f->rdmap.opcode == RDC_RDMAP_ATOMIC_REQUEST)
        buffer_printf(out, " (%s)", rdc_rdmap_atomic_name(f->rdmap.atomic_request.operation));
    else if (f->rdmap_set && f->rdmap.header && f->rdmap.opcode == RDC_RDMAP_TERMINATE)
        buffer_printf(out, " (%s)",
                      rdc_terminate_code_text(f->rdmap.terminate.layer, f->rdmap.terminate.type,
                                              f->rdmap.terminate.code));
    else if (f->rdmap_set)
        buffer_printf(out, " %u bytes", f->rdmap.payload_size);
    if (f->ddp_set && f->ddp.last)
        buffer_string(out, " last");
    if (f->crc == FPDU_CRC_BAD)
        buffer_string(out, " [bad CRC]");
    if (f->other_way)
        buffer_string(out, " [of the other side]");
}

void packet_iwarp_text(struct buffer *out, const struct packet_record *r)
{
    if (packet_record_has(r, GROUP_MPA))
        buffer_printf(out, " MPA %s revision %u%s", r->mpa.reply ? "reply" : "request",
                      r->mpa.revision, r->mpa.reject ? ", rejected" : "");
    for (size_t i = 0; i < r->fpdu_count && i < LINE_FPDUS; i++) {
        buffer_string(out, i > 0 ? "," : "");
        put_fpdu(out, &r->fpdus[i]);
    }
    if (r->fpdu_count > LINE_FPDUS)
        buffer_printf(out, ", %zu more FPDUs", r->fpdu_count - LINE_FPDUS);
}
