/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Communication management (IBTA vol. 1, chapter 12; IP addressing in annex A11): who connects
 * which queue pairs, with which starting PSNs, timeouts and retry counts, and why it failed.
 *
 * All messages share one struct. RDC_CM_FIELD_LIST is the list of their fields: it makes the
 * members, their names in output, and the bits that say which of them a message had.
 */
#ifndef RDC_CM_H
#define RDC_CM_H

#include <stdbool.h>
#include <stdint.h>

#include "rdc/field.h"
#include "rdc/mad.h"

/* Attribute ids of class CM */
enum rdc_cm_message {
    RDC_CM_REQ = 0x10,
    RDC_CM_MRA = 0x11,
    RDC_CM_REJ = 0x12,
    RDC_CM_REP = 0x13,
    RDC_CM_RTU = 0x14,
    RDC_CM_DREQ = 0x15,
    RDC_CM_DREP = 0x16,
    RDC_CM_SIDR_REQ = 0x17,
    RDC_CM_SIDR_REP = 0x18,
    RDC_CM_LAP = 0x19,
    RDC_CM_APR = 0x1a,
};

/* X(NAME, member and JSON key, type, kind of struct rdc_field). "Local" and "remote" are as the
 * sender of the message sees them. Timeout codes t mean 4.096 us * 2^t. */
#define RDC_CM_FIELD_LIST(X)                                                                       \
    X(LOCAL_COMM_ID, local_comm_id, uint32_t, HEX)                                                 \
    X(REMOTE_COMM_ID, remote_comm_id, uint32_t, HEX)                                               \
    X(REQUEST_ID, request_id, uint32_t, HEX) /* SIDR */                                            \
    X(SERVICE_ID, service_id, uint64_t, HEX)                                                       \
    X(LOCAL_CA_GUID, local_ca_guid, uint64_t, HEX)                                                 \
    X(LOCAL_QKEY, local_qkey, uint32_t, HEX)                                                       \
    X(LOCAL_QPN, local_qpn, uint32_t, NUMBER)                                                      \
    X(REMOTE_QPN, remote_qpn, uint32_t, NUMBER)                                                    \
    X(RESPONDER_RESOURCES, responder_resources, uint8_t, NUMBER)                                   \
    X(INITIATOR_DEPTH, initiator_depth, uint8_t, NUMBER)                                           \
    X(LOCAL_EECN, local_eecn, uint32_t, NUMBER)                                                    \
    X(REMOTE_EECN, remote_eecn, uint32_t, NUMBER)                                                  \
    X(REMOTE_RESPONSE_TIMEOUT, remote_cm_response_timeout, uint8_t, NUMBER)                        \
    X(LOCAL_RESPONSE_TIMEOUT, local_cm_response_timeout, uint8_t, NUMBER)                          \
    X(TRANSPORT_SERVICE, transport_service, uint8_t, NUMBER)                                       \
    X(E2E_FLOW_CONTROL, e2e_flow_control, uint8_t, FLAG)                                           \
    X(STARTING_PSN, starting_psn, uint32_t, NUMBER)                                                \
    X(RETRY_COUNT, retry_count, uint8_t, NUMBER)                                                   \
    X(RNR_RETRY_COUNT, rnr_retry_count, uint8_t, NUMBER) /* 7: for ever */                         \
    X(MAX_CM_RETRIES, max_cm_retries, uint8_t, NUMBER)                                             \
    X(PKEY, pkey, uint16_t, HEX)                                                                   \
    X(PATH_MTU, path_mtu, uint8_t, NUMBER) /* code; rdc_mtu_bytes() */                             \
    X(RDC_EXISTS, rdc_exists, uint8_t, FLAG)                                                       \
    X(SRQ, srq, uint8_t, FLAG)                                                                     \
    X(EXTENDED_TRANSPORT, extended_transport, uint8_t, NUMBER)                                     \
    X(PRIMARY_LOCAL_LID, primary_local_lid, uint16_t, NUMBER)                                      \
    X(PRIMARY_REMOTE_LID, primary_remote_lid, uint16_t, NUMBER)                                    \
    X(PRIMARY_FLOW_LABEL, primary_flow_label, uint32_t, HEX)                                       \
    X(PRIMARY_PACKET_RATE, primary_packet_rate, uint8_t, NUMBER)                                   \
    X(PRIMARY_TRAFFIC_CLASS, primary_traffic_class, uint8_t, HEX)                                  \
    X(PRIMARY_HOP_LIMIT, primary_hop_limit, uint8_t, NUMBER)                                       \
    X(PRIMARY_SL, primary_sl, uint8_t, NUMBER)                                                     \
    X(PRIMARY_SUBNET_LOCAL, primary_subnet_local, uint8_t, FLAG)                                   \
    X(PRIMARY_ACK_TIMEOUT, primary_local_ack_timeout, uint8_t, NUMBER)                             \
    X(ALTERNATE_LOCAL_LID, alternate_local_lid, uint16_t, NUMBER)                                  \
    X(ALTERNATE_REMOTE_LID, alternate_remote_lid, uint16_t, NUMBER)                                \
    X(ALTERNATE_FLOW_LABEL, alternate_flow_label, uint32_t, HEX)                                   \
    X(ALTERNATE_PACKET_RATE, alternate_packet_rate, uint8_t, NUMBER)                               \
    X(ALTERNATE_TRAFFIC_CLASS, alternate_traffic_class, uint8_t, HEX)                              \
    X(ALTERNATE_HOP_LIMIT, alternate_hop_limit, uint8_t, NUMBER)                                   \
    X(ALTERNATE_SL, alternate_sl, uint8_t, NUMBER)                                                 \
    X(ALTERNATE_SUBNET_LOCAL, alternate_subnet_local, uint8_t, FLAG)                               \
    X(ALTERNATE_ACK_TIMEOUT, alternate_local_ack_timeout, uint8_t, NUMBER)                         \
    X(TARGET_ACK_DELAY, target_ack_delay, uint8_t, NUMBER)                                         \
    X(FAILOVER_ACCEPTED, failover_accepted, uint8_t, NUMBER)                                       \
    X(ABOUT_MESSAGE, about_message, uint8_t, NUMBER) /* MRA, REJ: 0 REQ, 1 REP, 2 other */         \
    X(SERVICE_TIMEOUT, service_timeout, uint8_t, NUMBER)                                           \
    X(REASON, reason, uint16_t, NUMBER)                                                            \
    X(INFO_LENGTH, info_length, uint8_t, NUMBER) /* bytes of REJ, APR, SIDR_REP info that count */ \
    X(AP_STATUS, ap_status, uint8_t, NUMBER)                                                       \
    X(SIDR_STATUS, sidr_status, uint8_t, NUMBER)

enum rdc_cm_field {
#define X(name, member, type, kind) RDC_CM_HAS_##name,
    RDC_CM_FIELD_LIST(X)
#undef X
        RDC_CM_FIELD_COUNT,
};

struct rdc_cm {
    uint8_t message;  /* enum rdc_cm_message */
    bool complete;    /* all of the message was captured */
    uint64_t present; /* bit 1 << enum rdc_cm_field: the message has it and it was captured; a
                         member that is not present is zero */
#define X(name, member, type, kind) type member;
    RDC_CM_FIELD_LIST(X)
#undef X
    /* Borrowed; NULL where the message has none or not all of it was captured */
    const uint8_t *primary_local_gid; /* 16 bytes each */
    const uint8_t *primary_remote_gid;
    const uint8_t *alternate_local_gid;
    const uint8_t *alternate_remote_gid;
    const uint8_t *info; /* additional information: 72 bytes, info_length of them count */
    const uint8_t *private_data;
    uint8_t private_size;     /* on the wire: always the full field */
    uint8_t private_captured; /* bytes that are there; 0: private_data is NULL */

    /* RDMA IP CM service (A11.4): set when has_ip */
    bool has_ip;
    uint8_t ip_version; /* 4 or 6: of both addresses */
    uint8_t ip_major_version;
    uint8_t ip_minor_version;
    uint16_t ip_src_port;
    const uint8_t *ip_src; /* borrowed: 4 or 16 bytes */
    const uint8_t *ip_dst;
};

static inline bool rdc_cm_has(const struct rdc_cm *cm, enum rdc_cm_field field)
{
    return (cm->present >> field & 1) != 0;
}

/* Decodes the message of a MAD of class CM, as much of it as was captured. RDC_UNSUPPORTED for
 * other classes, other methods than Send, and other attributes than the messages. */
RDC_CHECKED enum rdc_status rdc_cm_decode(const struct rdc_mad *mad, struct rdc_cm *out);

/* Visits the present fields, GIDs and the IP addressing in wire order; adds path_mtu_bytes, port
 * and texts. Private data comes last, as "private_data". */
void rdc_cm_fields(const struct rdc_cm *cm, rdc_field_visit *visit, void *context);

/* "REQ", "MRA", ...; NULL for no message */
const char *rdc_cm_message_name(uint8_t message);
const char *rdc_cm_reason_text(uint16_t reason);     /* of a REJ; "reserved" for unknown ones */
const char *rdc_cm_ap_status_text(uint8_t status);   /* of an APR */
const char *rdc_cm_sidr_status_text(uint8_t status); /* of a SIDR_REP */
const char *rdc_cm_transport_text(uint8_t service, uint8_t extended); /* "RC","UC","RD","XRC" */
/* Timeout code to nanoseconds: 4.096 us * 2^code */
uint64_t rdc_cm_timeout_ns(uint8_t code);

/* Service ids of the RDMA IP CM: 0x0000000001 PP SSSS (A11.2): protocol and port */
bool rdc_service_ip_port(uint64_t service_id, uint8_t *protocol, uint16_t *port);
/* The upper protocol that a service id or a TCP/UDP port suggests ("NVMe-oF", "iSER", "NFS/RDMA",
 * "SMB Direct", "Lustre", "RDS", "rping", ...); NULL when it suggests none. A hint, no proof. */
const char *rdc_ulp_name(uint64_t service_id);
const char *rdc_ulp_port_name(uint16_t port);

#endif
