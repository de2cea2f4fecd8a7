/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Takes a Base Transport Header from a cursor; its fields are in bth.h.
 */
#include "ib/bth.h"

enum rdc_status rdc_bth_decode(struct rdc_cursor *cur, struct rdc_bth *out)
{
    const uint8_t *p;
    enum rdc_status status = rdc_take(cur, RDC_BTH_LEN, &p);

    if (status != RDC_OK)
        return status;
    rdc_bth_fields(rdc_be64(p), rdc_be32(p + 8), out);
    out->tver = p[1] & 0xf;
    return RDC_OK;
}
