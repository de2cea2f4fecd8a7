/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Events as records (see event_record.h).
 */
#include "render/event_record.h"

#include <inttypes.h>

#include "rdc/cm.h"
#include "render/address.h"
#include "render/event_iwarp.h"
#include "render/json_writer.h"
#include "render/packet_record.h"
#include "render/safe.h"
#include "render/units.h"

static const char *direction(const struct event_record *r)
{
    return r->connection == 0 ? NULL : r->a_to_b ? "a_to_b" : "b_to_a";
}

static uint8_t trigger_of(const struct event_record *r)
{
    return r->round != NULL ? r->round->trigger : FLOW_TRIGGER_UNKNOWN;
}

/* A fill that may still prove a late original is certain once its round is over. */
static bool certain(const struct event_record *r)
{
    return r->event->certain || (r->round != NULL && (r->round->complete || r->round->superseded));
}

/* ------------------------------------------------------------------ JSON */

static void frame_member(struct json_writer *w, const char *key, uint64_t frame)
{
    json_key(w, key);
    if (frame != 0)
        json_uint(w, frame);
    else
        json_null(w);
}

/* A frame of another time: `key` and, beside it, `file_key` */
static void other_frame(struct json_writer *w, const char *key, uint64_t frame,
                        const char *file_key, const char *file)
{
    frame_member(w, key, frame);
    if (file != NULL)
        json_text_member(w, file_key, file);
}

static void json_retransmission(struct json_writer *w, const struct event_record *r)
{
    const struct flow_event *e = r->event;

    json_uint_member(w, "psn", e->psn);
    other_frame(w, "original_frame", r->original_frame, "original_file", r->original_file);
    json_text_member(w, "trigger", flow_trigger_name(trigger_of(r)));
    other_frame(w, "trigger_frame", r->trigger_frame, "trigger_file", r->trigger_file);
    frame_member(w, "round", e->round);
    json_key(w, "spurious");
    if (r->one_way)
        json_null(w);
    else
        json_bool(w, e->spurious);
    json_bool_member(w, "certain", certain(r));
}

static void json_pause(struct json_writer *w, const struct flow_pause *pause)
{
    char mac[32];
    struct buffer text = {.data = mac, .capacity = sizeof(mac)};

    address_mac(&text, pause->source);
    buffer_char(&text, '\0');
    json_text_member(w, "source", mac);
    json_key(w, "priorities");
    if (pause->pfc) {
        json_open(w, '[');
        for (unsigned i = 0; i < 8; i++) {
            if ((pause->enabled >> i & 1) == 0)
                continue;
            json_element(w);
            json_uint(w, i);
        }
        json_close(w, ']');
    } else {
        json_null(w);
    }
    json_key(w, "quanta");
    if (pause->pfc) {
        json_open(w, '[');
        for (unsigned i = 0; i < 8; i++) {
            json_element(w);
            json_uint(w, pause->quanta[i]);
        }
        json_close(w, ']');
    } else {
        json_uint(w, pause->quanta[0]);
    }
}

static bool knows_late_ns(const struct event_record *r)
{
    return r->event->late.packets != 0 && !r->lacks_times;
}

static void json_late(struct json_writer *w, const struct event_record *r)
{
    const struct flow_event *e = r->event;

    json_uint_member(w, "psn", e->psn);
    json_key(w, "late_by_packets");
    if (e->late.packets != 0)
        json_uint(w, e->late.packets);
    else
        json_null(w);
    json_key(w, "late_by_ns");
    if (knows_late_ns(r))
        json_int(w, e->late.ns);
    else
        json_null(w);
    if (knows_late_ns(r) && e->late.ns < 0)
        json_bool_member(w, "time_runs_back", true);
}

static void json_details(struct json_writer *w, const struct event_record *r)
{
    const struct flow_event *e = r->event;

    switch ((enum flow_event_kind)e->kind) {
    case FLOW_GAP:
        json_uint_member(w, "first_psn", e->psn);
        json_uint_member(w, "count", e->count);
        break;
    case FLOW_RETRANSMISSION:
        json_retransmission(w, r);
        break;
    case FLOW_OUT_OF_ORDER:
        json_late(w, r);
        break;
    case FLOW_DUPLICATE:
        json_uint_member(w, "psn", e->psn);
        other_frame(w, "original_frame", r->original_frame, "original_file", r->original_file);
        break;
    case FLOW_HOLE_CLOSED:
        json_uint_member(w, "first_psn", e->psn);
        json_uint_member(w, "count", e->count);
        json_text_member(w, "as", flow_hole_end_name(e->as));
        break;
    case FLOW_NAK:
        json_uint_member(w, "psn", e->psn);
        json_text_member(w, "code", rdc_nak_name(e->code));
        break;
    case FLOW_RNR_NAK:
        json_uint_member(w, "psn", e->psn);
        json_uint_member(w, "timer_ns", e->timer_ns);
        break;
    case FLOW_ACKED_UNSEEN:
    case FLOW_ACKED_EARLY:
        json_uint_member(w, "psn", e->psn);
        break;
    case FLOW_PAUSE:
        json_pause(w, &e->pause);
        break;
    case FLOW_CM:
        json_text_member(w, "message", rdc_cm_message_name(e->code));
        break;
    case FLOW_RETRY_EXHAUSTED:
        json_uint_member(w, "psn", e->psn);
        json_uint_member(w, "tries", e->count);
        json_text_member(w, "reason", e->code != 0 ? "rnr" : "timeout");
        break;
    case FLOW_TCP_RETRANSMISSION:
    case FLOW_TCP_OUT_OF_ORDER:
    case FLOW_TCP_GAP:
    case FLOW_ZERO_WINDOW:
    case FLOW_MPA:
    case FLOW_FRAMING:
    case FLOW_CRC_BAD:
    case FLOW_MSN_GAP:
    case FLOW_TERMINATE:
        event_iwarp_json(w, r);
        break;
    case FLOW_CE:
    case FLOW_CNP:
    case FLOW_ICRC_BAD:
    case FLOW_TEARDOWN:
    case FLOW_EVENT_KIND_COUNT:
        break;
    }
}

static void time_member(struct json_writer *w, const char *key, int64_t ns,
                        const struct event_record *r)
{
    json_key(w, key);
    if (r->untimed)
        json_null(w);
    else
        json_int(w, ns);
}

/* What an event of this kind says of the time between two packets; NULL: nothing */
static const char *span_key(uint8_t kind)
{
    if (kind == FLOW_ZERO_WINDOW)
        return "stalled_ns";
    return kind == FLOW_OUT_OF_ORDER || kind == FLOW_TCP_OUT_OF_ORDER ? "late_by_ns" : NULL;
}

/* What is null above, and why */
static void json_unknown(struct json_writer *w, const struct event_record *r)
{
    static const char closed[] = "what showed it missing is forgotten: its own resend came before "
                                 "it, or it is from before the first PSN seen";
    bool resent = r->event->kind == FLOW_OUT_OF_ORDER && r->event->late.packets == 0;
    const char *span = r->lacks_times || resent ? span_key(r->event->kind) : NULL;

    if (!r->untimed && span == NULL)
        return;
    json_key(w, "unknown");
    json_open(w, '{');
    if (r->untimed) {
        json_text_member(w, "time_ns", packet_untimed_reason);
        json_text_member(w, "rel_ns", packet_untimed_reason);
    }
    if (resent)
        json_text_member(w, "late_by_packets", closed);
    if (span != NULL)
        json_text_member(w, span, resent ? closed : "the file has no time for some packets");
    json_close(w, '}');
}

void event_json(struct buffer *out, const struct event_record *r)
{
    struct json_writer w = {.out = out};

    json_open(&w, '{');
    json_uint_member(&w, "frame", r->frame);
    if (r->file != NULL)
        json_text_member(&w, "file", r->file);
    time_member(&w, "time_ns", r->event->time_ns, r);
    time_member(&w, "rel_ns", r->rel_ns, r);
    frame_member(&w, "connection", r->connection);
    json_text_member(&w, "direction", direction(r));
    json_text_member(&w, "kind", flow_event_name(r->event->kind));
    json_details(&w, r);
    json_unknown(&w, r);
    json_close(&w, '}');
    buffer_char(out, '\n');
}

/* ------------------------------------------------------------------ text */

void event_say_frame(struct buffer *out, const char *before, uint64_t frame, const char *file,
                     const char *after)
{
    if (frame == 0)
        return;
    buffer_string(out, before);
    if (file != NULL) {
        safe_text(out, file);
        buffer_char(out, ':');
    }
    buffer_printf(out, "%" PRIu64 "%s", frame, after);
}

static void say_retransmission(struct buffer *out, const struct event_record *r)
{
    static const char *const why[FLOW_TRIGGER_COUNT] = {
        [FLOW_TRIGGER_NAK] = "after a NAK",
        [FLOW_TRIGGER_RNR] = "after an RNR NAK",
        [FLOW_TRIGGER_READ] = "after a missing response",
        [FLOW_TRIGGER_TIMEOUT] = "after a timeout",
        [FLOW_TRIGGER_UNKNOWN] = "for no visible reason",
    };
    const struct flow_event *e = r->event;

    buffer_printf(out, "resends PSN %" PRIu32, e->psn);
    if (r->original_frame != 0)
        event_say_frame(out, " of frame ", r->original_frame, r->original_file, "");
    else
        buffer_string(out, " (first copy not seen)");
    buffer_printf(out, ", %s", why[trigger_of(r)]);
    event_say_frame(out, " (frame ", r->trigger_frame, r->trigger_file, ")");
    if (e->round != 0)
        buffer_printf(out, ", round %" PRIu32, e->round);
    if (e->spurious)
        buffer_string(out, ", needless: it was acknowledged");
    if (!certain(r))
        buffer_string(out, ", not certain");
}

static void say_pause(struct buffer *out, const struct flow_pause *pause)
{
    buffer_string(out, pause->pfc ? "PFC from " : "PAUSE from ");
    address_mac(out, pause->source);
    if (!pause->pfc) {
        buffer_printf(out, ": %u quanta", pause->quanta[0]);
        return;
    }
    for (unsigned i = 0; i < 8; i++)
        if ((pause->enabled >> i & 1) != 0)
            buffer_printf(out, ", priority %u: %u quanta", i, pause->quanta[i]);
}

static void say_late(struct buffer *out, const struct event_record *r)
{
    const struct flow_event *e = r->event;

    buffer_printf(out, "PSN %" PRIu32 " comes late", e->psn);
    if (e->late.packets == 0)
        return;
    buffer_printf(out, ", %" PRIu64 " packets", e->late.packets);
    if (!knows_late_ns(r))
        return;
    buffer_string(out, ", ");
    units_duration(out, e->late.ns);
    if (e->late.ns < 0)
        buffer_string(out, " (time runs back)");
}

void event_sentence(struct buffer *out, const struct event_record *r)
{
    const struct flow_event *e = r->event;

    switch ((enum flow_event_kind)e->kind) {
    case FLOW_GAP:
        buffer_printf(out, "%" PRIu32 " PSN%s missing from %" PRIu32 " on", e->count,
                      e->count == 1 ? "" : "s", e->psn);
        break;
    case FLOW_RETRANSMISSION:
        say_retransmission(out, r);
        break;
    case FLOW_OUT_OF_ORDER:
        say_late(out, r);
        break;
    case FLOW_DUPLICATE:
        buffer_printf(out, "copy of PSN %" PRIu32, e->psn);
        event_say_frame(out, " in frame ", r->original_frame, r->original_file, "");
        break;
    case FLOW_HOLE_CLOSED:
        buffer_printf(out, "hole of %" PRIu32 " from PSN %" PRIu32 ": %s", e->count, e->psn,
                      flow_hole_end_name(e->as));
        break;
    case FLOW_NAK:
        buffer_printf(out, "NAK %s, PSN %" PRIu32, rdc_nak_name(e->code), e->psn);
        break;
    case FLOW_RNR_NAK:
        buffer_printf(out, "receiver not ready, PSN %" PRIu32 ", wait ", e->psn);
        units_duration(out, (int64_t)e->timer_ns);
        break;
    case FLOW_ACKED_UNSEEN:
        buffer_printf(out, "acknowledges PSN %" PRIu32 ", which was not captured", e->psn);
        break;
    case FLOW_ACKED_EARLY:
        buffer_printf(out, "acknowledges PSN %" PRIu32 ", which was recorded later", e->psn);
        break;
    case FLOW_CE:
        buffer_string(out, "marked: congestion experienced");
        break;
    case FLOW_CNP:
        buffer_string(out, "congestion notification");
        break;
    case FLOW_PAUSE:
        say_pause(out, &e->pause);
        break;
    case FLOW_ICRC_BAD:
        buffer_string(out, "bad ICRC: the receiver drops it");
        break;
    case FLOW_CM:
        buffer_printf(out, "connection management: %s", rdc_cm_message_name(e->code));
        break;
    case FLOW_TEARDOWN:
        buffer_string(out, "the connection is torn down");
        break;
    case FLOW_RETRY_EXHAUSTED:
        buffer_printf(out, "gives up on PSN %" PRIu32 " after %" PRIu32 " tries%s", e->psn,
                      e->count, e->code != 0 ? ": the receiver was not ready" : "");
        break;
    case FLOW_TCP_RETRANSMISSION:
    case FLOW_TCP_OUT_OF_ORDER:
    case FLOW_TCP_GAP:
    case FLOW_ZERO_WINDOW:
    case FLOW_MPA:
    case FLOW_FRAMING:
    case FLOW_CRC_BAD:
    case FLOW_MSN_GAP:
    case FLOW_TERMINATE:
        event_iwarp_sentence(out, r);
        break;
    case FLOW_EVENT_KIND_COUNT:
        break;
    }
}

void event_text(struct buffer *out, const struct event_record *r)
{
    if (r->file != NULL) {
        safe_text(out, r->file);
        buffer_char(out, ':');
    }
    buffer_printf(out, "%-7" PRIu64 " ", r->frame);
    if (r->untimed)
        buffer_string(out, "          -");
    else
        units_seconds(out, r->rel_ns);
    if (r->connection != 0)
        buffer_printf(out, "  %4" PRIu32 " %s", r->connection, r->a_to_b ? "a>b" : "b>a");
    else
        buffer_string(out, "     -  - ");
    buffer_printf(out, "  %-15s ", flow_event_name(r->event->kind));
    event_sentence(out, r);
    buffer_char(out, '\n');
}

/* ------------------------------------------------------------------ CSV */

void event_csv_header(struct buffer *out)
{
    buffer_string(out, "file,frame,time_ns,rel_ns,connection,direction,kind,psn,count,"
                       "original_frame,trigger,trigger_frame,round,spurious,certain,detail\n");
}

static void csv_number(struct buffer *out, uint64_t value, bool known)
{
    if (known)
        buffer_uint(out, value);
    buffer_char(out, ',');
}

/* "FILE:FRAME" where there are several files: the file may be another than that of the event */
static void csv_frame(struct buffer *out, uint64_t frame, const char *file)
{
    struct buffer text = {0};

    event_say_frame(&text, "", frame, file, "");
    buffer_char(&text, '\0');
    if (frame != 0)
        safe_csv(out, text.data);
    buffer_done(&text);
    buffer_char(out, ',');
}

static bool has_psn(uint8_t kind)
{
    return kind <= FLOW_ACKED_EARLY || kind == FLOW_RETRY_EXHAUSTED;
}

static bool has_count(uint8_t kind)
{
    return kind == FLOW_GAP || kind == FLOW_HOLE_CLOSED || kind == FLOW_RETRY_EXHAUSTED;
}

void event_csv(struct buffer *out, const struct event_record *r)
{
    const struct flow_event *e = r->event;
    bool resend = e->kind == FLOW_RETRANSMISSION;
    struct buffer sentence = {0};

    if (r->file != NULL)
        safe_csv(out, r->file);
    buffer_char(out, ',');
    csv_number(out, r->frame, true);
    if (!r->untimed)
        buffer_int(out, e->time_ns);
    buffer_char(out, ',');
    if (!r->untimed)
        buffer_int(out, r->rel_ns);
    buffer_char(out, ',');
    csv_number(out, r->connection, r->connection != 0);
    if (r->connection != 0)
        buffer_string(out, direction(r));
    buffer_printf(out, ",%s,", flow_event_name(e->kind));
    csv_number(out, e->psn, has_psn(e->kind));
    csv_number(out, e->count, has_count(e->kind));
    csv_frame(out, r->original_frame, r->original_file);
    buffer_printf(out, "%s,", resend ? flow_trigger_name(trigger_of(r)) : "");
    csv_frame(out, r->trigger_frame, r->trigger_file);
    csv_number(out, e->round, resend && e->round != 0);
    buffer_printf(out, "%s,", !resend || r->one_way ? "" : e->spurious ? "true" : "false");
    buffer_printf(out, "%s,", !resend ? "" : certain(r) ? "true" : "false");
    event_sentence(&sentence, r);
    buffer_char(&sentence, '\0');
    safe_csv(out, sentence.data);
    buffer_done(&sentence);
    buffer_char(out, '\n');
}
