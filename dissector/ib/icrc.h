/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The invariant and the variant CRC of a packet whose bytes were all captured.
 */
#ifndef RDC_IB_ICRC_H
#define RDC_IB_ICRC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ib/transport.h"

enum rdc_icrc_verdict {
    RDC_ICRC_GOOD,
    RDC_ICRC_GOOD_SOFT_ROCE, /* the FLUSH of Linux's rxe driver, which its peer accepts */
    RDC_ICRC_WRONG,
};

/* Whether the envelope has the headers that the ICRC of its transport covers */
bool rdc_icrc_covered(const struct rdc_envelope *env);

/* Judges the 4 bytes behind the `size` bytes (at least RDC_BTH_LEN) at `bth`: BTH, extension
 * headers, payload, pad. The envelope must be rdc_icrc_covered(). */
enum rdc_icrc_verdict rdc_icrc_judge(const struct rdc_envelope *env, const uint8_t *bth,
                                     size_t size);

/* Whether the VCRC at env->vcrc fits everything from env->lrh; neither may be NULL */
bool rdc_vcrc_good(const struct rdc_envelope *env);

#endif
