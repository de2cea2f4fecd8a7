/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One captured frame in, one plain struct out: the door of the decoding core.
 *
 * struct rdc_packet holds values in host order and, for payloads, borrowed pointers into the frame
 * that stay valid as long as the frame's bytes do. It can be copied, stored and compared. It is not
 * cleared as a whole: a member is set only where the text beside it says so.
 */
#ifndef RDC_PACKET_H
#define RDC_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rdc/ib.h"
#include "rdc/note.h"
#include "rdc/status.h"

/* The link types (LINKTYPE_*, www.tcpdump.org/linktypes) that are decoded */
enum rdc_linktype {
    RDC_LINKTYPE_NULL = 0,
    RDC_LINKTYPE_ETHERNET = 1,
    RDC_LINKTYPE_RAW_OLD = 12, /* DLT_RAW as some systems write it; 14 on OpenBSD */
    RDC_LINKTYPE_RAW_BSD = 14,
    RDC_LINKTYPE_RAW = 101,
    RDC_LINKTYPE_LOOP = 108,
    RDC_LINKTYPE_LINUX_SLL = 113,
    RDC_LINKTYPE_ERF = 197,
    RDC_LINKTYPE_IPV4 = 228,
    RDC_LINKTYPE_IPV6 = 229,
    RDC_LINKTYPE_IPOIB = 242,
    RDC_LINKTYPE_INFINIBAND = 247,
    RDC_LINKTYPE_LINUX_SLL2 = 276,
    /* private: what libwiretap hands over after it has taken an ERF record header away */
    RDC_LINKTYPE_IB_LINK_PACKET = 0x10019,
};

/* What the decoder believes of a time: 1896 to 2116. Times before or after are taken for the first
 * and the last, so that the difference of any two fits into 64 bits. */
#define RDC_TIME_FIRST_NS (-((int64_t)1 << 61))
#define RDC_TIME_LAST_NS ((int64_t)1 << 62)

/* A frame as it comes from a capture. Bytes are borrowed. */
struct rdc_input {
    const uint8_t *bytes;
    uint32_t captured;  /* bytes that are there */
    uint32_t wire;      /* bytes that the frame had; smaller than `captured` counts as `captured` */
    uint32_t linktype;  /* enum rdc_linktype, or any other number (then nothing is decoded) */
    uint32_t interface; /* 0-based id within the capture */
    int64_t time_ns;    /* since the epoch, any */
    int8_t fcs_size;    /* bytes of frame check sequence at the frame's end: 0, 4, or -1 unknown */
};

enum {
    RDC_ROCEV2_PORT = 4791,
    RDC_MAX_EXTRA_PORTS = 8,
    RDC_MAX_VLANS = 4,
    RDC_MAX_TUNNELS = 4,
    RDC_MAX_LAYERS = 24, /* headers peeled before the decoder gives up (note "too_deep") */
};

struct rdc_config {
    uint16_t extra_ports[RDC_MAX_EXTRA_PORTS]; /* UDP ports that are RoCEv2 beside 4791 */
    uint8_t extra_port_count;
    bool skip_checksums; /* leave ICRC, VCRC, LPCRC unchecked: RDC_CHECK_SKIPPED */
};

enum rdc_transport {
    RDC_TRANSPORT_NONE, /* no RDMA */
    RDC_TRANSPORT_IB,
    RDC_TRANSPORT_ROCEV1,
    RDC_TRANSPORT_ROCEV2,
    RDC_TRANSPORT_MACCTRL, /* PFC or PAUSE */
    RDC_TRANSPORT_IWARP, /* never set by the decoder: only a TCP stream tells */
    RDC_TRANSPORT_COUNT,
};

/* Which union member of struct rdc_packet is set */
enum rdc_kind {
    RDC_KIND_OTHER,        /* none: not ours, or cut before its headers */
    RDC_KIND_BTH,          /* `ib` */
    RDC_KIND_RAW,          /* raw InfiniBand packet (LNH 0 or 1): only lrh */
    RDC_KIND_FLOW_CONTROL, /* `flow_control` */
    RDC_KIND_PAUSE,        /* `pause` */
    RDC_KIND_TCP,          /* `tcp`: may carry iWARP, which only its stream tells */
};

enum rdc_address_kind {
    RDC_ADDRESS_NONE,
    RDC_ADDRESS_IPV4, /* 4 bytes, the rest zero */
    RDC_ADDRESS_IPV6,
    RDC_ADDRESS_GID,
    RDC_ADDRESS_LID, /* 2 bytes, big-endian, the rest zero */
};

/* The layers that were peeled, as a set: bit 1 << enum rdc_layer */
enum rdc_layer {
    RDC_LAYER_ETHERNET,
    RDC_LAYER_VLAN,
    RDC_LAYER_SLL,
    RDC_LAYER_SLL2,
    RDC_LAYER_NULL,
    RDC_LAYER_RAW_IP,
    RDC_LAYER_ERF,
    RDC_LAYER_IPOIB,
    RDC_LAYER_LRH,
    RDC_LAYER_GRH,
    RDC_LAYER_IPV4,
    RDC_LAYER_IPV6,
    RDC_LAYER_UDP,
    RDC_LAYER_TCP,
    RDC_LAYER_MPLS,
    RDC_LAYER_GRE,
    RDC_LAYER_NVGRE,
    RDC_LAYER_ERSPAN,
    RDC_LAYER_VXLAN,
    RDC_LAYER_GENEVE,
};

enum rdc_tunnel_kind {
    RDC_TUNNEL_MPLS, /* id: label at the bottom of the stack */
    RDC_TUNNEL_GRE,  /* id: key */
    RDC_TUNNEL_NVGRE, /* id: virtual subnet */
    RDC_TUNNEL_ERSPAN, /* id: session */
    RDC_TUNNEL_VXLAN, /* id: VNI */
    RDC_TUNNEL_GENEVE, /* id: VNI */
    RDC_TUNNEL_IPIP,   /* IP in IP; no id */
    RDC_TUNNEL_COUNT,
};

struct rdc_tunnel {
    uint8_t kind; /* enum rdc_tunnel_kind */
    uint8_t ecn;  /* ECN of the IP header that carried it; 0 where there was none */
    bool has_id;
    uint32_t id;
};

struct rdc_vlan {
    uint16_t tpid;
    uint16_t id;
    uint8_t pcp;
    bool dei;
};

enum rdc_check {
    RDC_CHECK_ABSENT,    /* the packet has no such field */
    RDC_CHECK_OK,
    RDC_CHECK_BAD,
    RDC_CHECK_TRUNCATED, /* not all bytes were captured */
    RDC_CHECK_FRAGMENT,  /* a fragment of an IP packet */
    RDC_CHECK_SKIPPED,   /* not asked for */
};

/* Why a frame that looked like ours was not believed */
enum rdc_refusal {
    RDC_REFUSAL_NONE,
    RDC_REFUSAL_VERSION,    /* BTH version is not 0 */
    RDC_REFUSAL_SHORT,      /* no room for BTH, headers and ICRC */
    RDC_REFUSAL_LENGTH,     /* the opcode's headers or pad do not fit the length */
    RDC_REFUSAL_RESERVED,   /* reserved opcode, and no good ICRC to prove it */
    RDC_REFUSAL_FRAGMENT,   /* a later IP fragment: its headers are in another frame */
    RDC_REFUSAL_GRH,        /* GRH of another version or next header */
    RDC_REFUSAL_MACCTRL,    /* MAC control with another opcode */
    RDC_REFUSAL_COUNT,
};

struct rdc_ip {
    uint16_t id; /* IPv4 identification; 0 for IPv6 */
    uint8_t dscp;
    uint8_t ecn;
    uint8_t ttl; /* TTL or hop limit */
    bool dont_fragment;
    bool fragment;       /* any fragment */
    bool later_fragment; /* not the first */
    bool checksum_bad;   /* IPv4 header checksum, where all of the header was captured */
    uint8_t protocol;    /* of what the last header says */
};

/* RoCE and InfiniBand */
struct rdc_ib_packet {
    struct rdc_bth bth;
    uint8_t icrc_check; /* enum rdc_check */
    uint8_t vcrc_check; /* enum rdc_check; only native InfiniBand has one */
    bool icrc_captured;
    bool complete;             /* BTH and all headers of the opcode were captured */
    uint32_t icrc;             /* as a number; 0 unless icrc_captured */
    uint32_t headers_hash;     /* fingerprint of BTH (without FECN, BECN) and extension headers */
    uint32_t payload_size;     /* on the wire, without pad and ICRC (from the length fields) */
    uint32_t payload_captured; /* bytes of it that are there */
    const uint8_t *payload;    /* borrowed; NULL when nothing of it was captured */
    struct rdc_exts ext;
};

enum rdc_tcp_flag {
    RDC_TCP_FIN = 0x01,
    RDC_TCP_SYN = 0x02,
    RDC_TCP_RST = 0x04,
    RDC_TCP_PSH = 0x08,
    RDC_TCP_ACK = 0x10,
    RDC_TCP_URG = 0x20,
    RDC_TCP_ECE = 0x40,
    RDC_TCP_CWR = 0x80,
};

struct rdc_tcp {
    uint32_t seq;
    uint32_t ack;
    uint16_t window;
    uint8_t flags; /* enum rdc_tcp_flag */
    bool has_timestamps;
    bool has_dsack; /* it tells of bytes that came twice (RFC 2883) */
    uint32_t ts_value;
    uint32_t ts_echo;
    uint32_t dsack_begin, dsack_end;
    int8_t window_scale;      /* of a SYN; -1 none */
    uint32_t payload_size;    /* on the wire */
    uint32_t payload_captured;
    const uint8_t *payload; /* borrowed; NULL when nothing of it was captured */
};

/* MAC control: IEEE 802.3 annex 31B (PAUSE), 802.1Qbb (PFC) */
struct rdc_pause {
    bool pfc;            /* else 802.3x PAUSE */
    uint8_t enabled;     /* PFC: class-enable vector, bit k: priority k; a clear bit: untouched */
    uint16_t quanta[8];  /* of 512 bit times; PAUSE uses quanta[0] */
};

/* In the order of what packets have: plain ones touch the first three cache lines. */
struct rdc_packet {
    /* always set */
    uint64_t frame; /* 1-based number in the capture: the caller sets it */
    int64_t time_ns; /* since the epoch, from RDC_TIME_FIRST_NS to RDC_TIME_LAST_NS */
    uint32_t wire_size;
    uint32_t captured_size;
    uint32_t interface;
    uint32_t linktype;
    rdc_notes notes;
    uint32_t layers;    /* set of enum rdc_layer */
    uint16_t ethertype; /* of the innermost payload reached; 0 when none was seen */
    /* set when has_mac: of the innermost Ethernet header (SLL: only the source) */
    union {
        struct {
            uint8_t dst_mac[6];
            uint8_t src_mac[6];
        };
        uint8_t macs[12]; /* both, as on the wire */
    };
    /* always set */
    uint16_t src_port; /* UDP or TCP, innermost; 0 when none */
    uint16_t dst_port;
    uint8_t transport;    /* enum rdc_transport */
    uint8_t kind;         /* enum rdc_kind */
    uint8_t refusal;      /* enum rdc_refusal */
    uint8_t address_kind; /* enum rdc_address_kind, of src and dst */
    uint8_t vlan_count;
    uint8_t tunnel_count;
    bool has_mac;   /* src_mac, dst_mac */
    bool truncated; /* captured_size < wire_size */

    /* set when layers has IPV4 or IPV6: the innermost IP header */
    struct rdc_ip ip;
    /* set when address_kind is not NONE; the innermost addresses */
    uint8_t src[16];
    uint8_t dst[16];

    union { /* by kind */
        struct rdc_ib_packet ib;
        struct rdc_tcp tcp;
        struct rdc_pause pause;
        struct rdc_flow_control flow_control;
    };

    /* the first vlan_count, outermost first; of all Ethernet headers */
    struct rdc_vlan vlans[RDC_MAX_VLANS];
    /* the first tunnel_count, outermost first */
    struct rdc_tunnel tunnels[RDC_MAX_TUNNELS];
    /* set when layers has LRH, GRH */
    struct rdc_lrh lrh;
    struct rdc_grh grh;
};

static inline bool rdc_ip_checksum_is_bad(const struct rdc_packet *pkt)
{
    return (pkt->layers >> RDC_LAYER_IPV4 & 1) != 0 && pkt->ip.checksum_bad;
}

/* Decodes a frame. Any bytes, any lengths. `pkt->frame` is left to the caller. Never fails: what
 * could not be decoded shows in kind, refusal and notes. */
void rdc_decode(const struct rdc_config *config, const struct rdc_input *in,
                struct rdc_packet *pkt);

/* Static strings for reports */
const char *rdc_transport_name(uint8_t transport); /* "ib", "rocev1", "rocev2", "macctrl", "iwarp"; NULL for NONE */
const char *rdc_linktype_name(uint32_t linktype);  /* "ethernet", "sll", ...; NULL when unknown */
const char *rdc_tunnel_name(uint8_t kind);         /* "vxlan", ... */
const char *rdc_refusal_text(uint8_t refusal);     /* a sentence */

#endif
