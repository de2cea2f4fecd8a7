/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Link packets: the credits of one virtual lane.
 */
#include "ib/flow_control.h"

#include "rdc/crc.h"

/* IBTA vol. 1, 7.9.4:
 *   op:4 fctbs:12  vl:4 fccl:12  lpcrc:16 (stored with its low byte first) */
enum rdc_status rdc_flow_control_decode(struct rdc_cursor *cur, struct rdc_flow_control *out)
{
    const uint8_t *p;
    enum rdc_status status = rdc_take(cur, RDC_LINK_PACKET_LEN, &p);

    if (status != RDC_OK)
        return status;
    *out = (struct rdc_flow_control){
        .op = p[0] >> 4,
        .fctbs = rdc_be16(p) & 0xfff,
        .vl = p[2] >> 4,
        .fccl = rdc_be16(p + 2) & 0xfff,
        .lpcrc = rdc_le16(p + 4),
    };
    return RDC_OK;
}

bool rdc_flow_control_crc_ok(const struct rdc_flow_control *fc)
{
    const uint8_t bytes[4] = {
        (uint8_t)(fc->op << 4 | fc->fctbs >> 8),
        (uint8_t)(fc->fctbs & 0xff),
        (uint8_t)(fc->vl << 4 | fc->fccl >> 8),
        (uint8_t)(fc->fccl & 0xff),
    };

    return rdc_crc16_done(rdc_crc16_update(RDC_CRC16_INIT, bytes, sizeof bytes)) == fc->lpcrc;
}
