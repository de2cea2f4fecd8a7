/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Attributes of performance management (IBTA vol. 1, 16.1) and of congestion control (annex A10).
 */
#include "ib/mad_table.h"

static const struct mad_row counters_rows[] = {
    MAD_NUMBER("port_select", 1, 0, 8),
    MAD_HEX("counter_select", 2, 0, 16),
    MAD_NUMBER("symbol_error_counter", 4, 0, 16),
    MAD_NUMBER("link_error_recovery_counter", 6, 0, 8),
    MAD_NUMBER("link_downed_counter", 7, 0, 8),
    MAD_NUMBER("port_rcv_errors", 8, 0, 16),
    MAD_NUMBER("port_rcv_remote_physical_errors", 10, 0, 16),
    MAD_NUMBER("port_rcv_switch_relay_errors", 12, 0, 16),
    MAD_NUMBER("port_xmit_discards", 14, 0, 16),
    MAD_NUMBER("port_xmit_constraint_errors", 16, 0, 8),
    MAD_NUMBER("port_rcv_constraint_errors", 17, 0, 8),
    MAD_HEX("counter_select2", 18, 0, 8),
    MAD_NUMBER("local_link_integrity_errors", 19, 0, 4),
    MAD_NUMBER("excessive_buffer_overrun_errors", 19, 4, 4),
    MAD_NUMBER("qp1_dropped", 20, 0, 16),
    MAD_NUMBER("vl15_dropped", 22, 0, 16),
    MAD_NUMBER("port_xmit_data", 24, 0, 32), /* data in 4-byte words */
    MAD_NUMBER("port_rcv_data", 28, 0, 32),
    MAD_NUMBER("port_xmit_packets", 32, 0, 32),
    MAD_NUMBER("port_rcv_packets", 36, 0, 32),
    MAD_NUMBER("port_xmit_wait", 40, 0, 32),
    MAD_END,
};

static const struct mad_row counters_extended_rows[] = {
    MAD_NUMBER("port_select", 1, 0, 8),
    MAD_HEX("counter_select", 2, 0, 16),
    MAD_HEX("counter_select2", 4, 0, 32),
    MAD_NUMBER("port_xmit_data", 8, 0, 64),
    MAD_NUMBER("port_rcv_data", 16, 0, 64),
    MAD_NUMBER("port_xmit_packets", 24, 0, 64),
    MAD_NUMBER("port_rcv_packets", 32, 0, 64),
    MAD_NUMBER("port_unicast_xmit_packets", 40, 0, 64),
    MAD_NUMBER("port_unicast_rcv_packets", 48, 0, 64),
    MAD_NUMBER("port_multicast_xmit_packets", 56, 0, 64),
    MAD_NUMBER("port_multicast_rcv_packets", 64, 0, 64),
    MAD_NUMBER("symbol_error_counter", 72, 0, 64),
    MAD_NUMBER("link_error_recovery_counter", 80, 0, 64),
    MAD_NUMBER("link_downed_counter", 88, 0, 64),
    MAD_NUMBER("port_rcv_errors", 96, 0, 64),
    MAD_NUMBER("port_rcv_remote_physical_errors", 104, 0, 64),
    MAD_NUMBER("port_rcv_switch_relay_errors", 112, 0, 64),
    MAD_NUMBER("port_xmit_discards", 120, 0, 64),
    MAD_NUMBER("port_xmit_constraint_errors", 128, 0, 64),
    MAD_NUMBER("port_rcv_constraint_errors", 136, 0, 64),
    MAD_NUMBER("local_link_integrity_errors", 144, 0, 64),
    MAD_NUMBER("excessive_buffer_overrun_errors", 152, 0, 64),
    MAD_NUMBER("vl15_dropped", 160, 0, 64),
    MAD_NUMBER("port_xmit_wait", 168, 0, 64),
    MAD_NUMBER("qp1_dropped", 176, 0, 64),
    MAD_END,
};

const struct mad_attribute mad_perf_attributes[] = {
    {0x0010, "PortSamplesControl", {{NULL, 0}}},
    {0x0011, "PortSamplesResult", {{NULL, 0}}},
    {0x0012, "PortCounters", {{counters_rows, 0}}},
    {0x0015, "PortRcvErrorDetails", {{NULL, 0}}},
    {0x0016, "PortXmitDiscardDetails", {{NULL, 0}}},
    {0x0017, "PortOpRcvCounters", {{NULL, 0}}},
    {0x0018, "PortFlowCtlCounters", {{NULL, 0}}},
    {0x0019, "PortVLOpPackets", {{NULL, 0}}},
    {0x001a, "PortVLOpData", {{NULL, 0}}},
    {0x001b, "PortVLXmitFlowCtlUpdateErrors", {{NULL, 0}}},
    {0x001c, "PortVLXmitWaitCounters", {{NULL, 0}}},
    {0x001d, "PortCountersExtended", {{counters_extended_rows, 0}}},
    {0x001e, "PortSamplesResultExtended", {{NULL, 0}}},
    {0x001f, "PortExtendedSpeedsCounters", {{NULL, 0}}},
    {0x0030, "SwPortVLCongestion", {{NULL, 0}}},
    {0x0031, "PortRcvConCtrl", {{NULL, 0}}},
    {0x0032, "PortSLRcvFECN", {{NULL, 0}}},
    {0x0033, "PortSLRcvBECN", {{NULL, 0}}},
    {0x0034, "PortXmitConCtrl", {{NULL, 0}}},
    {0x0035, "PortVLXmitTimeCong", {{NULL, 0}}},
    {0, NULL, {{NULL, 0}}},
};

static const struct mad_row congestion_info_rows[] = {
    MAD_HEX("congestion_info", 0, 0, 16),
    MAD_NUMBER("control_table_cap", 2, 0, 8),
    MAD_END,
};

static const struct mad_row congestion_key_rows[] = {
    MAD_HEX("key_info_cc_key", 0, 0, 64),
    MAD_FLAG("cc_key_protect_bit", 8, 0),
    MAD_NUMBER("cc_key_lease_period_s", 10, 0, 16),
    MAD_NUMBER("cc_key_violations", 12, 0, 16),
    MAD_END,
};

static const struct mad_row switch_setting_rows[] = {
    MAD_HEX("control_map", 0, 0, 32),
    MAD_BYTES("victim_mask", 4, 32),
    MAD_BYTES("credit_mask", 36, 32),
    MAD_NUMBER("threshold", 68, 0, 4),
    MAD_NUMBER("packet_size", 69, 0, 8),
    MAD_NUMBER("cs_threshold", 70, 0, 4),
    MAD_NUMBER("cs_return_delay", 72, 0, 16),
    MAD_NUMBER("marking_rate", 74, 0, 16),
    MAD_END,
};

static const struct mad_row ca_setting_rows[] = {
    MAD_HEX("port_control", 0, 0, 16),
    MAD_HEX("control_map", 2, 0, 16),
    MAD_ARRAY("ccti_timer", 4, 0, 16, NUMBER, 16, 64),
    MAD_ARRAY("ccti_increase", 6, 0, 8, NUMBER, 16, 64),
    MAD_ARRAY("trigger_threshold", 7, 0, 8, NUMBER, 16, 64),
    MAD_ARRAY("ccti_min", 8, 0, 8, NUMBER, 16, 64),
    MAD_END,
};

static const struct mad_row control_table_rows[] = {
    MAD_NUMBER("ccti_limit", 0, 0, 16),
    MAD_ARRAY("shift", 4, 0, 2, NUMBER, 64, 16),
    MAD_ARRAY("multiplier", 4, 2, 14, NUMBER, 64, 16),
    MAD_END,
};

static const struct mad_row time_stamp_rows[] = {
    MAD_NUMBER("time_stamp", 0, 0, 32),
    MAD_END,
};

const struct mad_attribute mad_congestion_attributes[] = {
    {0x0011, "CongestionInfo", {{congestion_info_rows, 0}}},
    {0x0012, "CongestionKeyInfo", {{congestion_key_rows, 0}}},
    {0x0013, "CongestionLog", {{NULL, 0}}},
    {0x0014, "SwitchCongestionSetting", {{switch_setting_rows, 0}}},
    {0x0015, "SwitchPortCongestionSetting", {{NULL, 0}}},
    {0x0016, "CACongestionSetting", {{ca_setting_rows, 0}}},
    {0x0017, "CongestionControlTable", {{control_table_rows, 0}}},
    {0x0018, "TimeStamp", {{time_stamp_rows, 0}}},
    {0, NULL, {{NULL, 0}}},
};
