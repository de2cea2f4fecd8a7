/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * RDMAP headers (RFC 5040, 4; RFC 7306, 5 and 6): what an RDMAP message says behind its DDP header.
 * Terminate messages are terminate.c's.
 */
#include "rdc/iwarp.h"

#include "iwarp/terminate.h"

/* By opcode. The headers follow an untagged DDP header, in the first segment of the message. */
static const struct opcode {
    const char *name;
    bool tagged;
} opcodes[16] = {
    [RDC_RDMAP_WRITE] = {"Write", true},
    [RDC_RDMAP_READ_REQUEST] = {"Read Request", false},
    [RDC_RDMAP_READ_RESPONSE] = {"Read Response", true},
    [RDC_RDMAP_SEND] = {"Send", false},
    [RDC_RDMAP_SEND_INV] = {"Send with Invalidate", false},
    [RDC_RDMAP_SEND_SE] = {"Send with SE", false},
    [RDC_RDMAP_SEND_SE_INV] = {"Send with SE and Invalidate", false},
    [RDC_RDMAP_TERMINATE] = {"Terminate", false},
    [RDC_RDMAP_IMMEDIATE] = {"Immediate Data", false},
    [RDC_RDMAP_IMMEDIATE_SE] = {"Immediate Data with SE", false},
    [RDC_RDMAP_ATOMIC_REQUEST] = {"Atomic Request", false},
    [RDC_RDMAP_ATOMIC_RESPONSE] = {"Atomic Response", false},
};

static enum rdc_status header(struct rdc_cursor *cur, struct rdc_rdmap *rdmap);
static enum rdc_status immediate(struct rdc_cursor *cur, uint64_t *out);
static enum rdc_status atomic_request(struct rdc_cursor *cur, struct rdc_rdmap_atomic_request *out);
static enum rdc_status atomic_response(struct rdc_cursor *cur,
                                       struct rdc_rdmap_atomic_response *out);

enum rdc_status rdc_rdmap_decode(struct rdc_cursor *cur, const struct rdc_ddp *ddp,
                                 struct rdc_rdmap *out)
{
    const struct opcode *info = &opcodes[ddp->opcode & 0xf];
    struct rdc_cursor rest = *cur;
    struct rdc_rdmap rdmap = {.opcode = ddp->opcode};
    enum rdc_status st = RDC_OK;

    if (info->name == NULL)
        return RDC_UNSUPPORTED;
    if (info->tagged != ddp->tagged)
        return RDC_MALFORMED;
    if (!ddp->tagged && ddp->mo == 0)
        st = header(&rest, &rdmap);
    if (st != RDC_OK)
        return st;
    rdmap.payload_size = (uint32_t)rest.wire;
    rdmap.payload_captured = (uint32_t)rest.captured;
    if (rest.captured > 0) {
        rdmap.payload = rest.at;
        rest.at += rest.captured;
    }
    *cur = (struct rdc_cursor){.at = rest.at};
    *out = rdmap;
    return RDC_OK;
}

const char *rdc_rdmap_name(uint8_t opcode)
{
    const char *name = opcode < 16 ? opcodes[opcode].name : NULL;

    return name != NULL ? name : "Reserved";
}

const char *rdc_rdmap_atomic_name(uint8_t operation)
{
    static const char *const names[] = {
        [RDC_RDMAP_FETCH_ADD] = "FetchAdd",
        [RDC_RDMAP_SWAP] = "Swap",
        [RDC_RDMAP_CMP_SWAP] = "CmpSwap",
    };

    return operation < sizeof names / sizeof names[0] ? names[operation] : "Reserved";
}

static enum rdc_status header(struct rdc_cursor *cur, struct rdc_rdmap *rdmap)
{
    enum rdc_status st;

    switch (rdmap->opcode) {
    case RDC_RDMAP_READ_REQUEST:
        st = iwarp_read_request(cur, &rdmap->read_request);
        break;
    case RDC_RDMAP_TERMINATE:
        st = iwarp_terminate(cur, &rdmap->terminate, &rdmap->notes);
        break;
    case RDC_RDMAP_IMMEDIATE:
    case RDC_RDMAP_IMMEDIATE_SE:
        st = immediate(cur, &rdmap->immediate);
        break;
    case RDC_RDMAP_ATOMIC_REQUEST:
        st = atomic_request(cur, &rdmap->atomic_request);
        break;
    case RDC_RDMAP_ATOMIC_RESPONSE:
        st = atomic_response(cur, &rdmap->atomic_response);
        break;
    default:
        return RDC_OK;
    }
    rdmap->header = st == RDC_OK;
    return st;
}

/* RFC 5040, 4.4: sink STag:32 sink TO:64 size:32 source STag:32 source TO:64 */
enum rdc_status iwarp_read_request(struct rdc_cursor *cur, struct rdc_rdmap_read_request *out)
{
    const uint8_t *p;
    enum rdc_status st = rdc_take(cur, RDC_RDMAP_READ_REQUEST_LEN, &p);

    if (st != RDC_OK)
        return st;
    *out = (struct rdc_rdmap_read_request){
        .sink_stag = rdc_be32(p),
        .sink_to = rdc_be64(p + 4),
        .size = rdc_be32(p + 12),
        .source_stag = rdc_be32(p + 16),
        .source_to = rdc_be64(p + 20),
    };
    return RDC_OK;
}

/* RFC 7306, 6.1: 8 bytes of immediate data */
static enum rdc_status immediate(struct rdc_cursor *cur, uint64_t *out)
{
    const uint8_t *p;
    enum rdc_status st = rdc_take(cur, RDC_RDMAP_IMMEDIATE_LEN, &p);

    if (st == RDC_OK)
        *out = rdc_be64(p);
    return st;
}

/* RFC 7306, 5.2.1: reserved:28 AOpCode:4, request id:32, STag:32, TO:64, add or swap data:64 and
 * mask:64, compare data:64 and mask:64 */
static enum rdc_status atomic_request(struct rdc_cursor *cur, struct rdc_rdmap_atomic_request *out)
{
    const uint8_t *p;
    enum rdc_status st = rdc_take(cur, RDC_RDMAP_ATOMIC_REQUEST_LEN, &p);

    if (st != RDC_OK)
        return st;
    *out = (struct rdc_rdmap_atomic_request){
        .operation = p[3] & 0xf,
        .request_id = rdc_be32(p + 4),
        .stag = rdc_be32(p + 8),
        .to = rdc_be64(p + 12),
        .add_swap = rdc_be64(p + 20),
        .add_swap_mask = rdc_be64(p + 28),
        .compare = rdc_be64(p + 36),
        .compare_mask = rdc_be64(p + 44),
    };
    return RDC_OK;
}

/* RFC 7306, 5.2.2: original request id:32, original remote value:64 */
static enum rdc_status atomic_response(struct rdc_cursor *cur,
                                       struct rdc_rdmap_atomic_response *out)
{
    const uint8_t *p;
    enum rdc_status st = rdc_take(cur, RDC_RDMAP_ATOMIC_RESPONSE_LEN, &p);

    if (st == RDC_OK)
        *out = (struct rdc_rdmap_atomic_response){.request_id = rdc_be32(p),
                                                  .original = rdc_be64(p + 4)};
    return st;
}
