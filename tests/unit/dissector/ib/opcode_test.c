/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * All 256 opcodes, from rules that are not the list of rdc/opcode.h: the low five bits say what RC
 * does with an opcode, the service (the top three bits) which of it exists there and which headers
 * come first.
 */
#include "rdc/opcode.h"

#include <stdio.h>

#include "support.h"

/* What RC's 32 opcodes are: name, headers and their bytes, as in IBTA vol. 1, table 38, and A19 */
static const struct base {
    const char *name; /* NULL: reserved */
    uint16_t ext;
    uint8_t size;
    uint8_t position;
    uint8_t operation;
    bool response;
    bool payload;
} bases[32] = {
    {"SEND_FIRST", 0, 0, RDC_POS_FIRST, RDC_OP_SEND, false, true},
    {"SEND_MIDDLE", 0, 0, RDC_POS_MIDDLE, RDC_OP_SEND, false, true},
    {"SEND_LAST", 0, 0, RDC_POS_LAST, RDC_OP_SEND, false, true},
    {"SEND_LAST_WITH_IMMEDIATE", RDC_EXT_IMM, 4, RDC_POS_LAST, RDC_OP_SEND_WITH_IMMEDIATE, false,
     true},
    {"SEND_ONLY", 0, 0, RDC_POS_ONLY, RDC_OP_SEND, false, true},
    {"SEND_ONLY_WITH_IMMEDIATE", RDC_EXT_IMM, 4, RDC_POS_ONLY, RDC_OP_SEND_WITH_IMMEDIATE, false,
     true},
    {"RDMA_WRITE_FIRST", RDC_EXT_RETH, 16, RDC_POS_FIRST, RDC_OP_WRITE, false, true},
    {"RDMA_WRITE_MIDDLE", 0, 0, RDC_POS_MIDDLE, RDC_OP_WRITE, false, true},
    {"RDMA_WRITE_LAST", 0, 0, RDC_POS_LAST, RDC_OP_WRITE, false, true},
    {"RDMA_WRITE_LAST_WITH_IMMEDIATE", RDC_EXT_IMM, 4, RDC_POS_LAST, RDC_OP_WRITE_WITH_IMMEDIATE,
     false, true},
    {"RDMA_WRITE_ONLY", RDC_EXT_RETH, 16, RDC_POS_ONLY, RDC_OP_WRITE, false, true},
    {"RDMA_WRITE_ONLY_WITH_IMMEDIATE", RDC_EXT_RETH | RDC_EXT_IMM, 20, RDC_POS_ONLY,
     RDC_OP_WRITE_WITH_IMMEDIATE, false, true},
    {"RDMA_READ_REQUEST", RDC_EXT_RETH, 16, RDC_POS_ONLY, RDC_OP_READ, false, false},
    {"RDMA_READ_RESPONSE_FIRST", RDC_EXT_AETH, 4, RDC_POS_FIRST, RDC_OP_READ_RESPONSE, true, true},
    {"RDMA_READ_RESPONSE_MIDDLE", 0, 0, RDC_POS_MIDDLE, RDC_OP_READ_RESPONSE, true, true},
    {"RDMA_READ_RESPONSE_LAST", RDC_EXT_AETH, 4, RDC_POS_LAST, RDC_OP_READ_RESPONSE, true, true},
    {"RDMA_READ_RESPONSE_ONLY", RDC_EXT_AETH, 4, RDC_POS_ONLY, RDC_OP_READ_RESPONSE, true, true},
    {"ACKNOWLEDGE", RDC_EXT_AETH, 4, RDC_POS_ONLY, RDC_OP_ACKNOWLEDGE, true, false},
    {"ATOMIC_ACKNOWLEDGE", RDC_EXT_AETH | RDC_EXT_ATOMIC_ACK_ETH, 12, RDC_POS_ONLY,
     RDC_OP_ATOMIC_ACKNOWLEDGE, true, false},
    {"CMP_SWAP", RDC_EXT_ATOMIC_ETH, 28, RDC_POS_ONLY, RDC_OP_CMP_SWAP, false, false},
    {"FETCH_ADD", RDC_EXT_ATOMIC_ETH, 28, RDC_POS_ONLY, RDC_OP_FETCH_ADD, false, false},
    {"RESYNC", 0, 0, RDC_POS_ONLY, RDC_OP_RESYNC, false, false},
    {"SEND_LAST_WITH_INVALIDATE", RDC_EXT_IETH, 4, RDC_POS_LAST, RDC_OP_SEND_WITH_INVALIDATE, false,
     true},
    {"SEND_ONLY_WITH_INVALIDATE", RDC_EXT_IETH, 4, RDC_POS_ONLY, RDC_OP_SEND_WITH_INVALIDATE, false,
     true},
    [0x1c] = {"FLUSH", RDC_EXT_FETH | RDC_EXT_RETH, 20, RDC_POS_ONLY, RDC_OP_FLUSH, false, false},
    [0x1d] = {"ATOMIC_WRITE", RDC_EXT_RETH, 16, RDC_POS_ONLY, RDC_OP_ATOMIC_WRITE, false, true},
};

/* Which of the 32 a service has (only RD has RESYNC), and what stands before their headers */
static const struct service {
    const char *name;
    uint8_t service;
    uint32_t has;
    uint16_t request_ext, response_ext;
    uint8_t request_size, response_size;
} services[8] = {
    {"RC", RDC_SERVICE_RC, 0x30dfffff, 0, 0, 0, 0},
    {"UC", RDC_SERVICE_UC, 0x00000fff, 0, 0, 0, 0},
    {"RD", RDC_SERVICE_RD, 0x303fffff, RDC_EXT_RDETH | RDC_EXT_DETH, RDC_EXT_RDETH, 12, 4},
    {"UD", RDC_SERVICE_UD, 0x00000030, RDC_EXT_DETH, 0, 8, 0},
    {NULL, RDC_SERVICE_CNP, 0, 0, 0, 0, 0},
    {"XRC", RDC_SERVICE_XRC, 0x30dfffff, RDC_EXT_XRCETH, 0, 4, 0},
    {NULL, RDC_SERVICE_VENDOR, 0, 0, 0, 0, 0},
    {NULL, RDC_SERVICE_VENDOR, 0, 0, 0, 0, 0},
};

static void check_defined(const struct rdc_opcode_info *info, const struct service *service,
                          const struct base *base)
{
    char name[64];
    uint8_t role = base->response ? RDC_ROLE_RESPONSE : RDC_ROLE_REQUEST;

    snprintf(name, sizeof name, "%s_%s", service->name, base->name);
    assert_string_equal(info->name, name);
    assert_int_equal(info->service, service->service);
    assert_int_equal(info->operation, base->operation);
    assert_int_equal(info->position, base->position);
    assert_int_equal(info->ext,
                     base->ext | (base->response ? service->response_ext : service->request_ext));
    assert_int_equal(info->ext_size, base->size + (base->response ? service->response_size
                                                                  : service->request_size));
    assert_int_equal(info->role, service->service == RDC_SERVICE_UD ? RDC_ROLE_NONE : role);
    assert_int_equal(info->payload, base->payload);
}

static void check_unknown(const struct rdc_opcode_info *info, unsigned opcode)
{
    bool vendor = opcode >= 0xc0;
    char name[64];

    snprintf(name, sizeof name, "%s_0x%02x", vendor ? "VENDOR" : "RESERVED", opcode);
    assert_string_equal(info->name, name);
    assert_int_equal(info->service, vendor ? RDC_SERVICE_VENDOR : RDC_SERVICE_RESERVED);
    assert_int_equal(info->operation, RDC_OP_NONE);
    assert_int_equal(info->role, RDC_ROLE_NONE);
    assert_int_equal(info->ext, 0);
    assert_int_equal(info->ext_size, 0);
    assert_true(info->payload);
}

static void check_cnp(const struct rdc_opcode_info *info, const char *name)
{
    assert_string_equal(info->name, name);
    assert_int_equal(info->service, RDC_SERVICE_CNP);
    assert_int_equal(info->operation, RDC_OP_CNP);
    assert_int_equal(info->position, RDC_POS_ONLY);
    assert_int_equal(info->role, RDC_ROLE_NONE);
    assert_int_equal(info->ext, 0);
    assert_int_equal(info->ext_size, 0);
}

static void all_opcodes(void **state)
{
    unsigned defined = 0;

    (void)state;
    for (unsigned opcode = 0; opcode < 256; opcode++) {
        const struct rdc_opcode_info *info = &rdc_opcode_table[opcode];
        const struct service *service = &services[opcode >> 5];

        assert_non_null(info->name);
        if (opcode == 0x80 || opcode == 0x81) {
            check_cnp(info, opcode == 0x80 ? "CNP_IB" : "CNP");
        } else if ((service->has >> (opcode & 0x1f) & 1) != 0) {
            check_defined(info, service, &bases[opcode & 0x1f]);
            defined++;
        } else {
            check_unknown(info, opcode);
        }
    }
    assert_int_equal(defined, 25 + 12 + 24 + 2 + 25);
}

static void names_are_unique(void **state)
{
    (void)state;
    for (size_t i = 0; i < 256; i++)
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(rdc_opcode_table[i].name, rdc_opcode_table[j].name);
}

static void enum_is_the_wire(void **state)
{
    (void)state;
    assert_int_equal(RDC_RC_ACKNOWLEDGE, 0x11);
    assert_int_equal(RDC_UC_SEND_FIRST, 0x20);
    assert_int_equal(RDC_RD_RESYNC, 0x55);
    assert_int_equal(RDC_UD_SEND_ONLY, 0x64);
    assert_int_equal(RDC_CNP, 0x81);
    assert_int_equal(RDC_XRC_ATOMIC_WRITE, 0xbd);
}

static void names_of_operations_and_services(void **state)
{
    (void)state;
    for (int i = 0; i < RDC_OP_COUNT; i++)
        for (int j = 0; j < i; j++)
            assert_string_not_equal(rdc_operation_name((enum rdc_operation)i),
                                    rdc_operation_name((enum rdc_operation)j));
    assert_string_equal(rdc_operation_name(RDC_OP_READ), "RDMA_READ");
    assert_string_equal(rdc_operation_name(RDC_OP_WRITE_WITH_IMMEDIATE),
                        "RDMA_WRITE_WITH_IMMEDIATE");
    assert_string_equal(rdc_operation_name(RDC_OP_COUNT), "NONE");
    for (int i = 0; i <= RDC_SERVICE_VENDOR; i++)
        for (int j = 0; j < i; j++)
            assert_string_not_equal(rdc_service_name((enum rdc_service)i),
                                    rdc_service_name((enum rdc_service)j));
    assert_string_equal(rdc_service_name(RDC_SERVICE_XRC), "XRC");
    assert_string_equal(rdc_service_name((enum rdc_service)99), "reserved");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_opcodes),
        cmocka_unit_test(names_are_unique),
        cmocka_unit_test(enum_is_the_wire),
        cmocka_unit_test(names_of_operations_and_services),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
