/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Statistics over the packets that a display filter lets through.
 */
#include "plugin/plugin.h"

void statistics_register(void)
{
}
