/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Standard output as a buffer that remembers failure: data goes out whole, or the command stops and
 * its exit status says so.
 */
#ifndef CMD_OUTPUT_H
#define CMD_OUTPUT_H

#include <stdbool.h>

#include "cmd/command.h"
#include "render/buffer.h"

struct output {
    struct buffer buffer;
    uint64_t written; /* bytes that are out */
    int error;        /* errno of the write that failed; 0: none did */
    bool terminal;
};

void output_open(struct output *out);
/* Call between records: shows them at once when a person watches. False: stop, nobody can read on
 */
bool output_record_done(struct output *out);
/* Writes what is left and says what went wrong, if anything did. A reader that has gone away (a
 * closed pipe) is not worth a message. Returns `status`, or STATUS_INPUT after a failure. */
enum exit_status output_close(struct output *out, enum exit_status status);

#endif
