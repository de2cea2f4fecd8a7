/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Replays files through a fuzz target that is built without libFuzzer: those named on the command
 * line, and those in the folders named there. Each is given in a heap block of its exact size.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay(const char *path);
static int replay_folder(const char *path);
static int replay_file(const char *path, size_t size);

int main(int argc, char **argv)
{
    int replayed = 0;

    for (int i = 1; i < argc; i++)
        replayed += replay(argv[i]);
    printf("%d files replayed\n", replayed);
    return replayed > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int replay(const char *path)
{
    struct stat st;

    if (stat(path, &st) != 0) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    return S_ISDIR(st.st_mode) ? replay_folder(path) : replay_file(path, (size_t)st.st_size);
}

static int replay_folder(const char *path)
{
    DIR *folder = opendir(path);
    struct dirent *entry;
    int replayed = 0;

    if (!folder) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    while ((entry = readdir(folder)) != NULL) {
        char name[4096];

        if (entry->d_name[0] == '.')
            continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        replayed += replay(name);
    }
    closedir(folder);
    return replayed;
}

static int replay_file(const char *path, size_t size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = malloc(size > 0 ? size : 1);

    if (!file || !data || fread(data, 1, size, file) != size) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    fclose(file);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    return 1;
}
