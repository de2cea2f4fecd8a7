/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The options that all commands share, parsed and checked.
 */
#ifndef CMD_OPTIONS_H
#define CMD_OPTIONS_H

#include <glib.h>
#include <stdbool.h>

#include "cmd/command.h"
#include "flow/flow.h"
#include "rdc/packet.h"

enum format {
    FORMAT_TEXT,
    FORMAT_JSON,
    FORMAT_JSONL,
    FORMAT_CSV,
    FORMAT_JUNIT,
    FORMAT_SARIF,
    FORMAT_GITHUB,
    FORMAT_COUNT,
};

struct options {
    enum format format;
    char *bpf;              /* NULL: none */
    uint64_t link_rate_bps; /* 0: not given */
    uint64_t limit;         /* 0: all packets */
    bool all;
    bool list; /* --list: no FILE is needed */
    bool quiet;
    bool color;
    unsigned threads;
    size_t width; /* of a page of text */
    struct rdc_config decode;
    struct flow_config flow;
    char **files; /* NULL-terminated, at least one */
};

/* Parses `argv` (its first element is the command's name) with the shared options and the command's
 * `own` (NULL: none; ends with a row of zeros; may write to variables of the caller). Returns true
 * when the command shall run; the process then is in its sandbox (sandbox.h). Otherwise the help
 * was shown or a mistake explained, and *status is what to exit with. Call options_done() in either
 * case. */
bool options_parse(struct options *options, const struct command *command, const GOptionEntry *own,
                   int argc, char **argv, enum exit_status *status);
void options_done(struct options *options);

#endif
