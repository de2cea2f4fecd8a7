/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Gives up what reading captures does not need, before any byte of them is looked at.
 */
#ifndef CMD_SANDBOX_H
#define CMD_SANDBOX_H

/* The sanitizers look for leaks from a process that traces this one: processes are free then */
#if defined(__SANITIZE_ADDRESS__)
#define SANDBOX_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANDBOX_SANITIZED 1
#endif
#endif
#ifndef SANDBOX_SANITIZED
#define SANDBOX_SANITIZED 0
#endif

/* From here on this process, whatever it is talked into by a hostile capture, opens no file for
 * writing but new ones in `temporary` (the event log), starts no program or process, uses no
 * network, traces and signals no other process. Reading files and what is open already stay as they
 * are. Does what the kernel offers, and nothing where it offers nothing (old kernels, some
 * containers). Call it while there is one thread. */
void sandbox_enter(const char *temporary);

/* Its two halves, for the test that shows what each does alone: Landlock and seccomp. Before them
 * PR_SET_NO_NEW_PRIVS must be set. */
void sandbox_paths(const char *temporary);
void sandbox_calls(void);

#endif
