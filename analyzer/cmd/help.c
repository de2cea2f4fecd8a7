/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * rdmapcap help: the list of commands; help COMMAND is COMMAND --help.
 */
#include "cmd/message.h"
#include "cmd/output.h"

static enum exit_status run(const struct command *self, int argc, char **argv)
{
    const struct command *command = argc > 1 ? command_find(argv[1]) : NULL;
    struct output out;

    if (argc > 1 && command != NULL && command != self && command->formats != NULL) {
        char help[] = "--help";
        char *args[] = {argv[1], help, NULL};

        return command->run(command, 2, args);
    }
    if (argc > 1 && command == NULL) {
        message_error("help: no command \"%s\"; see: rdmapcap help", argv[1]);
        return STATUS_USAGE;
    }
    output_open(&out);
    buffer_string(&out.buffer,
                  "Usage: rdmapcap COMMAND [OPTION...] FILE...\n\n"
                  "Reads captures of RDMA traffic (RoCEv2, RoCEv1, InfiniBand, iWARP) "
                  "and says\nwhat went wrong in them, how badly, and at which frames.\n"
                  "\nCommands:\n");
    for (size_t i = 0; commands[i] != NULL; i++)
        buffer_printf(&out.buffer, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
    buffer_string(&out.buffer,
                  "\nFILE is pcap or pcapng, plain or compressed (gz, zst, lz4); - is "
                  "standard input.\nExit status: 0 done, 1 check found a violation, 2 "
                  "usage, 3 a FILE can't be read\n(or the output not written), 4 check "
                  "can't decide, 70 a bug of ours.\n"
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
