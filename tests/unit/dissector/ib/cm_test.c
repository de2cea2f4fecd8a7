/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Messages of the communication manager. Rows marked "rxe" are the bytes of a connection between
 * two Linux hosts (librdmacm on Soft-RoCE).
 */
#include "dissector/ib/fields.h"

#define HEADER(attribute)                                                                          \
    {                                                                                              \
        0, "01070203 00000000 000000024e9e81a3 00" attribute                                       \
    }

static const struct row {
    const char *name;
    struct piece pieces[12];
    const char *message;
    const char *want;
} rows[] = {
    {"rxe REQ",
     {HEADER("10"),
      {24, "a3819e4e"},
      {36, "01061c06000000fffe00000a"},
      {58, "9c0100000001000000a06b01bfa7ffff57f0ffffffff"},
      {90, "ffff0a000001"},
      {106, "ffff0a000002a430e00000400088"},
      {165, "40d7f8"},
      {180, "0a000001"},
      {196, "0a000002"}},
     "REQ",
     "local_comm_id=0xa3819e4e service_id=0x1061c06(rping) service_port=7174(rping) "
     "local_ca_guid=0xfffe00000a local_qpn=156 responder_resources=1 initiator_depth=1 "
     "remote_cm_response_timeout=20(4.29 s) starting_psn=7012799 "
     "local_cm_response_timeout=20(4.29 s) retry_count=7 pkey=0xffff path_mtu=5(4096 bytes) "
     "path_mtu_bytes=4096 rnr_retry_count=7 max_cm_retries=15 primary_local_lid=65535 "
     "primary_remote_lid=65535 primary_local_gid=00000000000000000000ffff0a000001 "
     "primary_remote_gid=00000000000000000000ffff0a000002 primary_flow_label=0xa430e "
     "primary_hop_limit=64 primary_local_ack_timeout=17(537 ms) ip_version=4 ip_src_port=55288 "
     "ip_src=0a000001 ip_dst=0a000002 "
     "private_data=0040d7f80000000000000000000000000a0000010000000000000000000000000a000002"
     "0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
     "000000000000000000000000"},
    {"rxe REP",
     {HEADER("13"), {24, "a2819e4ea3819e4e"}, {38, "ce0000000000c1238d00010178e0000000fffe00000b"}},
     "REP",
     "local_comm_id=0xa2819e4e remote_comm_id=0xa3819e4e local_qpn=206 starting_psn=12657549 "
     "responder_resources=1 initiator_depth=1 target_ack_delay=15(134 ms) rnr_retry_count=7 "
     "local_ca_guid=0xfffe00000b"},
    {"rxe RTU",
     {HEADER("14"), {24, "a3819e4ea2819e4e"}},
     "RTU",
     "local_comm_id=0xa3819e4e remote_comm_id=0xa2819e4e"},
    {"rxe DREQ",
     {HEADER("15"), {24, "a3819e4ea2819e4e0000ce"}},
     "DREQ",
     "local_comm_id=0xa3819e4e remote_comm_id=0xa2819e4e remote_qpn=206"},
    {"rxe DREP",
     {HEADER("16"), {24, "a2819e4ea3819e4e"}},
     "DREP",
     "local_comm_id=0xa2819e4e remote_comm_id=0xa3819e4e"},
    {"rxe REJ",
     {HEADER("12"), {24, "91819e4e9e819e4e0000001c"}},
     "REJ",
     "local_comm_id=0x91819e4e remote_comm_id=0x9e819e4e reason=28(rejected by the application)"},
    {"REJ with additional information",
     {HEADER("12"), {24, "00000001 00000002 40 05 0008 1122 3344"}, {255, "99"}},
     "REJ",
     "local_comm_id=0x1 remote_comm_id=0x2 about_message=1(REP) info_length=2 "
     "reason=8(invalid service id: nobody listens) info=1122 "
     "private_data=000000000000000000000000000000000000000000000000000000000000000000000000000000"
     "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
     "0"
     "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
     "0"
     "000000000000000000000000000099"},
    {"REQ, every bit field alone",
     {HEADER("10"),
      {24 + 28, "01020304 050607 08 090a0b 0c 0d0e0f ac 101112 a9 8001 3e 5e"},
      {24 + 52, "0011 0022"},
      {24 + 88, "fffff044 13 14 58 a8 0033 0044"},
      {24 + 132, "12345fd6 15 16 98 f8"}},
     "REQ",
     "local_qkey=0x1020304 local_qpn=329223 responder_resources=8 local_eecn=592395 "
     "initiator_depth=12 remote_eecn=855567 remote_cm_response_timeout=21(8.59 s) "
     "transport_service=2(RD) starting_psn=1052946 local_cm_response_timeout=21(8.59 s) "
     "retry_count=1 pkey=0x8001 path_mtu=3(1024 bytes) path_mtu_bytes=1024 rdc_exists=1 "
     "rnr_retry_count=6 max_cm_retries=5 srq=1 extended_transport=6 primary_local_lid=17 "
     "primary_remote_lid=34 primary_flow_label=0xfffff primary_packet_rate=4(30 Gb/s) "
     "primary_traffic_class=0x13 primary_hop_limit=20 primary_sl=5 primary_subnet_local=1 "
     "primary_local_ack_timeout=21(8.59 s) alternate_local_lid=51 alternate_remote_lid=68 "
     "alternate_flow_label=0x12345 alternate_packet_rate=22(600 Gb/s) "
     "alternate_traffic_class=0x15 alternate_hop_limit=22 alternate_sl=9 "
     "alternate_subnet_local=1 alternate_local_ack_timeout=31(8796 s)"},
    {"REQ for XRC, IPv6",
     {HEADER("10"),
      {24 + 8, "0000000001064e51"},
      {24 + 43, "06"},
      {24 + 51, "01"},
      {24 + 140, "21 60 0402 fe80000000000000000000000000000a fe80000000000000000000000000000b"},
      {255, "77"}},
     "REQ",
     "service_id=0x1064e51(NFS/RDMA) service_port=20049(NFS/RDMA) transport_service=3(XRC) "
     "extended_transport=1 "
     "ip_version=6 ip_src_port=1026 ip_src=fe80000000000000000000000000000a "
     "ip_dst=fe80000000000000000000000000000b "
     "private_data=21600402fe80000000000000000000000000000afe80000000000000000000000000000b"
     "0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
     "000000000000000000000077"},
    {"MRA",
     {HEADER("11"), {24, "00000001 00000002 80 98"}},
     "MRA",
     "local_comm_id=0x1 remote_comm_id=0x2 about_message=2(LAP or none) "
     "service_timeout=19(2.15 s)"},
    {"REP, every bit field alone",
     {HEADER("13"), {24 + 8, "00000001 000002 00 000003 00 000004 00 05 06 3d b0"}},
     "REP",
     "local_qkey=0x1 local_qpn=2 local_eecn=3 starting_psn=4 responder_resources=5 "
     "initiator_depth=6 target_ack_delay=7(524 us) failover_accepted=2(alternate path rejected) "
     "e2e_flow_control=1 rnr_retry_count=5 srq=1"},
    {"SIDR_REQ",
     {HEADER("17"),
      {24, "00000001 8002 0000 0000000001111234"},
      {24 + 16, "00 40 0102"},
      {24 + 16 + 16, "0a000001"},
      {24 + 16 + 32, "0a000002"}},
     "SIDR_REQ",
     "request_id=0x1 pkey=0x8002 service_id=0x1111234 service_port=4660 ip_version=4 "
     "ip_src_port=258 ip_src=0a000001 ip_dst=0a000002 "
     "private_data=004001020000000000000000000000000a0000010000000000000000000000000a000002"
     "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
     "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
     "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
     "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"},
    {"SIDR_REP",
     {HEADER("18"), {24, "00000001 01 03 0000 000005 00 0000000001060007 00000008 aabbcc"}},
     "SIDR_REP",
     "request_id=0x1 sidr_status=1(invalid service id) info_length=3 local_qpn=5 "
     "service_id=0x1060007 service_port=7 local_qkey=0x8 info=aabbcc"},
    {"LAP",
     {HEADER("19"),
      {24, "00000001 00000002 00000000 000003 98 00000000 0004 0005"},
      {24 + 24, "fe80"},
      {24 + 40, "fe81"},
      {24 + 56, "abcdef 06 07 c5 98 88"}},
     "LAP",
     "local_comm_id=0x1 remote_comm_id=0x2 remote_qpn=3 remote_cm_response_timeout=19(2.15 s) "
     "alternate_local_lid=4 alternate_remote_lid=5 "
     "alternate_local_gid=fe800000000000000000000000000000 "
     "alternate_remote_gid=fe810000000000000000000000000000 alternate_flow_label=0xabcde "
     "alternate_traffic_class=0x6 alternate_hop_limit=7 alternate_packet_rate=5(5 Gb/s) "
     "alternate_sl=9 alternate_subnet_local=1 alternate_local_ack_timeout=17(537 ms)"},
    {"APR",
     {HEADER("1a"), {24, "00000001 00000002 01 05 0000 aa"}},
     "APR",
     "local_comm_id=0x1 remote_comm_id=0x2 info_length=1 "
     "ap_status=5(proposed path is the current path) info=aa"},
};

static void check(const uint8_t *bytes, size_t captured, size_t wire, void *arg)
{
    const struct row *row = arg;
    struct rdc_cursor cur = {bytes, captured, wire};
    struct fields_text fields = {.first = bytes, .last = bytes + captured};
    struct rdc_mad mad;
    struct rdc_cm cm;
    enum rdc_status st = rdc_mad_decode(&cur, &mad);

    if (captured < RDC_MAD_HEADER_LEN) {
        assert_int_equal(st, RDC_TRUNCATED);
        assert_ptr_equal(cur.at, bytes);
        return;
    }
    assert_int_equal(st, RDC_OK);
    assert_int_equal(rdc_cm_decode(&mad, &cm), RDC_OK);
    assert_int_equal(cm.complete, captured == wire);
    assert_string_equal(rdc_cm_message_name(cm.message), row->message);
    rdc_cm_fields(&cm, fields_visit, &fields);
    if (captured == wire)
        assert_string_equal(fields.text, row->want);
}

static void message(void **state)
{
    const struct row *row = *state;
    uint8_t bytes[RDC_MAD_LEN];

    fields_build(row->pieces, bytes);
    support_each_cut(bytes, sizeof bytes, check, *state);
}

/* The members themselves, and what of them a snap length of 128 bytes leaves of a RoCEv2 frame */
static void members(void **state)
{
    uint8_t bytes[RDC_MAD_LEN];
    struct rdc_cursor cur = {bytes, sizeof bytes, sizeof bytes};
    struct rdc_cursor cut = {bytes, 128 - 62, sizeof bytes};
    struct rdc_mad mad;
    struct rdc_cm cm;

    (void)state;
    fields_build(rows[0].pieces, bytes);
    assert_int_equal(rdc_mad_decode(&cur, &mad), RDC_OK);
    assert_int_equal(rdc_cm_decode(&mad, &cm), RDC_OK);
    assert_int_equal(cm.message, RDC_CM_REQ);
    assert_int_equal(cm.local_qpn, 0x9c);
    assert_int_equal(cm.starting_psn, 0x6b01bf);
    assert_int_equal(rdc_mtu_bytes(cm.path_mtu), 4096);
    assert_true(rdc_cm_has(&cm, RDC_CM_HAS_STARTING_PSN));
    assert_false(rdc_cm_has(&cm, RDC_CM_HAS_REMOTE_COMM_ID));
    assert_true(cm.has_ip);
    assert_int_equal(cm.private_size, 92);
    assert_int_equal(cm.private_captured, 92);
    assert_ptr_equal(cm.private_data, bytes + 164);

    assert_int_equal(rdc_mad_decode(&cut, &mad), RDC_OK);
    assert_int_equal(rdc_cm_decode(&mad, &cm), RDC_OK);
    assert_true(rdc_cm_has(&cm, RDC_CM_HAS_LOCAL_QPN));
    assert_int_equal(cm.local_qpn, 0x9c);
    assert_false(rdc_cm_has(&cm, RDC_CM_HAS_STARTING_PSN));
    assert_int_equal(cm.starting_psn, 0);
    assert_false(cm.has_ip);
    assert_int_equal(cm.private_size, 92);
    assert_null(cm.private_data);
}

static void not_messages(void **state)
{
    static const char *const headers[] = {
        "01070201 00000000 0000000000000001 0010", /* method Get */
        "01070203 00000000 0000000000000001 0001", /* ClassPortInfo */
        "01070203 00000000 0000000000000001 000f", /* no message */
        "01070203 00000000 0000000000000001 001b", /* no message */
        "01070203 00000000 0000000000000001 0110", /* no message, the low byte is one's */
        "01030203 00000000 0000000000000001 0010", /* another class */
    };

    (void)state;
    for (size_t i = 0; i < SUPPORT_COUNT(headers); i++) {
        const struct piece pieces[] = {{0, headers[i]}, {0, NULL}};
        uint8_t bytes[RDC_MAD_LEN];
        struct rdc_cursor cur = {bytes, sizeof bytes, sizeof bytes};
        struct rdc_mad mad;
        struct rdc_cm cm = {.message = 99};

        fields_build(pieces, bytes);
        assert_int_equal(rdc_mad_decode(&cur, &mad), RDC_OK);
        assert_int_equal(rdc_cm_decode(&mad, &cm), RDC_UNSUPPORTED);
        assert_int_equal(cm.message, 99);
    }
}

static void words(void **state)
{
    (void)state;
    for (uint16_t reason = 1; reason <= 33; reason++)
        assert_string_not_equal(rdc_cm_reason_text(reason), "reserved");
    assert_string_equal(rdc_cm_reason_text(0), "reserved");
    assert_string_equal(rdc_cm_reason_text(34), "reserved");
    assert_string_equal(rdc_cm_reason_text(35), "vendor option not supported");
    assert_string_equal(rdc_cm_reason_text(65535), "reserved");
    assert_string_equal(rdc_cm_reason_text(10), "stale connection");
    assert_string_equal(rdc_cm_ap_status_text(13), "invalid SL");
    assert_string_equal(rdc_cm_ap_status_text(14), "reserved");
    assert_string_equal(rdc_cm_sidr_status_text(0), "valid QPN");
    assert_string_equal(rdc_cm_sidr_status_text(6), "reserved");
    assert_string_equal(rdc_cm_transport_text(1, 0), "UC");
    assert_string_equal(rdc_cm_transport_text(3, 0), "reserved");
    assert_null(rdc_cm_message_name(0x0f));
    assert_null(rdc_cm_message_name(0x1b));
    assert_int_equal(rdc_cm_timeout_ns(0), 4096);
    assert_int_equal(rdc_cm_timeout_ns(14), 67108864);
    assert_true(rdc_cm_timeout_ns(31) == UINT64_C(8796093022208));
}

static void upper_protocols(void **state)
{
    static const struct {
        uint64_t id;
        const char *name;
        int port; /* -1: none */
    } ids[] = {
        {0x0000000001061144, "NVMe-oF", 4420},
        {0x0000000001060cbc, "iSER", 3260},
        {0x0000000001061545, "SMB Direct", 5445},
        {0x00000000010603db, "Lustre", 987},
        {0x00000000010648ca, "RDS", 18634},
        {0x0000000001060001, NULL, 1},
        {0x0000000001111144, NULL, 4420}, /* UDP port space */
        {0x0000000101061144, NULL, -1},
        {0x0000000002061144, NULL, -1},
        {0x0000000000011144, "SDP", -1},
        {0x1000000000000404, "IPoIB", -1},
        {0, NULL, -1},
    };

    (void)state;
    for (size_t i = 0; i < SUPPORT_COUNT(ids); i++) {
        uint8_t protocol = 0;
        uint16_t port = 0;
        bool ip = rdc_service_ip_port(ids[i].id, &protocol, &port);
        const char *name = rdc_ulp_name(ids[i].id);

        assert_int_equal(ip, ids[i].port >= 0);
        assert_int_equal(port, ip ? ids[i].port : 0);
        if (ids[i].name == NULL)
            assert_null(name);
        else
            assert_string_equal(name, ids[i].name);
    }
}

int main(void)
{
    struct CMUnitTest tests[SUPPORT_COUNT(rows) + 4] = {
        cmocka_unit_test(members),
        cmocka_unit_test(not_messages),
        cmocka_unit_test(words),
        cmocka_unit_test(upper_protocols),
    };

    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++)
        tests[i + 4] = (struct CMUnitTest){.name = rows[i].name,
                                           .test_func = message,
                                           .initial_state = (void *)(uintptr_t)&rows[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
