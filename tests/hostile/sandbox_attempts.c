/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What code that took over the process could still do: each attempt is made in a process of its
 * own, first free, where it must succeed (else it proves nothing and is left out), then in the
 * sandbox, and in either half of it, which is only counted.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "cmd/sandbox.h"

enum {
    SKIPPED = 77,
};

/* In the folder of the test: `inside/` is the temporary folder of the sandbox, `outside/` is not,
 * each has a file `old`. */
struct attempt {
    const char *what;
    bool (*succeeds)(void);
    bool allowed; /* in the sandbox */
};

static int open_before = -1; /* a file that was opened for writing before the sandbox */

static bool opens(const char *path, int flags)
{
    int fd = open(path, flags | O_CLOEXEC, 0600);

    return fd >= 0;
}

static bool reads(void)
{
    return opens("outside/old", O_RDONLY) && opens("/proc/self/status", O_RDONLY);
}

static bool makes_temporary(void)
{
    return opens("inside/new", O_RDWR | O_CREAT | O_EXCL) && unlink("inside/new") == 0;
}

static bool makes_file(void)
{
    return opens("outside/new", O_RDWR | O_CREAT | O_EXCL);
}

static bool changes_file(void)
{
    return opens("outside/old", O_WRONLY);
}

static bool changes_temporary(void)
{
    return opens("inside/old", O_RDWR);
}

static bool empties_file(void)
{
    return opens("inside/old", O_WRONLY | O_CREAT | O_TRUNC);
}

static bool cuts_file(void)
{
    return truncate("outside/old", 0) == 0;
}

static bool removes_file(void)
{
    return unlink("outside/old") == 0;
}

static bool renames_file(void)
{
    return rename("inside/old", "inside/other") == 0;
}

static bool makes_folder(void)
{
    return mkdir("inside/folder", 0700) == 0;
}

static bool changes_mode(void)
{
    return chmod("outside/old", 0777) == 0;
}

static bool changes_times(void)
{
    return utimensat(AT_FDCWD, "outside/old", NULL, 0) == 0;
}

static bool changes_attributes(void)
{
    return setxattr("outside/old", "user.a", "1", 1, 0) == 0;
}

static bool makes_link(void)
{
    return link("outside/old", "inside/link") == 0;
}

static bool makes_symbolic_link(void)
{
    return symlink("old", "inside/link") == 0;
}

/* As root a file can be opened without its path, which Landlock looks at when it is opened. */
static bool opens_by_handle(void)
{
    struct {
        struct file_handle head;
        unsigned char bytes[MAX_HANDLE_SZ];
    } handle = {.head.handle_bytes = MAX_HANDLE_SZ};
    int mount, folder = open("outside", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    return name_to_handle_at(AT_FDCWD, "outside/old", &handle.head, &mount, 0) == 0 &&
           open_by_handle_at(folder, &handle.head, O_WRONLY | O_CLOEXEC) >= 0;
}

static bool makes_socket(void)
{
    return socket(AF_INET, SOCK_STREAM, 0) >= 0;
}

static bool makes_local_socket(void)
{
    return socket(AF_UNIX, SOCK_STREAM, 0) >= 0;
}

static bool starts_program(void)
{
    char *argv[] = {(char[]){"true"}, NULL};

    execv("/bin/true", argv);
    return false;
}

static bool starts_process(void)
{
    pid_t child = fork();

    if (child == 0)
        _exit(0);
    return child > 0;
}

static bool signals_parent(void)
{
    return kill(getppid(), 0) == 0;
}

static bool queues_signal(void)
{
    siginfo_t info = {.si_code = SI_QUEUE};

    return syscall(SYS_rt_sigqueueinfo, getppid(), 0, &info) == 0;
}

static bool reads_other_memory(void)
{
    return syscall(SYS_process_vm_readv, getppid(), NULL, 0, NULL, 0, 0) == 0;
}

static void *set_flag(void *flag)
{
    *(bool *)flag = true;
    return NULL;
}

static bool starts_thread(void)
{
    pthread_t thread;
    bool ran = false;

    return pthread_create(&thread, NULL, set_flag, &ran) == 0 && pthread_join(thread, NULL) == 0 &&
           ran;
}

static bool gets_random_numbers(void)
{
    char byte;

    return getrandom(&byte, 1, GRND_NONBLOCK) == 1;
}

static void ignore(int signal)
{
    (void)signal;
}

static bool raises(void)
{
    signal(SIGUSR1, ignore);
    return raise(SIGUSR1) == 0;
}

static bool writes_what_is_open(void)
{
    return write(open_before, "x", 1) == 1;
}

static const struct attempt attempts[] = {
    {"reads a file", reads, true},
    {"makes a temporary file and removes it", makes_temporary, true},
    {"starts a thread", starts_thread, true},
    {"sends a signal to itself", raises, true},
    {"writes to an open file", writes_what_is_open, true},
    {"gets random numbers", gets_random_numbers, true},
    {"makes a file", makes_file, false},
    {"opens a file for writing", changes_file, false},
    {"opens a file in the temporary folder for writing", changes_temporary, false},
    {"empties a file in the temporary folder", empties_file, false},
    {"cuts a file", cuts_file, false},
    {"removes a file", removes_file, false},
    {"renames a file in the temporary folder", renames_file, false},
    {"makes a folder", makes_folder, false},
    {"changes a file's mode", changes_mode, false},
    {"changes a file's times", changes_times, false},
    {"changes a file's attributes", changes_attributes, false},
    {"makes a link", makes_link, false},
    {"makes a symbolic link", makes_symbolic_link, false},
    {"opens a file by its handle", opens_by_handle, false},
    {"opens an internet socket", makes_socket, false},
    {"opens a local socket", makes_local_socket, false},
    {"starts a program", starts_program, false},
    {"starts a process", starts_process, SANDBOX_SANITIZED},
    {"sends a signal to another process", signals_parent, false},
    {"queues a signal to another process", queues_signal, false},
    {"reads another process's memory", reads_other_memory, false},
};

static void must(bool holds, const char *what)
{
    if (holds)
        return;
    perror(what);
    exit(EXIT_FAILURE);
}

static void set_up(void)
{
    char folder[] = "/var/tmp/sandbox-XXXXXX";

    must(mkdtemp(folder) != NULL && chdir(folder) == 0, folder);
    must(mkdir("inside", 0700) == 0 && mkdir("outside", 0700) == 0, "mkdir");
    must(opens("inside/old", O_WRONLY | O_CREAT), "inside/old");
    must(opens("outside/old", O_WRONLY | O_CREAT), "outside/old");
}

static void clean_up(void)
{
    char folder[4096];

    must(getcwd(folder, sizeof folder) != NULL, "getcwd");
    must(system("rm -rf inside outside") == 0 && rmdir(folder) == 0, folder);
}

enum cage {
    FREE,
    SECCOMP,
    LANDLOCK,
    SANDBOX,
    CAGE_COUNT,
};

static void enter(enum cage cage)
{
    if (cage == SANDBOX)
        sandbox_enter("inside");
    else if (cage != FREE)
        must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "prctl");
    if (cage == SECCOMP)
        sandbox_calls();
    else if (cage == LANDLOCK)
        sandbox_paths("inside");
}

/* Does it succeed? _exit: leaks of a process that ends like this are no news. */
static bool run(const struct attempt *attempt, enum cage cage)
{
    pid_t child;
    int status = 0;

    set_up();
    child = fork();
    if (child == 0) {
        open_before = open("outside/old", O_RDWR | O_CLOEXEC);
        enter(cage);
        _exit(attempt->succeeds() ? 0 : 1);
    }
    must(child > 0 && waitpid(child, &status, 0) == child, "fork");
    clean_up();
    return status == 0;
}

int main(void)
{
    unsigned needed = 0, harmful = 0, wrong = 0;
    unsigned forbidden[CAGE_COUNT] = {0};

    if (prctl(PR_GET_SECCOMP) < 0) {
        puts("this kernel has no seccomp");
        return SKIPPED;
    }
    for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++) {
        bool works[CAGE_COUNT];

        for (unsigned cage = FREE; cage < CAGE_COUNT; cage++)
            works[cage] = run(&attempts[i], (enum cage)cage);
        printf("%s: %s, in the sandbox %s%s\n", attempts[i].what, works[FREE] ? "works" : "fails",
               works[SANDBOX] ? "works" : "fails",
               works[FREE] && works[SANDBOX] != attempts[i].allowed ? ": WRONG" : "");
        if (!works[FREE])
            continue;
        wrong += works[SANDBOX] != attempts[i].allowed;
        needed += attempts[i].allowed;
        harmful += !attempts[i].allowed;
        for (unsigned cage = FREE; cage < CAGE_COUNT && !attempts[i].allowed; cage++)
            forbidden[cage] += !works[cage];
    }
    printf("%u are needed; of %u that must fail %u do, by seccomp alone %u, by Landlock alone %u\n",
           needed, harmful, forbidden[SANDBOX], forbidden[SECCOMP], forbidden[LANDLOCK]);
    return harmful > 10 && wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
