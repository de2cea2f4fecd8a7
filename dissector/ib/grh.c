/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The Global Route Header of InfiniBand and RoCEv1: an IPv6 header in all but name.
 */
#include "rdc/ib.h"

#include <string.h>

/* IBTA vol. 1, 8.3:
 *   version:4 tclass:8 flow_label:20  payload_length:16 next_header:8 hop_limit:8
 *   sgid:128  dgid:128 */
enum rdc_status rdc_grh_decode(struct rdc_cursor *cur, struct rdc_grh *out, uint8_t sgid[16],
                               uint8_t dgid[16])
{
    const uint8_t *p;
    enum rdc_status status = rdc_take(cur, RDC_GRH_LEN, &p);

    if (status != RDC_OK)
        return status;
    *out = (struct rdc_grh){
        .version = p[0] >> 4,
        .tclass = (uint8_t)(rdc_be16(p) >> 4 & 0xff),
        .flow_label = rdc_be32(p) & 0xfffff,
        .payload_length = rdc_be16(p + 4),
        .next_header = p[6],
        .hop_limit = p[7],
    };
    memcpy(sgid, p + 8, 16);
    memcpy(dgid, p + 24, 16);
    return RDC_OK;
}
