/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MAC control: PAUSE (IEEE 802.3, annex 31B) and priority flow control (IEEE 802.1Q, 36; 802.1Qbb),
 * told apart by their opcodes.
 */
#include "ethernet/macctrl.h"

#include <string.h>

enum {
    OPCODE_LEN = 2,
    OPCODE_PAUSE = 0x0001,
    OPCODE_PFC = 0x0101,
    PAUSE_LEN = 2,
    PFC_LEN = 18,
    PRIORITIES = 8,
    MULTICAST = 0x01, /* of the first byte of a MAC address */
};

static enum rdc_status decode_pause(struct rdc_cursor *cur, struct rdc_pause *out);
static enum rdc_status decode_pfc(struct rdc_cursor *cur, struct rdc_packet *pkt);
static rdc_notes address_notes(const struct rdc_packet *pkt);

enum rdc_status rdc_macctrl_decode(struct rdc_cursor *cur, struct rdc_packet *pkt)
{
    const uint8_t *p;
    enum rdc_status st = rdc_take(cur, OPCODE_LEN, &p);

    if (st != RDC_OK)
        return st;
    switch (rdc_be16(p)) {
    case OPCODE_PAUSE:
        st = decode_pause(cur, &pkt->pause);
        break;
    case OPCODE_PFC:
        st = decode_pfc(cur, pkt);
        break;
    default:
        pkt->refusal = RDC_REFUSAL_MACCTRL;
        return RDC_OK;
    }
    if (st != RDC_OK)
        return st;
    pkt->transport = RDC_TRANSPORT_MACCTRL;
    pkt->kind = RDC_KIND_PAUSE;
    pkt->notes |= address_notes(pkt);
    return RDC_OK;
}

/* quanta:16 */
static enum rdc_status decode_pause(struct rdc_cursor *cur, struct rdc_pause *out)
{
    const uint8_t *p;
    enum rdc_status st = rdc_take(cur, PAUSE_LEN, &p);

    if (st == RDC_OK)
        *out = (struct rdc_pause){.quanta = {rdc_be16(p)}};
    return st;
}

/* reserved:8 class-enable vector:8 (bit k: priority k), then quanta:16 of priority 0 to 7 */
static enum rdc_status decode_pfc(struct rdc_cursor *cur, struct rdc_packet *pkt)
{
    const uint8_t *p;
    enum rdc_status st = rdc_take(cur, PFC_LEN, &p);

    if (st != RDC_OK)
        return st;
    pkt->pause = (struct rdc_pause){.pfc = true, .enabled = p[1]};
    for (int i = 0; i < PRIORITIES; i++)
        pkt->pause.quanta[i] = rdc_be16(p + 2 + 2 * i);
    if (p[0] != 0)
        pkt->notes |= RDC_NOTE_BIT(PAUSE_RESERVED);
    return RDC_OK;
}

/* A cooked capture does not know the destination. */
static rdc_notes address_notes(const struct rdc_packet *pkt)
{
    static const uint8_t destination[6] = {0x01, 0x80, 0xc2, 0x00, 0x00, 0x01};
    static const uint8_t none[6] = {0};
    rdc_notes notes = 0;

    if (!pkt->has_mac)
        return 0;
    if ((pkt->layers & 1u << RDC_LAYER_ETHERNET) != 0 && memcmp(pkt->dst_mac, destination, 6) != 0)
        notes |= RDC_NOTE_BIT(PAUSE_DESTINATION);
    if ((pkt->src_mac[0] & MULTICAST) != 0 || memcmp(pkt->src_mac, none, 6) == 0)
        notes |= RDC_NOTE_BIT(PAUSE_SOURCE);
    return notes;
}
