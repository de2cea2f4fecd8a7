/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Names of files in frame references (see frame.h).
 */
#include "report/frame.h"

#include <string.h>

static const char *base(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

const char *frame_file_label(const char *const *files, size_t file_count, size_t file)
{
    const char *name = base(files[file]);

    for (size_t i = 0; i < file_count; i++)
        if (i != file && strcmp(base(files[i]), name) == 0)
            return files[file];
    return name;
}
