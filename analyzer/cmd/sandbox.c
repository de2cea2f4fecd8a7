/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Least privilege; see sandbox.h. Two mechanisms of Linux that need no privilege, each of which
 * does what it can alone: Landlock knows paths, seccomp knows system calls and their numbers.
 * seccomp forbids rather than allows by list: libwiretap, GLib and the C library differ by version
 * in what they call, and a list that is too short would break the tool where nobody tested it.
 */
#include "cmd/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

void sandbox_enter(const char *temporary)
{
    /* both need it, and nothing here shall gain privileges anyway */
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return;
    sandbox_paths(temporary);
    sandbox_calls();
}

/* ------------------------------------------------------------------ Landlock */

/* The kernel's interface (Documentation/userspace-api/landlock.rst), written out since the headers
 * of a build may be older than the kernel it runs on. Rights that an older kernel does not know
 * must not be asked for: `since` is the version of the interface that brought them. */
enum {
    LANDLOCK_EXECUTE = 1 << 0,
    LANDLOCK_WRITE_FILE = 1 << 1,
    LANDLOCK_REMOVE_DIR = 1 << 4,
    LANDLOCK_REMOVE_FILE = 1 << 5,
    LANDLOCK_MAKE_REG = 1 << 8,
    LANDLOCK_MAKE_ANY = 0x7f << 6, /* character device .. symbolic link */
    LANDLOCK_REFER = 1 << 13,
    LANDLOCK_TRUNCATE = 1 << 14,
    LANDLOCK_NET_ANY = 3 << 0,   /* bind and connect of TCP */
    LANDLOCK_SCOPE_ANY = 3 << 0, /* abstract UNIX sockets, signals */
    LANDLOCK_VERSION = 1 << 0,   /* flag: which version is there? */
    LANDLOCK_PATH_BENEATH = 1,
    LANDLOCK_CREATE = 444, /* the same numbers on all architectures */
    LANDLOCK_ADD_RULE = 445,
    LANDLOCK_RESTRICT_SELF = 446,
};

struct landlock_rights {
    uint64_t files, net, scope;
};

struct landlock_beneath {
    uint64_t files;
    int32_t parent;
} __attribute__((packed));

static struct landlock_rights rights_of(long version)
{
    struct landlock_rights rights = {.files = LANDLOCK_EXECUTE | LANDLOCK_WRITE_FILE |
                                              LANDLOCK_REMOVE_DIR | LANDLOCK_REMOVE_FILE |
                                              LANDLOCK_MAKE_ANY};

    if (version >= 2)
        rights.files |= LANDLOCK_REFER;
    if (version >= 3)
        rights.files |= LANDLOCK_TRUNCATE;
    if (version >= 4)
        rights.net = LANDLOCK_NET_ANY;
    if (version >= 6)
        rights.scope = LANDLOCK_SCOPE_ANY;
    return rights;
}

/* How much of struct landlock_rights a kernel knows */
static size_t size_of(long version)
{
    if (version >= 6)
        return sizeof(struct landlock_rights);
    return version >= 4 ? offsetof(struct landlock_rights, scope)
                        : offsetof(struct landlock_rights, net);
}

/* Without a rule nothing at all can be written */
static void allow_temporary(int rules, const char *path)
{
    struct landlock_beneath beneath = {
        .files = LANDLOCK_WRITE_FILE | LANDLOCK_MAKE_REG | LANDLOCK_REMOVE_FILE,
        .parent = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC),
    };

    if (beneath.parent < 0)
        return;
    (void)syscall(LANDLOCK_ADD_RULE, rules, LANDLOCK_PATH_BENEATH, &beneath, 0);
    close(beneath.parent);
}

void sandbox_paths(const char *temporary)
{
    long version = syscall(LANDLOCK_CREATE, NULL, 0, LANDLOCK_VERSION);
    struct landlock_rights rights = rights_of(version);
    int rules;

    if (version < 1)
        return;
    rules = (int)syscall(LANDLOCK_CREATE, &rights, size_of(version), 0);
    if (rules < 0)
        return;
    allow_temporary(rules, temporary);
    (void)syscall(LANDLOCK_RESTRICT_SELF, rules, 0);
    close(rules);
}

/* ------------------------------------------------------------------ seccomp */

#if defined(__x86_64__)
#define SANDBOX_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define SANDBOX_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifndef SANDBOX_ARCHITECTURE

/* Numbers and arguments of system calls differ; Landlock must do */
void sandbox_calls(void)
{
}

#else

#define ARGUMENT(n) ((uint32_t)offsetof(struct seccomp_data, args[n]))
#define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)(offset))
#define REFUSE(error) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
/* The next instruction only for this system call; `skip`: how many belong to it */
#define ONLY(call, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(call), 0, skip)
#define NEVER(call) ONLY(call, 1), REFUSE(EPERM)

/* Opening for writing: only what did not exist (a link in its place is none). `flags`: the
 * argument. */
#define OPEN_FOR_READING(call, flags)                                                              \
    ONLY(call, 6), LOAD(ARGUMENT(flags)),                                                          \
        BPF_STMT(BPF_ALU | BPF_AND | BPF_K, O_ACCMODE | O_TRUNC | O_CREAT | O_EXCL),               \
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, O_RDONLY, 2, 0),                                       \
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, O_RDWR | O_CREAT | O_EXCL, 1, 0), REFUSE(EACCES),      \
        ALLOW

/* Threads are wanted, processes are not */
#define ONLY_THREADS(call)                                                                         \
    ONLY(call, 4), LOAD(ARGUMENT(0)),                                                              \
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD_FLAG, 1, 0), REFUSE(EPERM), ALLOW

enum {
    CLONE_THREAD_FLAG = 0x10000,
    X32_CALLS = 0x40000000, /* x86-64: a second set of numbers for the same calls */
};

void sandbox_calls(void)
{
    uint32_t self = (uint32_t)getpid();
    struct sock_filter filter[] = {
        LOAD(offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SANDBOX_ARCHITECTURE, 1, 0),
        REFUSE(ENOSYS),
        LOAD(offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32_CALLS, 0, 1),
        REFUSE(ENOSYS),
        /* network */
        NEVER(SYS_socket),
        NEVER(SYS_socketpair),
        NEVER(SYS_connect),
        NEVER(SYS_bind),
        NEVER(SYS_listen),
        NEVER(SYS_accept),
        NEVER(SYS_accept4),
        /* programs and other processes */
        NEVER(SYS_execve),
        NEVER(SYS_execveat),
#if !SANDBOX_SANITIZED
        NEVER(SYS_ptrace),
#endif
        NEVER(SYS_process_vm_readv),
        NEVER(SYS_process_vm_writev),
        NEVER(SYS_kill),
        NEVER(SYS_tkill),
        NEVER(SYS_rt_sigqueueinfo),
        NEVER(SYS_rt_tgsigqueueinfo),
        NEVER(SYS_pidfd_open),
        NEVER(SYS_pidfd_send_signal),
        NEVER(SYS_setns),
        NEVER(SYS_unshare),
        /* files: what Landlock forbids too, where it is */
        NEVER(SYS_mkdirat),
        NEVER(SYS_mknodat),
        NEVER(SYS_linkat),
        NEVER(SYS_symlinkat),
        NEVER(SYS_renameat2),
        NEVER(SYS_truncate),
        NEVER(SYS_fchmod),
        NEVER(SYS_fchmodat),
        NEVER(SYS_fchown),
        NEVER(SYS_fchownat),
        NEVER(SYS_utimensat),
        NEVER(SYS_setxattr),
        NEVER(SYS_lsetxattr),
        NEVER(SYS_fsetxattr),
        NEVER(SYS_removexattr),
        NEVER(SYS_lremovexattr),
        NEVER(SYS_fremovexattr),
        NEVER(SYS_open_by_handle_at),
        NEVER(SYS_mq_open),
        NEVER(SYS_mount),
        NEVER(SYS_umount2),
        NEVER(SYS_pivot_root),
        NEVER(SYS_chroot),
        /* parts of the kernel that nothing here needs, and ways around this filter */
        NEVER(SYS_bpf),
        NEVER(SYS_perf_event_open),
        NEVER(SYS_userfaultfd),
        NEVER(SYS_add_key),
        NEVER(SYS_request_key),
        NEVER(SYS_keyctl),
        NEVER(SYS_init_module),
        NEVER(SYS_finit_module),
        NEVER(SYS_io_uring_setup),
#if defined(__x86_64__)
        NEVER(SYS_mkdir),
        NEVER(SYS_mknod),
        NEVER(SYS_link),
        NEVER(SYS_symlink),
        NEVER(SYS_rename),
        NEVER(SYS_renameat),
        NEVER(SYS_rmdir),
        NEVER(SYS_creat),
        NEVER(SYS_chmod),
        NEVER(SYS_chown),
        NEVER(SYS_lchown),
        NEVER(SYS_utime),
        NEVER(SYS_utimes),
        NEVER(SYS_futimesat),
        OPEN_FOR_READING(SYS_open, 1),
#if !SANDBOX_SANITIZED
        NEVER(SYS_fork),
        NEVER(SYS_vfork),
#endif
#endif
        OPEN_FOR_READING(SYS_openat, 2),
        /* their arguments lie in memory, which a filter can't see: the C library then uses the
         * older call */
        ONLY(SYS_openat2, 1),
        REFUSE(ENOSYS),
        ONLY(SYS_clone3, 1),
        REFUSE(ENOSYS),
#if !SANDBOX_SANITIZED
        ONLY_THREADS(SYS_clone),
#endif
        /* abort() and raise() */
        ONLY(SYS_tgkill, 4),
        LOAD(ARGUMENT(0)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, self, 1, 0),
        REFUSE(EPERM),
        ALLOW,
        /* typing into the user's terminal */
        ONLY(SYS_ioctl, 5),
        LOAD(ARGUMENT(1)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, TIOCSTI, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, TIOCLINUX, 0, 1),
        REFUSE(EPERM),
        ALLOW,
        ALLOW,
    };
    const struct sock_fprog program = {sizeof filter / sizeof *filter, filter};

    (void)prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

#endif
