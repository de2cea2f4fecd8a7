/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Do packets fill the path MTU, and fit the network? What is wrong of a direction.
 */
#ifndef ANALYSIS_MTU_H
#define ANALYSIS_MTU_H

#include "analysis/analyses.h"
#include "analysis/directions.h"

struct mtu_trouble {
    uint64_t larger, larger_frame;   /* payload above the path MTU */
    uint64_t smaller, smaller_frame; /* FIRST or MIDDLE packets that do not fill it */
    bool differs_from_cm;            /* fills another size than CM announced */
    bool differs_by_direction;       /* the two directions fill different sizes */
};

/* Whether anything is wrong */
bool mtu_trouble_of(const struct direction *d, struct mtu_trouble *out);

/* Fragments of IP packets that carry RoCEv2; of an_mtu */
const struct tally *mtu_fragments(const struct analysis_run *run);

#endif
