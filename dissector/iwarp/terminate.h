/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What rdmap.c and terminate.c need of each other.
 */
#ifndef IWARP_TERMINATE_H
#define IWARP_TERMINATE_H

#include "rdc/iwarp.h"

RDC_CHECKED enum rdc_status iwarp_read_request(struct rdc_cursor *cur,
                                               struct rdc_rdmap_read_request *out);
/* Adds to *notes also when it fails */
RDC_CHECKED enum rdc_status iwarp_terminate(struct rdc_cursor *cur, struct rdc_rdmap_terminate *out,
                                            rdc_notes *notes);

#endif
