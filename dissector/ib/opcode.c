/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The table of all 256 BTH opcodes, and the names of services and operations. Defined opcodes come
 * from the list of rdc/opcode.h, the rest is named here as reserved or as a manufacturer's
 * (IBTA vol. 1, 9.2.1, table 38: 110xxxxx and 111xxxxx are the manufacturers').
 */
#include "rdc/opcode.h"

#include <stddef.h>

#define EXT_LEN(mask, ext, size) ((mask)&RDC_EXT_##ext ? (size) : 0)
#define EXT_SIZE(mask)                                                                             \
    (EXT_LEN(mask, RDETH, 4) + EXT_LEN(mask, DETH, 8) + EXT_LEN(mask, XRCETH, 4) +                 \
     EXT_LEN(mask, FETH, 4) + EXT_LEN(mask, RETH, 16) + EXT_LEN(mask, ATOMIC_ETH, 28) +            \
     EXT_LEN(mask, AETH, 4) + EXT_LEN(mask, ATOMIC_ACK_ETH, 8) + EXT_LEN(mask, IMM, 4) +           \
     EXT_LEN(mask, IETH, 4))

/* Bits are sets of enum values: UD and CNP have no requests that are answered */
#define IN(set, value) ((1u << (value) & (set)) != 0)
#define UNANSWERED (1u << RDC_SERVICE_UD | 1u << RDC_SERVICE_CNP)
#define RESPONSES                                                                                  \
    (1u << RDC_OP_READ_RESPONSE | 1u << RDC_OP_ACKNOWLEDGE | 1u << RDC_OP_ATOMIC_ACKNOWLEDGE)
#define ROLE(service, operation)                                                                   \
    (IN(UNANSWERED, service)    ? RDC_ROLE_NONE                                                    \
     : IN(RESPONSES, operation) ? RDC_ROLE_RESPONSE                                                \
                                : RDC_ROLE_REQUEST)

#define ROW(code, opcode, serv, op, pos, headers, may_carry)                                       \
    [code] = {.name = #opcode,                                                                     \
              .ext = (headers),                                                                    \
              .ext_size = EXT_SIZE(headers),                                                       \
              .service = RDC_SERVICE_##serv,                                                       \
              .operation = RDC_OP_##op,                                                            \
              .position = RDC_POS_##pos,                                                           \
              .role = ROLE(RDC_SERVICE_##serv, RDC_OP_##op),                                       \
              .payload = (may_carry)},
#define UNKNOWN(digits, kind)                                                                      \
    [0x##digits] = {.name = #kind "_0x" #digits, .service = RDC_SERVICE_##kind, .payload = true},
#define RSV(digits) UNKNOWN(digits, RESERVED)
#define VND(digits) UNKNOWN(digits, VENDOR)
/* clang-format off */
#define VND16(high)                                                                                \
    VND(high##0) VND(high##1) VND(high##2) VND(high##3)                                            \
    VND(high##4) VND(high##5) VND(high##6) VND(high##7)                                            \
    VND(high##8) VND(high##9) VND(high##a) VND(high##b)                                            \
    VND(high##c) VND(high##d) VND(high##e) VND(high##f)

const struct rdc_opcode_info rdc_opcode_table[256] = {
    RDC_OPCODE_LIST(ROW)
    /* RC */
    RSV(15) RSV(18) RSV(19) RSV(1a) RSV(1b) RSV(1e) RSV(1f)
    /* UC */
    RSV(2c) RSV(2d) RSV(2e) RSV(2f)
    RSV(30) RSV(31) RSV(32) RSV(33) RSV(34) RSV(35) RSV(36) RSV(37)
    RSV(38) RSV(39) RSV(3a) RSV(3b) RSV(3c) RSV(3d) RSV(3e) RSV(3f)
    /* RD */
    RSV(56) RSV(57) RSV(58) RSV(59) RSV(5a) RSV(5b) RSV(5e) RSV(5f)
    /* UD */
    RSV(60) RSV(61) RSV(62) RSV(63) RSV(66) RSV(67)
    RSV(68) RSV(69) RSV(6a) RSV(6b) RSV(6c) RSV(6d) RSV(6e) RSV(6f)
    RSV(70) RSV(71) RSV(72) RSV(73) RSV(74) RSV(75) RSV(76) RSV(77)
    RSV(78) RSV(79) RSV(7a) RSV(7b) RSV(7c) RSV(7d) RSV(7e) RSV(7f)
    /* CNP */
    RSV(82) RSV(83) RSV(84) RSV(85) RSV(86) RSV(87)
    RSV(88) RSV(89) RSV(8a) RSV(8b) RSV(8c) RSV(8d) RSV(8e) RSV(8f)
    RSV(90) RSV(91) RSV(92) RSV(93) RSV(94) RSV(95) RSV(96) RSV(97)
    RSV(98) RSV(99) RSV(9a) RSV(9b) RSV(9c) RSV(9d) RSV(9e) RSV(9f)
    /* XRC */
    RSV(b5) RSV(b8) RSV(b9) RSV(ba) RSV(bb) RSV(be) RSV(bf)
    VND16(c) VND16(d) VND16(e) VND16(f)
};
/* clang-format on */

const char *rdc_operation_name(enum rdc_operation operation)
{
    static const char *const names[RDC_OP_COUNT] = {
        [RDC_OP_NONE] = "NONE",
        [RDC_OP_SEND] = "SEND",
        [RDC_OP_SEND_WITH_IMMEDIATE] = "SEND_WITH_IMMEDIATE",
        [RDC_OP_SEND_WITH_INVALIDATE] = "SEND_WITH_INVALIDATE",
        [RDC_OP_WRITE] = "RDMA_WRITE",
        [RDC_OP_WRITE_WITH_IMMEDIATE] = "RDMA_WRITE_WITH_IMMEDIATE",
        [RDC_OP_READ] = "RDMA_READ",
        [RDC_OP_CMP_SWAP] = "CMP_SWAP",
        [RDC_OP_FETCH_ADD] = "FETCH_ADD",
        [RDC_OP_FLUSH] = "FLUSH",
        [RDC_OP_ATOMIC_WRITE] = "ATOMIC_WRITE",
        [RDC_OP_IMMEDIATE_DATA] = "IMMEDIATE_DATA",
        [RDC_OP_SWAP] = "SWAP",
        [RDC_OP_ATOMIC] = "ATOMIC",
        [RDC_OP_READ_RESPONSE] = "RDMA_READ_RESPONSE",
        [RDC_OP_ACKNOWLEDGE] = "ACKNOWLEDGE",
        [RDC_OP_ATOMIC_ACKNOWLEDGE] = "ATOMIC_ACKNOWLEDGE",
        [RDC_OP_RESYNC] = "RESYNC",
        [RDC_OP_CNP] = "CNP",
    };

    return (unsigned)operation < RDC_OP_COUNT ? names[operation] : "NONE";
}

const char *rdc_service_name(enum rdc_service service)
{
    static const char *const names[] = {
        [RDC_SERVICE_RC] = "RC",
        [RDC_SERVICE_UC] = "UC",
        [RDC_SERVICE_RD] = "RD",
        [RDC_SERVICE_UD] = "UD",
        [RDC_SERVICE_CNP] = "CNP",
        [RDC_SERVICE_XRC] = "XRC",
        [RDC_SERVICE_RESERVED] = "reserved",
        [RDC_SERVICE_VENDOR] = "vendor",
    };

    return (size_t)service < sizeof names / sizeof *names ? names[service] : "reserved";
}
