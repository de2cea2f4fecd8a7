/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * rdmapcap help: the list of commands; help COMMAND is COMMAND --help.
 */
#include <string.h>

#include "cmd/message.h"
#include "cmd/output.h"

static enum exit_status show(void);

static enum exit_status run(const struct command *self, int argc, char **argv)
{
    const struct command *command = argc > 1 ? command_find(argv[1]) : self;
    char help[] = "--help";
    char *args[] = {argc > 1 ? argv[1] : help, help, NULL};

    if (argc > 2) {
        message_error("help: \"%s\" is one too many; name one command", argv[2]);
        return STATUS_USAGE;
    }
    if (command == self || strcmp(args[0], help) == 0 || strcmp(args[0], "-h") == 0)
        return show();
    if (command != NULL)
        return command->run(command, 2, args);
    command_unknown(argv[1]);
    return STATUS_USAGE;
}

static enum exit_status show(void)
{
    struct output out;

    output_open(&out);
    buffer_string(&out.buffer,
                  "Usage: rdmapcap COMMAND [OPTION...] FILE...\n\n"
                  "Reads captures of RDMA traffic (RoCEv2, RoCEv1, InfiniBand, iWARP) "
                  "and says\nwhat went wrong in them, how badly, and at which frames.\n"
                  "\nCommands:\n");
    for (size_t i = 0; commands[i] != NULL; i++)
        buffer_printf(&out.buffer, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
    buffer_string(&out.buffer,
                  "\nFILE is pcap or pcapng, plain or compressed (gz, zst, lz4); "
                  "- is standard input.\nWhere `rdmapcap version` names libwiretap, all "
                  "that Wireshark opens will do.\n"
                  "Several are one timeline; check judges each alone.\n\n"
                  "Exit status: 0 done, 1 check found a violation, 2 usage, 3 a FILE "
                  "can't be read\n(or the output not written), 4 check can't decide, "
                  "70 a bug of ours.\n"
                  "\nExample:\n  rdmapcap stats capture.pcapng\n"
                  "  rdmapcap help stats\n");
    return output_close(&out, STATUS_OK);
}

const struct command cmd_help = {
    .name = "help",
    .summary = "This list; help COMMAND tells about one.",
    .usage = "[COMMAND]",
    .run = run,
};
