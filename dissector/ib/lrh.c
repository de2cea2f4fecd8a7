/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The Local Route Header of native InfiniBand.
 */
#include "rdc/ib.h"

/* IBTA vol. 1, 7.7:
 *   vl:4 lver:4  sl:4 resv:2 lnh:2  dlid:16
 *   resv:5 length:11  slid:16 */
enum rdc_status rdc_lrh_decode(struct rdc_cursor *cur, struct rdc_lrh *out)
{
    const uint8_t *p;
    enum rdc_status status = rdc_take(cur, RDC_LRH_LEN, &p);

    if (status != RDC_OK)
        return status;
    *out = (struct rdc_lrh){
        .vl = p[0] >> 4,
        .lver = p[0] & 0xf,
        .sl = p[1] >> 4,
        .lnh = p[1] & 0x3,
        .dlid = rdc_be16(p + 2),
        .length = rdc_be16(p + 4) & 0x7ff,
        .slid = rdc_be16(p + 6),
    };
    return RDC_OK;
}
