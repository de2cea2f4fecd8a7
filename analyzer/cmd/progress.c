/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Progress on standard error; see progress.h.
 */
#include "cmd/progress.h"

#include <stdio.h>
#include <unistd.h>

#include <glib.h>

#include "render/units.h"

enum {
    FIRST_US = 1000000,
    AGAIN_US = 250000,
};

void progress_begin(struct progress *p, bool quiet)
{
    *p = (struct progress){.on = !quiet && isatty(STDERR_FILENO) == 1};
    if (p->on) {
        p->start_us = g_get_monotonic_time();
        p->next_us = p->start_us + FIRST_US;
    }
}

void progress_show(struct progress *p, uint64_t packets, uint64_t done, uint64_t total)
{
    struct buffer line = {0};
    int64_t now;

    if (!p->on || (now = g_get_monotonic_time()) < p->next_us)
        return;
    p->next_us = now + AGAIN_US;
    p->shown = true;
    buffer_string(&line, "\r\033[K");
    if (total > 0)
        buffer_printf(&line, "%3.0f %%  ", 100.0 * (double)done / (double)total);
    units_count(&line, packets);
    buffer_string(&line, " packets, ");
    units_count(&line, (uint64_t)((double)packets * 1e6 / (double)(now - p->start_us)));
    buffer_string(&line, "/s");
    fwrite(line.data, 1, line.used, stderr);
    buffer_done(&line);
}

void progress_end(struct progress *p)
{
    if (p->shown)
        fputs("\r\033[K", stderr);
    p->shown = false;
}
