/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Management datagrams: common header, headers of the classes, attributes. Fields that are zero are
 * left out of the text, so each row fills what it is about.
 */
#include "dissector/ib/fields.h"

static const struct row {
    const char *name;
    struct piece pieces[8];
    const char *header; /* class method attribute */
    const char *want;   /* fields behind the common header */
} rows[] = {
    {"directed SMInfo, on its way back",
     {{0, "01810181 8000 01 02 0001509c000125c8 0020 0000 00000007"},
      {32, "ffff 0001"},
      {64, "0002c90300000001 0000000000000002 00000003 c3"},
      {129, "0203"},
      {193, "0601"}},
     "SubnDirected GetResp SMInfo ok",
     "returning=1 hop_pointer=1 hop_count=2 dr_slid=65535 dr_dlid=1 sm_guid=0x2c90300000001 "
     "sm_info_sm_key=0x2 act_count=3 priority=12 sm_state=3(Master) initial_path=000203 "
     "return_path=000601"},
    {"NodeInfo",
     {{0, "01810181"},
      {16, "0011"},
      {24, "1122334455667788"},
      {64, "01 02 02 24 0000000000000001 0000000000000002 0000000000000003 0008 c738 000000a1 09 "
           "0002c9"}},
     "SubnDirected GetResp NodeInfo ok",
     "m_key=0x1122334455667788 node_base_version=1 node_class_version=2 node_type=2(switch) "
     "num_ports=36 system_image_guid=0x1 node_guid=0x2 port_guid=0x3 partition_cap=8 "
     "device_id=0xc738 revision=0xa1 local_port_num=9 vendor_id=0x2c9"},
    {"NodeDescription",
     {{0, "01010181"}, {16, "0010"}, {64, "6e6f6465 20 31 2020"}},
     "Subn GetResp NodeDescription ok",
     "node_description='node 1'"},
    {"SwitchInfo",
     {{0, "01010181"}, {16, "0012"}, {64, "0001 0002 0003 0004 05 06 07 96 0008 0009 a8 00 000a"}},
     "Subn GetResp SwitchInfo ok",
     "linear_fdb_cap=1 random_fdb_cap=2 multicast_fdb_cap=3 linear_fdb_top=4 default_port=5 "
     "default_multicast_primary_port=6 default_multicast_not_primary_port=7 "
     "life_time_value=18(1.07 s) port_state_change=1 optimized_sl_to_vl_mapping=2 "
     "lids_per_port=8 partition_enforcement_cap=9 inbound_enforcement_cap=1 "
     "filter_raw_inbound_cap=1 enhanced_port0=1 multicast_fdb_top=10"},
    {"PortInfo",
     {{0, "01010102"},
      {16, "0015"},
      {64, "0000000000000001 fe80000000000000 0004 0005 06514868 0007 0008 09 03 01 02 74 52 42 "
           "41 47 40 0a 0b 0c 54 6f 4d 000d 000e 000f 10 92 15 68 0011 00 000012 0013 28 03"}},
     "Subn Set PortInfo ok",
     "port_m_key=0x1 gid_prefix=0xfe80000000000000 lid=4 master_sm_lid=5 "
     "capability_mask=0x6514868 diag_code=0x7 m_key_lease_period_s=8 local_port_num=9 "
     "link_width_enabled=3(1X or 4X) link_width_supported=1(1X) link_width_active=2(4X) "
     "link_speed_supported=7(2.5, 5 or 10 Gb/s) port_state=4(Active) port_physical_state=5(LinkUp) "
     "link_down_default_state=2(Polling) m_key_protect_bits=1 lmc=2 link_speed_active=4(10 Gb/s) "
     "link_speed_enabled=1(2.5 Gb/s) neighbor_mtu=4(2048 bytes) master_sm_sl=7 "
     "vl_cap=4(VL0 to VL7) vl_high_limit=10 vl_arbitration_high_cap=11 "
     "vl_arbitration_low_cap=12 init_type_reply=0x5 mtu_cap=4(2048 bytes) vl_stall_count=3 "
     "hoq_life=15(134 ms) operational_vls=4(VL0 to VL7) partition_enforcement_inbound=1 "
     "partition_enforcement_outbound=1 filter_raw_outbound=1 m_key_violations=13 "
     "p_key_violations=14 q_key_violations=15 guid_cap=16 client_reregister=1 "
     "subnet_timeout=18(1.07 s) response_time_value=21(8.59 s) local_phy_errors=6 "
     "overrun_errors=8 max_credit_hint=17 link_round_trip_latency=18 capability_mask2=0x13 "
     "link_speed_extended_active=2(25.78125 Gb/s (EDR)) link_speed_extended_supported=0x8 "
     "link_speed_extended_enabled=0x3"},
    {"GUIDInfo",
     {{0, "01010181"}, {16, "0014"}, {64, "0000000000000001"}, {120, "0000000000000008"}},
     "Subn GetResp GUIDInfo ok",
     "guid[0]=0x1 guid[7]=0x8"},
    {"P_KeyTable",
     {{0, "01010181"}, {16, "0016"}, {64, "ffff 8001"}, {126, "7fff"}},
     "Subn GetResp P_KeyTable ok",
     "p_key[0]=0xffff p_key[1]=0x8001 p_key[31]=0x7fff"},
    {"SLtoVLMappingTable",
     {{0, "01010181"}, {16, "0017"}, {64, "12"}, {71, "0f"}},
     "Subn GetResp SLtoVLMappingTable ok",
     "sl_to_vl[0]=1 sl_to_vl[1]=2 sl_to_vl[15]=15"},
    {"VLArbitrationTable",
     {{0, "01010181"}, {16, "0018"}, {64, "01 20"}, {126, "f2 40"}},
     "Subn GetResp VLArbitrationTable ok",
     "vl[0]=1 vl[31]=2 weight[0]=32 weight[31]=64"},
    {"trap 128",
     {{0, "01010105"}, {16, "0002"}, {64, "81 000002 0080 0011 8003 0022"}},
     "Subn Trap Notice ok",
     "is_generic=1 notice_type=1(urgent) producer_type=0x2 trap_number=128(link state changed) "
     "issuer_lid=17 notice_toggle=1 notice_count=3 trap_lid=34"},
    {"trap 257",
     {{0, "01010105"},
      {16, "0002"},
      {64, "82 000001 0101 0011 0000 0000 0001 0002 00008001 30 000004 00 000005"},
      {92, "fe80"},
      {108, "fe81"}},
     "Subn Trap Notice ok",
     "is_generic=1 notice_type=2(security) producer_type=0x1 trap_number=257(bad P_Key) "
     "issuer_lid=17 trap_lid1=1 trap_lid2=2 trap_key=0x8001 trap_sl=3 trap_qpn1=4 trap_qpn2=5 "
     "trap_gid1=fe800000000000000000000000000000 trap_gid2=fe810000000000000000000000000000"},
    {"report of trap 64",
     {{0, "01030206"},
      {16, "0002"},
      {56, "83 000004 0040 0001 0000 000000000000 fe80"},
      {56 + 64, "fe81"}},
     "SubnAdm Report Notice ok",
     "is_generic=1 notice_type=3(subnet management) producer_type=0x4 "
     "trap_number=64(GID in service) issuer_lid=1 issuer_gid=fe810000000000000000000000000000 "
     "trap_gid=fe800000000000000000000000000000"},
    {"a vendor's notice has no details that are known",
     {{0, "01010105"}, {16, "0002"}, {64, "01 0002c9 0080 0011 0000 0022"}},
     "Subn Trap Notice ok",
     "notice_type=1(urgent) producer_type=0x2c9 trap_number=128(link state changed) issuer_lid=17"},
    {"PathRecord",
     {{0, "01030281"},
      {16, "0035"},
      {36, "0000000000000009 0008 0000 000000000000340c"},
      {56, "0000000000000001 fe80000000000000000000000000000a fe80000000000000000000000000000b"
           "0001 0002 80012345 06 85 ffff 0017 84 83 92 07"}},
     "SubnAdm GetResp PathRecord ok",
     "sm_key=0x9 attribute_offset_bytes=64 component_mask=0x340c service_id=0x1 "
     "dgid=fe80000000000000000000000000000a sgid=fe80000000000000000000000000000b dlid=1 slid=2 "
     "raw_traffic=1 flow_label=0x123 hop_limit=69 traffic_class=0x6 reversible=1 num_path=5 "
     "pkey=0xffff qos_class=1 sl=7 mtu_selector=2(exactly) mtu=4(2048 bytes) "
     "rate_selector=2(exactly) rate=3(10 Gb/s) packet_life_time_selector=2(exactly) "
     "packet_life_time=18(1.07 s) preference=7"},
    {"NodeRecord, first packet of a table",
     {{0, "01030292"},
      {16, "0011"},
      {24, "0101 1b 00 00000001 000000e0"},
      {44, "000e"},
      {56, "0003 0000 01 01 01 01"},
      {96, "01 0002c9"},
      {100, "61"}},
     "SubnAdm GetTableResp NodeRecord ok",
     "rmpp_version=1 rmpp_type=1(DATA) rmpp_response_time=3 rmpp_active=1 rmpp_first=1 "
     "rmpp_segment=1 rmpp_payload_bytes=224 attribute_offset_bytes=112 record_lid=3 "
     "node_base_version=1 node_class_version=1 node_type=1(channel adapter) num_ports=1 "
     "local_port_num=1 vendor_id=0x2c9 node_description='a'"},
    {"a later packet of the table begins anywhere in a record",
     {{0, "01030292"}, {16, "0011"}, {24, "0101 05 00 00000002"}, {56, "aa"}},
     "SubnAdm GetTableResp NodeRecord ok",
     "rmpp_version=1 rmpp_type=1(DATA) rmpp_active=1 rmpp_last=1 rmpp_segment=2 "
     "data=aa" /* 200 bytes, the rest is compared by its beginning */},
    {"RMPP ACK",
     {{0, "01030212"}, {16, "0011"}, {24, "0102 01 00 00000001 00000040"}},
     "SubnAdm GetTable NodeRecord ok",
     "rmpp_version=1 rmpp_type=2(ACK) rmpp_active=1 rmpp_segment=1 rmpp_new_window_last=64"},
    {"PortInfoRecord, no such record",
     {{0, "01030281 0300"}, {16, "0012"}, {56, "0004 02 00"}, {76, "0005 0006"}},
     "SubnAdm GetResp PortInfoRecord ok sa_status=3(no records)",
     "record_lid=4 record_port=2 lid=5 master_sm_lid=6"},
    {"MCMemberRecord",
     {{0, "01030202"},
      {16, "0038"},
      {56, "ff12401bffff00000000000000000001 fe80000000000000000000000000000a 00000b1b c001 84 01 "
           "ffff 83 92 51234506 21 80"}},
     "SubnAdm Set MCMemberRecord ok",
     "mgid=ff12401bffff00000000000000000001 port_gid=fe80000000000000000000000000000a qkey=0xb1b "
     "mlid=49153 mtu_selector=2(exactly) mtu=4(2048 bytes) traffic_class=0x1 pkey=0xffff "
     "rate_selector=2(exactly) rate=3(10 Gb/s) packet_life_time_selector=2(exactly) "
     "packet_life_time=18(1.07 s) sl=5 flow_label=0x12345 hop_limit=6 scope=2(link-local) "
     "join_full=1 proxy_join=1"},
    {"ServiceRecord",
     {{0, "01030202"},
      {16, "0031"},
      {56, "0000000001061144 fe80000000000000000000000000000a ffff 0000 00000e10"},
      {56 + 48, "737270"},
      {56 + 112, "01"},
      {56 + 128, "0002"},
      {56 + 144, "00000003 0000000000000000000000000000000000000004"}},
     "SubnAdm Set ServiceRecord ok",
     "service_id=0x1061144 service_gid=fe80000000000000000000000000000a service_p_key=0xffff "
     "service_lease_s=3600 service_name='srp' service_data8[0]=1 service_data16[0]=2 "
     "service_data32[0]=3 service_data64[0]=0x4"},
    {"InformInfo",
     {{0, "01030202"}, {16, "0003"}, {72, "ffff 0000 0000 01 01 ffff 0040 000001 13 00 000004"}},
     "SubnAdm Set InformInfo ok",
     "lid_range_begin=65535 is_generic=1 subscribe=1 inform_type=65535 "
     "trap_number=64(GID in service) qpn=1 response_time_value=19(2.15 s) producer_type=0x4"},
    {"PortCounters",
     {{0, "01040181"},
      {16, "0012"},
      {64, "00 01 ffff 0002 03 04 0005 0006 0007 0008 09 0a 0b cd 000e 000f 00000010 00000011 "
           "00000012 00000013 00000014"}},
     "Perf GetResp PortCounters ok",
     "port_select=1 counter_select=0xffff symbol_error_counter=2 link_error_recovery_counter=3 "
     "link_downed_counter=4 port_rcv_errors=5 port_rcv_remote_physical_errors=6 "
     "port_rcv_switch_relay_errors=7 port_xmit_discards=8 port_xmit_constraint_errors=9 "
     "port_rcv_constraint_errors=10 counter_select2=0xb local_link_integrity_errors=12 "
     "excessive_buffer_overrun_errors=13 qp1_dropped=14 vl15_dropped=15 port_xmit_data=16 "
     "port_rcv_data=17 port_xmit_packets=18 port_rcv_packets=19 port_xmit_wait=20"},
    {"PortCountersExtended",
     {{0, "01040181"},
      {16, "001d"},
      {64, "00 01 ffff 00000002 0102030405060708 0000000000000004"},
      {64 + 56, "0000000000000005 0000000000000006"},
      {64 + 176, "0000000000000007"}},
     "Perf GetResp PortCountersExtended ok",
     "port_select=1 counter_select=0xffff counter_select2=0x2 port_xmit_data=72623859790382856 "
     "port_rcv_data=4 port_multicast_xmit_packets=5 port_multicast_rcv_packets=6 qp1_dropped=7"},
    {"ClassPortInfo",
     {{0, "01040181"},
      {16, "0001"},
      {64, "01 01 0002 00000073"},
      {64 + 24, "01 50000200030004 00 000005 00000006"}},
     "Perf GetResp ClassPortInfo ok",
     "port_base_version=1 port_class_version=1 capability_mask=0x2 capability_mask2=0x3 "
     "response_time_value=19(2.15 s) redirect_traffic_class=0x1 redirect_sl=5 "
     "redirect_flow_label=0x2 redirect_lid=3 redirect_p_key=0x4 redirect_qpn=5 "
     "redirect_q_key=0x6"},
    {"CongestionInfo",
     {{0, "01210281"}, {16, "0011"}, {24, "0000000000000001"}, {64, "0002 03"}},
     "CongestionControl GetResp CongestionInfo ok",
     "cc_key=0x1 congestion_info=0x2 control_table_cap=3"},
    {"CACongestionSetting",
     {{0, "01210202"}, {16, "0016"}, {64, "0001 0002 0003 04 05 06 00 0000 0007"}},
     "CongestionControl Set CACongestionSetting ok",
     "port_control=0x1 control_map=0x2 ccti_timer[0]=3 ccti_timer[1]=7 ccti_increase[0]=4 "
     "trigger_threshold[0]=5 ccti_min[0]=6"},
    {"CongestionLog begins where others have reserved bytes",
     {{0, "01210281"}, {16, "0013"}, {32, "02"}},
     "CongestionControl GetResp CongestionLog ok",
     "data=02"},
    {"vendor with an OUI",
     {{0, "01320101"}, {16, "0017"}, {36, "00 0002c9 55"}},
     "Vendor Get unknown ok",
     "oui=0x2c9 data=55"},
    {"vendor without",
     {{0, "01090101"}, {16, "0017"}, {24, "66"}},
     "Vendor Get unknown ok",
     "data=66"},
    {"baseboard management",
     {{0, "01050101 0008"}, {16, "0021"}, {24, "00000000000000aa"}, {64, "01"}},
     "BM Get ReadVPD method not supported",
     "b_key=0xaa data=01"},
    {"an attribute that is not known",
     {{0, "01010101"}, {16, "4444"}, {64, "01"}},
     "Subn Get unknown ok",
     "data=01"},
    {"a message of the communication manager",
     {{0, "01070203"}, {16, "0015"}, {24, "00000001 00000002 000003"}},
     "CM Send DisconnectRequest ok",
     "local_comm_id=0x1 remote_comm_id=0x2 remote_qpn=3"},
    {"ClassPortInfo of the communication manager",
     {{0, "01070181"}, {16, "0001"}, {24, "01"}},
     "CM GetResp ClassPortInfo ok",
     "port_base_version=1"},
    {"Omni-Path: only the common header is known",
     {{0, "80010101"}, {16, "0015"}, {24, "77"}},
     "Subn Get PortInfo ok",
     "data=77"},
};

/* Unknown data is shown whole: the row gives its beginning, zeros follow */
static void assert_fields(const char *text, const char *want)
{
    const char *data = strstr(want, "data=");
    size_t size = strlen(want);

    if (data == NULL || strncmp(data, "data=", 5) != 0 || strlen(data) != 7) {
        assert_string_equal(text, want);
        return;
    }
    assert_true(strlen(text) > size);
    assert_memory_equal(text, want, size);
    assert_int_equal(strspn(text + size, "0"), strlen(text + size));
}

static void header_visit(void *context, const struct rdc_field *f)
{
    static const char *const shown[] = {"class", "method", "attribute_id", "status"};
    struct fields_text *t = context;

    for (size_t i = 0; i < SUPPORT_COUNT(shown); i++)
        if (strcmp(f->name, shown[i]) == 0)
            assert_non_null(f->text);
    if (strcmp(f->name, "sa_status") == 0)
        fields_visit(t, f);
}

static void check_header(const struct rdc_mad *mad, const struct row *row)
{
    struct fields_text t = {0};

    fields_add(&t, "%s %s %s %s", rdc_mad_class_name(mad->mgmt_class),
               rdc_mad_method_name(mad->mgmt_class, mad->method),
               rdc_mad_attribute_name(mad->mgmt_class, mad->attribute_id),
               rdc_mad_status_text(mad->status));
    rdc_mad_header_fields(mad, header_visit, &t);
    assert_string_equal(t.text, row->header);
}

struct state {
    const struct row *row;
    size_t count; /* fields at the captured size before */
};

static void check(const uint8_t *bytes, size_t captured, size_t wire, void *arg)
{
    struct state *state = arg;
    struct rdc_cursor cur = {bytes, captured, wire};
    struct fields_text fields = {.first = bytes, .last = bytes + captured};
    struct rdc_mad mad;
    enum rdc_status st = rdc_mad_decode(&cur, &mad);

    if (captured < RDC_MAD_HEADER_LEN) {
        assert_int_equal(st, RDC_TRUNCATED);
        assert_ptr_equal(cur.at, bytes);
        return;
    }
    assert_int_equal(st, RDC_OK);
    assert_int_equal(cur.captured, 0);
    assert_int_equal(cur.wire, 0);
    check_header(&mad, state->row);
    rdc_mad_fields(&mad, fields_visit, &fields);
    if (captured == wire) {
        assert_fields(fields.text, state->row->want);
        assert_true(mad.layout_complete);
    } else {
        assert_true(fields.count <= state->count);
    }
    state->count = fields.count;
}

static void datagram(void **state)
{
    struct state s = {*state, 0};
    uint8_t bytes[RDC_MAD_LEN];

    fields_build(s.row->pieces, bytes);
    support_each_cut(bytes, sizeof bytes, check, &s);
}

/* The members, of the row whose SMP is on its way back */
static void members(void **state)
{
    uint8_t bytes[RDC_MAD_LEN];
    struct rdc_cursor cur = {bytes, sizeof bytes, sizeof bytes};
    struct rdc_mad mad;

    (void)state;
    fields_build(rows[0].pieces, bytes);
    assert_int_equal(rdc_mad_decode(&cur, &mad), RDC_OK);
    assert_int_equal(mad.base_version, 1);
    assert_int_equal(mad.mgmt_class, RDC_MAD_CLASS_SMP_DIRECTED);
    assert_int_equal(mad.class_version, 1);
    assert_int_equal(mad.method, 0x81);
    assert_int_equal(mad.status, 0); /* the D bit is not of it */
    assert_int_equal(mad.class_specific, 0x0102);
    assert_true(mad.transaction_id == UINT64_C(0x0001509c000125c8));
    assert_int_equal(mad.attribute_id, 0x20);
    assert_int_equal(mad.attribute_modifier, 7);
    assert_int_equal(mad.layout, RDC_MAD_LAYOUT_DIRECTED);
    assert_true(mad.smp.response);
    assert_ptr_equal(mad.data, bytes + 64);
    assert_int_equal(mad.data_size, 64);
    assert_ptr_equal(mad.smp.initial_path, bytes + 128);
    assert_ptr_equal(mad.smp.return_path, bytes + 192);
}

/* A sender may send fewer bytes than 256 */
static void short_datagrams(void **state)
{
    static const uint8_t bytes[RDC_MAD_LEN] = {1, RDC_MAD_CLASS_PERF, 1, 1};

    (void)state;
    for (size_t size = 0; size <= sizeof bytes; size++) {
        uint8_t *copy = support_copy(bytes, size);
        struct rdc_cursor cur = {copy, size, size};
        struct rdc_mad mad;
        enum rdc_status st = rdc_mad_decode(&cur, &mad);

        assert_int_equal(st, size < RDC_MAD_HEADER_LEN ? RDC_MALFORMED : RDC_OK);
        if (st == RDC_OK) {
            assert_int_equal(mad.layout_complete, size >= 64);
            assert_int_equal(mad.data_size, size > 64 ? size - 64 : 0);
        }
        support_free(copy, size);
    }
}

/* and bytes behind the datagram are none of it */
static void long_payloads(void **state)
{
    static const uint8_t bytes[70000] = {1, RDC_MAD_CLASS_PERF, 1, 1};
    struct rdc_cursor cur = {bytes, sizeof bytes, sizeof bytes};
    struct rdc_mad mad;

    (void)state;
    assert_int_equal(rdc_mad_decode(&cur, &mad), RDC_OK);
    assert_int_equal(mad.data_size, RDC_MAD_LEN - 64);
    assert_int_equal(mad.data_captured, RDC_MAD_LEN - 64);
    assert_int_equal(cur.wire, 0);
    assert_ptr_equal(cur.at, bytes + sizeof bytes);
}

static void other_base_versions(void **state)
{
    uint8_t bytes[RDC_MAD_LEN] = {2, 1, 1, 1};
    struct rdc_cursor cur = {bytes, sizeof bytes, sizeof bytes};
    struct rdc_mad mad;

    (void)state;
    assert_int_equal(rdc_mad_decode(&cur, &mad), RDC_UNSUPPORTED);
    assert_int_equal(cur.captured, sizeof bytes);
}

/* No name is visited twice: all fields of a datagram can be keys of one object */
struct names {
    const char *names[600];
    size_t count;
};

static void name_visit(void *context, const struct rdc_field *f)
{
    struct names *n = context;

    if (f->count > 0 && f->index > 0) {
        assert_string_equal(n->names[n->count - 1], f->name); /* elements follow one another */
        return;
    }
    for (size_t i = 0; i < n->count; i++)
        assert_string_not_equal(n->names[i], f->name);
    assert_true(n->count < SUPPORT_COUNT(n->names));
    n->names[n->count++] = f->name;
}

static void unique_names(void **state)
{
    static const uint16_t traps[] = {64, 128, 129, 144, 145, 256, 257, 259, 0};

    (void)state;
    for (unsigned mgmt_class = 0; mgmt_class < 256; mgmt_class++)
        for (uint16_t attribute = 0; attribute < 256; attribute++)
            for (size_t trap = 0; trap < (attribute == 2 ? SUPPORT_COUNT(traps) : 1); trap++) {
                uint8_t bytes[RDC_MAD_LEN] = {1, (uint8_t)mgmt_class, 1, 3};
                struct rdc_cursor cur = {bytes, sizeof bytes, sizeof bytes};
                struct names names = {.count = 0};
                struct rdc_mad mad;
                size_t data = mgmt_class == RDC_MAD_CLASS_SUBN_ADM ? 56 : 64;

                bytes[17] = (uint8_t)attribute;
                bytes[data] = 0x80;
                bytes[data + 4] = (uint8_t)(traps[trap] >> 8);
                bytes[data + 5] = (uint8_t)traps[trap];
                assert_int_equal(rdc_mad_decode(&cur, &mad), RDC_OK);
                rdc_mad_header_fields(&mad, name_visit, &names);
                rdc_mad_fields(&mad, name_visit, &names);
            }
}

static void codes(void **state)
{
    (void)state;
    assert_int_equal(rdc_mtu_bytes(0), 0);
    assert_int_equal(rdc_mtu_bytes(1), 256);
    assert_int_equal(rdc_mtu_bytes(5), 4096);
    assert_int_equal(rdc_mtu_bytes(6), 0);
    assert_true(rdc_ib_rate_bps(2) == UINT64_C(2500000000));
    assert_true(rdc_ib_rate_bps(16) == UINT64_C(100000000000));
    assert_true(rdc_ib_rate_bps(24) == UINT64_C(1200000000000));
    assert_true(rdc_ib_rate_bps(0) == 0);
    assert_true(rdc_ib_rate_bps(25) == 0);
    assert_string_equal(rdc_mad_class_name(0x02), "reserved");
    assert_string_equal(rdc_mad_class_name(0x0f), "Vendor");
    assert_string_equal(rdc_mad_class_name(0x2f), "Application");
    assert_string_equal(rdc_mad_class_name(0x4f), "Vendor");
    assert_string_equal(rdc_mad_class_name(0x50), "reserved");
    assert_string_equal(rdc_mad_method_name(RDC_MAD_CLASS_SUBN_ADM, 0x94), "GetMultiResp");
    assert_string_equal(rdc_mad_method_name(RDC_MAD_CLASS_PERF, 0x12), "unknown");
    assert_string_equal(rdc_mad_status_text(1), "busy, discarded");
    assert_string_equal(rdc_mad_status_text(2), "redirection required");
    assert_string_equal(rdc_mad_status_text(0x10), "reserved");
    assert_string_equal(rdc_mad_status_text(0x1c),
                        "invalid value in the attribute or its modifier");
}

int main(void)
{
    struct CMUnitTest tests[SUPPORT_COUNT(rows) + 6] = {
        cmocka_unit_test(members),       cmocka_unit_test(short_datagrams),
        cmocka_unit_test(long_payloads), cmocka_unit_test(other_base_versions),
        cmocka_unit_test(unique_names),  cmocka_unit_test(codes),
    };

    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++)
        tests[i + 6] = (struct CMUnitTest){.name = rows[i].name,
                                           .test_func = datagram,
                                           .initial_state = (void *)(uintptr_t)&rows[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
