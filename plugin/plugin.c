/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What Wireshark looks for in a plugin's file.
 */
#include "plugin/plugin.h"

#include <epan/proto.h>
#include <epan/tap.h>

#if WS_AT_LEAST(4, 4)
#include <wsutil/plugins.h>
#endif

WS_DLL_PUBLIC_DEF const char plugin_version[] = RDMAPCAP_VERSION;
WS_DLL_PUBLIC_DEF const int plugin_want_major = WIRESHARK_VERSION_MAJOR;
WS_DLL_PUBLIC_DEF const int plugin_want_minor = WIRESHARK_VERSION_MINOR;

WS_DLL_PUBLIC void plugin_register(void);

WS_DLL_PUBLIC_DEF void plugin_register(void)
{
    static proto_plugin dissector = {dissector_register, dissector_handoff};
    static tap_plugin taps = {statistics_register};

    proto_register_plugin(&dissector);
    tap_register_plugin(&taps);
}

#if WS_AT_LEAST(4, 4)
WS_DLL_PUBLIC uint32_t plugin_describe(void);

WS_DLL_PUBLIC_DEF uint32_t plugin_describe(void)
{
    return WS_PLUGIN_DESC_DISSECTOR | WS_PLUGIN_DESC_TAP_LISTENER;
}
#endif
