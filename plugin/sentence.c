/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Events in words (see sentence.h).
 */
#include "plugin/sentence.h"

#include "render/event_record.h"

const char *sentence_of(wmem_allocator_t *pool, const struct shown_packet *p,
                        const struct flow_event *event)
{
    const struct flow_round *round = verdicts_round(p->verdicts, event);
    struct event_record record = {.event = event,
                                  .round = round,
                                  .frame = event->frame,
                                  .original_frame = event->original_frame,
                                  .trigger_frame = round != NULL ? round->trigger_frame : 0,
                                  .connection = p->has_connection ? p->connection.id : 0,
                                  .a_to_b = p->connection.a_to_b,
                                  .one_way = !p->has_connection || !p->connection.paired};
    struct buffer out = {0};
    char *text;

    if (event->kind == FLOW_RETRANSMISSION && !resend_facts(p, event).trigger_known)
        return event->original_frame != 0
                   ? wmem_strdup_printf(pool, "resends PSN %u of frame %u", event->psn,
                                        (unsigned)event->original_frame)
                   : wmem_strdup_printf(pool, "resends PSN %u (first copy not seen)", event->psn);
    event_sentence(&out, &record);
    text = wmem_strndup(pool, out.data != NULL ? out.data : "", out.used);
    buffer_done(&out);
    return text;
}

struct resend_facts resend_facts(const struct shown_packet *p, const struct flow_event *event)
{
    const struct flow_round *round = verdicts_round(p->verdicts, event);
    bool over = round != NULL && (round->complete || round->superseded);
    struct resend_facts f = {.trigger = round != NULL ? round->trigger : FLOW_TRIGGER_UNKNOWN,
                             .certain = event->certain || over,
                             .spurious = event->spurious};

    f.trigger_known = p->revisited || (round != NULL && round->certain);
    if (round != NULL && f.trigger_known)
        f.trigger_frame = round->trigger_frame;
    f.certain_known = p->revisited || event->certain;
    f.spurious_known = p->has_connection && p->connection.paired;
    return f;
}
