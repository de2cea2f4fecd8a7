/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Words for the values of communication management.
 */
#ifndef IB_CM_TEXT_H
#define IB_CM_TEXT_H

#include "rdc/cm.h"

/* What the value of a field means; NULL when there is nothing to add */
const char *cm_field_text(const struct rdc_cm *cm, enum rdc_cm_field field);

#endif
