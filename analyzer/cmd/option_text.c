/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * See option_text.h.
 */
#include "cmd/option_text.h"

char *option_text_reading(const struct options *options)
{
    GString *text = g_string_new(NULL);

    if (options->bpf != NULL) {
        char *quoted = g_shell_quote(options->bpf);

        g_string_append_printf(text, " --bpf %s", quoted);
        g_free(quoted);
    }
    if (options->limit != 0)
        g_string_append_printf(text, " --limit %" G_GUINT64_FORMAT, options->limit);
    for (size_t i = 0; i < options->decode.extra_port_count; i++)
        g_string_append_printf(text, " --rocev2-port %u", options->decode.extra_ports[i]);
    if (options->flow.reorder_window_ns != 0)
        g_string_append_printf(text, " --reorder-window %" G_GINT64_FORMAT "ns",
                               options->flow.reorder_window_ns);
    return g_string_free(text, FALSE);
}
