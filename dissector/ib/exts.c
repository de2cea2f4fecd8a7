/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The extension headers between BTH and payload. Which of them a packet has is its opcode's matter
 * (opcode.c); their order is fixed: that of the bits of enum rdc_ext.
 */
#include "rdc/ib.h"

static size_t ext_size(uint16_t ext);
static void decode_one(uint16_t ext, const uint8_t *p, struct rdc_exts *out);
static struct rdc_reth reth(const uint8_t *p);
static struct rdc_atomic_eth atomic_eth(const uint8_t *p);

enum rdc_status rdc_exts_decode(struct rdc_cursor *cur, uint16_t ext, struct rdc_exts *out)
{
    out->present = 0;
    while (ext != 0) {
        uint16_t rest = ext & (uint16_t)(ext - 1);
        uint16_t first = ext ^ rest;
        const uint8_t *p;
        enum rdc_status status = rdc_take(cur, ext_size(first), &p);

        if (status != RDC_OK)
            return status;
        decode_one(first, p, out);
        out->present |= first;
        ext = rest;
    }
    return RDC_OK;
}

void rdc_exts_from_wire(const uint8_t *p, uint16_t ext, struct rdc_exts *out)
{
    out->present = ext;
    while (ext != 0) {
        uint16_t rest = ext & (uint16_t)(ext - 1);
        uint16_t first = ext ^ rest;

        decode_one(first, p, out);
        p += ext_size(first);
        ext = rest;
    }
}

/* IBTA vol. 1, 9.3-9.6; XRCETH: A14; FETH: A19. An unknown bit takes no bytes. */
static size_t ext_size(uint16_t ext)
{
    switch (ext) {
    case RDC_EXT_RETH:
        return 16;
    case RDC_EXT_ATOMIC_ETH:
        return 28;
    case RDC_EXT_DETH:
    case RDC_EXT_ATOMIC_ACK_ETH:
        return 8;
    case RDC_EXT_RDETH:
    case RDC_EXT_XRCETH:
    case RDC_EXT_FETH:
    case RDC_EXT_AETH:
    case RDC_EXT_IMM:
    case RDC_EXT_IETH:
        return 4;
    default:
        return 0;
    }
}

static void decode_one(uint16_t ext, const uint8_t *p, struct rdc_exts *out)
{
    switch (ext) {
    case RDC_EXT_RDETH: /* resv:8 ee:24 */
        out->rdeth_ee = rdc_be24(p + 1);
        break;
    case RDC_EXT_DETH: /* qkey:32  resv:8 src_qpn:24 */
        out->deth = (struct rdc_deth){.qkey = rdc_be32(p), .src_qpn = rdc_be24(p + 5)};
        break;
    case RDC_EXT_XRCETH: /* resv:8 srq:24 */
        out->xrceth_srq = rdc_be24(p + 1);
        break;
    case RDC_EXT_FETH: /* resv:26 sel:2 plt:4 */
        out->feth = (struct rdc_feth){.plt = p[3] & 0xf, .sel = p[3] >> 4 & 0x3};
        break;
    case RDC_EXT_RETH:
        out->reth = reth(p);
        break;
    case RDC_EXT_ATOMIC_ETH:
        out->atomic_eth = atomic_eth(p);
        break;
    case RDC_EXT_AETH:
        out->aeth = rdc_aeth_from_wire(rdc_be32(p));
        break;
    case RDC_EXT_ATOMIC_ACK_ETH: /* original:64 */
        out->atomic_ack_original = rdc_be64(p);
        break;
    case RDC_EXT_IMM: /* imm:32 */
        out->imm = rdc_be32(p);
        break;
    case RDC_EXT_IETH: /* rkey:32 */
        out->ieth_rkey = rdc_be32(p);
        break;
    default:
        break;
    }
}

/* va:64  rkey:32  length:32 */
static struct rdc_reth reth(const uint8_t *p)
{
    return (struct rdc_reth){
        .va = rdc_be64(p),
        .rkey = rdc_be32(p + 8),
        .length = rdc_be32(p + 12),
    };
}

/* va:64  rkey:32  swap_add:64  compare:64 */
static struct rdc_atomic_eth atomic_eth(const uint8_t *p)
{
    return (struct rdc_atomic_eth){
        .va = rdc_be64(p),
        .rkey = rdc_be32(p + 8),
        .swap_add = rdc_be64(p + 12),
        .compare = rdc_be64(p + 20),
    };
}
