/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Attributes that all classes share (IBTA vol. 1, 13.4.8): ClassPortInfo, InformInfo, and Notice
 * with the details of the traps of subnet management (14.2.5.1).
 */
#include "ib/mad_table.h"

static const struct mad_word notice_types[] = {
    {0, "fatal"},       {1, "urgent"},   {2, "security"}, {3, "subnet management"},
    {4, "information"}, {0x7f, "empty"}, {0, NULL},
};
static const struct mad_word traps[] = {
    {64, "GID in service"},
    {65, "GID out of service"},
    {66, "new multicast group"},
    {67, "multicast group deleted"},
    {128, "link state changed"},
    {129, "local link integrity threshold reached"},
    {130, "excessive buffer overrun threshold reached"},
    {131, "flow control watchdog timer expired"},
    {144, "capability mask, node description or link changed"},
    {145, "system image GUID changed"},
    {256, "bad M_Key"},
    {257, "bad P_Key"},
    {258, "bad Q_Key"},
    {259, "bad P_Key at a switch port"},
    {0, NULL},
};

const struct mad_row mad_class_port_info_rows[] = {
    MAD_NUMBER("port_base_version", 0, 0, 8),
    MAD_NUMBER("port_class_version", 1, 0, 8),
    MAD_HEX("capability_mask", 2, 0, 16),
    MAD_HEX("capability_mask2", 4, 0, 27),
    MAD_WORDS("response_time_value", 7, 3, 5, mad_timeout_words),
    MAD_GID("redirect_gid", 8),
    MAD_HEX("redirect_traffic_class", 24, 0, 8),
    MAD_NUMBER("redirect_sl", 25, 0, 4),
    MAD_HEX("redirect_flow_label", 25, 4, 20),
    MAD_NUMBER("redirect_lid", 28, 0, 16),
    MAD_HEX("redirect_p_key", 30, 0, 16),
    MAD_NUMBER("redirect_qpn", 33, 0, 24),
    MAD_HEX("redirect_q_key", 36, 0, 32),
    MAD_GID("trap_gid", 40),
    MAD_HEX("trap_traffic_class", 56, 0, 8),
    MAD_NUMBER("trap_sl", 57, 0, 4),
    MAD_HEX("trap_flow_label", 57, 4, 20),
    MAD_NUMBER("trap_lid", 60, 0, 16),
    MAD_HEX("trap_p_key", 62, 0, 16),
    MAD_NUMBER("trap_hop_limit", 64, 0, 8),
    MAD_NUMBER("trap_qpn", 65, 0, 24),
    MAD_HEX("trap_q_key", 68, 0, 32),
    MAD_END,
};

/* The issuer's GID is there in class SubnAdm only: a notice of an SMP ends before it */
const struct mad_row mad_notice_rows[] = {
    MAD_FLAG("is_generic", 0, 0),
    MAD_WORDS("notice_type", 0, 1, 7, notice_types),
    MAD_HEX("producer_type", 1, 0, 24),
    MAD_WORDS("trap_number", 4, 0, 16, traps),
    MAD_NUMBER("issuer_lid", 6, 0, 16),
    MAD_FLAG("notice_toggle", 8, 0),
    MAD_NUMBER("notice_count", 8, 1, 15),
    MAD_GID("issuer_gid", 64),
    MAD_END,
};

const struct mad_row mad_inform_info_rows[] = {
    MAD_GID("inform_gid", 0),
    MAD_NUMBER("lid_range_begin", 16, 0, 16),
    MAD_NUMBER("lid_range_end", 18, 0, 16),
    MAD_NUMBER("is_generic", 22, 0, 8),
    MAD_NUMBER("subscribe", 23, 0, 8),
    MAD_WORDS("inform_type", 24, 0, 16, notice_types),
    MAD_WORDS("trap_number", 26, 0, 16, traps),
    MAD_NUMBER("qpn", 28, 0, 24),
    MAD_WORDS("response_time_value", 31, 3, 5, mad_timeout_words),
    MAD_HEX("producer_type", 33, 0, 24),
    MAD_END,
};

const struct mad_attribute mad_common_attributes[] = {
    {0x0001, "ClassPortInfo", {{mad_class_port_info_rows, 0}}},
    {0x0002, "Notice", {{mad_notice_rows, 0}}},
    {0x0003, "InformInfo", {{mad_inform_info_rows, 0}}},
    {0, NULL, {{NULL, 0}}},
};

/* Data details, table 134 and those after it */
static const struct mad_row gid_rows[] = {
    MAD_GID("trap_gid", 6),
    MAD_END,
};
static const struct mad_row link_state_rows[] = {
    MAD_NUMBER("trap_lid", 0, 0, 16),
    MAD_END,
};
static const struct mad_row threshold_rows[] = {
    MAD_NUMBER("trap_lid", 2, 0, 16),
    MAD_NUMBER("trap_port", 4, 0, 8),
    MAD_END,
};
static const struct mad_row capability_rows[] = {
    MAD_NUMBER("trap_lid", 2, 0, 16),       MAD_FLAG("other_local_changes", 5, 7),
    MAD_HEX("capability_mask", 6, 0, 32),   MAD_HEX("change_flags", 10, 0, 16),
    MAD_HEX("capability_mask2", 12, 0, 16), MAD_END,
};
static const struct mad_row image_guid_rows[] = {
    MAD_NUMBER("trap_lid", 2, 0, 16),
    MAD_HEX("system_image_guid", 6, 0, 64),
    MAD_END,
};
static const struct mad_row bad_m_key_rows[] = {
    MAD_NUMBER("trap_lid", 2, 0, 16),
    MAD_NUMBER("trap_dr_slid", 4, 0, 16),
    MAD_NUMBER("trap_method", 6, 0, 8),
    MAD_HEX("trap_attribute_id", 8, 0, 16),
    MAD_HEX("trap_attribute_modifier", 10, 0, 32),
    MAD_HEX("trap_m_key", 14, 0, 64),
    MAD_FLAG("dr_notice", 23, 0),
    MAD_FLAG("dr_path_truncated", 23, 1),
    MAD_NUMBER("dr_hop_count", 23, 2, 6),
    MAD_BYTES("dr_return_path", 24, 30),
    MAD_END,
};
static const struct mad_row bad_key_rows[] = {
    MAD_NUMBER("trap_lid1", 2, 0, 16),
    MAD_NUMBER("trap_lid2", 4, 0, 16),
    MAD_HEX("trap_key", 6, 0, 32),
    MAD_NUMBER("trap_sl", 10, 0, 4),
    MAD_NUMBER("trap_qpn1", 11, 0, 24),
    MAD_NUMBER("trap_qpn2", 15, 0, 24),
    MAD_GID("trap_gid1", 18),
    MAD_GID("trap_gid2", 34),
    MAD_END,
};
static const struct mad_row switch_key_rows[] = {
    MAD_HEX("data_valid", 0, 0, 16),    MAD_NUMBER("trap_lid1", 2, 0, 16),
    MAD_NUMBER("trap_lid2", 4, 0, 16),  MAD_HEX("trap_p_key", 6, 0, 16),
    MAD_NUMBER("trap_sl", 8, 0, 4),     MAD_NUMBER("trap_qpn1", 9, 0, 24),
    MAD_NUMBER("trap_qpn2", 13, 0, 24), MAD_GID("trap_gid1", 16),
    MAD_GID("trap_gid2", 32),           MAD_NUMBER("trap_switch_lid", 48, 0, 16),
    MAD_NUMBER("trap_port", 50, 0, 8),  MAD_END,
};

const struct mad_row *mad_trap_rows(uint16_t trap)
{
    static const struct {
        uint16_t first;
        uint16_t last;
        const struct mad_row *rows;
    } details[] = {
        {64, 67, gid_rows},          {128, 128, link_state_rows}, {129, 131, threshold_rows},
        {144, 144, capability_rows}, {145, 145, image_guid_rows}, {256, 256, bad_m_key_rows},
        {257, 258, bad_key_rows},    {259, 259, switch_key_rows},
    };

    for (size_t i = 0; i < sizeof details / sizeof details[0]; i++)
        if (trap >= details[i].first && trap <= details[i].last)
            return details[i].rows;
    return NULL;
}
