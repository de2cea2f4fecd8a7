/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The names of connections and of their ends (see connections.h).
 */
#include <arpa/inet.h>
#include <glib.h>

#include "analysis/connections.h"

/* RFC 5952 for IPv6 and GIDs */
void connection_address_text(const struct flow_endpoint *end, char *text, size_t size)
{
    if (end->address_kind == RDC_ADDRESS_LID)
        g_snprintf(text, size, "lid:%u", (unsigned)end->address[0] << 8 | end->address[1]);
    else if (inet_ntop(end->address_kind == RDC_ADDRESS_IPV4 ? AF_INET : AF_INET6, end->address,
                       text, (socklen_t)size) == NULL)
        g_strlcpy(text, "?", size);
}

const char *connection_service_name(const struct flow_connection *c)
{
    if (c->transport == RDC_TRANSPORT_IWARP)
        return "iwarp";
    return rdc_service_name((enum rdc_service)c->service);
}

void connection_endpoint_text(const struct flow_endpoint *end, char *text, size_t size)
{
    char address[INET6_ADDRSTRLEN];

    connection_address_text(end, address, sizeof(address));
    if (end->has_port)
        g_snprintf(text, size, "%s port %u", address, end->port);
    else if (end->qpn_known)
        g_snprintf(text, size, "%s qp %u", address, end->qpn);
    else
        g_snprintf(text, size, "%s qp ?", address);
}
