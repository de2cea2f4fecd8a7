/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Signals; see interrupt.h.
 */
#include "cmd/interrupt.h"

#include <errno.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* The one variable of the program that is not on a stack: a handler is given nothing else */
static struct source_stop stop = {.fd = -1};

static void on_signal(int number);

const struct source_stop *interrupt_watch(void)
{
    static const int numbers[] = {SIGINT, SIGTERM};

    if (stop.fd < 0)
        stop.fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (stop.fd < 0)
        return NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(numbers) && !stop.asked; i++) {
        struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
        struct sigaction before;

        /* a shell's background jobs ignore SIGINT, and shall */
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
    }
    return &stop;
}

static void on_signal(int number)
{
    const uint64_t one = 1;
    int saved = errno;

    (void)number;
    stop.asked = 1;
    if (write(stop.fd, &one, sizeof one) < 0)
        stop.asked = 1; /* full: it is readable already */
    errno = saved;
}
