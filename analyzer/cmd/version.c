/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * rdmapcap version: what is installed, for bug reports; names the libraries that it runs on.
 */
#include <glib.h>
#include <json-glib/json-glib.h>
#include <lz4.h>
#include <pcap/pcap.h>
#include <zlib.h>
#include <zstd.h>

#include "capture/source.h"
#include "cmd/options.h"
#include "cmd/output.h"

static enum exit_status show(void);

static enum exit_status run(const struct command *self, int argc, char **argv)
{
    enum exit_status status;
    struct options options;
    bool run_it = options_parse(&options, self, NULL, argc, argv, &status);

    options_done(&options);
    return run_it ? show() : status;
}

static enum exit_status show(void)
{
    const char *other = source_other_formats();
    struct output out;

    output_open(&out);
    buffer_printf(&out.buffer, "rdmapcap %s\n", RDMAPCAP_VERSION);
    buffer_printf(&out.buffer, "GLib %u.%u.%u\n", glib_major_version, glib_minor_version,
                  glib_micro_version);
    buffer_printf(&out.buffer, "JSON-GLib %s\n", JSON_VERSION_S);
    buffer_printf(&out.buffer, "%s\n", pcap_lib_version());
    buffer_printf(&out.buffer, "zlib %s\n", zlibVersion());
    buffer_printf(&out.buffer, "zstd %s\n", ZSTD_versionString());
    buffer_printf(&out.buffer, "lz4 %s\n", LZ4_versionString());
    if (other != NULL)
        buffer_printf(&out.buffer, "%s\n", other);
    return output_close(&out, STATUS_OK);
}

const struct command cmd_version = {
    .name = "version",
    .summary = "The version, and the libraries that it runs on.",
    .usage = "",
    .details = "For reports of bugs; --version is the same.\n",
    .example = "  rdmapcap version\n",
    .run = run,
};
