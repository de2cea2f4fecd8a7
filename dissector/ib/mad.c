/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Management datagrams: the common header (IBTA vol. 1, 13.4.3) and the headers of the classes
 * behind it, as a struct and as fields. The attributes' tables are in the files of their classes,
 * the messages of the communication manager are cm.c's.
 */
#include "ib/mad_table.h"

#include "rdc/cm.h"

/* Where a class keeps its attribute, and what of its header lies before */
static const struct shape {
    uint8_t first;
    uint8_t last;
    uint8_t layout;      /* enum rdc_mad_layout */
    uint8_t data_offset; /* from the start of the datagram */
} shapes[] = {
    {RDC_MAD_CLASS_SMP_LID, RDC_MAD_CLASS_SMP_LID, RDC_MAD_LAYOUT_SMP, 64},
    {RDC_MAD_CLASS_SMP_DIRECTED, RDC_MAD_CLASS_SMP_DIRECTED, RDC_MAD_LAYOUT_DIRECTED, 64},
    {RDC_MAD_CLASS_SUBN_ADM, RDC_MAD_CLASS_SUBN_ADM, RDC_MAD_LAYOUT_SA, 56},
    {RDC_MAD_CLASS_PERF, RDC_MAD_CLASS_DEV_MGT, RDC_MAD_LAYOUT_PLAIN, 64},
    {RDC_MAD_CLASS_SNMP, RDC_MAD_CLASS_SNMP, RDC_MAD_LAYOUT_PLAIN, 64},
    {RDC_MAD_CLASS_CONGESTION, RDC_MAD_CLASS_CONGESTION, RDC_MAD_LAYOUT_PLAIN, 64},
    {RDC_MAD_CLASS_VENDOR_OUI_FIRST, RDC_MAD_CLASS_VENDOR_OUI_LAST, RDC_MAD_LAYOUT_RMPP, 40},
    {0x00, 0xff, RDC_MAD_LAYOUT_PLAIN, RDC_MAD_HEADER_LEN},
};

enum {
    BASE_IB = 1,
    BASE_OPA = 0x80, /* Omni-Path: the common header is the same, the classes differ */
    OPA_MAD_LEN = 2048,
    SMP_DATA_LEN = 64,
    SMP_PATH_LEN = 64,
    CONGESTION_LOG = 0x0013,
    CONGESTION_LOG_OFFSET = 32,
    NOTICE = 0x0002,
    RMPP_DATA = 1,
    RMPP_ACK = 2,
};

static const struct mad_word rmpp_types[] = {{0, "none"}, {1, "DATA"},  {2, "ACK"},
                                             {3, "STOP"}, {4, "ABORT"}, {0, NULL}};
static const struct mad_word rmpp_statuses[] = {
    {0, "normal"},
    {1, "resources exhausted"},
    {118, "total time too long"},
    {119, "inconsistent last flag and payload length"},
    {120, "inconsistent first flag and segment number"},
    {121, "bad RMPP type"},
    {122, "new window last too small"},
    {123, "segment number too big"},
    {124, "illegal status"},
    {125, "unsupported version"},
    {126, "too many retries"},
    {127, "unspecified"},
    {0, NULL},
};
static const struct mad_word sa_statuses[] = {
    {1, "no resources"},   {2, "request invalid"},
    {3, "no records"},     {4, "too many records"},
    {5, "invalid GID"},    {6, "insufficient components"},
    {7, "request denied"}, {0, NULL},
};

static void common_header(const uint8_t *p, struct rdc_mad *mad);
static struct shape shape_of(const struct rdc_mad *mad);
static void class_header(struct rdc_cursor *cur, const struct shape *shape, struct rdc_mad *mad);
static void smp_paths(struct rdc_cursor cur, struct rdc_mad_smp *smp);
static void rmpp_header(const uint8_t *p, struct rdc_mad_rmpp *rmpp);
static void visit_smp(const struct rdc_mad *mad, rdc_field_visit *visit, void *context);
static void visit_paths(const struct rdc_mad *mad, rdc_field_visit *visit, void *context);
static void visit_rmpp(const struct rdc_mad_rmpp *rmpp, rdc_field_visit *visit, void *context);
static void visit_class_header(const struct rdc_mad *mad, rdc_field_visit *visit, void *context);
static void visit_attribute(const struct rdc_mad *mad, rdc_field_visit *visit, void *context);
static void visit_notice(const struct rdc_mad *mad, rdc_field_visit *visit, void *context);
static bool holds_attribute(const struct rdc_mad *mad);

enum rdc_status rdc_mad_decode(struct rdc_cursor *cur, struct rdc_mad *out)
{
    struct rdc_cursor rest = *cur;
    struct rdc_mad mad;
    struct shape shape;
    const uint8_t *p;
    enum rdc_status st = rdc_take(&rest, RDC_MAD_HEADER_LEN, &p);

    if (st != RDC_OK)
        return st;
    if (p[0] != BASE_IB && p[0] != BASE_OPA)
        return RDC_UNSUPPORTED;
    /* What a longer packet has behind the datagram is none of it */
    (void)!rdc_limit(&rest, (p[0] == BASE_IB ? RDC_MAD_LEN : OPA_MAD_LEN) - RDC_MAD_HEADER_LEN);
    common_header(p, &mad);
    shape = shape_of(&mad);
    class_header(&rest, &shape, &mad);
    *cur = (struct rdc_cursor){.at = cur->at + cur->captured};
    *out = mad;
    return RDC_OK;
}

void rdc_mad_header_fields(const struct rdc_mad *mad, rdc_field_visit *visit, void *context)
{
#define FIELD(name, value, size, kind, text)                                                       \
    mad_visit_value(name, value, size, RDC_FIELD_##kind, text, visit, context)
    FIELD("base_version", mad->base_version, 1, NUMBER, NULL);
    FIELD("class", mad->mgmt_class, 1, HEX, rdc_mad_class_name(mad->mgmt_class));
    FIELD("class_version", mad->class_version, 1, NUMBER, NULL);
    FIELD("method", mad->method, 1, HEX, rdc_mad_method_name(mad->mgmt_class, mad->method));
    FIELD("status", mad->status, 2, HEX, rdc_mad_status_text(mad->status));
    if (mad->mgmt_class == RDC_MAD_CLASS_SUBN_ADM && mad->status >> 8 != 0)
        FIELD("sa_status", mad->status >> 8, 1, NUMBER,
              mad_word_text(sa_statuses, mad->status >> 8));
    FIELD("transaction_id", mad->transaction_id, 8, HEX, NULL);
    FIELD("attribute_id", mad->attribute_id, 2, HEX,
          rdc_mad_attribute_name(mad->mgmt_class, mad->attribute_id));
    FIELD("attribute_modifier", mad->attribute_modifier, 4, HEX, NULL);
#undef FIELD
}

void rdc_mad_fields(const struct rdc_mad *mad, rdc_field_visit *visit, void *context)
{
    struct rdc_cm cm;

    if (mad->layout_complete)
        visit_class_header(mad, visit, context);
    if (rdc_cm_decode(mad, &cm) == RDC_OK)
        rdc_cm_fields(&cm, visit, context);
    else
        visit_attribute(mad, visit, context);
    visit_paths(mad, visit, context);
}

/* base version:8 class:8 class version:8 R:1 method:7   status:16 class specific:16
 * transaction id:64   attribute id:16 reserved:16   attribute modifier:32
 * Directed route SMPs put a D bit above a 15-bit status, and hop pointer and count into the class
 * specific half-word. */
static void common_header(const uint8_t *p, struct rdc_mad *mad)
{
    *mad = (struct rdc_mad){
        .base_version = p[0],
        .mgmt_class = p[1],
        .class_version = p[2],
        .method = p[3],
        .status = rdc_be16(p + 4),
        .class_specific = rdc_be16(p + 6),
        .transaction_id = rdc_be64(p + 8),
        .attribute_id = rdc_be16(p + 16),
        .attribute_modifier = rdc_be32(p + 20),
    };
    if (mad->mgmt_class == RDC_MAD_CLASS_SMP_DIRECTED) {
        mad->smp.response = (p[4] & 0x80) != 0;
        mad->smp.hop_pointer = p[6];
        mad->smp.hop_count = p[7];
        mad->status &= 0x7fff;
    }
}

static struct shape shape_of(const struct rdc_mad *mad)
{
    const struct shape *shape = shapes;

    if (mad->base_version == BASE_OPA)
        return shapes[sizeof shapes / sizeof shapes[0] - 1];
    while (mad->mgmt_class < shape->first || mad->mgmt_class > shape->last)
        shape++;
    if (mad->mgmt_class == RDC_MAD_CLASS_CONGESTION && mad->attribute_id == CONGESTION_LOG)
        return (struct shape){0, 0, RDC_MAD_LAYOUT_PLAIN, CONGESTION_LOG_OFFSET};
    return *shape;
}

/* What lies between the common header and the data, and the data itself.
 *   SMP: M_Key:64 (directed: DrSLID:16 DrDLID:16) ... 64 bytes of data, then both paths
 *   SubnAdm: RMPP header, SM_Key:64 attribute offset:16 reserved:16 component mask:64
 *   vendor with OUI: RMPP header, reserved:8 OUI:24 */
static void class_header(struct rdc_cursor *cur, const struct shape *shape, struct rdc_mad *mad)
{
    size_t size = shape->data_offset - (size_t)RDC_MAD_HEADER_LEN;
    const uint8_t *p;

    mad->layout = shape->layout;
    if (rdc_take(cur, size, &p) != RDC_OK)
        return;
    mad->layout_complete = true;
    if (shape->layout == RDC_MAD_LAYOUT_SMP || shape->layout == RDC_MAD_LAYOUT_DIRECTED)
        mad->smp.m_key = rdc_be64(p);
    if (shape->layout == RDC_MAD_LAYOUT_DIRECTED) {
        mad->smp.dr_slid = rdc_be16(p + 8);
        mad->smp.dr_dlid = rdc_be16(p + 10);
        smp_paths(*cur, &mad->smp);
    }
    if (shape->layout == RDC_MAD_LAYOUT_SA) {
        rmpp_header(p, &mad->rmpp);
        mad->sa.sm_key = rdc_be64(p + 12);
        mad->sa.attribute_offset_bytes = (uint16_t)((rdc_be16(p + 20) & 0x1fff) * 8);
        mad->sa.component_mask = rdc_be64(p + 24);
    }
    if (shape->layout == RDC_MAD_LAYOUT_RMPP) {
        rmpp_header(p, &mad->rmpp);
        mad->has_oui = true;
        mad->oui = rdc_be24(p + 13);
    }
    if (mad->mgmt_class == RDC_MAD_CLASS_BM || mad->mgmt_class == RDC_MAD_CLASS_CONGESTION)
        mad->class_key = size > 0 ? rdc_be64(p) : 0;
    /* All but SMPs fill the datagram with their data; a shorter one keeps what it has */
    if (shape->layout == RDC_MAD_LAYOUT_SMP || shape->layout == RDC_MAD_LAYOUT_DIRECTED)
        (void)!rdc_limit(cur, SMP_DATA_LEN);
    mad->data_size = (uint16_t)cur->wire;
    mad->data_captured = (uint16_t)cur->captured;
    mad->data = cur->captured > 0 ? cur->at : NULL;
}

static void smp_paths(struct rdc_cursor cur, struct rdc_mad_smp *smp)
{
    const uint8_t *p;

    if (rdc_take(&cur, SMP_DATA_LEN, &p) != RDC_OK)
        return;
    if (rdc_take(&cur, SMP_PATH_LEN, &p) != RDC_OK)
        return;
    smp->initial_path = p;
    if (rdc_take(&cur, SMP_PATH_LEN, &p) == RDC_OK)
        smp->return_path = p;
}

/* version:8 type:8 response time:5 flags:3 (last, first, active) status:8 data1:32 data2:32 */
static void rmpp_header(const uint8_t *p, struct rdc_mad_rmpp *rmpp)
{
    *rmpp = (struct rdc_mad_rmpp){
        .version = p[0],
        .type = p[1],
        .response_time = p[2] >> 3,
        .active = (p[2] & 1) != 0,
        .first = (p[2] & 2) != 0,
        .last = (p[2] & 4) != 0,
        .status = p[3],
        .segment = rdc_be32(p + 4),
        .length = rdc_be32(p + 8),
    };
}

static void visit_class_header(const struct rdc_mad *mad, rdc_field_visit *visit, void *context)
{
    if (mad->layout == RDC_MAD_LAYOUT_SMP || mad->layout == RDC_MAD_LAYOUT_DIRECTED)
        visit_smp(mad, visit, context);
    if (mad->layout == RDC_MAD_LAYOUT_SA || mad->layout == RDC_MAD_LAYOUT_RMPP)
        visit_rmpp(&mad->rmpp, visit, context);
    if (mad->layout == RDC_MAD_LAYOUT_SA) {
        mad_visit_value("sm_key", mad->sa.sm_key, 8, RDC_FIELD_HEX, NULL, visit, context);
        mad_visit_value("attribute_offset_bytes", mad->sa.attribute_offset_bytes, 2,
                        RDC_FIELD_NUMBER, NULL, visit, context);
        mad_visit_value("component_mask", mad->sa.component_mask, 8, RDC_FIELD_HEX, NULL, visit,
                        context);
    }
    if (mad->has_oui)
        mad_visit_value("oui", mad->oui, 3, RDC_FIELD_HEX, NULL, visit, context);
    if (mad->mgmt_class == RDC_MAD_CLASS_BM)
        mad_visit_value("b_key", mad->class_key, 8, RDC_FIELD_HEX, NULL, visit, context);
    if (mad->mgmt_class == RDC_MAD_CLASS_CONGESTION)
        mad_visit_value("cc_key", mad->class_key, 8, RDC_FIELD_HEX, NULL, visit, context);
}

static void visit_smp(const struct rdc_mad *mad, rdc_field_visit *visit, void *context)
{
    const struct rdc_mad_smp *smp = &mad->smp;
    bool directed = mad->layout == RDC_MAD_LAYOUT_DIRECTED;

    if (directed) {
        mad_visit_value("returning", smp->response, 1, RDC_FIELD_FLAG, NULL, visit, context);
        mad_visit_value("hop_pointer", smp->hop_pointer, 1, RDC_FIELD_NUMBER, NULL, visit, context);
        mad_visit_value("hop_count", smp->hop_count, 1, RDC_FIELD_NUMBER, NULL, visit, context);
    }
    mad_visit_value("m_key", smp->m_key, 8, RDC_FIELD_HEX, NULL, visit, context);
    if (directed) {
        mad_visit_value("dr_slid", smp->dr_slid, 2, RDC_FIELD_NUMBER, NULL, visit, context);
        mad_visit_value("dr_dlid", smp->dr_dlid, 2, RDC_FIELD_NUMBER, NULL, visit, context);
    }
}

/* Ports along the route: entry 0 is unused, entries 1 to the hop count are filled */
static void visit_paths(const struct rdc_mad *mad, rdc_field_visit *visit, void *context)
{
    size_t size = mad->smp.hop_count + 1u;

    if (size > SMP_PATH_LEN)
        size = SMP_PATH_LEN;
    if (mad->smp.initial_path != NULL)
        mad_visit_bytes("initial_path", mad->smp.initial_path, size, RDC_FIELD_BYTES, visit,
                        context);
    if (mad->smp.return_path != NULL)
        mad_visit_bytes("return_path", mad->smp.return_path, size, RDC_FIELD_BYTES, visit, context);
}

static void visit_rmpp(const struct rdc_mad_rmpp *rmpp, rdc_field_visit *visit, void *context)
{
#define FIELD(name, value, size, kind, text)                                                       \
    mad_visit_value(name, value, size, RDC_FIELD_##kind, text, visit, context)
    FIELD("rmpp_version", rmpp->version, 1, NUMBER, NULL);
    FIELD("rmpp_type", rmpp->type, 1, NUMBER, mad_word_text(rmpp_types, rmpp->type));
    FIELD("rmpp_response_time", rmpp->response_time, 1, NUMBER, NULL);
    FIELD("rmpp_active", rmpp->active, 1, FLAG, NULL);
    FIELD("rmpp_first", rmpp->first, 1, FLAG, NULL);
    FIELD("rmpp_last", rmpp->last, 1, FLAG, NULL);
    FIELD("rmpp_status", rmpp->status, 1, NUMBER, mad_word_text(rmpp_statuses, rmpp->status));
    if (rmpp->type == RMPP_DATA || rmpp->type == RMPP_ACK)
        FIELD("rmpp_segment", rmpp->segment, 4, NUMBER, NULL);
    if (rmpp->type == RMPP_DATA)
        FIELD("rmpp_payload_bytes", rmpp->length, 4, NUMBER, NULL);
    if (rmpp->type == RMPP_ACK)
        FIELD("rmpp_new_window_last", rmpp->length, 4, NUMBER, NULL);
#undef FIELD
}

static void visit_attribute(const struct rdc_mad *mad, rdc_field_visit *visit, void *context)
{
    const struct mad_attribute *attribute = NULL;

    if (mad->data_captured == 0)
        return;
    if (mad->base_version == BASE_IB && holds_attribute(mad))
        attribute = mad_find_attribute(mad->mgmt_class, mad->attribute_id);
    if (attribute == NULL || attribute->parts[0].rows == NULL) {
        mad_visit_bytes("data", mad->data, mad->data_captured, RDC_FIELD_BYTES, visit, context);
        return;
    }
    for (size_t i = 0; i < MAD_PARTS; i++) {
        const struct mad_part *part = &attribute->parts[i];

        if (part->rows != NULL && part->base <= mad->data_captured)
            mad_visit_rows(part->rows, mad->data + part->base,
                           (size_t)mad->data_captured - part->base, visit, context);
    }
    if (mad->attribute_id == NOTICE)
        visit_notice(mad, visit, context);
}

static void visit_notice(const struct rdc_mad *mad, rdc_field_visit *visit, void *context)
{
    bool generic;

    if (mad->data_captured < MAD_NOTICE_DETAILS)
        return;
    generic = (mad->data[0] & 0x80) != 0;
    if (generic)
        mad_visit_rows(mad_trap_rows(rdc_be16(mad->data + 4)), mad->data + MAD_NOTICE_DETAILS,
                       (size_t)mad->data_captured - MAD_NOTICE_DETAILS, visit, context);
}

/* Later segments of a multi-packet answer begin anywhere in a record, ACKs have no data */
static bool holds_attribute(const struct rdc_mad *mad)
{
    if (mad->layout != RDC_MAD_LAYOUT_SA || !mad->rmpp.active)
        return true;
    return mad->rmpp.type == RMPP_DATA && mad->rmpp.segment <= 1;
}
