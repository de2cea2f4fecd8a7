/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The table of commands, in the order in which the help lists them.
 */
#include "cmd/command.h"

#include <string.h>

#include <glib.h>

#include "cmd/closest.h"
#include "cmd/message.h"

const struct command *const commands[] = {
    &cmd_stats, &cmd_flows, &cmd_events,  &cmd_check, &cmd_findings,
    &cmd_dump,  &cmd_help,  &cmd_version, NULL,
};

const struct command *command_find(const char *name)
{
    for (size_t i = 0; commands[i] != NULL; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

void command_unknown(const char *name)
{
    const char *names[G_N_ELEMENTS(commands)] = {NULL};
    char *hint;

    for (size_t i = 0; commands[i] != NULL; i++)
        names[i] = commands[i]->name;
    hint = closest_hint(name, names);
    message_error("no command \"%s\"%s See: rdmapcap help", name, hint[0] != '\0' ? hint : ".");
    g_free(hint);
}
