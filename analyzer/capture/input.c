/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Opening and reading a file as it lies there. What its bytes mean is for reader.c to find out.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/source.h"
#include "capture/stream.h"

enum {
    INPUT_LOOK = 16, /* bytes of the start that every magic number fits in */
};

static size_t input_read(struct stream *stream, uint8_t *to, size_t size);
static void input_close(struct stream *stream);
static int open_path(const char *path, const char *name, GError **error);
static bool examine(struct input *in, const char *name, GError **error);
static size_t read_file(struct input *in, uint8_t *to, size_t size);
static bool wait_for_input(struct input *in);

struct input *input_open(const char *path, const char *name, const struct source_stop *stop,
                         GError **error)
{
    struct input *in;
    int fd = open_path(path, name, error);

    if (fd < 0)
        return NULL;
    in = g_new0(struct input, 1);
    in->stream.read = input_read;
    in->stream.close = input_close;
    in->fd = fd;
    in->wake_fd = -1;
    in->stop = stop;
    if (!examine(in, name, error)) {
        input_close(&in->stream);
        return NULL;
    }
    return in;
}

static size_t input_read(struct stream *stream, uint8_t *to, size_t size)
{
    struct input *in = (struct input *)stream;
    size_t left = in->head_size - in->head_taken;

    if (left == 0)
        return read_file(in, to, size);
    if (size > left)
        size = left;
    memcpy(to, in->head + in->head_taken, size);
    in->head_taken += size;
    return size;
}

static void input_close(struct stream *stream)
{
    struct input *in = (struct input *)stream;

    if (in->fd > STDIN_FILENO)
        close(in->fd);
    g_free(in->why_text);
    g_free(in);
}

/* Standard input is used as it is, and stays open */
static int open_path(const char *path, const char *name, GError **error)
{
    int fd;

    if (strcmp(path, "-") == 0)
        return STDIN_FILENO;
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0)
        return fd;
    if (errno == ENOENT)
        g_set_error(error, SOURCE_ERROR, SOURCE_ERROR_FILE,
                    "%s: there is no such file; check the path", name);
    else if (errno == EACCES || errno == EPERM)
        g_set_error(error, SOURCE_ERROR, SOURCE_ERROR_FILE,
                    "%s: no permission to read this file; change its mode or run as its owner",
                    name);
    else if (errno == EINTR)
        g_set_error(error, SOURCE_ERROR, SOURCE_ERROR_FILE, "%s: opening it was interrupted", name);
    else
        g_set_error(error, SOURCE_ERROR, SOURCE_ERROR_FILE, "%s: can't be opened: %s", name,
                    g_strerror(errno));
    return -1;
}

static bool examine(struct input *in, const char *name, GError **error)
{
    struct stat st;

    if (fstat(in->fd, &st) == 0 && S_ISDIR(st.st_mode)) {
        g_set_error(error, SOURCE_ERROR, SOURCE_ERROR_FILE,
                    "%s: is a directory; name the capture files in it", name);
        return false;
    }
    in->regular = in->fd != STDIN_FILENO && S_ISREG(st.st_mode);
    in->size = S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
    while (in->head_size < INPUT_LOOK) {
        size_t n = read_file(in, in->head + in->head_size, INPUT_HEAD - in->head_size);

        if (n == 0)
            break;
        in->head_size += n;
    }
    if (in->head_size > 0)
        return true;
    if (in->stream.why)
        g_set_error(error, SOURCE_ERROR, SOURCE_ERROR_FILE, "%s: %s", name, in->stream.why);
    else
        g_set_error(error, SOURCE_ERROR, SOURCE_ERROR_FILE,
                    "%s: is empty (0 bytes); was the capture stopped before anything was written?",
                    name);
    return false;
}

static size_t read_file(struct input *in, uint8_t *to, size_t size)
{
    ssize_t n;

    if ((in->wake_fd >= 0 || (in->stop && !in->regular)) && !wait_for_input(in))
        return 0;
    do
        n = read(in->fd, to, size);
    while (n < 0 && errno == EINTR);
    if (n < 0) {
        g_free(in->why_text);
        in->why_text = g_strdup_printf("reading it failed: %s", g_strerror(errno));
        in->stream.why = in->why_text;
        in->stream.why_offset = in->position;
        return 0;
    }
    __atomic_store_n(&in->position, in->position + (uint64_t)n, __ATOMIC_RELAXED);
    return (size_t)n;
}

/* False when whoever reads is no longer interested, or the user */
static bool wait_for_input(struct input *in)
{
    struct pollfd fds[] = {{.fd = in->fd, .events = POLLIN},
                           {.fd = in->wake_fd, .events = POLLIN},
                           {.fd = in->stop ? in->stop->fd : -1, .events = POLLIN}};

    while (poll(fds, G_N_ELEMENTS(fds), -1) < 0)
        if (errno != EINTR)
            return true;
    if (fds[2].revents != 0) {
        in->stream.why = "reading it was interrupted";
        in->stream.why_offset = in->position;
    }
    return fds[1].revents == 0 && fds[2].revents == 0;
}
