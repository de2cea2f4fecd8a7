/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What happens when memory is refused to GLib; see refused.h. Nothing here may ask for any.
 */
#include "cmd/refused.h"

#include <errno.h>
#include <glib.h>
#include <malloc.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cmd/command.h"

static void leave(int signal)
{
    static const char text[] =
        "rdmapcap: not enough memory for what was to be said; read less of it: --limit, --bpf\n";

    (void)signal;
    if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
        _exit(STATUS_BUG);
    _exit(STATUS_INPUT);
}

/* Some parts of GLib abort when they get no memory. So does what finds a mistake of ours: that
 * stays an abort, which it becomes again once this returns. */
static void leave_if_refused(int signal)
{
    /* NOLINTNEXTLINE(bugprone-signal-handler): to read errno is safe (signal-safety(7)) */
    if (errno == ENOMEM)
        leave(signal);
}

static GLogWriterOutput write_log(GLogLevelFlags level, const GLogField *fields, gsize count,
                                  gpointer data)
{
    for (gsize i = 0; (level & G_LOG_LEVEL_ERROR) != 0 && i < count; i++)
        if (strcmp(fields[i].key, "MESSAGE") == 0 && strstr(fields[i].value, "failed to allocate"))
            leave(0);
    return g_log_writer_default(level, fields, count, data);
}

void refused_handle(void)
{
#ifdef M_ARENA_MAX
    /* What is refused is large; a thread with memory of its own would not get the few bytes either
     * that it takes GLib to say so. */
    mallopt(M_ARENA_MAX, 1);
#endif
    g_log_set_writer_func(write_log, NULL, NULL);
    /* where memory for the message itself is refused, too, only this is left of GLib's end */
    signal(SIGTRAP, leave);
    signal(SIGABRT, leave_if_refused);
}
