/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The check of an InfiniBand link packet; its decoder is in rdc/ib.h.
 */
#ifndef RDC_IB_FLOW_CONTROL_H
#define RDC_IB_FLOW_CONTROL_H

#include <stdbool.h>

#include "rdc/ib.h"

/* Whether the LPCRC fits the other fields */
bool rdc_flow_control_crc_ok(const struct rdc_flow_control *fc);

#endif
