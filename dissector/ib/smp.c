/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Attributes of subnet management (IBTA vol. 1, 14.2.5): what the subnet manager asks and sets.
 */
#include "ib/mad_table.h"

static const struct mad_word node_types[] = {
    {1, "channel adapter"}, {2, "switch"}, {3, "router"}, {0, NULL}};
static const struct mad_word port_states[] = {{0, "no change"}, {1, "Down"},   {2, "Initialize"},
                                              {3, "Armed"},     {4, "Active"}, {0, NULL}};
static const struct mad_word physical_states[] = {
    {0, "no change"},
    {1, "Sleep"},
    {2, "Polling"},
    {3, "Disabled"},
    {4, "PortConfigurationTraining"},
    {5, "LinkUp"},
    {6, "LinkErrorRecovery"},
    {7, "Phy Test"},
    {0, NULL},
};
static const struct mad_word default_states[] = {
    {0, "no change"}, {1, "Sleep"}, {2, "Polling"}, {0, NULL}};
static const struct mad_word widths[] = {
    {1, "1X"},
    {2, "4X"},
    {3, "1X or 4X"},
    {4, "8X"},
    {8, "12X"},
    {11, "1X, 4X or 12X"},
    {15, "1X, 4X, 8X or 12X"},
    {16, "2X"},
    {19, "1X, 2X or 4X"},
    {0, NULL},
};
static const struct mad_word speeds[] = {
    {1, "2.5 Gb/s"},
    {2, "5 Gb/s"},
    {3, "2.5 or 5 Gb/s"},
    {4, "10 Gb/s"},
    {5, "2.5 or 10 Gb/s"},
    {7, "2.5, 5 or 10 Gb/s"},
    {15, "all that are supported"},
    {0, NULL},
};
static const struct mad_word extended_speeds[] = {
    {0, "none"},
    {1, "14.0625 Gb/s (FDR)"},
    {2, "25.78125 Gb/s (EDR)"},
    {4, "53.125 Gb/s (HDR)"},
    {8, "106.25 Gb/s (NDR)"},
    {0, NULL},
};
static const struct mad_word vl_counts[] = {
    {1, "VL0"},        {2, "VL0 to VL1"},  {3, "VL0 to VL3"},
    {4, "VL0 to VL7"}, {5, "VL0 to VL14"}, {0, NULL},
};
static const struct mad_word sm_states[] = {
    {0, "NotActive"}, {1, "Discovering"}, {2, "Standby"}, {3, "Master"}, {0, NULL}};

const struct mad_row mad_node_description_rows[] = {
    MAD_STRING("node_description", 0, 64),
    MAD_END,
};

const struct mad_row mad_node_info_rows[] = {
    MAD_NUMBER("node_base_version", 0, 0, 8),
    MAD_NUMBER("node_class_version", 1, 0, 8),
    MAD_WORDS("node_type", 2, 0, 8, node_types),
    MAD_NUMBER("num_ports", 3, 0, 8),
    MAD_HEX("system_image_guid", 4, 0, 64),
    MAD_HEX("node_guid", 12, 0, 64),
    MAD_HEX("port_guid", 20, 0, 64),
    MAD_NUMBER("partition_cap", 28, 0, 16),
    MAD_HEX("device_id", 30, 0, 16),
    MAD_HEX("revision", 32, 0, 32),
    MAD_NUMBER("local_port_num", 36, 0, 8),
    MAD_HEX("vendor_id", 37, 0, 24),
    MAD_END,
};

const struct mad_row mad_switch_info_rows[] = {
    MAD_NUMBER("linear_fdb_cap", 0, 0, 16),
    MAD_NUMBER("random_fdb_cap", 2, 0, 16),
    MAD_NUMBER("multicast_fdb_cap", 4, 0, 16),
    MAD_NUMBER("linear_fdb_top", 6, 0, 16),
    MAD_NUMBER("default_port", 8, 0, 8),
    MAD_NUMBER("default_multicast_primary_port", 9, 0, 8),
    MAD_NUMBER("default_multicast_not_primary_port", 10, 0, 8),
    MAD_WORDS("life_time_value", 11, 0, 5, mad_timeout_words),
    MAD_FLAG("port_state_change", 11, 5),
    MAD_NUMBER("optimized_sl_to_vl_mapping", 11, 6, 2),
    MAD_NUMBER("lids_per_port", 12, 0, 16),
    MAD_NUMBER("partition_enforcement_cap", 14, 0, 16),
    MAD_FLAG("inbound_enforcement_cap", 16, 0),
    MAD_FLAG("outbound_enforcement_cap", 16, 1),
    MAD_FLAG("filter_raw_inbound_cap", 16, 2),
    MAD_FLAG("filter_raw_outbound_cap", 16, 3),
    MAD_FLAG("enhanced_port0", 16, 4),
    MAD_NUMBER("multicast_fdb_top", 18, 0, 16),
    MAD_END,
};

const struct mad_row mad_guid_info_rows[] = {
    MAD_ARRAY("guid", 0, 0, 64, HEX, 8, 64),
    MAD_END,
};

const struct mad_row mad_port_info_rows[] = {
    MAD_HEX("port_m_key", 0, 0, 64),
    MAD_HEX("gid_prefix", 8, 0, 64),
    MAD_NUMBER("lid", 16, 0, 16),
    MAD_NUMBER("master_sm_lid", 18, 0, 16),
    MAD_HEX("capability_mask", 20, 0, 32),
    MAD_HEX("diag_code", 24, 0, 16),
    MAD_NUMBER("m_key_lease_period_s", 26, 0, 16),
    MAD_NUMBER("local_port_num", 28, 0, 8),
    MAD_WORDS("link_width_enabled", 29, 0, 8, widths),
    MAD_WORDS("link_width_supported", 30, 0, 8, widths),
    MAD_WORDS("link_width_active", 31, 0, 8, widths),
    MAD_WORDS("link_speed_supported", 32, 0, 4, speeds),
    MAD_WORDS("port_state", 32, 4, 4, port_states),
    MAD_WORDS("port_physical_state", 33, 0, 4, physical_states),
    MAD_WORDS("link_down_default_state", 33, 4, 4, default_states),
    MAD_NUMBER("m_key_protect_bits", 34, 0, 2),
    MAD_NUMBER("lmc", 34, 5, 3),
    MAD_WORDS("link_speed_active", 35, 0, 4, speeds),
    MAD_WORDS("link_speed_enabled", 35, 4, 4, speeds),
    MAD_WORDS("neighbor_mtu", 36, 0, 4, mad_mtu_words),
    MAD_NUMBER("master_sm_sl", 36, 4, 4),
    MAD_WORDS("vl_cap", 37, 0, 4, vl_counts),
    MAD_HEX("init_type", 37, 4, 4),
    MAD_NUMBER("vl_high_limit", 38, 0, 8),
    MAD_NUMBER("vl_arbitration_high_cap", 39, 0, 8),
    MAD_NUMBER("vl_arbitration_low_cap", 40, 0, 8),
    MAD_HEX("init_type_reply", 41, 0, 4),
    MAD_WORDS("mtu_cap", 41, 4, 4, mad_mtu_words),
    MAD_NUMBER("vl_stall_count", 42, 0, 3),
    MAD_WORDS("hoq_life", 42, 3, 5, mad_timeout_words),
    MAD_WORDS("operational_vls", 43, 0, 4, vl_counts),
    MAD_FLAG("partition_enforcement_inbound", 43, 4),
    MAD_FLAG("partition_enforcement_outbound", 43, 5),
    MAD_FLAG("filter_raw_inbound", 43, 6),
    MAD_FLAG("filter_raw_outbound", 43, 7),
    MAD_NUMBER("m_key_violations", 44, 0, 16),
    MAD_NUMBER("p_key_violations", 46, 0, 16),
    MAD_NUMBER("q_key_violations", 48, 0, 16),
    MAD_NUMBER("guid_cap", 50, 0, 8),
    MAD_FLAG("client_reregister", 51, 0),
    MAD_NUMBER("multicast_p_key_trap_suppression", 51, 1, 2),
    MAD_WORDS("subnet_timeout", 51, 3, 5, mad_timeout_words),
    MAD_WORDS("response_time_value", 52, 3, 5, mad_timeout_words),
    MAD_NUMBER("local_phy_errors", 53, 0, 4),
    MAD_NUMBER("overrun_errors", 53, 4, 4),
    MAD_NUMBER("max_credit_hint", 54, 0, 16),
    MAD_NUMBER("link_round_trip_latency", 57, 0, 24),
    MAD_HEX("capability_mask2", 60, 0, 16),
    MAD_WORDS("link_speed_extended_active", 62, 0, 4, extended_speeds),
    MAD_HEX("link_speed_extended_supported", 62, 4, 4),
    MAD_HEX("link_speed_extended_enabled", 63, 3, 5),
    MAD_END,
};

const struct mad_row mad_pkey_table_rows[] = {
    MAD_ARRAY("p_key", 0, 0, 16, HEX, 32, 16),
    MAD_END,
};

const struct mad_row mad_sl_to_vl_rows[] = {
    MAD_ARRAY("sl_to_vl", 0, 0, 4, NUMBER, 16, 4),
    MAD_END,
};

const struct mad_row mad_vl_arbitration_rows[] = {
    MAD_ARRAY("vl", 0, 4, 4, NUMBER, 32, 16),
    MAD_ARRAY("weight", 1, 0, 8, NUMBER, 32, 16),
    MAD_END,
};

const struct mad_row mad_linear_forwarding_rows[] = {
    MAD_ARRAY("port", 0, 0, 8, NUMBER, 64, 8),
    MAD_END,
};

const struct mad_row mad_multicast_forwarding_rows[] = {
    MAD_ARRAY("port_mask", 0, 0, 16, HEX, 32, 16),
    MAD_END,
};

static const struct mad_row random_forwarding_rows[] = {
    MAD_ARRAY("lid", 0, 0, 16, NUMBER, 16, 32),
    MAD_ARRAY("valid", 2, 0, 1, FLAG, 16, 32),
    MAD_ARRAY("lmc", 2, 1, 3, NUMBER, 16, 32),
    MAD_ARRAY("port", 3, 0, 8, NUMBER, 16, 32),
    MAD_END,
};

const struct mad_row mad_sm_info_rows[] = {
    MAD_HEX("sm_guid", 0, 0, 64),
    MAD_HEX("sm_info_sm_key", 8, 0, 64),
    MAD_NUMBER("act_count", 16, 0, 32),
    MAD_NUMBER("priority", 20, 0, 4),
    MAD_WORDS("sm_state", 20, 4, 4, sm_states),
    MAD_END,
};

static const struct mad_row led_info_rows[] = {
    MAD_FLAG("led_on", 0, 0),
    MAD_END,
};

const struct mad_attribute mad_smp_attributes[] = {
    {0x0010, "NodeDescription", {{mad_node_description_rows, 0}}},
    {0x0011, "NodeInfo", {{mad_node_info_rows, 0}}},
    {0x0012, "SwitchInfo", {{mad_switch_info_rows, 0}}},
    {0x0014, "GUIDInfo", {{mad_guid_info_rows, 0}}},
    {0x0015, "PortInfo", {{mad_port_info_rows, 0}}},
    {0x0016, "P_KeyTable", {{mad_pkey_table_rows, 0}}},
    {0x0017, "SLtoVLMappingTable", {{mad_sl_to_vl_rows, 0}}},
    {0x0018, "VLArbitrationTable", {{mad_vl_arbitration_rows, 0}}},
    {0x0019, "LinearForwardingTable", {{mad_linear_forwarding_rows, 0}}},
    {0x001a, "RandomForwardingTable", {{random_forwarding_rows, 0}}},
    {0x001b, "MulticastForwardingTable", {{mad_multicast_forwarding_rows, 0}}},
    {0x001c, "LinkSpeedWidthPairsTable", {{NULL, 0}}},
    {0x001d, "VendorSpecificMadsTable", {{NULL, 0}}},
    {0x001e, "HierarchyInfo", {{NULL, 0}}},
    {0x0020, "SMInfo", {{mad_sm_info_rows, 0}}},
    {0x0030, "VendorDiag", {{NULL, 0}}},
    {0x0031, "LedInfo", {{led_info_rows, 0}}},
    {0x0033, "PortInfoExtended", {{NULL, 0}}},
    {0xff90, "MlnxExtendedPortInfo", {{NULL, 0}}},
    {0, NULL, {{NULL, 0}}},
};
