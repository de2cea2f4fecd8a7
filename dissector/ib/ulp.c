/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which upper protocol a service id or port suggests. SRP is not here: its service ids are GUIDs.
 */
#include "rdc/cm.h"

#include <stddef.h>

/* Well known ports, and the defaults of common programs */
static const struct {
    uint16_t port;
    const char *name;
} ports[] = {
    {445, "SMB Direct"},
    {860, "iSER"},
    {987, "Lustre"},
    {1234, "RTRS"},
    {2049, "NFS/RDMA"},
    {3260, "iSER"},
    {4420, "NVMe-oF"},
    {5445, "SMB Direct"},
    {5640, "9P"},
    {7174, "rping"},
    {7471, "librdmacm example"},
    {8009, "NVMe-oF"},
    {16385, "RDS"},
    {18515, "perftest"},
    {18634, "RDS"},
    {20049, "NFS/RDMA"},
    {24008, "GlusterFS"},
};

enum {
    PROTOCOL_TCP = 6,
};

#define IP_PREFIX_MASK UINT64_C(0xffffffffff000000)
#define IP_PREFIX UINT64_C(0x0000000001000000)
#define SDP_PREFIX_MASK UINT64_C(0xffffffffffff0000)
#define SDP_PREFIX UINT64_C(0x0000000000010000)
#define IPOIB_PREFIX UINT64_C(0x1000000000000000)

bool rdc_service_ip_port(uint64_t service_id, uint8_t *protocol, uint16_t *port)
{
    if ((service_id & IP_PREFIX_MASK) != IP_PREFIX)
        return false;
    if (protocol != NULL)
        *protocol = (uint8_t)(service_id >> 16);
    if (port != NULL)
        *port = (uint16_t)service_id;
    return true;
}

const char *rdc_ulp_name(uint64_t service_id)
{
    uint8_t protocol;
    uint16_t port;

    if ((service_id & SDP_PREFIX_MASK) == SDP_PREFIX) /* annex A4.5 */
        return "SDP";
    if ((service_id & IP_PREFIX_MASK) == IPOIB_PREFIX) /* connected mode, RFC 4755, 3.2 */
        return "IPoIB";
    if (!rdc_service_ip_port(service_id, &protocol, &port) || protocol != PROTOCOL_TCP)
        return NULL;
    return rdc_ulp_port_name(port);
}

const char *rdc_ulp_port_name(uint16_t port)
{
    for (size_t i = 0; i < sizeof ports / sizeof ports[0]; i++)
        if (ports[i].port == port)
            return ports[i].name;
    return NULL;
}
