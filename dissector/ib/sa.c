/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Records of subnet administration (IBTA vol. 1, 15.2.5). Many are an attribute of subnet
 * management behind the LID and port that it belongs to.
 */
#include "ib/mad_table.h"

static const struct mad_word selectors[] = {
    {0, "greater than"}, {1, "less than"}, {2, "exactly"}, {3, "largest"}, {0, NULL}};
static const struct mad_word scopes[] = {
    {1, "interface-local"},    {2, "link-local"}, {5, "site-local"},
    {8, "organization-local"}, {14, "global"},    {0, NULL},
};

static const struct mad_row lid_rows[] = {
    MAD_NUMBER("record_lid", 0, 0, 16),
    MAD_END,
};
static const struct mad_row lid_port_rows[] = {
    MAD_NUMBER("record_lid", 0, 0, 16),
    MAD_NUMBER("record_port", 2, 0, 8),
    MAD_END,
};
static const struct mad_row lid_block_rows[] = {
    MAD_NUMBER("record_lid", 0, 0, 16),
    MAD_NUMBER("record_block", 2, 0, 16),
    MAD_END,
};
static const struct mad_row guid_block_rows[] = {
    MAD_NUMBER("record_lid", 0, 0, 16),
    MAD_NUMBER("record_block", 2, 0, 8),
    MAD_END,
};
static const struct mad_row pkey_block_rows[] = {
    MAD_NUMBER("record_lid", 0, 0, 16),
    MAD_NUMBER("record_block", 2, 0, 16),
    MAD_NUMBER("record_port", 4, 0, 8),
    MAD_END,
};
static const struct mad_row sl_to_vl_record_rows[] = {
    MAD_NUMBER("record_lid", 0, 0, 16),
    MAD_NUMBER("record_input_port", 2, 0, 8),
    MAD_NUMBER("record_output_port", 3, 0, 8),
    MAD_END,
};
static const struct mad_row vl_arbitration_record_rows[] = {
    MAD_NUMBER("record_lid", 0, 0, 16),
    MAD_NUMBER("record_output_port", 2, 0, 8),
    MAD_NUMBER("record_block", 3, 0, 8),
    MAD_END,
};
static const struct mad_row multicast_block_rows[] = {
    MAD_NUMBER("record_lid", 0, 0, 16),
    MAD_NUMBER("record_position", 2, 0, 4),
    MAD_NUMBER("record_block", 2, 7, 9),
    MAD_END,
};

static const struct mad_row link_rows[] = {
    MAD_NUMBER("from_lid", 0, 0, 16),
    MAD_NUMBER("from_port", 2, 0, 8),
    MAD_NUMBER("to_port", 3, 0, 8),
    MAD_NUMBER("to_lid", 4, 0, 16),
    MAD_END,
};

static const struct mad_row inform_record_rows[] = {
    MAD_GID("subscriber_gid", 0),
    MAD_NUMBER("record_enum", 16, 0, 16),
    MAD_END,
};

static const struct mad_row service_rows[] = {
    MAD_HEX("service_id", 0, 0, 64),
    MAD_GID("service_gid", 8),
    MAD_HEX("service_p_key", 24, 0, 16),
    MAD_NUMBER("service_lease_s", 28, 0, 32),
    MAD_BYTES("service_key", 32, 16),
    MAD_STRING("service_name", 48, 64),
    MAD_ARRAY("service_data8", 112, 0, 8, NUMBER, 16, 8),
    MAD_ARRAY("service_data16", 128, 0, 16, NUMBER, 8, 16),
    MAD_ARRAY("service_data32", 144, 0, 32, NUMBER, 4, 32),
    MAD_ARRAY("service_data64", 160, 0, 64, HEX, 2, 64),
    MAD_END,
};

static const struct mad_row path_rows[] = {
    MAD_HEX("service_id", 0, 0, 64),
    MAD_GID("dgid", 8),
    MAD_GID("sgid", 24),
    MAD_NUMBER("dlid", 40, 0, 16),
    MAD_NUMBER("slid", 42, 0, 16),
    MAD_FLAG("raw_traffic", 44, 0),
    MAD_HEX("flow_label", 44, 4, 20),
    MAD_NUMBER("hop_limit", 47, 0, 8),
    MAD_HEX("traffic_class", 48, 0, 8),
    MAD_FLAG("reversible", 49, 0),
    MAD_NUMBER("num_path", 49, 1, 7),
    MAD_HEX("pkey", 50, 0, 16),
    MAD_NUMBER("qos_class", 52, 0, 12),
    MAD_NUMBER("sl", 53, 4, 4),
    MAD_WORDS("mtu_selector", 54, 0, 2, selectors),
    MAD_WORDS("mtu", 54, 2, 6, mad_mtu_words),
    MAD_WORDS("rate_selector", 55, 0, 2, selectors),
    MAD_WORDS("rate", 55, 2, 6, mad_rate_words),
    MAD_WORDS("packet_life_time_selector", 56, 0, 2, selectors),
    MAD_WORDS("packet_life_time", 56, 2, 6, mad_timeout_words),
    MAD_NUMBER("preference", 57, 0, 8),
    MAD_END,
};

static const struct mad_row multipath_rows[] = {
    MAD_FLAG("raw_traffic", 0, 0),
    MAD_HEX("flow_label", 0, 4, 20),
    MAD_NUMBER("hop_limit", 3, 0, 8),
    MAD_HEX("traffic_class", 4, 0, 8),
    MAD_FLAG("reversible", 5, 0),
    MAD_NUMBER("num_path", 5, 1, 7),
    MAD_HEX("pkey", 6, 0, 16),
    MAD_NUMBER("qos_class", 8, 0, 12),
    MAD_NUMBER("sl", 9, 4, 4),
    MAD_WORDS("mtu_selector", 10, 0, 2, selectors),
    MAD_WORDS("mtu", 10, 2, 6, mad_mtu_words),
    MAD_WORDS("rate_selector", 11, 0, 2, selectors),
    MAD_WORDS("rate", 11, 2, 6, mad_rate_words),
    MAD_WORDS("packet_life_time_selector", 12, 0, 2, selectors),
    MAD_WORDS("packet_life_time", 12, 2, 6, mad_timeout_words),
    MAD_NUMBER("independence_selector", 14, 0, 2),
    MAD_NUMBER("sgid_count", 15, 0, 8),
    MAD_NUMBER("dgid_count", 16, 0, 8),
    MAD_ARRAY("gid", 24, 0, 128, GID, 11, 128), /* sources, then destinations */
    MAD_END,
};

static const struct mad_row multicast_member_rows[] = {
    MAD_GID("mgid", 0),
    MAD_GID("port_gid", 16),
    MAD_HEX("qkey", 32, 0, 32),
    MAD_NUMBER("mlid", 36, 0, 16),
    MAD_WORDS("mtu_selector", 38, 0, 2, selectors),
    MAD_WORDS("mtu", 38, 2, 6, mad_mtu_words),
    MAD_HEX("traffic_class", 39, 0, 8),
    MAD_HEX("pkey", 40, 0, 16),
    MAD_WORDS("rate_selector", 42, 0, 2, selectors),
    MAD_WORDS("rate", 42, 2, 6, mad_rate_words),
    MAD_WORDS("packet_life_time_selector", 43, 0, 2, selectors),
    MAD_WORDS("packet_life_time", 43, 2, 6, mad_timeout_words),
    MAD_NUMBER("sl", 44, 0, 4),
    MAD_HEX("flow_label", 44, 4, 20),
    MAD_NUMBER("hop_limit", 47, 0, 8),
    MAD_WORDS("scope", 48, 0, 4, scopes),
    MAD_FLAG("join_send_only_full", 48, 4),
    MAD_FLAG("join_send_only_non", 48, 5),
    MAD_FLAG("join_non", 48, 6),
    MAD_FLAG("join_full", 48, 7),
    MAD_FLAG("proxy_join", 49, 0),
    MAD_END,
};

static const struct mad_row trace_rows[] = {
    MAD_HEX("gid_prefix", 0, 0, 64),    MAD_HEX("id_generation", 8, 0, 16),
    MAD_NUMBER("node_type", 11, 0, 8),  MAD_HEX("node_id", 12, 0, 64),
    MAD_HEX("chassis_id", 20, 0, 64),   MAD_HEX("entry_port_id", 28, 0, 64),
    MAD_HEX("exit_port_id", 36, 0, 64), MAD_NUMBER("entry_port", 44, 0, 8),
    MAD_NUMBER("exit_port", 45, 0, 8),  MAD_END,
};

const struct mad_attribute mad_sa_attributes[] = {
    {0x0011,
     "NodeRecord",
     {{lid_rows, 0}, {mad_node_info_rows, 4}, {mad_node_description_rows, 44}}},
    {0x0012, "PortInfoRecord", {{lid_port_rows, 0}, {mad_port_info_rows, 4}}},
    {0x0013, "SLtoVLMappingTableRecord", {{sl_to_vl_record_rows, 0}, {mad_sl_to_vl_rows, 8}}},
    {0x0014, "SwitchInfoRecord", {{lid_rows, 0}, {mad_switch_info_rows, 4}}},
    {0x0015, "LinearForwardingTableRecord", {{lid_block_rows, 0}, {mad_linear_forwarding_rows, 8}}},
    {0x0016, "RandomForwardingTableRecord", {{lid_block_rows, 0}}},
    {0x0017,
     "MulticastForwardingTableRecord",
     {{multicast_block_rows, 0}, {mad_multicast_forwarding_rows, 8}}},
    {0x0018, "SMInfoRecord", {{lid_rows, 0}, {mad_sm_info_rows, 4}}},
    {0x0019, "LinkSpeedWidthPairsTableRecord", {{lid_rows, 0}}},
    {0x0020, "LinkRecord", {{link_rows, 0}}},
    {0x0030, "GuidInfoRecord", {{guid_block_rows, 0}, {mad_guid_info_rows, 8}}},
    {0x0031, "ServiceRecord", {{service_rows, 0}}},
    {0x0033, "P_KeyTableRecord", {{pkey_block_rows, 0}, {mad_pkey_table_rows, 8}}},
    {0x0035, "PathRecord", {{path_rows, 0}}},
    {0x0036,
     "VLArbitrationTableRecord",
     {{vl_arbitration_record_rows, 0}, {mad_vl_arbitration_rows, 8}}},
    {0x0038, "MCMemberRecord", {{multicast_member_rows, 0}}},
    {0x0039, "TraceRecord", {{trace_rows, 0}}},
    {0x003a, "MultiPathRecord", {{multipath_rows, 0}}},
    {0x003b, "ServiceAssociationRecord", {{NULL, 0}}},
    {0x003c, "HierarchyInfoRecord", {{NULL, 0}}},
    {0x00f3, "InformInfoRecord", {{inform_record_rows, 0}, {mad_inform_info_rows, 24}}},
    {0, NULL, {{NULL, 0}}},
};
