/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Any bytes as a policy file of `check`.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "analysis/check/check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int fd = memfd_create("policy", 0);
    char *path = g_strdup_printf("/proc/self/fd/%d", fd);
    struct check_policy *policy = check_policy_new();
    GError *error = NULL;
    bool ok;

    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    ok = check_policy_read(policy, path, &error);
    /* a refusal is one line that names the file */
    if (ok == (error != NULL) || (error && !strstr(error->message, path)))
        abort();
    g_clear_error(&error);
    check_policy_free(policy);
    close(fd);
    g_free(path);
    return 0;
}
