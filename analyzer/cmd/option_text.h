/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The options of a command as a shell takes them, for commands that a person is to type next.
 */
#ifndef CMD_OPTION_TEXT_H
#define CMD_OPTION_TEXT_H

#include "cmd/options.h"

/* Those that decide which packets are read and what connections they make, each behind a space; ""
 * where none was given. Owned by the caller. */
char *option_text_reading(const struct options *options);

#endif
