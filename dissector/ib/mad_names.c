/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Names of what the common header of a management datagram holds (IBTA vol. 1, 13.4). Attributes
 * that are known by name only are listed here.
 */
#include "ib/mad_table.h"

#include "rdc/cm.h"

static const struct mad_attribute bm_attributes[] = {
    {0x0010, "BKeyInfo", {{NULL, 0}}},
    {0x0020, "WriteVPD", {{NULL, 0}}},
    {0x0021, "ReadVPD", {{NULL, 0}}},
    {0x0022, "ResetIBML", {{NULL, 0}}},
    {0x0023, "SetModulePMControl", {{NULL, 0}}},
    {0x0024, "GetModulePMControl", {{NULL, 0}}},
    {0x0025, "SetUnitPMControl", {{NULL, 0}}},
    {0x0026, "GetUnitPMControl", {{NULL, 0}}},
    {0x0027, "SetIOCPMControl", {{NULL, 0}}},
    {0x0028, "GetIOCPMControl", {{NULL, 0}}},
    {0x0029, "SetModuleState", {{NULL, 0}}},
    {0x002a, "SetModuleAttention", {{NULL, 0}}},
    {0x002b, "GetModuleStatus", {{NULL, 0}}},
    {0x002c, "IB2IBML", {{NULL, 0}}},
    {0x002d, "IB2CME", {{NULL, 0}}},
    {0x002e, "IB2MME", {{NULL, 0}}},
    {0x002f, "OEM", {{NULL, 0}}},
    {0, NULL, {{NULL, 0}}},
};

static const struct mad_attribute device_attributes[] = {
    {0x0010, "IOUnitInfo", {{NULL, 0}}},
    {0x0011, "IOControllerProfile", {{NULL, 0}}},
    {0x0012, "ServiceEntries", {{NULL, 0}}},
    {0x0020, "DiagnosticTimeout", {{NULL, 0}}},
    {0x0021, "PrepareToTest", {{NULL, 0}}},
    {0x0022, "TestDeviceOnce", {{NULL, 0}}},
    {0x0023, "TestDeviceLoop", {{NULL, 0}}},
    {0x0024, "DiagCode", {{NULL, 0}}},
    {0, NULL, {{NULL, 0}}},
};

static const struct mad_attribute snmp_attributes[] = {
    {0x0010, "CommunityInfo", {{NULL, 0}}},
    {0x0011, "PDUInfo", {{NULL, 0}}},
    {0, NULL, {{NULL, 0}}},
};

static const struct mad_attribute cm_attributes[] = {
    {RDC_CM_REQ, "ConnectRequest", {{NULL, 0}}},
    {RDC_CM_MRA, "MsgRcptAck", {{NULL, 0}}},
    {RDC_CM_REJ, "ConnectReject", {{NULL, 0}}},
    {RDC_CM_REP, "ConnectReply", {{NULL, 0}}},
    {RDC_CM_RTU, "ReadyToUse", {{NULL, 0}}},
    {RDC_CM_DREQ, "DisconnectRequest", {{NULL, 0}}},
    {RDC_CM_DREP, "DisconnectReply", {{NULL, 0}}},
    {RDC_CM_SIDR_REQ, "ServiceIDResReq", {{NULL, 0}}},
    {RDC_CM_SIDR_REP, "ServiceIDResReqResp", {{NULL, 0}}},
    {RDC_CM_LAP, "LoadAlternatePath", {{NULL, 0}}},
    {RDC_CM_APR, "AlternatePathResponse", {{NULL, 0}}},
    {0, NULL, {{NULL, 0}}},
};

static const struct class_info {
    uint8_t first;
    uint8_t last;
    const char *name;
    const struct mad_attribute *attributes;
} classes[] = {
    {RDC_MAD_CLASS_SMP_LID, RDC_MAD_CLASS_SMP_LID, "Subn", mad_smp_attributes},
    {RDC_MAD_CLASS_SMP_DIRECTED, RDC_MAD_CLASS_SMP_DIRECTED, "SubnDirected", mad_smp_attributes},
    {RDC_MAD_CLASS_SUBN_ADM, RDC_MAD_CLASS_SUBN_ADM, "SubnAdm", mad_sa_attributes},
    {RDC_MAD_CLASS_PERF, RDC_MAD_CLASS_PERF, "Perf", mad_perf_attributes},
    {RDC_MAD_CLASS_BM, RDC_MAD_CLASS_BM, "BM", bm_attributes},
    {RDC_MAD_CLASS_DEV_MGT, RDC_MAD_CLASS_DEV_MGT, "DevMgt", device_attributes},
    {RDC_MAD_CLASS_CM, RDC_MAD_CLASS_CM, "CM", cm_attributes},
    {RDC_MAD_CLASS_SNMP, RDC_MAD_CLASS_SNMP, "SNMP", snmp_attributes},
    {RDC_MAD_CLASS_CONGESTION, RDC_MAD_CLASS_CONGESTION, "CongestionControl",
     mad_congestion_attributes},
    {RDC_MAD_CLASS_VENDOR_FIRST, RDC_MAD_CLASS_VENDOR_LAST, "Vendor", NULL},
    {RDC_MAD_CLASS_VENDOR_OUI_FIRST, RDC_MAD_CLASS_VENDOR_OUI_LAST, "Vendor", NULL},
    {RDC_MAD_CLASS_APPLICATION_FIRST, RDC_MAD_CLASS_APPLICATION_LAST, "Application", NULL},
};

static const struct mad_word methods[] = {
    {0x01, "Get"},     {0x02, "Set"},        {0x03, "Send"},
    {0x05, "Trap"},    {0x06, "Report"},     {0x07, "TrapRepress"},
    {0x81, "GetResp"}, {0x86, "ReportResp"}, {0, NULL},
};
static const struct mad_word sa_methods[] = {
    {0x12, "GetTable"},     {0x13, "GetTraceTable"}, {0x14, "GetMulti"},
    {0x15, "Delete"},       {0x92, "GetTableResp"},  {0x93, "GetTraceTableResp"},
    {0x94, "GetMultiResp"}, {0x95, "DeleteResp"},    {0, NULL},
};

static const struct class_info *find_class(uint8_t mgmt_class);
static const struct mad_attribute *find_in(const struct mad_attribute *list, uint16_t id);

const char *rdc_mad_class_name(uint8_t mgmt_class)
{
    const struct class_info *info = find_class(mgmt_class);

    return info != NULL ? info->name : "reserved";
}

const char *rdc_mad_method_name(uint8_t mgmt_class, uint8_t method)
{
    const char *name = mad_word_text(methods, method);

    if (name == NULL && mgmt_class == RDC_MAD_CLASS_SUBN_ADM)
        name = mad_word_text(sa_methods, method);
    return name != NULL ? name : "unknown";
}

const char *rdc_mad_attribute_name(uint8_t mgmt_class, uint16_t attribute_id)
{
    const struct mad_attribute *attribute = mad_find_attribute(mgmt_class, attribute_id);

    return attribute != NULL ? attribute->name : "unknown";
}

/* 13.4.7: busy:1 redirect:1 code:3 from the least significant bit */
const char *rdc_mad_status_text(uint16_t status)
{
    static const char *const codes[8] = {
        [0] = "ok",
        [1] = "class or base version not supported",
        [2] = "method not supported",
        [3] = "attribute not supported with this method",
        [7] = "invalid value in the attribute or its modifier",
    };
    const char *text = codes[status >> 2 & 7];

    if (status & 1)
        return "busy, discarded";
    if (status & 2)
        return "redirection required";
    return text != NULL ? text : "reserved";
}

const struct mad_attribute *mad_find_attribute(uint8_t mgmt_class, uint16_t id)
{
    const struct class_info *info = find_class(mgmt_class);
    const struct mad_attribute *found = NULL;

    if (info != NULL)
        found = find_in(info->attributes, id);
    /* SMPs have no ClassPortInfo and no InformInfo, vendors are free */
    if (found == NULL && info != NULL && info->attributes != NULL &&
        (info->attributes != mad_smp_attributes || id == 0x0002))
        found = find_in(mad_common_attributes, id);
    return found;
}

static const struct class_info *find_class(uint8_t mgmt_class)
{
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
        if (mgmt_class >= classes[i].first && mgmt_class <= classes[i].last)
            return &classes[i];
    return NULL;
}

static const struct mad_attribute *find_in(const struct mad_attribute *list, uint16_t id)
{
    for (; list != NULL && list->name != NULL; list++)
        if (list->id == id)
            return list;
    return NULL;
}
