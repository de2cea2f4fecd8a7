/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The variant CRC of native InfiniBand (IBTA vol. 1, 7.8.2): all bytes from the LRH through the
 * ICRC as they are; stored with its low byte first.
 */
#include "ib/icrc.h"

#include "rdc/crc.h"

bool rdc_vcrc_good(const struct rdc_envelope *env)
{
    size_t size = (size_t)(env->vcrc - env->lrh);
    uint16_t crc = rdc_crc16_update(RDC_CRC16_INIT, env->lrh, size);

    return rdc_crc16_done(crc) == rdc_le16(env->vcrc);
}
