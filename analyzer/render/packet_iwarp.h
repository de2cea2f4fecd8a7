/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a packet of an iWARP connection carries: MPA start-up frames, and the FPDUs that it
 * completes.
 */
#ifndef RENDER_PACKET_IWARP_H
#define RENDER_PACKET_IWARP_H

#include "render/json_writer.h"

struct flow_fpdu;
struct packet_record;

void packet_write_mpa(struct json_writer *w, const struct packet_record *r);
void packet_write_fpdu(struct json_writer *w, const struct flow_fpdu *fpdu);
void packet_write_fpdus(struct json_writer *w, const struct packet_record *r);
/* For a line: " MPA request revision 1", " Write stag 0x.. to 0x.. 1400 bytes", ... */
void packet_iwarp_text(struct buffer *out, const struct packet_record *r);

#endif
