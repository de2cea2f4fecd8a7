/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * GLib ends a process to which memory is refused. The engine, whose tables are the large ones, goes
 * on without; for the rest this says so in our words and leaves with a status that is known, not by
 * a signal.
 */
#ifndef CMD_REFUSED_H
#define CMD_REFUSED_H

/* Once, at the start */
void refused_handle(void);

#endif
