/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which message of its stream a request packet belongs to, as far as the packets that came before
 * tell, and how many bytes its sender has outstanding.
 */
#ifndef PLUGIN_MESSAGES_H
#define PLUGIN_MESSAGES_H

#include "plugin/verdicts.h"

struct message_table;

struct message_table *message_table_new(void);
void message_table_free(struct message_table *t);

/* A request packet with its facts (psn_expected): sets its message and bytes. `original` is the
 * record of an earlier copy, or NULL. */
void message_request(struct message_table *t, struct frame_verdict *f, const struct rdc_packet *pkt,
                     const struct frame_verdict *original);
/* The packet of this record is acknowledged. */
void message_acknowledged(struct message_table *t, const struct frame_verdict *f);

#endif
