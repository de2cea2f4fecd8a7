/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * DDP segment headers (RFC 5041, 4) with the RDMAP control byte in them (RFC 5040, 4.1).
 */
#include "rdc/iwarp.h"

static void control(const uint8_t *p, struct rdc_ddp *ddp);

enum rdc_status rdc_ddp_decode(struct rdc_cursor *cur, struct rdc_ddp *out)
{
    struct rdc_cursor rest = *cur;
    struct rdc_ddp ddp;
    const uint8_t *p;
    bool tagged;
    enum rdc_status st = rdc_take(&rest, 1, &p);

    if (st != RDC_OK)
        return st;
    tagged = (p[0] & 0x80) != 0;
    st = rdc_take(cur, tagged ? RDC_DDP_TAGGED_LEN : RDC_DDP_UNTAGGED_LEN, &p);
    if (st != RDC_OK)
        return st;
    control(p, &ddp);
    if (tagged) { /* STag:32 TO:64 */
        ddp.stag = rdc_be32(p + 2);
        ddp.to = rdc_be64(p + 6);
    } else { /* for the ULP:32 QN:32 MSN:32 MO:32 */
        ddp.invalidate_stag = rdc_be32(p + 2);
        ddp.qn = rdc_be32(p + 6);
        ddp.msn = rdc_be32(p + 10);
        ddp.mo = rdc_be32(p + 14);
    }
    *out = ddp;
    return RDC_OK;
}

/* DDP:   T:1 L:1 reserved:4 DV:2
 * RDMAP: RV:2 reserved:2 opcode:4. Version 0 is the RDMA Consortium's, with the same headers. */
static void control(const uint8_t *p, struct rdc_ddp *ddp)
{
    *ddp = (struct rdc_ddp){
        .tagged = (p[0] & 0x80) != 0,
        .last = (p[0] & 0x40) != 0,
        .reserved = (p[0] >> 2) & 0xf,
        .version = p[0] & 0x3,
        .rdmap_version = p[1] >> 6,
        .rdmap_reserved = (p[1] >> 4) & 0x3,
        .opcode = p[1] & 0xf,
    };
    if (ddp->version != 1 || ddp->rdmap_version > 1)
        ddp->notes |= RDC_NOTE_BIT(DDP_VERSION);
}
