/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Ctrl-C in the middle: reading ends, and what was found until then is told.
 */
#ifndef CMD_INTERRUPT_H
#define CMD_INTERRUPT_H

#include "capture/source.h"

/* From here on SIGINT and SIGTERM, unless they are ignored, ask through what this returns (NULL: it
 * can't be had) that reading ends; a second one ends the process as ever. May be called again. */
const struct source_stop *interrupt_watch(void);

#endif
