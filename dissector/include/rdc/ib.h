/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * InfiniBand's headers, from the local route header to the extension headers of the transport
 * (IBTA vol. 1, chapters 7, 8, 9). All values in host order.
 */
#ifndef RDC_IB_H
#define RDC_IB_H

#include <stdbool.h>
#include <stdint.h>

#include "rdc/opcode.h"
#include "rdc/wire.h"

enum {
    RDC_LRH_LEN = 8,
    RDC_GRH_LEN = 40,
    RDC_BTH_LEN = 12,
    RDC_ICRC_LEN = 4,
    RDC_VCRC_LEN = 2,
    RDC_LINK_PACKET_LEN = 6, /* flow control packet with its LPCRC */
};

/* Queue pair numbers */
enum {
    RDC_QPN_FIRST = 2, /* 0 and 1 are management's */
    RDC_QPN_MULTICAST = 0xffffff,
};

/* Link next header (7.7.5) */
enum rdc_lnh {
    RDC_LNH_RAW_ETHERTYPE = 0, /* raw packet, ethertype (RWH) follows */
    RDC_LNH_RAW_IPV6 = 1,
    RDC_LNH_BTH = 2, /* IBA local */
    RDC_LNH_GRH = 3, /* IBA global */
};

struct rdc_lrh {
    uint8_t vl;
    uint8_t lver;
    uint8_t sl;
    uint8_t lnh; /* enum rdc_lnh */
    uint16_t dlid;
    uint16_t slid;
    uint16_t length; /* PktLen: 4-byte words from the first byte of the LRH through the ICRC
                        (the VCRC is not counted) */
};

struct rdc_grh {
    uint8_t version;
    uint8_t tclass;
    uint32_t flow_label;
    uint16_t payload_length;
    uint8_t next_header; /* 0x1b: IBA transport */
    uint8_t hop_limit;
    /* SGID and DGID are the packet's addresses */
};

struct rdc_bth {
    uint8_t opcode;
    bool solicited;
    bool migrated;
    uint8_t pad;
    uint8_t tver;
    bool fecn;
    bool becn;
    bool ack_req;
    uint32_t dest_qpn;
    uint32_t psn;
    uint16_t pkey;
};

struct rdc_reth {
    uint64_t va;
    uint32_t rkey;
    uint32_t length; /* DMALen, bytes */
};

enum rdc_aeth_kind {
    RDC_AETH_ACK,
    RDC_AETH_RNR_NAK,
    RDC_AETH_NAK,
    RDC_AETH_RESERVED,
};

enum rdc_nak_code {
    RDC_NAK_SEQUENCE,
    RDC_NAK_INVALID_REQUEST,
    RDC_NAK_REMOTE_ACCESS,
    RDC_NAK_REMOTE_OPERATIONAL,
    RDC_NAK_INVALID_RD_REQUEST,
};

enum {
    RDC_CREDITS_INVALID = 31, /* ACK whose credit field says nothing */
    /* the first syndrome of a kind (9.7.5.1.1, table 43); below are ACK and RNR NAK */
    RDC_AETH_RESERVED_SYNDROME = 0x40,
    RDC_AETH_NAK_SYNDROME = 0x60,
};

struct rdc_aeth {
    uint8_t syndrome; /* as on the wire */
    uint8_t kind;     /* enum rdc_aeth_kind */
    uint8_t value;    /* ACK: credit count code; RNR NAK: timer code; NAK: enum rdc_nak_code */
    uint32_t msn;
};

struct rdc_deth {
    uint32_t qkey;
    uint32_t src_qpn;
};

struct rdc_atomic_eth {
    uint64_t va;
    uint32_t rkey;
    uint64_t swap_add;
    uint64_t compare;
};

struct rdc_feth {
    uint8_t plt; /* placement type: bit 0 global visibility, bit 1 persistence */
    uint8_t sel; /* selectivity level */
};

/* All extension headers of a packet. A member is set only when its bit is in `present`. */
struct rdc_exts {
    uint16_t present; /* RDC_EXT_* decoded (a header cut by the snap length is not in it) */
    struct rdc_feth feth;
    struct rdc_aeth aeth;
    struct rdc_reth reth;
    struct rdc_deth deth;
    uint32_t imm;
    uint32_t ieth_rkey;
    struct rdc_atomic_eth atomic_eth;
    uint64_t atomic_ack_original;
    uint32_t rdeth_ee;
    uint32_t xrceth_srq;
};

/* Link packet: flow control (7.9.4) */
struct rdc_flow_control {
    uint8_t op; /* 0 normal, 1 initialisation */
    uint16_t fctbs;
    uint8_t vl;
    uint16_t fccl;
    uint16_t lpcrc;
};

RDC_CHECKED enum rdc_status rdc_lrh_decode(struct rdc_cursor *cur, struct rdc_lrh *out);
/* `sgid` and `dgid` receive 16 bytes each */
RDC_CHECKED enum rdc_status rdc_grh_decode(struct rdc_cursor *cur, struct rdc_grh *out,
                                           uint8_t sgid[16], uint8_t dgid[16]);
RDC_CHECKED enum rdc_status rdc_bth_decode(struct rdc_cursor *cur, struct rdc_bth *out);
/* Decodes the headers of `ext` (an opcode's mask) in the one fixed order. Stops at the first that
 * does not fit and returns why; `out->present` then says which were decoded. */
RDC_CHECKED enum rdc_status rdc_exts_decode(struct rdc_cursor *cur, uint16_t ext,
                                            struct rdc_exts *out);
/* The same where the bytes of all of them are at `p`. */
void rdc_exts_from_wire(const uint8_t *p, uint16_t ext, struct rdc_exts *out);
RDC_CHECKED enum rdc_status rdc_flow_control_decode(struct rdc_cursor *cur,
                                                    struct rdc_flow_control *out);

struct rdc_aeth rdc_aeth_from_wire(uint32_t word);
/* Neither ACK nor RNR NAK nor a NAK that is specified */
static inline bool rdc_syndrome_is_reserved(uint8_t syndrome)
{
    const uint8_t nak = RDC_AETH_NAK_SYNDROME;

    return syndrome >= RDC_AETH_RESERVED_SYNDROME &&
           (syndrome < nak || syndrome > nak + RDC_NAK_INVALID_RD_REQUEST);
}
static inline bool rdc_aeth_is_reserved(const struct rdc_aeth *aeth)
{
    return rdc_syndrome_is_reserved(aeth->syndrome);
}
/* RNR NAK timer code 0..31 to nanoseconds (IBTA vol. 1, table 45); code 0 is 655.36 ms */
uint64_t rdc_rnr_timer_ns(uint8_t code);
/* ACK credit code 0..30 to credits (table 44); RDC_CREDITS_INVALID has none */
uint32_t rdc_aeth_credits(uint8_t code);
/* "sequence", "invalid_request", "access", "operational", "invalid_rd", or "reserved" */
const char *rdc_nak_name(uint8_t code);

#endif
