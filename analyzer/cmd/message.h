/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Talk to the user, on standard error: one line each, safe to show whatever the file names held.
 */
#ifndef CMD_MESSAGE_H
#define CMD_MESSAGE_H

/* "rdmapcap: " and the text: what is wrong (where); what to do */
void message_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same for what is no failure */
void message_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
