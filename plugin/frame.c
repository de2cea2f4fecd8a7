/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A frame as Wireshark holds it, decoded by the core (see frame.h).
 */
#include "plugin/frame.h"

#include <string.h>

#include "plugin/state.h"

#include <epan/epan.h>
#include <wiretap/wtap.h>

/* ------------------------------------------------------------------ the link type */

/* ERF records come without their header: its type says what is there (Endace ERF types). */
static uint32_t erf_linktype(uint8_t type)
{
    switch (type & 0x7f) {
    case 2:  /* ETH */
    case 11: /* COLOR_ETH */
    case 16: /* DSM_COLOR_ETH */
    case 20: /* COLOR_HASH_ETH */
        return RDC_LINKTYPE_ETHERNET;
    case 21: /* INFINIBAND */
        return RDC_LINKTYPE_INFINIBAND;
    case 22: /* IPV4 */
        return RDC_LINKTYPE_IPV4;
    case 23: /* IPV6 */
        return RDC_LINKTYPE_IPV6;
    case 25: /* INFINIBAND_LINK */
        return RDC_LINKTYPE_IB_LINK_PACKET;
    default:
        return UINT32_MAX;
    }
}

static uint32_t linktype_of(int encap, const union wtap_pseudo_header *header)
{
    switch (encap) {
    case WTAP_ENCAP_ETHERNET:
        return RDC_LINKTYPE_ETHERNET;
    case WTAP_ENCAP_RAW_IP:
        return RDC_LINKTYPE_RAW;
    case WTAP_ENCAP_RAW_IP4:
        return RDC_LINKTYPE_IPV4;
    case WTAP_ENCAP_RAW_IP6:
        return RDC_LINKTYPE_IPV6;
    case WTAP_ENCAP_NULL:
        return RDC_LINKTYPE_NULL;
    case WTAP_ENCAP_LOOP:
        return RDC_LINKTYPE_LOOP;
    case WTAP_ENCAP_SLL:
        return RDC_LINKTYPE_LINUX_SLL;
    case WTAP_ENCAP_SLL2:
        return RDC_LINKTYPE_LINUX_SLL2;
    case WTAP_ENCAP_IP_OVER_IB_PCAP:
        return RDC_LINKTYPE_IPOIB;
    case WTAP_ENCAP_INFINIBAND:
        return RDC_LINKTYPE_INFINIBAND;
    case WTAP_ENCAP_ERF:
        return erf_linktype(header->erf.phdr.type);
    default:
        return UINT32_MAX;
    }
}

/* ------------------------------------------------------------------ interfaces */

/* Ids begin anew in each section of a file; numbers go on: behind the highest that came before. */
static struct {
    uint32_t *first; /* number of a section's interface 0 */
    unsigned sections, room;
    uint32_t next;
} interfaces;

void frame_interfaces_reset(void)
{
    g_free(interfaces.first);
    memset(&interfaces, 0, sizeof(interfaces));
}

static unsigned section_of(const wtap_rec *rec)
{
    return (rec->presence_flags & WTAP_HAS_SECTION_NUMBER) != 0 ? rec->section_number : 0;
}

static void enter_section(unsigned section)
{
    if (section >= interfaces.room) {
        interfaces.room = section * 2 + 2;
        interfaces.first = g_renew(uint32_t, interfaces.first, interfaces.room);
    }
    while (interfaces.sections <= section)
        interfaces.first[interfaces.sections++] = interfaces.next;
}

static uint32_t interface_number(const wtap_rec *rec)
{
    unsigned section = section_of(rec);
    uint32_t number;

    if ((rec->presence_flags & WTAP_HAS_INTERFACE_ID) == 0)
        return 0;
    if (section >= interfaces.sections)
        enter_section(section);
    number = interfaces.first[section] + rec->rec_header.packet_header.interface_id;
    if (number >= interfaces.next)
        interfaces.next = number + 1;
    return number;
}

const char *frame_interface_name(const packet_info *pinfo)
{
    const wtap_rec *rec = pinfo->rec;
    const char *name;

    if ((rec->presence_flags & WTAP_HAS_INTERFACE_ID) == 0)
        return NULL;
#if WS_AT_LEAST(4, 4)
    name = epan_get_interface_name(pinfo->epan, rec->rec_header.packet_header.interface_id,
                                   section_of(rec));
#else
    if (section_of(rec) > 0)
        return NULL; /* it would be that of the first section */
    name = epan_get_interface_name(pinfo->epan, rec->rec_header.packet_header.interface_id);
#endif
    return name != NULL && strcmp(name, "unknown") != 0 ? name : NULL;
}

/* ------------------------------------------------------------------ the frame */

/* What does not fit becomes the nearest that does. */
static int64_t time_ns_of(const nstime_t *ts)
{
    const int64_t last_s = INT64_MAX / 1000000000;

    if (ts->secs >= last_s)
        return INT64_MAX;
    return ts->secs <= -last_s ? INT64_MIN : (int64_t)ts->secs * 1000000000 + ts->nsecs;
}

bool frame_decode(tvbuff_t *tvb, const packet_info *pinfo, struct rdc_packet *pkt)
{
    const wtap_rec *rec = pinfo->rec;
    unsigned captured = (unsigned)tvb_captured_length(tvb);
    struct rdc_input in = {.captured = captured,
                           .wire = (uint32_t)tvb_reported_length(tvb),
                           .time_ns = time_ns_of(&pinfo->abs_ts),
                           .fcs_size = -1};
    int encap;

    if (rec->rec_type != REC_TYPE_PACKET)
        return false;
    encap = rec->rec_header.packet_header.pkt_encap;
    in.linktype = linktype_of(encap, pinfo->pseudo_header);
    if (in.linktype == UINT32_MAX)
        return false;
    in.bytes = captured > 0 ? tvb_get_ptr(tvb, 0, (int)captured) : NULL;
    in.interface = interface_number(rec);
    if (encap == WTAP_ENCAP_ETHERNET && pinfo->pseudo_header->eth.fcs_len >= 0)
        in.fcs_size = (int8_t)pinfo->pseudo_header->eth.fcs_len;
    rdc_decode(&preferences.decode, &in, pkt);
    pkt->frame = pinfo->num;
    return true;
}
