/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The door between the link layers and the InfiniBand transport: what of the outer headers the
 * transport needs (its checksums cover them), and the decoder of everything from the BTH on.
 */
#ifndef RDC_IB_TRANSPORT_H
#define RDC_IB_TRANSPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "rdc/packet.h"
#include "rdc/wire.h"

/* Where the headers around a BTH begin. All pointers are borrowed from one frame, contiguous from
 * the first of them; NULL where the header is absent or was not captured. */
struct rdc_envelope {
    uint8_t transport; /* RDC_TRANSPORT_IB, _ROCEV1 or _ROCEV2 */
    const uint8_t *lrh;
    const uint8_t *grh;
    const uint8_t *ip; /* IPv4 or IPv6 */
    const uint8_t *udp;
    const uint8_t *vcrc; /* the 2 bytes behind the ICRC of native InfiniBand */
    bool fragment;       /* of an IP packet: the ICRC covers bytes of other frames */
};

/* Decodes BTH, extension headers, payload and checks the ICRC (and the VCRC of native InfiniBand).
 * `cur` stands at the BTH and is limited to the bytes up to and including the ICRC. Sets pkt->ib
 * and pkt->kind, pkt->transport, pkt->refusal, and adds to pkt->notes. */
void rdc_transport_decode(const struct rdc_config *config, struct rdc_cursor *cur,
                          const struct rdc_envelope *env, struct rdc_packet *pkt);

/* Checks the ICRC behind the `size` bytes at `bth`, all of them captured and no fragment; the
 * envelope must be rdc_icrc_covered(). Adds to pkt->notes. */
enum rdc_check rdc_transport_icrc(const struct rdc_envelope *env, const uint8_t *bth, size_t size,
                                  struct rdc_packet *pkt);

#endif
