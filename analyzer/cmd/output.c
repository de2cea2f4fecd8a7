/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Standard output; see output.h.
 */
#include "cmd/output.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "cmd/message.h"

enum {
    CAPACITY = 1 << 18,
};

static void write_all(void *context, const char *data, size_t size);

void output_open(struct output *out)
{
    *out = (struct output){.terminal = isatty(STDOUT_FILENO) == 1};
    buffer_init_sink(&out->buffer, CAPACITY, write_all, out);
}

bool output_record_done(struct output *out)
{
    if (out->terminal)
        buffer_flush(&out->buffer);
    return out->error == 0;
}

enum exit_status output_close(struct output *out, enum exit_status status)
{
    buffer_flush(&out->buffer);
    buffer_done(&out->buffer);
    /* some file systems report a full disk only here */
    if (close(STDOUT_FILENO) != 0 && out->error == 0)
        out->error = errno;
    if (out->error == 0)
        return status;
    if (out->error == ENOSPC || out->error == EDQUOT)
        message_error("standard output: no space left (after %" PRIu64
                      " bytes); the output is not complete: make room and run again",
                      out->written);
    else if (out->error != EPIPE)
        message_error("standard output: can't write: %s (after %" PRIu64
                      " bytes); the output is not complete: check where it goes and run again",
                      strerror(out->error), out->written);
    return STATUS_INPUT;
}

/* After a failure everything is swallowed: a hole in the data would be worse */
static void write_all(void *context, const char *data, size_t size)
{
    struct output *out = context;

    while (size > 0 && out->error == 0) {
        ssize_t n = write(STDOUT_FILENO, data, size);

        if (n >= 0) {
            data += n;
            size -= (size_t)n;
            out->written += (uint64_t)n;
        } else if (errno != EINTR) {
            out->error = errno;
        }
    }
}
