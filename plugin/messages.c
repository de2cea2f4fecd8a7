/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Messages of streams (see messages.h). A packet that continues a message follows the packet with
 * the PSN before it, either at the stream's front or where it resends.
 */
#include "plugin/messages.h"

#include <glib.h>

#include "rdc/wire.h"

/* The latest packet at one place of the PSN space */
struct cursor {
    uint32_t next_psn;
    uint32_t message; /* 0: not known */
    uint32_t first;
    bool open; /* its message goes on */
};

struct sender {
    struct cursor front, back;
    uint32_t messages;
    uint32_t sent_bytes, acked_bytes; /* modulo 2^32 */
    bool acked;
};

struct message_table {
    GArray *senders; /* struct sender, by stream */
};

struct message_table *message_table_new(void)
{
    struct message_table *t = g_new0(struct message_table, 1);

    t->senders = g_array_new(FALSE, TRUE, sizeof(struct sender));
    return t;
}

void message_table_free(struct message_table *t)
{
    if (t == NULL)
        return;
    g_array_free(t->senders, TRUE);
    g_free(t);
}

static struct sender *sender_of(struct message_table *t, const struct frame_verdict *f)
{
    if (f->stream > t->senders->len)
        g_array_set_size(t->senders, f->stream);
    return &g_array_index(t->senders, struct sender, f->stream - 1);
}

static void place(struct sender *s, struct cursor *at, struct frame_verdict *f,
                  const struct rdc_packet *pkt, const struct frame_verdict *original)
{
    uint8_t position = rdc_opcode_table[pkt->ib.bth.opcode].position;
    bool follows = at->open && at->next_psn == pkt->ib.bth.psn;

    if (original != NULL && original->message != 0) {
        f->message = original->message;
        f->message_first = original->message_first;
    } else if (rdc_position_begins(position)) {
        f->message = ++s->messages;
        f->message_first = (uint32_t)pkt->frame;
    } else if (follows) {
        f->message = at->message;
        f->message_first = at->first;
    }
    *at = (struct cursor){.next_psn = (pkt->ib.bth.psn + 1) & RDC_PSN_MASK,
                          .message = f->message,
                          .first = f->message_first,
                          .open = !rdc_position_ends(position)};
}

void message_request(struct message_table *t, struct frame_verdict *f, const struct rdc_packet *pkt,
                     const struct frame_verdict *original)
{
    struct sender *s = sender_of(t, f);
    bool is_new = rdc_psn_diff(pkt->ib.bth.psn, f->expected_psn) >= 0;

    place(s, is_new ? &s->front : &s->back, f, pkt, original);
    if (is_new)
        s->sent_bytes += pkt->ib.payload_size;
    f->sent_bytes = s->sent_bytes;
    if (f->outstanding_psns != 0)
        f->outstanding_bytes = s->sent_bytes - s->acked_bytes;
}

void message_acknowledged(struct message_table *t, const struct frame_verdict *f)
{
    struct sender *s = sender_of(t, f);

    if (!s->acked || (int32_t)(f->sent_bytes - s->acked_bytes) > 0)
        s->acked_bytes = f->sent_bytes;
    s->acked = true;
}
