/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Events of iWARP connections (see event_iwarp.h).
 */
#include "render/event_iwarp.h"

#include <inttypes.h>

#include "rdc/iwarp.h"
#include "render/units.h"

static const char *mpa_frame(uint8_t frame)
{
    return frame == FLOW_MPA_REQUEST ? "request" : frame == FLOW_MPA_REPLY ? "reply" : "inferred";
}

/* ------------------------------------------------------------------ JSON */

static void resent_json(struct json_writer *w, const struct event_record *r)
{
    json_uint_member(w, "tcp_seq", r->event->psn);
    json_uint_member(w, "bytes", r->event->count);
    json_key(w, "original_frame");
    if (r->original_frame != 0)
        json_uint(w, r->original_frame);
    else
        json_null(w);
    if (r->original_file != NULL)
        json_text_member(w, "original_file", r->original_file);
    json_bool_member(w, "spurious", r->event->spurious);
    json_bool_member(w, "certain", r->event->certain);
}

static void mpa_json(struct json_writer *w, const struct flow_mpa *mpa)
{
    json_text_member(w, "frame_type", mpa_frame(mpa->frame));
    json_bool_member(w, "inferred", mpa->frame == FLOW_MPA_INFERRED);
    if (mpa->frame == FLOW_MPA_INFERRED)
        return;
    json_bool_member(w, "markers", mpa->markers);
    json_bool_member(w, "crc", mpa->crc);
    json_bool_member(w, "reject", mpa->reject);
    json_uint_member(w, "revision", mpa->revision);
    json_uint_member(w, "private_bytes", mpa->private_bytes);
    if (!mpa->enhanced)
        return;
    json_bool_member(w, "peer_to_peer", mpa->peer_to_peer);
    json_uint_member(w, "ird", mpa->ird);
    json_uint_member(w, "ord", mpa->ord);
}

static void terminate_json(struct json_writer *w, const struct flow_event *e)
{
    const struct flow_terminate *t = &e->terminate;

    json_uint_member(w, "tcp_seq", e->psn);
    if (!e->certain) {
        json_key(w, "layer");
        json_null(w);
        return;
    }
    json_uint_member(w, "layer", t->layer);
    json_text_member(w, "layer_name", rdc_terminate_layer_name(t->layer));
    json_uint_member(w, "type", t->type);
    json_text_member(w, "type_name", rdc_terminate_type_name(t->layer, t->type));
    json_uint_member(w, "code", t->code);
    json_text_member(w, "code_text", rdc_terminate_code_text(t->layer, t->type, t->code));
    if (!t->has_ddp)
        return;
    json_text_member(w, "about", rdc_rdmap_name(t->opcode));
    if (t->tagged || t->has_read_request) {
        json_key(w, "stag");
        json_hex(w, t->stag, 8);
    }
    if (!t->tagged) {
        json_uint_member(w, "qn", t->qn);
        json_uint_member(w, "msn", t->msn);
    }
}

void event_iwarp_json(struct json_writer *w, const struct event_record *r)
{
    const struct flow_event *e = r->event;

    switch (e->kind) {
    case FLOW_TCP_RETRANSMISSION:
        resent_json(w, r);
        break;
    case FLOW_TCP_OUT_OF_ORDER:
        json_uint_member(w, "tcp_seq", e->psn);
        json_uint_member(w, "bytes", e->count);
        json_uint_member(w, "late_by_packets", e->late.packets);
        json_key(w, "late_by_ns");
        if (r->lacks_times)
            json_null(w);
        else
            json_int(w, e->late.ns);
        json_bool_member(w, "certain", e->certain);
        break;
    case FLOW_TCP_GAP:
        json_uint_member(w, "tcp_seq", e->psn);
        json_uint_member(w, "bytes", e->gap_bytes);
        break;
    case FLOW_ZERO_WINDOW:
        json_key(w, "stalled_ns");
        if (r->lacks_times)
            json_null(w);
        else
            json_uint(w, e->timer_ns);
        break;
    case FLOW_MPA:
        mpa_json(w, &e->mpa);
        break;
    case FLOW_FRAMING:
        json_uint_member(w, "tcp_seq", e->psn);
        json_text_member(w, "as", e->code != 0 ? "found" : "lost");
        break;
    case FLOW_CRC_BAD:
        json_uint_member(w, "tcp_seq", e->psn);
        json_uint_member(w, "bytes", e->count);
        break;
    case FLOW_MSN_GAP:
        json_uint_member(w, "qn", e->code);
        json_uint_member(w, "first_msn", e->psn);
        json_uint_member(w, "count", e->count);
        break;
    case FLOW_TERMINATE:
        terminate_json(w, e);
        break;
    default:
        break;
    }
}

/* ------------------------------------------------------------------ text */

static void say_mpa(struct buffer *out, const struct flow_mpa *mpa)
{
    if (mpa->frame == FLOW_MPA_INFERRED) {
        buffer_string(out, "iWARP, by its FPDUs: the handshake was not captured");
        return;
    }
    buffer_printf(out, "MPA %s, revision %u", mpa_frame(mpa->frame), mpa->revision);
    if (mpa->reject)
        buffer_string(out, ", rejected");
    buffer_printf(out, ", markers %s, CRC %s", mpa->markers ? "on" : "off",
                  mpa->crc ? "on" : "off");
    if (mpa->enhanced)
        buffer_printf(out, ", IRD %u, ORD %u", mpa->ird, mpa->ord);
}

static void say_terminate(struct buffer *out, const struct flow_event *e)
{
    const struct flow_terminate *t = &e->terminate;

    if (!e->certain) {
        buffer_string(out, "gives the connection up; the reason was not captured");
        return;
    }
    buffer_printf(out, "gives the connection up: %s, %s, %s", rdc_terminate_layer_name(t->layer),
                  rdc_terminate_type_name(t->layer, t->type),
                  rdc_terminate_code_text(t->layer, t->type, t->code));
    if (!t->has_ddp)
        return;
    buffer_printf(out, "; about %s", rdc_rdmap_name(t->opcode));
    if (t->tagged || t->has_read_request)
        buffer_printf(out, " of STag 0x%08" PRIx32, t->stag);
    else
        buffer_printf(out, " with MSN %" PRIu32, t->msn);
}

static void say_resent(struct buffer *out, const struct event_record *r)
{
    buffer_printf(out, "resends %" PRIu32 " bytes from seq %" PRIu32, r->event->count,
                  r->event->psn);
    if (r->original_frame != 0)
        event_say_frame(out, " of frame ", r->original_frame, r->original_file, "");
    else
        buffer_string(out, " (first copy not seen)");
    if (r->event->spurious)
        buffer_string(out, ", needless: they were acknowledged");
    if (!r->event->certain)
        buffer_string(out, ", not certain");
}

void event_iwarp_sentence(struct buffer *out, const struct event_record *r)
{
    const struct flow_event *e = r->event;

    switch (e->kind) {
    case FLOW_TCP_RETRANSMISSION:
        say_resent(out, r);
        break;
    case FLOW_TCP_OUT_OF_ORDER:
        buffer_printf(out, "%" PRIu32 " bytes from seq %" PRIu32 " come late, %" PRIu64 " packets",
                      e->count, e->psn, e->late.packets);
        if (!r->lacks_times) {
            buffer_string(out, ", ");
            units_duration(out, e->late.ns);
        }
        break;
    case FLOW_TCP_GAP:
        buffer_printf(out, "%" PRIu64 " bytes from seq %" PRIu32 " were not captured", e->gap_bytes,
                      e->psn);
        break;
    case FLOW_ZERO_WINDOW:
        buffer_string(out, "takes data again, after a closed window");
        if (!r->lacks_times) {
            buffer_string(out, " of ");
            units_duration(out, (int64_t)e->timer_ns);
        }
        break;
    case FLOW_MPA:
        say_mpa(out, &e->mpa);
        break;
    case FLOW_FRAMING:
        buffer_printf(out,
                      e->code != 0 ? "FPDUs found again at seq %" PRIu32
                                   : "no FPDU can begin at seq %" PRIu32,
                      e->psn);
        break;
    case FLOW_CRC_BAD:
        buffer_printf(out, "bad CRC32c of the FPDU of %" PRIu32 " bytes at seq %" PRIu32, e->count,
                      e->psn);
        break;
    case FLOW_MSN_GAP:
        buffer_printf(out, "%" PRIu32 " message%s missing from MSN %" PRIu32 " on, queue %u",
                      e->count, e->count == 1 ? "" : "s", e->psn, e->code);
        break;
    case FLOW_TERMINATE:
        say_terminate(out, e);
        break;
    default:
        break;
    }
}
