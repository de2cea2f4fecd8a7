/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * libpcap filter expressions over packets of any link type.
 */
#ifndef CAPTURE_FILTER_H
#define CAPTURE_FILTER_H

#include "capture/source.h"

struct filter;

struct filter *filter_new(const char *expression);
void filter_free(struct filter *f);

/* Compiles the expression for a link type, once. NULL when that works, else why it does not, owned
 * by the filter. */
const char *filter_prepare(struct filter *f, uint32_t linktype);
/* Does the packet match? Of a link type that the filter can't be compiled for: no. */
bool filter_match(struct filter *f, const struct rdc_input *in);

#endif
