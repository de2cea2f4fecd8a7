/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * DDP and RDMAP headers. A row is an ULPDU; rows marked "siw" are Soft-iWARP's own bytes.
 */
#include "support.h"

#include <inttypes.h>
#include <stdio.h>

#include "rdc/iwarp.h"

#define UNTAGGED(op, qn) "41" op "00000000" qn "00000007 00000000 "

static const struct row {
    const char *name;
    const char *wire;
    size_t headers; /* bytes without which decoding must fail */
    enum rdc_status status;
    const char *want; /* print() */
} rows[] = {
    {"siw read request",
     "41410000000000000001000000010000000092307b0000007f4fe2fa6000000013882078c10000007f947a66b000",
     46, RDC_OK,
     "L v1/1 Read Request stag 0 qn 1 msn 1 mo 0 | sink 92307b00 7f4fe2fa6000 size 5000 "
     "source 2078c100 7f947a66b000 | payload 0"},
    {"siw read response", "c1425eb6f50000007f547d1c8000 000102", 14, RDC_OK,
     "T L v1/1 Read Response stag 5eb6f500 to 7f547d1c8000 | payload 3"},
    {"write, not the last", "8140 11223344 0102030405060708 aa", 14, RDC_OK,
     "T v1/1 Write stag 11223344 to 102030405060708 | payload 1"},
    {"siw send of one byte", "41430000000000000000000000010000000000", 18, RDC_OK,
     "L v1/1 Send stag 0 qn 0 msn 1 mo 0 | payload 1"},
    {"send with invalidate", "4144 deadbeef 00000000 00000002 00000400", 18, RDC_OK,
     "L v1/1 Send with Invalidate stag deadbeef qn 0 msn 2 mo 1024 | payload 0"},
    {"send with SE", UNTAGGED("45", "00000000"), 18, RDC_OK,
     "L v1/1 Send with SE stag 0 qn 0 msn 7 mo 0 | payload 0"},
    {"send with SE and invalidate", UNTAGGED("46", "00000000"), 18, RDC_OK,
     "L v1/1 Send with SE and Invalidate stag 0 qn 0 msn 7 mo 0 | payload 0"},
    {"siw terminate of a read request",
     "41470000000000000002000000010000000010000700000041410000000000000001"
     "00000bb80000000092307b0000007f4fe2fa600000000bb82078c15500007f947a66b000",
     22, RDC_OK,
     "L v1/1 Terminate stag 0 qn 2 msn 1 mo 0 | RDMAP, remote protection error, invalid STag M 0 "
     "D Read Request msn 3000 R size 3000 source 2078c155 | payload 0 siw"},
    {"siw terminate of a write",
     "414700000000000000020000000100000000 11000300 0594 81403534a55500007fb42014a000", 22, RDC_OK,
     "L v1/1 Terminate stag 0 qn 2 msn 1 mo 0 | DDP, tagged buffer error, invalid STag M 1428 "
     "D Write stag 3534a555 | payload 0 siw"},
    {"terminate as in the RFC, all headers",
     UNTAGGED("47", "00000002") "0100e000 002e 4141 00000000 00000001 00000009 00000000"
                                "00000001 0000000000000002 00000003 00000004 0000000000000005",
     22, RDC_OK,
     "L v1/1 Terminate stag 0 qn 2 msn 7 mo 0 | RDMAP, remote protection error, invalid STag M 46 "
     "D Read Request msn 9 R size 3 source 4 | payload 0"},
    {"terminate without headers: MPA CRC", UNTAGGED("47", "00000002") "20020000", 22, RDC_OK,
     "L v1/1 Terminate stag 0 qn 2 msn 7 mo 0 | MPA, MPA error, FPDU with a wrong CRC | payload 0"},
    {"the same from siw", UNTAGGED("47", "00000002") "02020000", 22, RDC_OK,
     "L v1/1 Terminate stag 0 qn 2 msn 7 mo 0 | MPA, MPA error, FPDU with a wrong CRC | "
     "payload 0 siw"},
    {"a code that means something in both orders is the RFC's",
     UNTAGGED("47", "00000002") "10000000", 22, RDC_OK,
     "L v1/1 Terminate stag 0 qn 2 msn 7 mo 0 | DDP, local catastrophic error, local catastrophic "
     "error | payload 0"},
    {"terminate with an unknown code", UNTAGGED("47", "00000002") "30420000", 22, RDC_OK,
     "L v1/1 Terminate stag 0 qn 2 msn 7 mo 0 | reserved, reserved, reserved | payload 0"},
    {"terminate that promises a header it lacks", UNTAGGED("47", "00000002") "0100c000 002e 4141",
     22, RDC_OK,
     "L v1/1 Terminate stag 0 qn 2 msn 7 mo 0 | RDMAP, remote protection error, invalid STag M 46 "
     "| payload 2 malformed"},
    {"immediate", UNTAGGED("48", "00000000") "0102030405060708", 26, RDC_OK,
     "L v1/1 Immediate Data stag 0 qn 0 msn 7 mo 0 | imm 102030405060708 | payload 0"},
    {"immediate with SE", UNTAGGED("49", "00000000") "00000000000000ff", 26, RDC_OK,
     "L v1/1 Immediate Data with SE stag 0 qn 0 msn 7 mo 0 | imm ff | payload 0"},
    {"atomic request",
     UNTAGGED("4a", "00000001") "00000002 00000011 00000022 0000000000000033 0000000000000044"
                                "0000000000000055 0000000000000066 0000000000000077",
     70, RDC_OK,
     "L v1/1 Atomic Request stag 0 qn 1 msn 7 mo 0 | CmpSwap id 11 stag 22 to 33 swap 44 mask 55 "
     "compare 66 mask 77 | payload 0"},
    {"atomic response", UNTAGGED("4b", "00000003") "00000011 00000000000000aa", 30, RDC_OK,
     "L v1/1 Atomic Response stag 0 qn 3 msn 7 mo 0 | id 11 original aa | payload 0"},
    {"RDMA Consortium's version", "4103 00000000 00000000 00000001 00000000", 18, RDC_OK,
     "L v1/0 Send stag 0 qn 0 msn 1 mo 0 | payload 0"},
    {"later versions", "42c3 00000000 00000000 00000001 00000000", 18, RDC_OK,
     "L v2/3 Send stag 0 qn 0 msn 1 mo 0 | payload 0 version"},
    {"reserved opcode", UNTAGGED("4c", "00000000"), 18, RDC_UNSUPPORTED, NULL},
    {"a write can't be untagged", UNTAGGED("40", "00000000"), 18, RDC_MALFORMED, NULL},
    {"a send can't be tagged", "c143 00000000 0000000000000000", 14, RDC_MALFORMED, NULL},
    {"read request without its header", UNTAGGED("41", "00000001") "0102", 46, RDC_MALFORMED, NULL},
    {"read request, a later segment", "4141 00000000 00000001 00000007 00000040 aa", 18, RDC_OK,
     "L v1/1 Read Request stag 0 qn 1 msn 7 mo 64 | payload 1"},
};

static size_t print_ddp(const struct rdc_ddp *d, char *out, size_t room)
{
    int n = snprintf(out, room, "%s%sv%u/%u %s stag ", d->tagged ? "T " : "", d->last ? "L " : "",
                     (unsigned)d->version, (unsigned)d->rdmap_version, rdc_rdmap_name(d->opcode));
    size_t used = (size_t)n;

    if (d->tagged)
        n = snprintf(out + used, room - used, "%" PRIx32 " to %" PRIx64 " | ", d->stag, d->to);
    else
        n = snprintf(out + used, room - used, "%" PRIx32 " qn %u msn %u mo %u | ",
                     d->invalidate_stag, d->qn, d->msn, d->mo);
    return used + (size_t)n;
}

static size_t print_terminate(const struct rdc_rdmap_terminate *t, char *out, size_t room)
{
    size_t n = (size_t)snprintf(out, room, "%s, %s, %s", rdc_terminate_layer_name(t->layer),
                                rdc_terminate_type_name(t->layer, t->type),
                                rdc_terminate_code_text(t->layer, t->type, t->code));

    if (t->has_segment_length)
        n += (size_t)snprintf(out + n, room - n, " M %u", (unsigned)t->segment_length);
    if (t->ddp_set && t->ddp.tagged)
        n += (size_t)snprintf(out + n, room - n, " D %s stag %" PRIx32,
                              rdc_rdmap_name(t->ddp.opcode), t->ddp.stag);
    if (t->ddp_set && !t->ddp.tagged)
        n += (size_t)snprintf(out + n, room - n, " D %s msn %u", rdc_rdmap_name(t->ddp.opcode),
                              t->ddp.msn);
    if (t->read_request_set)
        n += (size_t)snprintf(out + n, room - n, " R size %u source %" PRIx32, t->read_request.size,
                              t->read_request.source_stag);
    return n + (size_t)snprintf(out + n, room - n, " | ");
}

static size_t print_header(const struct rdc_rdmap *r, char *out, size_t room)
{
    const struct rdc_rdmap_read_request *rr = &r->read_request;
    const struct rdc_rdmap_atomic_request *a = &r->atomic_request;

    if (!r->header)
        return 0;
    if (r->opcode == RDC_RDMAP_READ_REQUEST)
        return (size_t)snprintf(
            out, room, "sink %" PRIx32 " %" PRIx64 " size %u source %" PRIx32 " %" PRIx64 " | ",
            rr->sink_stag, rr->sink_to, rr->size, rr->source_stag, rr->source_to);
    if (r->opcode == RDC_RDMAP_TERMINATE)
        return print_terminate(&r->terminate, out, room);
    if (r->opcode == RDC_RDMAP_ATOMIC_REQUEST)
        return (size_t)snprintf(out, room,
                                "%s id %" PRIx32 " stag %" PRIx32 " to %" PRIx64 " swap %" PRIx64
                                " mask %" PRIx64 " compare %" PRIx64 " mask %" PRIx64 " | ",
                                rdc_rdmap_atomic_name(a->operation), a->request_id, a->stag, a->to,
                                a->add_swap, a->add_swap_mask, a->compare, a->compare_mask);
    if (r->opcode == RDC_RDMAP_ATOMIC_RESPONSE)
        return (size_t)snprintf(out, room, "id %" PRIx32 " original %" PRIx64 " | ",
                                r->atomic_response.request_id, r->atomic_response.original);
    return (size_t)snprintf(out, room, "imm %" PRIx64 " | ", r->immediate);
}

static void print(const struct rdc_ddp *ddp, const struct rdc_rdmap *r, char *out, size_t room)
{
    rdc_notes notes = ddp->notes | r->notes;
    size_t n = print_ddp(ddp, out, room);

    n += print_header(r, out + n, room - n);
    snprintf(out + n, room - n, "payload %u%s%s%s", r->payload_size,
             notes & RDC_NOTE_BIT(TERMINATE_SOFT_IWARP) ? " siw" : "",
             notes & RDC_NOTE_BIT(DDP_VERSION) ? " version" : "",
             notes & RDC_NOTE_BIT(HEADER_MALFORMED) ? " malformed" : "");
}

static void check(const uint8_t *bytes, size_t captured, size_t wire, void *arg)
{
    const struct row *row = arg;
    struct rdc_cursor cur = {bytes, captured, wire};
    struct rdc_ddp ddp;
    struct rdc_rdmap rdmap;
    char text[400];
    enum rdc_status st = rdc_ddp_decode(&cur, &ddp);

    if (st == RDC_OK)
        st = rdc_rdmap_decode(&cur, &ddp, &rdmap);
    if (captured < row->headers && row->status == RDC_OK) {
        assert_int_equal(st, RDC_TRUNCATED);
        return;
    }
    if (captured == wire)
        assert_int_equal(st, row->status);
    if (st != RDC_OK)
        return;
    assert_int_equal(cur.wire, 0);
    assert_int_equal(cur.captured, 0);
    assert_true(rdmap.payload_captured <= rdmap.payload_size);
    if (rdmap.payload_captured > 0)
        assert_ptr_equal(rdmap.payload + rdmap.payload_captured, bytes + captured);
    if (captured == wire) {
        print(&ddp, &rdmap, text, sizeof text);
        assert_string_equal(text, row->want);
    }
}

static void ulpdu(void **state)
{
    const struct row *row = *state;
    uint8_t bytes[128];
    size_t size = support_hex(row->wire, bytes, sizeof bytes);

    support_each_cut(bytes, size, check, *state);
}

static void names(void **state)
{
    (void)state;
    assert_string_equal(rdc_rdmap_name(12), "Reserved");
    assert_string_equal(rdc_rdmap_name(255), "Reserved");
    assert_string_equal(rdc_rdmap_atomic_name(0), "FetchAdd");
    assert_string_equal(rdc_rdmap_atomic_name(1), "Swap");
    assert_string_equal(rdc_rdmap_atomic_name(3), "Reserved");
    assert_string_equal(rdc_terminate_type_name(2, 1), "reserved");
    assert_string_equal(rdc_terminate_code_text(1, 2, 5), "message too long for the buffer");
    assert_string_equal(rdc_terminate_code_text(2, 0, 6), "insufficient IRD resources");
}

int main(void)
{
    struct CMUnitTest tests[SUPPORT_COUNT(rows) + 1] = {cmocka_unit_test(names)};

    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++)
        tests[i + 1] = (struct CMUnitTest){
            .name = rows[i].name, .test_func = ulpdu, .initial_state = (void *)(uintptr_t)&rows[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
