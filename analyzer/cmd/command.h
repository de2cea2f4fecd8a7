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

/* What the shared options that do something here are for. Every command takes all of them, so that
 * one list of options serves all; the help shows these. */
enum option_use {
    OPTIONS_FILES = 1 << 0, /* reading FILEs; without it there are none */
    OPTIONS_LINK_RATE = 1 << 1,
    OPTIONS_ROWS = 1 << 2,  /* tables of text that are cut unless --all */
    OPTIONS_WIDTH = 1 << 3, /* pages of text */
    OPTIONS_COLOR = 1 << 4,
    OPTIONS_VERDICTS = 1 << 5, /* what the engine is told */
};

struct command {
    const char *name;
    const char *summary; /* one line */
    const char *usage;   /* behind the name and "[OPTION...]": "FILE..." */
    unsigned options;    /* set of enum option_use */
    const char *formats; /* for --format, by spaces, the default first; NULL: no such option */
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
/* Says that there is none of that name, and which was meant */
void command_unknown(const char *name);

extern const struct command cmd_check;
extern const struct command cmd_dump;
extern const struct command cmd_events;
extern const struct command cmd_findings;
extern const struct command cmd_flows;
extern const struct command cmd_stats;
extern const struct command cmd_help;
extern const struct command cmd_version;

#endif
