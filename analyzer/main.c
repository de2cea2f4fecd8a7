/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * rdmapcap: reads captures of RDMA traffic. This file finds the command and hands over; the
 * commands are in cmd/, one a file.
 */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cmd/command.h"
#include "cmd/message.h"
#include "cmd/refused.h"

/* A capture that was opened in the place of a closed standard stream would be read as input or, far
 * worse, written to. Reading from these fails, and so does writing to them. */
static void occupy_standard_streams(void)
{
    int fd;

    do
        fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd > STDERR_FILENO)
        close(fd);
}

int main(int argc, char **argv)
{
    const struct command *command;

    occupy_standard_streams();
    /* writing then fails, and the exit status says so */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    refused_handle();
    if (argc < 2) {
        message_error("no command given; see: rdmapcap help");
        return STATUS_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)
        command = &cmd_version;
    else if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        command = &cmd_help;
    else
        command = command_find(argv[1]);
    if (command == NULL) {
        command_unknown(argv[1]);
        return STATUS_USAGE;
    }
    return (int)command->run(command, argc - 1, argv + 1);
}
