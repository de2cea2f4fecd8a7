/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Words for the codes of communication management: why a connection was rejected (IBTA vol. 1,
 * 12.6.7.2), statuses, transports and timeouts.
 */
#include "ib/cm_text.h"

#include "ib/mad_table.h"

static const char *const reasons[] = {
    [1] = "no QP available",
    [2] = "no EE context available",
    [3] = "no resources available",
    [4] = "timeout: the peer did not answer",
    [5] = "unsupported request",
    [6] = "invalid communication id",
    [7] = "invalid communication instance",
    [8] = "invalid service id: nobody listens",
    [9] = "invalid transport service type",
    [10] = "stale connection",
    [11] = "RDC does not exist",
    [12] = "primary remote port GID rejected",
    [13] = "primary remote port LID rejected",
    [14] = "invalid primary SL",
    [15] = "invalid primary traffic class",
    [16] = "invalid primary hop limit",
    [17] = "invalid primary packet rate",
    [18] = "alternate remote port GID rejected",
    [19] = "alternate remote port LID rejected",
    [20] = "invalid alternate SL",
    [21] = "invalid alternate traffic class",
    [22] = "invalid alternate hop limit",
    [23] = "invalid alternate packet rate",
    [24] = "CM and port redirection",
    [25] = "port redirection",
    [26] = "invalid path MTU",
    [27] = "insufficient responder resources",
    [28] = "rejected by the application",
    [29] = "invalid RNR retry count",
    [30] = "duplicate local communication id",
    [31] = "invalid class version",
    [32] = "invalid primary flow label",
    [33] = "invalid alternate flow label",
    [35] = "vendor option not supported",
};

static const char *const ap_statuses[] = {
    [0] = "alternate path loaded",
    [1] = "invalid communication id",
    [2] = "alternate paths not supported",
    [3] = "alternate path rejected",
    [4] = "redirection",
    [5] = "proposed path is the current path",
    [6] = "QPN or EECN does not match the communication id",
    [7] = "remote port LID rejected",
    [8] = "remote port GID rejected",
    [9] = "invalid flow label",
    [10] = "invalid traffic class",
    [11] = "invalid hop limit",
    [12] = "invalid packet rate",
    [13] = "invalid SL",
};

static const char *const sidr_statuses[] = {
    [0] = "valid QPN",       [1] = "invalid service id", [2] = "rejected by the service provider",
    [3] = "no QP available", [4] = "redirection",        [5] = "version not supported",
};

static const struct mad_word about_messages[] = {
    {0, "REQ"}, {1, "REP"}, {2, "LAP or none"}, {0, NULL}};
static const struct mad_word failovers[] = {
    {0, "accepted"}, {1, "not supported"}, {2, "alternate path rejected"}, {0, NULL}};

static const char *timeout_text(const struct rdc_cm *cm, enum rdc_cm_field field);

#define TEXT(table, index)                                                                         \
    ((index) < sizeof(table) / sizeof((table)[0]) && (table)[index] != NULL ? (table)[index]       \
                                                                            : "reserved")

const char *rdc_cm_reason_text(uint16_t reason)
{
    return TEXT(reasons, reason);
}

const char *rdc_cm_ap_status_text(uint8_t status)
{
    return TEXT(ap_statuses, status);
}

const char *rdc_cm_sidr_status_text(uint8_t status)
{
    return TEXT(sidr_statuses, status);
}

/* 12.6.3.1: RC 0, UC 1, RD 2, and 3 leaves it to the extended type, XRC being 1 */
const char *rdc_cm_transport_text(uint8_t service, uint8_t extended)
{
    static const char *const services[] = {"RC", "UC", "RD"};

    if (service < 3)
        return services[service];
    return service == 3 && extended == 1 ? "XRC" : "reserved";
}

uint64_t rdc_cm_timeout_ns(uint8_t code)
{
    return UINT64_C(4096) << (code & 31);
}

const char *cm_field_text(const struct rdc_cm *cm, enum rdc_cm_field field)
{
    if (field == RDC_CM_HAS_REASON)
        return rdc_cm_reason_text(cm->reason);
    if (field == RDC_CM_HAS_AP_STATUS)
        return rdc_cm_ap_status_text(cm->ap_status);
    if (field == RDC_CM_HAS_SIDR_STATUS)
        return rdc_cm_sidr_status_text(cm->sidr_status);
    if (field == RDC_CM_HAS_TRANSPORT_SERVICE)
        return cm->transport_service < 3 || rdc_cm_has(cm, RDC_CM_HAS_EXTENDED_TRANSPORT)
                   ? rdc_cm_transport_text(cm->transport_service, cm->extended_transport)
                   : NULL;
    if (field == RDC_CM_HAS_SERVICE_ID)
        return rdc_ulp_name(cm->service_id);
    if (field == RDC_CM_HAS_ABOUT_MESSAGE)
        return mad_word_text(about_messages, cm->about_message);
    if (field == RDC_CM_HAS_FAILOVER_ACCEPTED)
        return mad_word_text(failovers, cm->failover_accepted);
    if (field == RDC_CM_HAS_PATH_MTU)
        return mad_word_text(mad_mtu_words, cm->path_mtu);
    if (field == RDC_CM_HAS_PRIMARY_PACKET_RATE)
        return mad_word_text(mad_rate_words, cm->primary_packet_rate);
    if (field == RDC_CM_HAS_ALTERNATE_PACKET_RATE)
        return mad_word_text(mad_rate_words, cm->alternate_packet_rate);
    return timeout_text(cm, field);
}

static const char *timeout_text(const struct rdc_cm *cm, enum rdc_cm_field field)
{
    if (field == RDC_CM_HAS_REMOTE_RESPONSE_TIMEOUT)
        return mad_word_text(mad_timeout_words, cm->remote_cm_response_timeout);
    if (field == RDC_CM_HAS_LOCAL_RESPONSE_TIMEOUT)
        return mad_word_text(mad_timeout_words, cm->local_cm_response_timeout);
    if (field == RDC_CM_HAS_PRIMARY_ACK_TIMEOUT)
        return mad_word_text(mad_timeout_words, cm->primary_local_ack_timeout);
    if (field == RDC_CM_HAS_ALTERNATE_ACK_TIMEOUT)
        return mad_word_text(mad_timeout_words, cm->alternate_local_ack_timeout);
    if (field == RDC_CM_HAS_TARGET_ACK_DELAY)
        return mad_word_text(mad_timeout_words, cm->target_ack_delay);
    if (field == RDC_CM_HAS_SERVICE_TIMEOUT)
        return mad_word_text(mad_timeout_words, cm->service_timeout);
    return NULL;
}
