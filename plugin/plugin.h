/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The plugin's parts, as Wireshark calls them at its start.
 */
#ifndef PLUGIN_PLUGIN_H
#define PLUGIN_PLUGIN_H

#include "plugin/compat.h"

void dissector_register(void);
void dissector_handoff(void);
void statistics_register(void);
void tree_statistics_register(void);
void conversations_register(void);
void conversation_filters_register(void);

#endif
