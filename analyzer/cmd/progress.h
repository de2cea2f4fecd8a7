/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A line on a terminal that says how far the work is, once it has lasted over a second.
 */
#ifndef CMD_PROGRESS_H
#define CMD_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
    bool on;
    bool shown;
    int64_t start_us;
    int64_t next_us; /* when to show it (again) */
};

/* Stays off when `quiet` or when standard error is no terminal */
void progress_begin(struct progress *p, bool quiet);
/* Looks at the clock: call it every few thousand packets. `total` 0: not known. */
void progress_show(struct progress *p, uint64_t packets, uint64_t done, uint64_t total);
/* Wipes the line */
void progress_end(struct progress *p);

#endif
