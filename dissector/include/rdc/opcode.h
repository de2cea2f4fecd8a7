/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The BTH opcode space (IBTA vol. 1, 9.2.1, table 38; A14 for XRC; A17 for CNP; A19 for FLUSH and
 * ATOMIC WRITE): one row an opcode. Enum, names and the table of 256 come from this list.
 */
#ifndef RDC_OPCODE_H
#define RDC_OPCODE_H

#include <stdbool.h>
#include <stdint.h>

enum rdc_service {
    RDC_SERVICE_RC,
    RDC_SERVICE_UC,
    RDC_SERVICE_RD,
    RDC_SERVICE_UD,
    RDC_SERVICE_CNP,
    RDC_SERVICE_XRC,
    RDC_SERVICE_RESERVED,
    RDC_SERVICE_VENDOR,
};

enum rdc_operation {
    RDC_OP_NONE,
    RDC_OP_SEND,
    RDC_OP_SEND_WITH_IMMEDIATE,
    RDC_OP_SEND_WITH_INVALIDATE,
    RDC_OP_WRITE,
    RDC_OP_WRITE_WITH_IMMEDIATE,
    RDC_OP_READ,
    RDC_OP_CMP_SWAP,
    RDC_OP_FETCH_ADD,
    RDC_OP_FLUSH,
    RDC_OP_ATOMIC_WRITE,
    /* of iWARP alone (RFC 7306) */
    RDC_OP_IMMEDIATE_DATA,
    RDC_OP_SWAP,
    RDC_OP_ATOMIC, /* one that the capture does not tell, or that is reserved */
    /* answers and others, which are no messages of their own */
    RDC_OP_READ_RESPONSE,
    RDC_OP_ACKNOWLEDGE,
    RDC_OP_ATOMIC_ACKNOWLEDGE,
    RDC_OP_RESYNC,
    RDC_OP_CNP,
    RDC_OP_COUNT,
};

/* where in its message a packet stands */
enum rdc_position {
    RDC_POS_ONLY,
    RDC_POS_FIRST,
    RDC_POS_MIDDLE,
    RDC_POS_LAST,
};

/* Extension headers, in the order in which they follow the BTH (IBTA vol. 1, 5.2 and 9.2-9.6).
 * Offsets follow from the mask and this order. */
enum rdc_ext {
    RDC_EXT_RDETH = 1 << 0,
    RDC_EXT_DETH = 1 << 1,
    RDC_EXT_XRCETH = 1 << 2,
    RDC_EXT_FETH = 1 << 3,
    RDC_EXT_RETH = 1 << 4,
    RDC_EXT_ATOMIC_ETH = 1 << 5,
    RDC_EXT_AETH = 1 << 6,
    RDC_EXT_ATOMIC_ACK_ETH = 1 << 7,
    RDC_EXT_IMM = 1 << 8,
    RDC_EXT_IETH = 1 << 9,
};

/* X(code, NAME, service, operation, position, headers as RDC_EXT_* | ..., payload may follow) */
#define RDC_E(x) RDC_EXT_##x
#define RDC_OPCODE_LIST(X)                                                                         \
    X(0x00, RC_SEND_FIRST, RC, SEND, FIRST, 0, true)                                               \
    X(0x01, RC_SEND_MIDDLE, RC, SEND, MIDDLE, 0, true)                                             \
    X(0x02, RC_SEND_LAST, RC, SEND, LAST, 0, true)                                                 \
    X(0x03, RC_SEND_LAST_WITH_IMMEDIATE, RC, SEND_WITH_IMMEDIATE, LAST, RDC_E(IMM), true)          \
    X(0x04, RC_SEND_ONLY, RC, SEND, ONLY, 0, true)                                                 \
    X(0x05, RC_SEND_ONLY_WITH_IMMEDIATE, RC, SEND_WITH_IMMEDIATE, ONLY, RDC_E(IMM), true)          \
    X(0x06, RC_RDMA_WRITE_FIRST, RC, WRITE, FIRST, RDC_E(RETH), true)                              \
    X(0x07, RC_RDMA_WRITE_MIDDLE, RC, WRITE, MIDDLE, 0, true)                                      \
    X(0x08, RC_RDMA_WRITE_LAST, RC, WRITE, LAST, 0, true)                                          \
    X(0x09, RC_RDMA_WRITE_LAST_WITH_IMMEDIATE, RC, WRITE_WITH_IMMEDIATE, LAST, RDC_E(IMM), true)   \
    X(0x0a, RC_RDMA_WRITE_ONLY, RC, WRITE, ONLY, RDC_E(RETH), true)                                \
    X(0x0b, RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE, RC, WRITE_WITH_IMMEDIATE, ONLY,                     \
      RDC_E(RETH) | RDC_E(IMM), true)                                                              \
    X(0x0c, RC_RDMA_READ_REQUEST, RC, READ, ONLY, RDC_E(RETH), false)                              \
    X(0x0d, RC_RDMA_READ_RESPONSE_FIRST, RC, READ_RESPONSE, FIRST, RDC_E(AETH), true)              \
    X(0x0e, RC_RDMA_READ_RESPONSE_MIDDLE, RC, READ_RESPONSE, MIDDLE, 0, true)                      \
    X(0x0f, RC_RDMA_READ_RESPONSE_LAST, RC, READ_RESPONSE, LAST, RDC_E(AETH), true)                \
    X(0x10, RC_RDMA_READ_RESPONSE_ONLY, RC, READ_RESPONSE, ONLY, RDC_E(AETH), true)                \
    X(0x11, RC_ACKNOWLEDGE, RC, ACKNOWLEDGE, ONLY, RDC_E(AETH), false)                             \
    X(0x12, RC_ATOMIC_ACKNOWLEDGE, RC, ATOMIC_ACKNOWLEDGE, ONLY,                                   \
      RDC_E(AETH) | RDC_E(ATOMIC_ACK_ETH), false)                                                  \
    X(0x13, RC_CMP_SWAP, RC, CMP_SWAP, ONLY, RDC_E(ATOMIC_ETH), false)                             \
    X(0x14, RC_FETCH_ADD, RC, FETCH_ADD, ONLY, RDC_E(ATOMIC_ETH), false)                           \
    X(0x16, RC_SEND_LAST_WITH_INVALIDATE, RC, SEND_WITH_INVALIDATE, LAST, RDC_E(IETH), true)       \
    X(0x17, RC_SEND_ONLY_WITH_INVALIDATE, RC, SEND_WITH_INVALIDATE, ONLY, RDC_E(IETH), true)       \
    X(0x1c, RC_FLUSH, RC, FLUSH, ONLY, RDC_E(FETH) | RDC_E(RETH), false)                           \
    X(0x1d, RC_ATOMIC_WRITE, RC, ATOMIC_WRITE, ONLY, RDC_E(RETH), true)                            \
    X(0x20, UC_SEND_FIRST, UC, SEND, FIRST, 0, true)                                               \
    X(0x21, UC_SEND_MIDDLE, UC, SEND, MIDDLE, 0, true)                                             \
    X(0x22, UC_SEND_LAST, UC, SEND, LAST, 0, true)                                                 \
    X(0x23, UC_SEND_LAST_WITH_IMMEDIATE, UC, SEND_WITH_IMMEDIATE, LAST, RDC_E(IMM), true)          \
    X(0x24, UC_SEND_ONLY, UC, SEND, ONLY, 0, true)                                                 \
    X(0x25, UC_SEND_ONLY_WITH_IMMEDIATE, UC, SEND_WITH_IMMEDIATE, ONLY, RDC_E(IMM), true)          \
    X(0x26, UC_RDMA_WRITE_FIRST, UC, WRITE, FIRST, RDC_E(RETH), true)                              \
    X(0x27, UC_RDMA_WRITE_MIDDLE, UC, WRITE, MIDDLE, 0, true)                                      \
    X(0x28, UC_RDMA_WRITE_LAST, UC, WRITE, LAST, 0, true)                                          \
    X(0x29, UC_RDMA_WRITE_LAST_WITH_IMMEDIATE, UC, WRITE_WITH_IMMEDIATE, LAST, RDC_E(IMM), true)   \
    X(0x2a, UC_RDMA_WRITE_ONLY, UC, WRITE, ONLY, RDC_E(RETH), true)                                \
    X(0x2b, UC_RDMA_WRITE_ONLY_WITH_IMMEDIATE, UC, WRITE_WITH_IMMEDIATE, ONLY,                     \
      RDC_E(RETH) | RDC_E(IMM), true)                                                              \
    X(0x40, RD_SEND_FIRST, RD, SEND, FIRST, RDC_E(RDETH) | RDC_E(DETH), true)                      \
    X(0x41, RD_SEND_MIDDLE, RD, SEND, MIDDLE, RDC_E(RDETH) | RDC_E(DETH), true)                    \
    X(0x42, RD_SEND_LAST, RD, SEND, LAST, RDC_E(RDETH) | RDC_E(DETH), true)                        \
    X(0x43, RD_SEND_LAST_WITH_IMMEDIATE, RD, SEND_WITH_IMMEDIATE, LAST,                            \
      RDC_E(RDETH) | RDC_E(DETH) | RDC_E(IMM), true)                                               \
    X(0x44, RD_SEND_ONLY, RD, SEND, ONLY, RDC_E(RDETH) | RDC_E(DETH), true)                        \
    X(0x45, RD_SEND_ONLY_WITH_IMMEDIATE, RD, SEND_WITH_IMMEDIATE, ONLY,                            \
      RDC_E(RDETH) | RDC_E(DETH) | RDC_E(IMM), true)                                               \
    X(0x46, RD_RDMA_WRITE_FIRST, RD, WRITE, FIRST, RDC_E(RDETH) | RDC_E(DETH) | RDC_E(RETH), true) \
    X(0x47, RD_RDMA_WRITE_MIDDLE, RD, WRITE, MIDDLE, RDC_E(RDETH) | RDC_E(DETH), true)             \
    X(0x48, RD_RDMA_WRITE_LAST, RD, WRITE, LAST, RDC_E(RDETH) | RDC_E(DETH), true)                 \
    X(0x49, RD_RDMA_WRITE_LAST_WITH_IMMEDIATE, RD, WRITE_WITH_IMMEDIATE, LAST,                     \
      RDC_E(RDETH) | RDC_E(DETH) | RDC_E(IMM), true)                                               \
    X(0x4a, RD_RDMA_WRITE_ONLY, RD, WRITE, ONLY, RDC_E(RDETH) | RDC_E(DETH) | RDC_E(RETH), true)   \
    X(0x4b, RD_RDMA_WRITE_ONLY_WITH_IMMEDIATE, RD, WRITE_WITH_IMMEDIATE, ONLY,                     \
      RDC_E(RDETH) | RDC_E(DETH) | RDC_E(RETH) | RDC_E(IMM), true)                                 \
    X(0x4c, RD_RDMA_READ_REQUEST, RD, READ, ONLY, RDC_E(RDETH) | RDC_E(DETH) | RDC_E(RETH), false) \
    X(0x4d, RD_RDMA_READ_RESPONSE_FIRST, RD, READ_RESPONSE, FIRST, RDC_E(RDETH) | RDC_E(AETH),     \
      true)                                                                                        \
    X(0x4e, RD_RDMA_READ_RESPONSE_MIDDLE, RD, READ_RESPONSE, MIDDLE, RDC_E(RDETH), true)           \
    X(0x4f, RD_RDMA_READ_RESPONSE_LAST, RD, READ_RESPONSE, LAST, RDC_E(RDETH) | RDC_E(AETH), true) \
    X(0x50, RD_RDMA_READ_RESPONSE_ONLY, RD, READ_RESPONSE, ONLY, RDC_E(RDETH) | RDC_E(AETH), true) \
    X(0x51, RD_ACKNOWLEDGE, RD, ACKNOWLEDGE, ONLY, RDC_E(RDETH) | RDC_E(AETH), false)              \
    X(0x52, RD_ATOMIC_ACKNOWLEDGE, RD, ATOMIC_ACKNOWLEDGE, ONLY,                                   \
      RDC_E(RDETH) | RDC_E(AETH) | RDC_E(ATOMIC_ACK_ETH), false)                                   \
    X(0x53, RD_CMP_SWAP, RD, CMP_SWAP, ONLY, RDC_E(RDETH) | RDC_E(DETH) | RDC_E(ATOMIC_ETH),       \
      false)                                                                                       \
    X(0x54, RD_FETCH_ADD, RD, FETCH_ADD, ONLY, RDC_E(RDETH) | RDC_E(DETH) | RDC_E(ATOMIC_ETH),     \
      false)                                                                                       \
    X(0x55, RD_RESYNC, RD, RESYNC, ONLY, RDC_E(RDETH) | RDC_E(DETH), false)                        \
    X(0x5c, RD_FLUSH, RD, FLUSH, ONLY, RDC_E(RDETH) | RDC_E(DETH) | RDC_E(FETH) | RDC_E(RETH),     \
      false)                                                                                       \
    X(0x5d, RD_ATOMIC_WRITE, RD, ATOMIC_WRITE, ONLY, RDC_E(RDETH) | RDC_E(DETH) | RDC_E(RETH),     \
      true)                                                                                        \
    X(0x64, UD_SEND_ONLY, UD, SEND, ONLY, RDC_E(DETH), true)                                       \
    X(0x65, UD_SEND_ONLY_WITH_IMMEDIATE, UD, SEND_WITH_IMMEDIATE, ONLY, RDC_E(DETH) | RDC_E(IMM),  \
      true)                                                                                        \
    X(0x80, CNP_IB, CNP, CNP, ONLY, 0, true)                                                       \
    X(0x81, CNP, CNP, CNP, ONLY, 0, true)                                                          \
    X(0xa0, XRC_SEND_FIRST, XRC, SEND, FIRST, RDC_E(XRCETH), true)                                 \
    X(0xa1, XRC_SEND_MIDDLE, XRC, SEND, MIDDLE, RDC_E(XRCETH), true)                               \
    X(0xa2, XRC_SEND_LAST, XRC, SEND, LAST, RDC_E(XRCETH), true)                                   \
    X(0xa3, XRC_SEND_LAST_WITH_IMMEDIATE, XRC, SEND_WITH_IMMEDIATE, LAST,                          \
      RDC_E(XRCETH) | RDC_E(IMM), true)                                                            \
    X(0xa4, XRC_SEND_ONLY, XRC, SEND, ONLY, RDC_E(XRCETH), true)                                   \
    X(0xa5, XRC_SEND_ONLY_WITH_IMMEDIATE, XRC, SEND_WITH_IMMEDIATE, ONLY,                          \
      RDC_E(XRCETH) | RDC_E(IMM), true)                                                            \
    X(0xa6, XRC_RDMA_WRITE_FIRST, XRC, WRITE, FIRST, RDC_E(XRCETH) | RDC_E(RETH), true)            \
    X(0xa7, XRC_RDMA_WRITE_MIDDLE, XRC, WRITE, MIDDLE, RDC_E(XRCETH), true)                        \
    X(0xa8, XRC_RDMA_WRITE_LAST, XRC, WRITE, LAST, RDC_E(XRCETH), true)                            \
    X(0xa9, XRC_RDMA_WRITE_LAST_WITH_IMMEDIATE, XRC, WRITE_WITH_IMMEDIATE, LAST,                   \
      RDC_E(XRCETH) | RDC_E(IMM), true)                                                            \
    X(0xaa, XRC_RDMA_WRITE_ONLY, XRC, WRITE, ONLY, RDC_E(XRCETH) | RDC_E(RETH), true)              \
    X(0xab, XRC_RDMA_WRITE_ONLY_WITH_IMMEDIATE, XRC, WRITE_WITH_IMMEDIATE, ONLY,                   \
      RDC_E(XRCETH) | RDC_E(RETH) | RDC_E(IMM), true)                                              \
    X(0xac, XRC_RDMA_READ_REQUEST, XRC, READ, ONLY, RDC_E(XRCETH) | RDC_E(RETH), false)            \
    X(0xad, XRC_RDMA_READ_RESPONSE_FIRST, XRC, READ_RESPONSE, FIRST, RDC_E(AETH), true)            \
    X(0xae, XRC_RDMA_READ_RESPONSE_MIDDLE, XRC, READ_RESPONSE, MIDDLE, 0, true)                    \
    X(0xaf, XRC_RDMA_READ_RESPONSE_LAST, XRC, READ_RESPONSE, LAST, RDC_E(AETH), true)              \
    X(0xb0, XRC_RDMA_READ_RESPONSE_ONLY, XRC, READ_RESPONSE, ONLY, RDC_E(AETH), true)              \
    X(0xb1, XRC_ACKNOWLEDGE, XRC, ACKNOWLEDGE, ONLY, RDC_E(AETH), false)                           \
    X(0xb2, XRC_ATOMIC_ACKNOWLEDGE, XRC, ATOMIC_ACKNOWLEDGE, ONLY,                                 \
      RDC_E(AETH) | RDC_E(ATOMIC_ACK_ETH), false)                                                  \
    X(0xb3, XRC_CMP_SWAP, XRC, CMP_SWAP, ONLY, RDC_E(XRCETH) | RDC_E(ATOMIC_ETH), false)           \
    X(0xb4, XRC_FETCH_ADD, XRC, FETCH_ADD, ONLY, RDC_E(XRCETH) | RDC_E(ATOMIC_ETH), false)         \
    X(0xb6, XRC_SEND_LAST_WITH_INVALIDATE, XRC, SEND_WITH_INVALIDATE, LAST,                        \
      RDC_E(XRCETH) | RDC_E(IETH), true)                                                           \
    X(0xb7, XRC_SEND_ONLY_WITH_INVALIDATE, XRC, SEND_WITH_INVALIDATE, ONLY,                        \
      RDC_E(XRCETH) | RDC_E(IETH), true)                                                           \
    X(0xbc, XRC_FLUSH, XRC, FLUSH, ONLY, RDC_E(XRCETH) | RDC_E(FETH) | RDC_E(RETH), false)         \
    X(0xbd, XRC_ATOMIC_WRITE, XRC, ATOMIC_WRITE, ONLY, RDC_E(XRCETH) | RDC_E(RETH), true)

enum rdc_opcode {
#define X(code, name, service, operation, position, headers, payload) RDC_##name = code,
    RDC_OPCODE_LIST(X)
#undef X
};

/* who sends it */
enum rdc_role {
    RDC_ROLE_NONE,     /* reserved, vendor, CNP, UD: in no request PSN space */
    RDC_ROLE_REQUEST,  /* advances the PSN space of its own stream */
    RDC_ROLE_RESPONSE, /* carries a PSN of the opposite stream's space */
};

struct rdc_opcode_info {
    const char *name;     /* spec spelling; "RESERVED_0x18", "VENDOR_0xc0" for the rest */
    uint16_t ext;         /* RDC_EXT_* mask */
    uint8_t ext_size;     /* bytes of extension headers behind the BTH */
    uint8_t service;      /* enum rdc_service */
    uint8_t operation;    /* enum rdc_operation */
    uint8_t position;     /* enum rdc_position */
    uint8_t role;         /* enum rdc_role */
    bool payload;         /* payload may follow */
};

extern const struct rdc_opcode_info rdc_opcode_table[256];

/* "SEND", "RDMA_WRITE", ... as in reports; a static string */
const char *rdc_operation_name(enum rdc_operation operation);
/* "RC", "UC", ...; a static string */
const char *rdc_service_name(enum rdc_service service);

static inline bool rdc_position_begins(uint8_t position)
{
    return position == RDC_POS_ONLY || position == RDC_POS_FIRST;
}

static inline bool rdc_position_ends(uint8_t position)
{
    return position == RDC_POS_ONLY || position == RDC_POS_LAST;
}

#endif
