/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Wireshark's interface in the versions that are supported: 4.0 (GLib's types) and 4.4, 4.6 (C's).
 */
#ifndef PLUGIN_COMPAT_H
#define PLUGIN_COMPAT_H

#include <ws_version.h>

#include <wireshark.h>

#include <epan/packet.h>

#define WS_AT_LEAST(major, minor)                                                                  \
    (WIRESHARK_VERSION_MAJOR > (major) ||                                                          \
     (WIRESHARK_VERSION_MAJOR == (major) && WIRESHARK_VERSION_MINOR >= (minor)))

/* What callbacks return and what yes-or-no parameters are */
#if WS_AT_LEAST(4, 4)
typedef bool ws_bool;
typedef unsigned ws_uint;
#else
typedef gboolean ws_bool;
typedef guint ws_uint;
#endif

#endif
