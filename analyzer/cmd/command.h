/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The frame that every subcommand stands in: the table of commands and what their exit statuses
 * mean. To add a command: a file here and a row in commands.c.
 */
#ifndef CMD_COMMAND_H
#define CMD_COMMAND_H

#include <stddef.h>

enum exit_status {
    STATUS_OK = 0,
    STATUS_VIOLATION = 1, /* check: a limit was exceeded */
    STATUS_USAGE = 2,     /* usage or configuration */
    STATUS_INPUT = 3,     /* a file can't be read or is damaged; or the output can't be written */
    STATUS_UNDECIDED = 4, /* check: what was asked about can't be seen */
    STATUS_BUG = 70,      /* a mistake of ours (EX_SOFTWARE) */
};

struct command {
    const char *name;
    const char *summary; /* one line */
    const char *usage;   /* behind the name and "[OPTION...]": "FILE..." */
    const char *formats; /* for --format, by spaces, the default first */
    const char *list;    /* what --list shows, in a few words; NULL: there is no such option */
    const char *details; /* paragraphs for the help, at most 80 columns */
    const char *example; /* command lines for the help, indented by two */
    /* argv[0] is the command's name */
    enum exit_status (*run)(const struct command *self, int argc, char **argv);
};

/* Ends with NULL */
extern const struct command *const commands[];
/* NULL when there is none of that name */
const struct command *command_find(const char *name);

extern const struct command cmd_check;
extern const struct command cmd_dump;
extern const struct command cmd_events;
extern const struct command cmd_findings;
extern const struct command cmd_flows;
extern const struct command cmd_stats;
extern const struct command cmd_help;
extern const struct command cmd_version;

#endif
