/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * RDMAP Terminate messages (RFC 5040, 4.8): who gave up and why, with the headers of what it gave
 * up on. The codes are those of RFC 5040, 4.8, RFC 5041, 6.2, RFC 5044, 8 and RFC 6581, 9.3.
 */
#include "iwarp/terminate.h"

#include <stddef.h>

struct control {
    uint8_t layer;
    uint8_t type;
    uint8_t code;
    uint8_t headers; /* HdrCt: M 4, D 2, R 1 */
};

static const struct terminate_code {
    uint8_t layer;
    uint8_t type;
    uint8_t code;
    const char *text;
} codes[] = {
    {0, 0, 0x00, "local catastrophic error"},
    {0, 1, 0x00, "invalid STag"},
    {0, 1, 0x01, "base or bounds violation"},
    {0, 1, 0x02, "access rights violation"},
    {0, 1, 0x03, "STag not associated with the RDMAP stream"},
    {0, 1, 0x04, "tagged offset wrap"},
    {0, 1, 0x09, "STag can't be invalidated"},
    {0, 1, 0xff, "unspecified error"},
    {0, 2, 0x05, "invalid RDMAP version"},
    {0, 2, 0x06, "unexpected opcode"},
    {0, 2, 0x07, "catastrophic error, this RDMAP stream"},
    {0, 2, 0x08, "catastrophic error, global"},
    {0, 2, 0x09, "STag can't be invalidated"},
    {0, 2, 0xff, "unspecified error"},
    {1, 0, 0x00, "local catastrophic error"},
    {1, 1, 0x00, "invalid STag"},
    {1, 1, 0x01, "base or bounds violation"},
    {1, 1, 0x02, "STag not associated with the DDP stream"},
    {1, 1, 0x03, "tagged offset wrap"},
    {1, 1, 0x04, "invalid DDP version"},
    {1, 2, 0x01, "invalid queue number"},
    {1, 2, 0x02, "invalid MSN, no buffer available"},
    {1, 2, 0x03, "invalid MSN, out of range"},
    {1, 2, 0x04, "invalid message offset"},
    {1, 2, 0x05, "message too long for the buffer"},
    {1, 2, 0x06, "invalid DDP version"},
    {2, 0, 0x01, "TCP connection closed, terminated or lost"},
    {2, 0, 0x02, "FPDU with a wrong CRC"},
    {2, 0, 0x03, "marker and ULPDU length disagree"},
    {2, 0, 0x04, "invalid MPA request or reply frame"},
    {2, 0, 0x05, "local catastrophic error"},
    {2, 0, 0x06, "insufficient IRD resources"},
    {2, 0, 0x07, "no matching RTR option"},
};

static struct control read_control(const uint8_t *p, bool *soft_iwarp);
static void terminated_headers(struct rdc_cursor *cur, struct rdc_rdmap_terminate *out,
                               rdc_notes *notes);
static enum rdc_status terminated_ddp(struct rdc_cursor *cur, struct rdc_rdmap_terminate *out);
static const char *code_text(struct control c);

enum rdc_status iwarp_terminate(struct rdc_cursor *cur, struct rdc_rdmap_terminate *out,
                                rdc_notes *notes)
{
    const uint8_t *p;
    struct control c;
    bool soft_iwarp;
    enum rdc_status st = rdc_take(cur, RDC_RDMAP_TERMINATE_LEN, &p);

    if (st != RDC_OK)
        return st;
    c = read_control(p, &soft_iwarp);
    if (soft_iwarp)
        *notes |= RDC_NOTE_BIT(TERMINATE_SOFT_IWARP);
    *out = (struct rdc_rdmap_terminate){
        .layer = c.layer,
        .type = c.type,
        .code = c.code,
        .has_segment_length = (c.headers & 4) != 0,
        .has_ddp = (c.headers & 2) != 0,
        .has_rdmap = (c.headers & 1) != 0,
    };
    terminated_headers(cur, out, notes);
    return RDC_OK;
}

const char *rdc_terminate_layer_name(uint8_t layer)
{
    static const char *const names[] = {"RDMAP", "DDP", "MPA"};

    return layer < sizeof names / sizeof names[0] ? names[layer] : "reserved";
}

const char *rdc_terminate_type_name(uint8_t layer, uint8_t type)
{
    static const char *const names[3][3] = {
        {"local catastrophic error", "remote protection error", "remote operation error"},
        {"local catastrophic error", "tagged buffer error", "untagged buffer error"},
        {"MPA error", NULL, NULL},
    };
    const char *name = layer < 3 && type < 3 ? names[layer][type] : NULL;

    return name != NULL ? name : "reserved";
}

const char *rdc_terminate_code_text(uint8_t layer, uint8_t type, uint8_t code)
{
    const char *text = code_text((struct control){.layer = layer, .type = type, .code = code});

    return text != NULL ? text : "reserved";
}

/* layer:4 type:4 code:8 M:1 D:1 R:1 reserved:13
 *
 * Soft-iWARP (Linux siw) fills a little-endian bit-field instead: type:4 layer:4 code:8
 * reserved:5 R:1 D:1 M:1 reserved:8. Its flags sit in reserved bits, which tells it; without any
 * flag it shows only where the code has no meaning in the order of the RFC, but has one in siw's.
 */
static struct control read_control(const uint8_t *p, bool *soft_iwarp)
{
    struct control rfc = {p[0] >> 4, p[0] & 0xf, p[1], p[2] >> 5};
    struct control siw = {p[0] & 0xf, p[0] >> 4, p[1], 0};
    uint8_t low = p[2] & 0x7;

    siw.headers = (uint8_t)((low & 1) << 2 | (low & 2) | low >> 2);
    *soft_iwarp =
        rfc.headers == 0 && (low != 0 || (code_text(rfc) == NULL && code_text(siw) != NULL));
    return *soft_iwarp ? siw : rfc;
}

/* DDP segment length:16 (M), DDP header (D), RDMAP header (R) */
static void terminated_headers(struct rdc_cursor *cur, struct rdc_rdmap_terminate *out,
                               rdc_notes *notes)
{
    const uint8_t *p;
    enum rdc_status st = RDC_OK;

    if (out->has_segment_length) {
        st = rdc_take(cur, 2, &p);
        if (st == RDC_OK)
            out->segment_length = rdc_be16(p);
    }
    if (st == RDC_OK && out->has_ddp)
        st = terminated_ddp(cur, out);
    if (st == RDC_TRUNCATED)
        *notes |= RDC_NOTE_BIT(HEADER_TRUNCATED);
    if (st == RDC_MALFORMED)
        *notes |= RDC_NOTE_BIT(HEADER_MALFORMED);
}

/* Of the RDMAP headers that may follow only a Read Request is decoded */
static enum rdc_status terminated_ddp(struct rdc_cursor *cur, struct rdc_rdmap_terminate *out)
{
    enum rdc_status st = rdc_ddp_decode(cur, &out->ddp);

    out->ddp_set = st == RDC_OK;
    if (st != RDC_OK || !out->has_rdmap || out->ddp.tagged ||
        out->ddp.opcode != RDC_RDMAP_READ_REQUEST)
        return st;
    st = iwarp_read_request(cur, &out->read_request);
    out->read_request_set = st == RDC_OK;
    return st;
}

static const char *code_text(struct control c)
{
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
        if (codes[i].layer == c.layer && codes[i].type == c.type && codes[i].code == c.code)
            return codes[i].text;
    return NULL;
}
