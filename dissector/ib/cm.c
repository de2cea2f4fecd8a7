/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Messages of the communication manager (IBTA vol. 1, 12.6 to 12.11). One table a message says
 * where its fields are; decoding fills the struct by it, showing walks it. Words are cm_text.c's.
 */
#include "rdc/cm.h"

#include <string.h>

#include "ib/cm_text.h"
#include "ib/mad_table.h"

_Static_assert(RDC_CM_FIELD_COUNT <= 64, "rdc_cm.present has a bit a field");

/* What a row holds beside the fields of the list */
enum extra {
    PRIMARY_LOCAL_GID = RDC_CM_FIELD_COUNT,
    PRIMARY_REMOTE_GID,
    ALTERNATE_LOCAL_GID,
    ALTERNATE_REMOTE_GID,
    INFO,
    PRIVATE_DATA,
};

/* Bits are counted from the start of the message, the most significant bit of a byte first */
struct cm_row {
    uint8_t field; /* enum rdc_cm_field or enum extra */
    uint16_t bit;
    uint16_t bits;
};

#define FIELD(name, byte, bit, bits)                                                               \
    {                                                                                              \
        RDC_CM_HAS_##name, MAD_AT(byte, bit), bits                                                 \
    }
#define EXTRA(name, byte, bytes)                                                                   \
    {                                                                                              \
        name, MAD_AT(byte, 0), (bytes)*8                                                           \
    }
#define COMM_IDS FIELD(LOCAL_COMM_ID, 0, 0, 32), FIELD(REMOTE_COMM_ID, 4, 0, 32)

static const struct cm_row req_rows[] = {
    FIELD(LOCAL_COMM_ID, 0, 0, 32),
    FIELD(SERVICE_ID, 8, 0, 64),
    FIELD(LOCAL_CA_GUID, 16, 0, 64),
    FIELD(LOCAL_QKEY, 28, 0, 32),
    FIELD(LOCAL_QPN, 32, 0, 24),
    FIELD(RESPONDER_RESOURCES, 35, 0, 8),
    FIELD(LOCAL_EECN, 36, 0, 24),
    FIELD(INITIATOR_DEPTH, 39, 0, 8),
    FIELD(REMOTE_EECN, 40, 0, 24),
    FIELD(REMOTE_RESPONSE_TIMEOUT, 43, 0, 5),
    FIELD(TRANSPORT_SERVICE, 43, 5, 2),
    FIELD(E2E_FLOW_CONTROL, 43, 7, 1),
    FIELD(STARTING_PSN, 44, 0, 24),
    FIELD(LOCAL_RESPONSE_TIMEOUT, 47, 0, 5),
    FIELD(RETRY_COUNT, 47, 5, 3),
    FIELD(PKEY, 48, 0, 16),
    FIELD(PATH_MTU, 50, 0, 4),
    FIELD(RDC_EXISTS, 50, 4, 1),
    FIELD(RNR_RETRY_COUNT, 50, 5, 3),
    FIELD(MAX_CM_RETRIES, 51, 0, 4),
    FIELD(SRQ, 51, 4, 1),
    FIELD(EXTENDED_TRANSPORT, 51, 5, 3),
    FIELD(PRIMARY_LOCAL_LID, 52, 0, 16),
    FIELD(PRIMARY_REMOTE_LID, 54, 0, 16),
    EXTRA(PRIMARY_LOCAL_GID, 56, 16),
    EXTRA(PRIMARY_REMOTE_GID, 72, 16),
    FIELD(PRIMARY_FLOW_LABEL, 88, 0, 20),
    FIELD(PRIMARY_PACKET_RATE, 91, 2, 6),
    FIELD(PRIMARY_TRAFFIC_CLASS, 92, 0, 8),
    FIELD(PRIMARY_HOP_LIMIT, 93, 0, 8),
    FIELD(PRIMARY_SL, 94, 0, 4),
    FIELD(PRIMARY_SUBNET_LOCAL, 94, 4, 1),
    FIELD(PRIMARY_ACK_TIMEOUT, 95, 0, 5),
    FIELD(ALTERNATE_LOCAL_LID, 96, 0, 16),
    FIELD(ALTERNATE_REMOTE_LID, 98, 0, 16),
    EXTRA(ALTERNATE_LOCAL_GID, 100, 16),
    EXTRA(ALTERNATE_REMOTE_GID, 116, 16),
    FIELD(ALTERNATE_FLOW_LABEL, 132, 0, 20),
    FIELD(ALTERNATE_PACKET_RATE, 135, 2, 6),
    FIELD(ALTERNATE_TRAFFIC_CLASS, 136, 0, 8),
    FIELD(ALTERNATE_HOP_LIMIT, 137, 0, 8),
    FIELD(ALTERNATE_SL, 138, 0, 4),
    FIELD(ALTERNATE_SUBNET_LOCAL, 138, 4, 1),
    FIELD(ALTERNATE_ACK_TIMEOUT, 139, 0, 5),
    EXTRA(PRIVATE_DATA, 140, 92),
};

static const struct cm_row mra_rows[] = {
    COMM_IDS,
    FIELD(ABOUT_MESSAGE, 8, 0, 2),
    FIELD(SERVICE_TIMEOUT, 9, 0, 5),
    EXTRA(PRIVATE_DATA, 10, 222),
};

static const struct cm_row rej_rows[] = {
    COMM_IDS,
    FIELD(ABOUT_MESSAGE, 8, 0, 2),
    FIELD(INFO_LENGTH, 9, 0, 7),
    FIELD(REASON, 10, 0, 16),
    EXTRA(INFO, 12, 72),
    EXTRA(PRIVATE_DATA, 84, 148),
};

static const struct cm_row rep_rows[] = {
    COMM_IDS,
    FIELD(LOCAL_QKEY, 8, 0, 32),
    FIELD(LOCAL_QPN, 12, 0, 24),
    FIELD(LOCAL_EECN, 16, 0, 24),
    FIELD(STARTING_PSN, 20, 0, 24),
    FIELD(RESPONDER_RESOURCES, 24, 0, 8),
    FIELD(INITIATOR_DEPTH, 25, 0, 8),
    FIELD(TARGET_ACK_DELAY, 26, 0, 5),
    FIELD(FAILOVER_ACCEPTED, 26, 5, 2),
    FIELD(E2E_FLOW_CONTROL, 26, 7, 1),
    FIELD(RNR_RETRY_COUNT, 27, 0, 3),
    FIELD(SRQ, 27, 3, 1),
    FIELD(LOCAL_CA_GUID, 28, 0, 64),
    EXTRA(PRIVATE_DATA, 36, 196),
};

/* RTU and DREP */
static const struct cm_row ids_rows[] = {
    COMM_IDS,
    EXTRA(PRIVATE_DATA, 8, 224),
};

static const struct cm_row dreq_rows[] = {
    COMM_IDS,
    FIELD(REMOTE_QPN, 8, 0, 24),
    EXTRA(PRIVATE_DATA, 12, 220),
};

static const struct cm_row sidr_req_rows[] = {
    FIELD(REQUEST_ID, 0, 0, 32),
    FIELD(PKEY, 4, 0, 16),
    FIELD(SERVICE_ID, 8, 0, 64),
    EXTRA(PRIVATE_DATA, 16, 216),
};

static const struct cm_row sidr_rep_rows[] = {
    FIELD(REQUEST_ID, 0, 0, 32), FIELD(SIDR_STATUS, 4, 0, 8),  FIELD(INFO_LENGTH, 5, 0, 8),
    FIELD(LOCAL_QPN, 8, 0, 24),  FIELD(SERVICE_ID, 12, 0, 64), FIELD(LOCAL_QKEY, 20, 0, 32),
    EXTRA(INFO, 24, 72),         EXTRA(PRIVATE_DATA, 96, 136),
};

static const struct cm_row lap_rows[] = {
    COMM_IDS,
    FIELD(REMOTE_QPN, 12, 0, 24),
    FIELD(REMOTE_RESPONSE_TIMEOUT, 15, 0, 5),
    FIELD(ALTERNATE_LOCAL_LID, 20, 0, 16),
    FIELD(ALTERNATE_REMOTE_LID, 22, 0, 16),
    EXTRA(ALTERNATE_LOCAL_GID, 24, 16),
    EXTRA(ALTERNATE_REMOTE_GID, 40, 16),
    FIELD(ALTERNATE_FLOW_LABEL, 56, 0, 20),
    FIELD(ALTERNATE_TRAFFIC_CLASS, 59, 0, 8),
    FIELD(ALTERNATE_HOP_LIMIT, 60, 0, 8),
    FIELD(ALTERNATE_PACKET_RATE, 61, 2, 6),
    FIELD(ALTERNATE_SL, 62, 0, 4),
    FIELD(ALTERNATE_SUBNET_LOCAL, 62, 4, 1),
    FIELD(ALTERNATE_ACK_TIMEOUT, 63, 0, 5),
    EXTRA(PRIVATE_DATA, 64, 168),
};

static const struct cm_row apr_rows[] = {
    COMM_IDS,
    FIELD(INFO_LENGTH, 8, 0, 8),
    FIELD(AP_STATUS, 9, 0, 8),
    EXTRA(INFO, 12, 72),
    EXTRA(PRIVATE_DATA, 84, 148),
};

/* From RDC_CM_REQ on */
#define ROWS(table) table, sizeof(table) / sizeof((table)[0])
static const struct layout {
    const char *name;
    const struct cm_row *rows;
    size_t count;
} layouts[] = {
    {"REQ", ROWS(req_rows)},  {"MRA", ROWS(mra_rows)},           {"REJ", ROWS(rej_rows)},
    {"REP", ROWS(rep_rows)},  {"RTU", ROWS(ids_rows)},           {"DREQ", ROWS(dreq_rows)},
    {"DREP", ROWS(ids_rows)}, {"SIDR_REQ", ROWS(sidr_req_rows)}, {"SIDR_REP", ROWS(sidr_rep_rows)},
    {"LAP", ROWS(lap_rows)},  {"APR", ROWS(apr_rows)},
};

static const struct member {
    const char *name;
    uint16_t offset;
    uint8_t size;
    uint8_t kind; /* enum rdc_field_kind */
} members[] = {
#define X(id, member, type, kind)                                                                  \
    {#member, offsetof(struct rdc_cm, member), sizeof(type), RDC_FIELD_##kind},
    RDC_CM_FIELD_LIST(X)
#undef X
};

enum {
    CM_SEND = 3,      /* the only method that carries messages */
    CM_MESSAGE = 232, /* bytes of a message: a datagram without its common header */
    IP_HEADER = 36,
};

static const struct layout *find_layout(uint16_t message);
static void fill_row(const struct cm_row *row, const struct rdc_mad *mad, struct rdc_cm *cm);
static void fill_bytes(const struct cm_row *row, const struct rdc_mad *mad, struct rdc_cm *cm);
static void store(struct rdc_cm *cm, const struct member *member, uint64_t value);
static uint64_t load(const struct rdc_cm *cm, const struct member *member);
static void ip_header(struct rdc_cm *cm);
static void visit_row(const struct rdc_cm *cm, const struct cm_row *row, rdc_field_visit *visit,
                      void *context);
static void visit_derived(const struct rdc_cm *cm, uint8_t field, rdc_field_visit *visit,
                          void *context);
static void visit_bytes(const struct rdc_cm *cm, uint8_t extra, rdc_field_visit *visit,
                        void *context);
static void visit_ip(const struct rdc_cm *cm, rdc_field_visit *visit, void *context);

enum rdc_status rdc_cm_decode(const struct rdc_mad *mad, struct rdc_cm *out)
{
    const struct layout *layout = find_layout(mad->attribute_id);
    struct rdc_cm cm = {0};

    if (mad->mgmt_class != RDC_MAD_CLASS_CM || mad->method != CM_SEND || layout == NULL)
        return RDC_UNSUPPORTED;
    cm.message = (uint8_t)mad->attribute_id;
    cm.complete = mad->data_captured >= CM_MESSAGE;
    for (size_t i = 0; i < layout->count; i++)
        fill_row(&layout->rows[i], mad, &cm);
    ip_header(&cm);
    *out = cm;
    return RDC_OK;
}

void rdc_cm_fields(const struct rdc_cm *cm, rdc_field_visit *visit, void *context)
{
    const struct layout *layout = find_layout(cm->message);

    for (size_t i = 0; layout != NULL && i < layout->count; i++)
        visit_row(cm, &layout->rows[i], visit, context);
}

const char *rdc_cm_message_name(uint8_t message)
{
    const struct layout *layout = find_layout(message);

    return layout != NULL ? layout->name : NULL;
}

static const struct layout *find_layout(uint16_t message)
{
    if (message < RDC_CM_REQ || message > RDC_CM_APR)
        return NULL;
    return &layouts[message - RDC_CM_REQ];
}

static void fill_row(const struct cm_row *row, const struct rdc_mad *mad, struct rdc_cm *cm)
{
    if (row->field >= RDC_CM_FIELD_COUNT) {
        fill_bytes(row, mad, cm);
    } else if (row->bit + row->bits <= mad->data_captured * 8) {
        store(cm, &members[row->field], mad_bits(mad->data, row->bit, row->bits));
        cm->present |= UINT64_C(1) << row->field;
    }
}

static void fill_bytes(const struct cm_row *row, const struct rdc_mad *mad, struct rdc_cm *cm)
{
    size_t start = row->bit / 8;
    size_t size = row->bits / 8;
    bool whole = start + size <= mad->data_captured;
    const uint8_t *bytes = start < mad->data_captured ? mad->data + start : NULL;

    if (row->field == PRIVATE_DATA) {
        cm->private_size = (uint8_t)size;
        cm->private_data = bytes;
        if (bytes != NULL)
            cm->private_captured = (uint8_t)(whole ? size : mad->data_captured - start);
        return;
    }
    if (!whole)
        return;
    if (row->field == PRIMARY_LOCAL_GID)
        cm->primary_local_gid = bytes;
    else if (row->field == PRIMARY_REMOTE_GID)
        cm->primary_remote_gid = bytes;
    else if (row->field == ALTERNATE_LOCAL_GID)
        cm->alternate_local_gid = bytes;
    else if (row->field == ALTERNATE_REMOTE_GID)
        cm->alternate_remote_gid = bytes;
    else
        cm->info = bytes;
}

static void store(struct rdc_cm *cm, const struct member *member, uint64_t value)
{
    uint8_t *at = (uint8_t *)cm + member->offset;

    if (member->size == sizeof(uint8_t))
        *at = (uint8_t)value;
    else if (member->size == sizeof(uint16_t))
        memcpy(at, &(uint16_t){(uint16_t)value}, sizeof(uint16_t));
    else if (member->size == sizeof(uint32_t))
        memcpy(at, &(uint32_t){(uint32_t)value}, sizeof(uint32_t));
    else
        memcpy(at, &value, sizeof value);
}

static uint64_t load(const struct rdc_cm *cm, const struct member *member)
{
    const uint8_t *at = (const uint8_t *)cm + member->offset;
    uint16_t half;
    uint32_t word;
    uint64_t value;

    if (member->size == sizeof(uint8_t))
        return *at;
    memcpy(&half, at, sizeof half);
    if (member->size == sizeof half)
        return half;
    memcpy(&word, at, sizeof word);
    if (member->size == sizeof word)
        return word;
    memcpy(&value, at, sizeof value);
    return value;
}

/* RDMA IP CM service (A11.4), in the private data of REQ and SIDR_REQ:
 *   major version:4 minor version:4 IPV:4 reserved:4 source port:16
 *   source address:128 destination address:128 (IPv4 ones in the last 32 bits) */
static void ip_header(struct rdc_cm *cm)
{
    const uint8_t *p = cm->private_data;
    size_t skip;

    if (cm->private_captured < IP_HEADER || !rdc_cm_has(cm, RDC_CM_HAS_SERVICE_ID) ||
        (cm->message != RDC_CM_REQ && cm->message != RDC_CM_SIDR_REQ) ||
        !rdc_service_ip_port(cm->service_id, NULL, NULL))
        return;
    cm->ip_version = p[1] >> 4;
    if (cm->ip_version != 4 && cm->ip_version != 6) {
        cm->ip_version = 0;
        return;
    }
    skip = cm->ip_version == 4 ? 12 : 0;
    cm->has_ip = true;
    cm->ip_major_version = p[0] >> 4;
    cm->ip_minor_version = p[0] & 0xf;
    cm->ip_src_port = rdc_be16(p + 2);
    cm->ip_src = p + 4 + skip;
    cm->ip_dst = p + 20 + skip;
}

static void visit_row(const struct rdc_cm *cm, const struct cm_row *row, rdc_field_visit *visit,
                      void *context)
{
    const struct member *member;

    if (row->field >= RDC_CM_FIELD_COUNT) {
        visit_bytes(cm, row->field, visit, context);
        return;
    }
    if (!rdc_cm_has(cm, (enum rdc_cm_field)row->field))
        return;
    member = &members[row->field];
    mad_visit_value(member->name, load(cm, member), (row->bits + 7u) / 8, member->kind,
                    cm_field_text(cm, (enum rdc_cm_field)row->field), visit, context);
    visit_derived(cm, row->field, visit, context);
}

/* What a field means in another unit or under another name */
static void visit_derived(const struct rdc_cm *cm, uint8_t field, rdc_field_visit *visit,
                          void *context)
{
    uint32_t mtu = rdc_mtu_bytes(cm->path_mtu);
    uint8_t protocol;
    uint16_t port;

    if (field == RDC_CM_HAS_PATH_MTU && mtu > 0)
        mad_visit_value("path_mtu_bytes", mtu, 2, RDC_FIELD_NUMBER, NULL, visit, context);
    if (field == RDC_CM_HAS_SERVICE_ID && rdc_service_ip_port(cm->service_id, &protocol, &port))
        mad_visit_value("service_port", port, 2, RDC_FIELD_NUMBER, rdc_ulp_port_name(port), visit,
                        context);
}

static void visit_bytes(const struct rdc_cm *cm, uint8_t extra, rdc_field_visit *visit,
                        void *context)
{
    const struct {
        const char *name;
        const uint8_t *gid;
    } gids[] = {
        {"primary_local_gid", cm->primary_local_gid},
        {"primary_remote_gid", cm->primary_remote_gid},
        {"alternate_local_gid", cm->alternate_local_gid},
        {"alternate_remote_gid", cm->alternate_remote_gid},
    };
    size_t info = cm->info_length < 72 ? cm->info_length : 72;

    if (extra < INFO) {
        size_t i = (size_t)extra - PRIMARY_LOCAL_GID;

        if (gids[i].gid != NULL)
            mad_visit_bytes(gids[i].name, gids[i].gid, 16, RDC_FIELD_GID, visit, context);
    } else if (extra == INFO) {
        if (cm->info != NULL && info > 0)
            mad_visit_bytes("info", cm->info, info, RDC_FIELD_BYTES, visit, context);
    } else {
        visit_ip(cm, visit, context);
        if (cm->private_captured > 0)
            mad_visit_bytes("private_data", cm->private_data, cm->private_captured, RDC_FIELD_BYTES,
                            visit, context);
    }
}

static void visit_ip(const struct rdc_cm *cm, rdc_field_visit *visit, void *context)
{
    enum rdc_field_kind kind = cm->ip_version == 4 ? RDC_FIELD_IPV4 : RDC_FIELD_GID;
    size_t size = cm->ip_version == 4 ? 4 : 16;

    if (!cm->has_ip)
        return;
    mad_visit_value("ip_version", cm->ip_version, 1, RDC_FIELD_NUMBER, NULL, visit, context);
    mad_visit_value("ip_src_port", cm->ip_src_port, 2, RDC_FIELD_NUMBER, NULL, visit, context);
    mad_visit_bytes("ip_src", cm->ip_src, size, kind, visit, context);
    mad_visit_bytes("ip_dst", cm->ip_dst, size, kind, visit, context);
}
