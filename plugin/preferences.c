/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The preferences: what the user knows and the capture does not show. A change of any makes
 * Wireshark dissect the file again.
 */
#include "plugin/state.h"

#include <epan/prefs.h>

enum {
    MAX_PORT = 65535,
};

struct preferences preferences = {.info_column = TRUE};

/* The core takes a few single ports. */
static void apply(void)
{
    struct rdc_config *decode = &preferences.decode;
    const range_t *range = preferences.rocev2_ports;

    decode->extra_port_count = 0;
    for (unsigned i = 0; range != NULL && i < range->nranges; i++)
        for (uint32_t port = range->ranges[i].low; port <= range->ranges[i].high; port++)
            if (decode->extra_port_count < RDC_MAX_EXTRA_PORTS)
                decode->extra_ports[decode->extra_port_count++] = (uint16_t)port;
}

int64_t preferences_reorder_window_ns(void)
{
    return (int64_t)preferences.reorder_window_us * 1000;
}

void preferences_register(int protocol)
{
    module_t *module = prefs_register_protocol(protocol, apply);

    range_convert_str(wmem_epan_scope(), &preferences.rocev2_ports, "", MAX_PORT);
    prefs_register_range_preference(module, "rocev2.ports", "More UDP ports of RoCEv2",
                                    "UDP ports that carry RoCEv2 beside 4791 (up to eight)",
                                    &preferences.rocev2_ports, MAX_PORT);
    prefs_register_uint_preference(module, "link_rate", "Link rate (Gbit/s)",
                                   "Turns the quanta of pause frames into time; 0: not known", 10,
                                   &preferences.link_rate_gbps);
    prefs_register_uint_preference(
        module, "reorder_window", "Reorder window (microseconds)",
        "A packet that fills a gap within this time is late, later it is resent, where no IP "
        "identifications tell; 0: judge by the NAKs and pauses before it",
        10, &preferences.reorder_window_us);
    prefs_register_bool_preference(
        module, "info_column", "Show verdicts in the Info column",
        "Puts CNPs, RNR NAKs, retransmissions and the like into the Info column, and corrects what "
        "stands there wrongly: unknown opcodes, other protocols, malformed packets that are only "
        "cut by the snap length",
        &preferences.info_column);
}
