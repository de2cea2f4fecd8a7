/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Whole frames of every encapsulation, each summed up in a line, whole and at every cut.
 */
#include <stdio.h>

#include "support.h"

#include "rdc/packet.h"

enum {
    FRAME_ROOM = 4096,
    LINE_ROOM = 256,
};

/* Pieces of frames. Headers inside a tunnel have length 0 where they can: until the frame's end. */
#define MACS "020000000002 020000000001 "
#define OUTER_MACS "02000000000b 02000000000a "
#define ETHER_V4 MACS "0800 "
#define BTH "04 00 ffff 00 000011 00 000001 "
#define ICRC "deadbeef "
#define ROCE BTH "01020304 " ICRC /* 20 bytes */
#define UDP_ROCE "c000 12b7 001c 0000 " ROCE
#define V4_UDP "4568 0030 0007 4000 40 11 0000 0a000001 0a000002 "
#define V4 V4_UDP UDP_ROCE
#define V6_ADDRESSES "20010db8000000000000000000000001 20010db8000000000000000000000002 "
#define V6 "66800000 001c 11 40 " V6_ADDRESSES UDP_ROCE
#define OUTER_V4(protocol) "4502 0000 0000 0000 40 " protocol " 0000 c0a80001 c0a80002 "
#define OUTER_UDP(port) OUTER_V4("11") "d000 " port " 0000 0000 "
#define GIDS "fe800000000000000002c90300001f2d fe800000000000000002c90300001f2e "
#define GRH "60000000 0014 1b 01 " GIDS
#define TRAILER "000000000000"
#define SLL "0000 0001 0006 020000000001 0000 "
#define SLL2 " 0000 00000003 0001 00 06 020000000001 0000 "
#define ERF(type, rlen, wlen) "0011223344556677 " type " 04 " rlen " 0000 " wlen " "
#define LRH(lnh, length) "503" lnh " 0011 " length " 0012 "
#define VCRC "cafe"

/* the checksums of these frames are made up */
#define CHECKSUM_NOTES (RDC_NOTE_BIT(ICRC_BAD) | RDC_NOTE_BIT(VCRC_BAD) | RDC_NOTE_BIT(LPCRC_BAD))

#define ROCE_LINE "rocev2 10.0.0.1>10.0.0.2 49152>4791 0800"

static const struct row {
    const char *name;
    uint32_t linktype;
    const char *hex;
    size_t tail; /* bytes behind the last header that matters: cuts in them keep the line */
    const char *line;
} rows[] = {
    {"ethernet v4", 1, ETHER_V4 V4, 8, ROCE_LINE},
    {"ethernet v4 trailer", 1, ETHER_V4 V4 TRAILER, 14, ROCE_LINE},
    {"ethernet v6", 1, MACS "86dd " V6, 8, "rocev2 2001:>2001: 49152>4791 86dd"},
    {"vlan", 1, MACS "8100 6005 0800 " V4, 8, ROCE_LINE " vlan 5/3"},
    {"qinq", 1, MACS "88a8 a00a 8100 6005 0800 " V4, 8, ROCE_LINE " vlan 10/5 vlan 5/3"},
    {"9100 9200", 1, MACS "9100 a00a 9200 6005 0800 " V4, 8, ROCE_LINE " vlan 10/5 vlan 5/3"},
    {"csig", 1, MACS "9900 1234 0800 " V4, 8, ROCE_LINE},
    {"csig in vlan", 1, MACS "8100 6005 9900 1234 0800 " V4, 8, ROCE_LINE " vlan 5/3"},
    {"sll", 113, SLL "0800 " V4, 8, ROCE_LINE},
    {"sll vlan", 113, SLL "8100 6005 0800 " V4, 8, ROCE_LINE " vlan 5/3"},
    {"sll2", 276, "0800" SLL2 V4, 8, ROCE_LINE},
    {"null", 0, "02000000 " V4, 8, ROCE_LINE},
    {"null big-endian", 0, "00000002 " V4, 8, ROCE_LINE},
    {"null v6", 0, "1e000000 " V6, 8, "rocev2 2001:>2001: 49152>4791 86dd"},
    {"loop", 108, "00000002 " V4, 8, ROCE_LINE},
    {"raw 12", 12, V4, 8, ROCE_LINE},
    {"raw 14", 14, V4, 8, ROCE_LINE},
    {"raw 101", 101, V4, 8, ROCE_LINE},
    {"raw 101 v6", 101, V6, 8, "rocev2 2001:>2001: 49152>4791 86dd"},
    {"ipv4", 228, V4, 8, ROCE_LINE},
    {"ipv6", 229, V6, 8, "rocev2 2001:>2001: 49152>4791 86dd"},
    {"ipoib", 242, "00000000 0004 00 00" GIDS "0800 0000 " V4, 8, ROCE_LINE},
    {"erf ethernet", 197, ERF("02", "0050", "003e") "0000 " ETHER_V4 V4, 8, ROCE_LINE},
    {"erf infiniband", 197, ERF("15", "002e", "001e") LRH("2", "0007") ROCE VCRC, 10,
     "ib lid:18>lid:17 0>0 0000"},
    {"erf infiniband with extension", 197,
     ERF("95", "0036", "001e") "0100000000000000 " LRH("2", "0007") ROCE VCRC, 10,
     "ib lid:18>lid:17 0>0 0000"},
    {"erf link packet", 197, ERF("19", "0018", "0006") "0123 4567 0000 0000", 2,
     "ib 0>0 0000 flow_control"},
    {"erf other", 197, ERF("01", "0018", "0008") "0102030405060708", 8, "none 0>0 0000"},
    {"infiniband local", 247, LRH("2", "0007") ROCE VCRC, 10, "ib lid:18>lid:17 0>0 0000"},
    {"infiniband global", 247, LRH("3", "0011") GRH ROCE VCRC, 10, "ib fe80:>fe80: 0>0 0000"},
    {"infiniband raw", 247, LRH("0", "0005") "0000 0806 01020304 05060708" VCRC, 10,
     "ib lid:18>lid:17 0>0 0806 raw"},
    {"infiniband raw v6", 247, LRH("1", "0005") "600000000000000000000000" VCRC, 14,
     "ib lid:18>lid:17 0>0 86dd raw"},
    {"link packet", RDC_LINKTYPE_IB_LINK_PACKET, "0123 4567 0000", 0, "ib 0>0 0000 flow_control"},
    {"rocev1", 1, MACS "8915 " GRH ROCE, 8, "rocev1 fe80:>fe80: 0>0 8915"},
    {"rocev1 vlan trailer", 1, MACS "8100 6005 8915 " GRH ROCE TRAILER, 14,
     "rocev1 fe80:>fe80: 0>0 8915 vlan 5/3"},
    {"rocev1 without GRH", 1, MACS "8915 40" GRH ROCE, 21, "none 0>0 8915 refused 6 grh_version"},
    {"v4 options", 1, ETHER_V4 "4668 0034 0007 4000 40 11 0000 0a000001 0a000002 94040000" UDP_ROCE,
     8, ROCE_LINE},
    {"v6 extension headers", 1,
     MACS "86dd 66800000 0044 00 40 " V6_ADDRESSES "2b00050200000100 3c00000000000000 "
          "2c00010400000000 3300000000000007 1100000000000001 " UDP_ROCE,
     8, "rocev2 2001:>2001: 49152>4791 86dd"},
    {"first fragment", 1, ETHER_V4 "4568 0030 0007 2000 40 11 0000 0a000001 0a000002" UDP_ROCE, 8,
     ROCE_LINE " ip_fragment"},
    {"later fragment", 1, ETHER_V4 "4568 0030 0007 0010 40 11 0000 0a000001 0a000002" UDP_ROCE, 28,
     "none 10.0.0.1>10.0.0.2 0>0 0800 refused 5 ip_fragment"},
    {"udp to another port", 1, ETHER_V4 V4_UDP "12b7 0035 001c 0000" ROCE, 20,
     "none 10.0.0.1>10.0.0.2 4791>53 0800"},
    {"tcp", 1,
     ETHER_V4 "4500 0028 0000 0000 40 06 0000 0a000001 0a000002 "
              "c000 0801 00000001 00000000 5002 0000 0000 0000",
     0, "none 10.0.0.1>10.0.0.2 49152>2049 0800 tcp"},
    {"icmp", 1, ETHER_V4 "4500 0018 0000 0000 40 01 0000 0a000001 0a000002 08000000", 4,
     "none 10.0.0.1>10.0.0.2 0>0 0800"},
    {"arp", 1, MACS "0806 0001080006040001", 8, "none 0>0 0806"},
    {"802.3 length", 1, MACS "0026 424203000000", 6, "none 0>0 0000"},
    {"pause", 1, "0180c2000001 000000000000 8808 0001 ffff" TRAILER, 6,
     "macctrl 0>0 8808 pause pause_source"},
    {"pfc", 1, "0180c2000001 020000000001 8808 0101 0008 0000000000000fff0000000000000000", 0,
     "macctrl 0>0 8808 pfc 08"},
    {"mac control of another kind", 1, "0180c2000001 020000000001 8808 0002 ffff", 2,
     "none 0>0 8808 refused 7"},
    {"mpls v4", 1, MACS "8847 00064040 000c8140" V4, 8, ROCE_LINE " mpls 200"},
    {"mpls v6", 1, MACS "8848 000c8140" V6, 8, "rocev2 2001:>2001: 49152>4791 86dd mpls 200"},
    {"mpls ethernet", 1, OUTER_MACS "8847 000c8140 00000001" MACS "8100 6005 0800 " V4, 8,
     ROCE_LINE " vlan 5/3 mpls 200"},
    {"mpls ethernet without control word", 1, OUTER_MACS "8847 000c8140 " ETHER_V4 V4, 8,
     ROCE_LINE " mpls 200"},
    {"gre", 1, OUTER_MACS "0800 " OUTER_V4("2f") "0000 0800" V4, 8, ROCE_LINE " gre e2"},
    {"gre key v6", 1, OUTER_MACS "0800 " OUTER_V4("2f") "2000 86dd 00000063" V6, 8,
     "rocev2 2001:>2001: 49152>4791 86dd gre 99 e2"},
    {"gre mpls", 1, OUTER_MACS "0800 " OUTER_V4("2f") "0000 8847 000c8140" V4, 8,
     ROCE_LINE " gre e2 mpls 200"},
    {"gre vlan", 1, OUTER_MACS "0800 " OUTER_V4("2f") "0000 8100 6005 0800" V4, 8,
     ROCE_LINE " vlan 5/3 gre e2"},
    {"nvgre", 1, OUTER_MACS "0800 " OUTER_V4("2f") "2000 6558 00138901" ETHER_V4 V4, 8,
     ROCE_LINE " nvgre 5001 e2"},
    {"erspan I", 1, OUTER_MACS "0800 " OUTER_V4("2f") "0000 88be" ETHER_V4 V4, 8,
     ROCE_LINE " erspan e2"},
    {"erspan II", 1,
     OUTER_MACS "0800 " OUTER_V4("2f") "1000 88be 00000001 1005 004d 00000000" MACS
                                       "8100 6005 0800 " V4,
     8, ROCE_LINE " vlan 5/3 erspan 77 e2"},
    {"erspan III", 1,
     OUTER_MACS "0800 " OUTER_V4("2f") "1000 22eb 00000001 "
                                       "2005 004d 00000000 00000000" ETHER_V4 V4,
     8, ROCE_LINE " erspan 77 e2"},
    {"erspan III platform", 1,
     OUTER_MACS "0800 " OUTER_V4("2f") "1000 22eb 00000001 "
                                       "2005 004d 00000000 00000001 0102030405060708" ETHER_V4 V4,
     8, ROCE_LINE " erspan 77 e2"},
    {"erspan III ip", 1,
     OUTER_MACS "0800 " OUTER_V4("2f") "1000 22eb 00000001 "
                                       "2005 004d 00000000 00000800 " V4,
     8, ROCE_LINE " erspan 77 e2"},
    {"erspan of a pause", 1,
     OUTER_MACS
     "0800 " OUTER_V4("2f") "1000 88be 00000001 "
                            "1005 004d 00000000 0180c2000001 020000000001 8808 0001 ffff",
     0, "macctrl 192.168.0.1>192.168.0.2 0>0 8808 erspan 77 e2 pause"},
    {"vxlan", 1, OUTER_MACS "0800 " OUTER_UDP("12b5") "08000000 00138900" ETHER_V4 V4, 8,
     ROCE_LINE " vxlan 5001 e2"},
    {"vxlan 8472", 1, OUTER_MACS "0800 " OUTER_UDP("2118") "08000000 00138900" ETHER_V4 V4, 8,
     ROCE_LINE " vxlan 5001 e2"},
    {"vxlan rocev1", 1,
     OUTER_MACS "0800 " OUTER_UDP("12b5") "08000000 00138900" MACS "8915 " GRH ROCE, 8,
     "rocev1 fe80:>fe80: 0>0 8915 vxlan 5001 e2"},
    {"vxlan arp", 1, OUTER_MACS "0800 " OUTER_UDP("12b5") "08000000 00138900" MACS "0806 0001", 2,
     "none 192.168.0.1>192.168.0.2 53248>4789 0806 vxlan 5001 e2"},
    {"geneve", 1,
     OUTER_MACS "0800 " OUTER_UDP("17c1") "0240 6558 00138900 0102800100000001" ETHER_V4 V4, 8,
     ROCE_LINE " geneve 5001 e2"},
    {"geneve v4", 1, OUTER_MACS "0800 " OUTER_UDP("17c1") "0000 0800 00138900 " V4, 8,
     ROCE_LINE " geneve 5001 e2"},
    {"ip in ip", 1, OUTER_MACS "0800 " OUTER_V4("04") V4, 8, ROCE_LINE " ipip e2"},
    {"v6 in v4", 1, OUTER_MACS "0800 " OUTER_V4("29") V6, 8,
     "rocev2 2001:>2001: 49152>4791 86dd ipip e2"},
    {"v4 in v6", 1, OUTER_MACS "86dd 60100000 0000 04 40 " V6_ADDRESSES V4, 8,
     ROCE_LINE " ipip e1"},
    {"vxlan in gre in vlan", 1,
     OUTER_MACS "8100 6007 0800 " OUTER_V4("2f") "2000 0800 00000009 " OUTER_UDP(
         "12b5") "08000000 00138900" MACS "8100 6005 0800 " V4,
     8, ROCE_LINE " vlan 7/3 vlan 5/3 gre 9 e2 vxlan 5001 e2"},
    {"mirror that cuts", 1,
     ETHER_V4 "4568 0430 0007 4000 40 11 0000 0a000001 0a000002 "
              "c000 12b7 041c 0000 " BTH "0102",
     2, ROCE_LINE " length_mismatch"},
    {"unknown link type", 105, "0102030405060708", 8, "none 0>0 0000"},
};

static void append_address(char *line, const struct rdc_packet *pkt, const uint8_t *a)
{
    char *end = line + strlen(line);
    size_t room = LINE_ROOM - strlen(line);

    if (pkt->address_kind == RDC_ADDRESS_IPV4)
        snprintf(end, room, "%u.%u.%u.%u", a[0], a[1], a[2], a[3]);
    else if (pkt->address_kind == RDC_ADDRESS_LID)
        snprintf(end, room, "lid:%u", (unsigned)(a[0] << 8 | a[1]));
    else
        snprintf(end, room, "%02x%02x:", a[0], a[1]);
}

static void append_kind(char *line, const struct rdc_packet *pkt)
{
    char *end = line + strlen(line);
    size_t room = LINE_ROOM - strlen(line);

    if (pkt->kind == RDC_KIND_BTH)
        assert_true(pkt->transport == RDC_TRANSPORT_NONE || pkt->ib.bth.dest_qpn == 0x11);
    if (pkt->kind == RDC_KIND_TCP)
        snprintf(end, room, " tcp");
    else if (pkt->kind == RDC_KIND_RAW)
        snprintf(end, room, " raw");
    else if (pkt->kind == RDC_KIND_FLOW_CONTROL)
        snprintf(end, room, " flow_control");
    else if (pkt->kind == RDC_KIND_PAUSE && pkt->pause.pfc)
        snprintf(end, room, " pfc %02x", pkt->pause.enabled);
    else if (pkt->kind == RDC_KIND_PAUSE)
        snprintf(end, room, " pause");
}

/* What the rows expect, in one line. Notes about cut headers and of the transport are left out. */
static void sum_up(const struct rdc_packet *pkt, char line[LINE_ROOM])
{
    const char *transport = rdc_transport_name(pkt->transport);
    rdc_notes notes = pkt->notes & ~(CHECKSUM_NOTES | RDC_NOTE_BIT(HEADER_TRUNCATED));

    snprintf(line, LINE_ROOM, "%s ", transport != NULL ? transport : "none");
    if (pkt->address_kind != RDC_ADDRESS_NONE) {
        append_address(line, pkt, pkt->src);
        strcat(line, ">");
        append_address(line, pkt, pkt->dst);
        strcat(line, " ");
    }
    snprintf(line + strlen(line), LINE_ROOM - strlen(line), "%u>%u %04x", pkt->src_port,
             pkt->dst_port, pkt->ethertype);
    for (int i = 0; i < pkt->vlan_count; i++)
        snprintf(line + strlen(line), LINE_ROOM - strlen(line), " vlan %u/%u", pkt->vlans[i].id,
                 pkt->vlans[i].pcp);
    for (int i = 0; i < pkt->tunnel_count; i++) {
        const struct rdc_tunnel *t = &pkt->tunnels[i];

        snprintf(line + strlen(line), LINE_ROOM - strlen(line), " %s", rdc_tunnel_name(t->kind));
        if (t->has_id)
            snprintf(line + strlen(line), LINE_ROOM - strlen(line), " %u", t->id);
        if (t->ecn != 0)
            snprintf(line + strlen(line), LINE_ROOM - strlen(line), " e%u", t->ecn);
    }
    append_kind(line, pkt);
    if (pkt->refusal != RDC_REFUSAL_NONE)
        snprintf(line + strlen(line), LINE_ROOM - strlen(line), " refused %u", pkt->refusal);
    for (int i = 0; i < RDC_NOTE_COUNT; i++)
        if ((notes >> i & 1) != 0)
            snprintf(line + strlen(line), LINE_ROOM - strlen(line), " %s", rdc_note_table[i].id);
}

static struct rdc_packet decode(const uint8_t *bytes, size_t captured, size_t wire,
                                uint32_t linktype, uint8_t rubbish)
{
    const struct rdc_config config = {0};
    const struct rdc_input in = {
        .bytes = bytes,
        .captured = (uint32_t)captured,
        .wire = (uint32_t)wire,
        .linktype = linktype,
        .interface = 3,
        .time_ns = 1234567890123456789,
        .fcs_size = -1,
    };
    struct rdc_packet pkt;

    memset(&pkt, rubbish, sizeof(pkt));
    rdc_decode(&config, &in, &pkt);
    assert_int_equal(pkt.frame & 0xff, rubbish);
    assert_int_equal(pkt.time_ns, in.time_ns);
    assert_int_equal(pkt.interface, 3);
    assert_int_equal(pkt.linktype, linktype);
    return pkt;
}

static void check_cut(const uint8_t *bytes, size_t captured, size_t wire, void *arg)
{
    const struct row *r = arg;
    struct rdc_packet a = decode(bytes, captured, wire, r->linktype, 0x00);
    struct rdc_packet b = decode(bytes, captured, wire, r->linktype, 0xff);
    char line[LINE_ROOM], other[LINE_ROOM];

    sum_up(&a, line);
    sum_up(&b, other);
    assert_string_equal(line, other);
    assert_int_equal(a.layers, b.layers);
    assert_int_equal(a.has_mac, b.has_mac);
    assert_int_equal(a.truncated, b.truncated);
    if (a.kind == RDC_KIND_BTH) {
        assert_int_equal(a.ib.payload_captured, b.ib.payload_captured);
        assert_true(a.ib.payload_captured <= captured);
    }
    if (captured + r->tail >= wire) {
        assert_string_equal(line, r->line);
        return;
    }
    assert_true(a.kind == RDC_KIND_OTHER || a.kind == RDC_KIND_RAW || a.kind == RDC_KIND_TCP);
    assert_true((a.notes & RDC_NOTE_BIT(HEADER_TRUNCATED)) != 0);
}

static void each_row(void **state)
{
    (void)state;
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        struct row row = rows[i];
        uint8_t bytes[FRAME_ROOM];
        size_t size = support_hex(row.hex, bytes, sizeof(bytes));

        print_message("%s\n", row.name);
        support_each_cut(bytes, size, check_cut, &row);
    }
}

/* Cut by its sender at every length, or with any one byte changed, no frame leads out of its bytes.
 */
static void damage(void **state)
{
    static const uint8_t values[] = {0x00, 0x01, 0x45, 0x60, 0x7f, 0x80, 0xff};

    (void)state;
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        uint8_t bytes[FRAME_ROOM];
        size_t size = support_hex(rows[i].hex, bytes, sizeof(bytes));

        for (size_t at = 0; at < size; at++) {
            uint8_t *copy = support_copy(bytes, at);

            decode(copy, at, at, rows[i].linktype, 0xff);
            support_free(copy, at);
            copy = support_copy(bytes, size);
            for (size_t v = 0; v < SUPPORT_COUNT(values); v++) {
                copy[at] = values[v];
                decode(copy, size, size + v, rows[i].linktype, 0xff);
            }
            support_free(copy, size);
        }
    }
}

static void no_bytes(void **state)
{
    static const uint32_t linktypes[] = {0,   1,   12,  14,  101,
                                         105, 108, 113, 197, 228,
                                         229, 242, 247, 276, RDC_LINKTYPE_IB_LINK_PACKET};

    (void)state;
    for (size_t i = 0; i < SUPPORT_COUNT(linktypes); i++) {
        bool known = rdc_linktype_name(linktypes[i]) != NULL;
        struct rdc_packet pkt = decode(NULL, 0, 0, linktypes[i], 0xff);

        assert_int_equal(pkt.kind, RDC_KIND_OTHER);
        assert_int_equal(pkt.wire_size, 0);
        assert_int_equal(pkt.captured_size, 0);
        assert_false(pkt.truncated);
        assert_int_equal(pkt.notes, known ? RDC_NOTE_BIT(HEADER_MALFORMED) : 0);
        pkt = decode(NULL, 0, 60, linktypes[i], 0xff);
        assert_int_equal(pkt.kind, RDC_KIND_OTHER);
        assert_true(pkt.truncated);
        assert_int_equal(pkt.notes, known ? RDC_NOTE_BIT(HEADER_TRUNCATED) : 0);
    }
}

static void more_captured_than_sent(void **state)
{
    uint8_t bytes[FRAME_ROOM];
    size_t size = support_hex(ETHER_V4 V4, bytes, sizeof(bytes));
    uint8_t *copy = support_copy(bytes, size);
    struct rdc_packet pkt = decode(copy, size, 10, RDC_LINKTYPE_ETHERNET, 0xff);
    char line[LINE_ROOM];

    (void)state;
    sum_up(&pkt, line);
    assert_string_equal(line, ROCE_LINE);
    assert_int_equal(pkt.wire_size, size);
    assert_int_equal(pkt.captured_size, size);
    assert_false(pkt.truncated);
    support_free(copy, size);
}

/* Frames of one header over and over */
static void without_end(void **state)
{
    static const struct {
        const char *start, *again;
        uint32_t linktype;
    } endless[] = {
        {MACS "8100 ", "6005 8100 ", 1},
        {MACS "9900 ", "6005 9900 ", 1},
        {MACS "8847 ", "00064040 ", 1},
        {"", OUTER_V4("04"), 101},
        {"", OUTER_V4("2f") "0000 0800 ", 101},
        {"", OUTER_UDP("12b5") "08000000 00138900" MACS "0800 ", 101},
        {"", OUTER_UDP("17c1") "0000 0800 00138900 ", 101},
        {"", "60000000 0000 29 40 " V6_ADDRESSES, 229},
        {"60000000 0000 00 40 " V6_ADDRESSES, "0000010400000000 ", 229},
        {"60000000 0000 2c 40 " V6_ADDRESSES, "2c00000000000000 ", 229},
        {"", OUTER_V4("2f") "1000 22eb 00000001 2005 004d 00000000 00000800 ", 101},
    };

    (void)state;
    for (size_t i = 0; i < SUPPORT_COUNT(endless); i++) {
        uint8_t bytes[FRAME_ROOM];
        size_t size = support_hex(endless[i].start, bytes, sizeof(bytes));
        struct rdc_packet pkt;
        uint8_t *copy;

        for (int n = 0; n < RDC_MAX_LAYERS + 4; n++)
            size += support_hex(endless[i].again, bytes + size, sizeof(bytes) - size);
        copy = support_copy(bytes, size);
        pkt = decode(copy, size, size, endless[i].linktype, 0xff);
        assert_int_equal(pkt.kind, RDC_KIND_OTHER);
        assert_true((pkt.notes & RDC_NOTE_BIT(DEPTH)) != 0);
        assert_true(pkt.vlan_count <= RDC_MAX_VLANS);
        assert_true(pkt.tunnel_count <= RDC_MAX_TUNNELS);
        support_free(copy, size);
    }
}

/* As many layers as are allowed: Ethernet, tags, IPv4, UDP, BTH */
static void deepest(void **state)
{
    (void)state;
    for (int tags = RDC_MAX_LAYERS - 4; tags <= RDC_MAX_LAYERS - 3; tags++) {
        uint8_t bytes[FRAME_ROOM];
        size_t size = support_hex(MACS "9900 ", bytes, sizeof(bytes));
        struct rdc_packet pkt;

        for (int n = 1; n < tags; n++)
            size += support_hex("0000 9900", bytes + size, sizeof(bytes) - size);
        size += support_hex("0000 0800 " V4, bytes + size, sizeof(bytes) - size);
        pkt = decode(bytes, size, size, RDC_LINKTYPE_ETHERNET, 0xff);
        assert_int_equal(pkt.kind, tags == RDC_MAX_LAYERS - 4 ? RDC_KIND_BTH : RDC_KIND_OTHER);
        assert_int_equal(pkt.notes & ~CHECKSUM_NOTES,
                         tags == RDC_MAX_LAYERS - 4 ? 0 : RDC_NOTE_BIT(DEPTH));
    }
}

static void extra_ports(void **state)
{
    const struct rdc_config config = {
        .extra_ports = {5000, 4789}, .extra_port_count = 2, .skip_checksums = true};
    uint8_t bytes[FRAME_ROOM];
    size_t size = support_hex(ETHER_V4 V4_UDP "0045 1388 001c 0000" ROCE, bytes, sizeof(bytes));
    struct rdc_input in = {.bytes = bytes,
                           .captured = (uint32_t)size,
                           .wire = (uint32_t)size,
                           .linktype = RDC_LINKTYPE_ETHERNET,
                           .fcs_size = -1};
    struct rdc_packet pkt;

    (void)state;
    rdc_decode(&config, &in, &pkt);
    assert_int_equal(pkt.transport, RDC_TRANSPORT_ROCEV2);
    assert_int_equal(pkt.src_port, 69);
    assert_int_equal(pkt.dst_port, 5000);
    bytes[36] = 0x12; /* 4789: asked for, so no VXLAN */
    bytes[37] = 0xb5;
    rdc_decode(&config, &in, &pkt);
    assert_int_equal(pkt.transport, RDC_TRANSPORT_ROCEV2);
    bytes[37] = 0xb6;
    rdc_decode(&config, &in, &pkt);
    assert_int_equal(pkt.transport, RDC_TRANSPORT_NONE);
}

static void frame_check_sequence(void **state)
{
    const struct rdc_config config = {.skip_checksums = true};
    uint8_t bytes[FRAME_ROOM];
    /* lengths of 0: only the frame's end bounds the packet */
    size_t size = support_hex(
        ETHER_V4 "4568 0000 0007 4000 40 11 0000 0a000001 0a000002 c000 12b7 0000 0000 " ROCE
                 "11223344",
        bytes, sizeof(bytes));
    struct rdc_input in = {.bytes = bytes,
                           .captured = (uint32_t)size,
                           .wire = (uint32_t)size,
                           .linktype = RDC_LINKTYPE_ETHERNET};
    struct rdc_packet pkt;

    (void)state;
    rdc_decode(&config, &in, &pkt);
    assert_int_equal(pkt.ib.payload_size, 8);
    in.fcs_size = -1;
    rdc_decode(&config, &in, &pkt);
    assert_int_equal(pkt.ib.payload_size, 8);
    in.fcs_size = 4;
    rdc_decode(&config, &in, &pkt);
    assert_int_equal(pkt.ib.payload_size, 4);
    assert_int_equal(pkt.wire_size, size);
    in.captured -= 2;
    rdc_decode(&config, &in, &pkt);
    assert_int_equal(pkt.ib.payload_size, 4);
    assert_int_equal(pkt.ib.payload_captured, 4);
    in.captured = 3;
    in.wire = 3;
    rdc_decode(&config, &in, &pkt);
    assert_int_equal(pkt.kind, RDC_KIND_OTHER);
}

/* The VCRC counts as captured only where both its bytes are there. */
static void variant_crc(void **state)
{
    uint8_t bytes[FRAME_ROOM];
    size_t size = support_hex(LRH("2", "0007") ROCE VCRC, bytes, sizeof(bytes));

    (void)state;
    for (size_t cut = 0; cut < 4; cut++) {
        uint8_t *copy = support_copy(bytes, size - cut);
        struct rdc_packet pkt = decode(copy, size - cut, size, RDC_LINKTYPE_INFINIBAND, 0xff);

        assert_int_equal(pkt.kind, RDC_KIND_BTH);
        assert_int_equal(pkt.ib.vcrc_check, cut == 0 ? RDC_CHECK_BAD : RDC_CHECK_TRUNCATED);
        assert_int_equal(pkt.ib.icrc_check, cut < 3 ? RDC_CHECK_BAD : RDC_CHECK_TRUNCATED);
        support_free(copy, size - cut);
    }
}

/* A fragment, be it of an outer packet, has not all bytes of the ICRC. */
static void fragments(void **state)
{
    static const struct {
        const char *hex;
        enum rdc_check check;
    } frames[] = {
        {"4568 0030 0007 4000 40 11 0000 0a000001 0a000002 " UDP_ROCE, RDC_CHECK_BAD},
        {"4568 0030 0007 2000 40 11 0000 0a000001 0a000002 " UDP_ROCE, RDC_CHECK_FRAGMENT},
        {"4500 0000 0000 2000 40 2f 0000 c0a80001 c0a80002 0000 0800 " V4, RDC_CHECK_FRAGMENT},
        {"6b800000 0024 2c 40 " V6_ADDRESSES "1100000000000007" UDP_ROCE, RDC_CHECK_BAD},
        {"6b800000 0024 2c 40 " V6_ADDRESSES "1100000100000007" UDP_ROCE, RDC_CHECK_FRAGMENT},
    };

    (void)state;
    for (size_t i = 0; i < SUPPORT_COUNT(frames); i++) {
        uint8_t bytes[FRAME_ROOM];
        size_t size = support_hex(frames[i].hex, bytes, sizeof(bytes));
        struct rdc_packet pkt = decode(bytes, size, size, RDC_LINKTYPE_RAW, 0xff);

        assert_int_equal(pkt.kind, RDC_KIND_BTH);
        assert_int_equal(pkt.ib.icrc_check, frames[i].check);
    }
}

static void vlans_and_macs(void **state)
{
    uint8_t bytes[FRAME_ROOM];
    size_t size =
        support_hex(OUTER_MACS "88a8 b00a 0800 " OUTER_UDP("12b5") "08000000 00138900" MACS
                                                                   "8100 6005 0800 " V4,
                    bytes, sizeof(bytes));
    struct rdc_packet pkt = decode(bytes, size, size, RDC_LINKTYPE_ETHERNET, 0xff);

    (void)state;
    assert_memory_equal(pkt.src_mac, "\x02\0\0\0\0\x01", 6);
    assert_memory_equal(pkt.dst_mac, "\x02\0\0\0\0\x02", 6);
    assert_int_equal(pkt.vlan_count, 2);
    assert_int_equal(pkt.vlans[0].tpid, 0x88a8);
    assert_true(pkt.vlans[0].dei);
    assert_int_equal(pkt.vlans[1].tpid, 0x8100);
    assert_int_equal(pkt.layers, 1u << RDC_LAYER_ETHERNET | 1u << RDC_LAYER_VLAN |
                                     1u << RDC_LAYER_IPV4 | 1u << RDC_LAYER_UDP |
                                     1u << RDC_LAYER_VXLAN);
    assert_int_equal(pkt.ip.dscp, 26);
    assert_int_equal(pkt.ip.id, 7);
}

static void credits_checksum(void **state)
{
    const struct rdc_config config = {0};
    uint8_t bytes[6] = {0x01, 0x23, 0x45, 0x67, 0, 0};
    struct rdc_input in = {
        .bytes = bytes, .captured = 6, .wire = 6, .linktype = RDC_LINKTYPE_IB_LINK_PACKET};
    struct rdc_packet pkt;
    uint16_t good = 0;
    unsigned count = 0;

    (void)state;
    for (unsigned lpcrc = 0; lpcrc < 0x10000; lpcrc++) {
        bytes[4] = (uint8_t)lpcrc;
        bytes[5] = (uint8_t)(lpcrc >> 8);
        rdc_decode(&config, &in, &pkt);
        assert_int_equal(pkt.kind, RDC_KIND_FLOW_CONTROL);
        if ((pkt.notes & RDC_NOTE_BIT(LPCRC_BAD)) == 0) {
            good = (uint16_t)lpcrc;
            count++;
        }
    }
    assert_int_equal(count, 1);
    assert_int_equal(pkt.flow_control.fctbs, 0x123);
    assert_int_equal(pkt.flow_control.vl, 4);
    assert_int_equal(pkt.flow_control.fccl, 0x567);
    assert_int_not_equal(good, 0);
}

/* The difference of any two times that come out fits into 64 bits. */
static void times_beyond_belief(void **state)
{
    static const struct {
        int64_t in, out;
    } times[] = {
        {INT64_MAX, RDC_TIME_LAST_NS},
        {RDC_TIME_LAST_NS + 1, RDC_TIME_LAST_NS},
        {INT64_MIN, RDC_TIME_FIRST_NS},
        {RDC_TIME_FIRST_NS - 1, RDC_TIME_FIRST_NS},
        {-1, -1},
        {4294967295999999999, 4294967295999999999},
    };
    const struct rdc_config config = {0};

    (void)state;
    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
        const struct rdc_input in = {.linktype = RDC_LINKTYPE_ETHERNET, .time_ns = times[i].in};
        struct rdc_packet pkt;

        rdc_decode(&config, &in, &pkt);
        assert_true(pkt.time_ns == times[i].out);
    }
    assert_true(RDC_TIME_LAST_NS - RDC_TIME_FIRST_NS > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_row),
        cmocka_unit_test(damage),
        cmocka_unit_test(no_bytes),
        cmocka_unit_test(more_captured_than_sent),
        cmocka_unit_test(without_end),
        cmocka_unit_test(deepest),
        cmocka_unit_test(extra_ports),
        cmocka_unit_test(frame_check_sequence),
        cmocka_unit_test(variant_crc),
        cmocka_unit_test(fragments),
        cmocka_unit_test(vlans_and_macs),
        cmocka_unit_test(credits_checksum),
        cmocka_unit_test(times_beyond_belief),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
