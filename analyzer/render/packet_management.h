/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * JSON values of the structures that set up connections: management datagrams and
 * communication management.
 */
#ifndef RENDER_PACKET_MANAGEMENT_H
#define RENDER_PACKET_MANAGEMENT_H

#include "render/json_writer.h"

struct packet_record;

void packet_write_mad(struct json_writer *w, const struct packet_record *r);
void packet_write_cm(struct json_writer *w, const struct packet_record *r);

#endif
