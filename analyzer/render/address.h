/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Addresses as text: IPv4 dotted, IPv6 and GID by RFC 5952, LID as "lid:N", MAC with colons.
 */
#ifndef RENDER_ADDRESS_H
#define RENDER_ADDRESS_H

#include "render/buffer.h"

enum {
    ADDRESS_MAX = 46, /* longest text */
};

/* `kind` is enum rdc_address_kind; NONE writes nothing */
void address_text(struct buffer *b, uint8_t kind, const uint8_t address[16]);
void address_mac(struct buffer *b, const uint8_t mac[6]);

#endif
