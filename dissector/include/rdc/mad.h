/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Management datagrams (IBTA vol. 1, chapters 13 to 16): the payload of UD packets to queue pair 0
 * (subnet management) and 1 (all other classes). The headers are a struct; the attributes, of which
 * there are many, are visited as fields. The communication manager has a header of its own, cm.h.
 */
#ifndef RDC_MAD_H
#define RDC_MAD_H

#include <stdbool.h>
#include <stdint.h>

#include "rdc/field.h"
#include "rdc/wire.h"

enum {
    RDC_MAD_LEN = 256,
    RDC_MAD_HEADER_LEN = 24,
};

/* Management classes (13.4.4) */
enum rdc_mad_class {
    RDC_MAD_CLASS_SMP_LID = 0x01,
    RDC_MAD_CLASS_SUBN_ADM = 0x03,
    RDC_MAD_CLASS_PERF = 0x04,
    RDC_MAD_CLASS_BM = 0x05,
    RDC_MAD_CLASS_DEV_MGT = 0x06,
    RDC_MAD_CLASS_CM = 0x07,
    RDC_MAD_CLASS_SNMP = 0x08,
    RDC_MAD_CLASS_VENDOR_FIRST = 0x09,
    RDC_MAD_CLASS_VENDOR_LAST = 0x0f,
    RDC_MAD_CLASS_APPLICATION_FIRST = 0x10,
    RDC_MAD_CLASS_CONGESTION = 0x21,
    RDC_MAD_CLASS_APPLICATION_LAST = 0x2f,
    RDC_MAD_CLASS_VENDOR_OUI_FIRST = 0x30, /* vendor classes with RMPP and an OUI */
    RDC_MAD_CLASS_VENDOR_OUI_LAST = 0x4f,
    RDC_MAD_CLASS_SMP_DIRECTED = 0x81,
};

/* What the class puts between the common header and the attribute's data */
enum rdc_mad_layout {
    RDC_MAD_LAYOUT_PLAIN,    /* nothing that is known */
    RDC_MAD_LAYOUT_SMP,      /* `smp`, M_Key only */
    RDC_MAD_LAYOUT_DIRECTED, /* `smp` */
    RDC_MAD_LAYOUT_SA,       /* `rmpp` and `sa` */
    RDC_MAD_LAYOUT_RMPP,     /* `rmpp`; with an OUI when has_oui */
};

/* Directed route SMP (14.2.1.2); of a LID-routed SMP only the M_Key */
struct rdc_mad_smp {
    bool response; /* D bit: the SMP is on its way back */
    uint8_t hop_pointer;
    uint8_t hop_count;
    uint16_t dr_slid; /* 0xffff: permissive, the directed route ends there */
    uint16_t dr_dlid;
    uint64_t m_key;
    const uint8_t *initial_path; /* 64 bytes, NULL when not all of them were captured */
    const uint8_t *return_path;
};

/* Reliable multi-packet transaction (13.6.2) */
struct rdc_mad_rmpp {
    uint8_t version;
    uint8_t type; /* 0: no RMPP in use; 1 DATA, 2 ACK, 3 STOP, 4 ABORT */
    uint8_t response_time;
    bool active;
    bool first;
    bool last;
    uint8_t status;
    uint32_t segment; /* DATA, ACK: segment number */
    uint32_t length;  /* DATA: payload length; ACK: new window last */
};

/* Subnet administration (15.2.1.1) */
struct rdc_mad_sa {
    uint64_t sm_key;
    uint16_t attribute_offset_bytes; /* from one record to the next; 0: one record or none */
    uint64_t component_mask;
};

struct rdc_mad {
    uint8_t base_version;
    uint8_t mgmt_class; /* enum rdc_mad_class */
    uint8_t class_version;
    uint8_t method;  /* with the response bit, 0x80 */
    uint16_t status; /* directed route: without the D bit */
    uint16_t class_specific;
    uint64_t transaction_id;
    uint16_t attribute_id;
    uint32_t attribute_modifier;

    uint8_t layout;       /* enum rdc_mad_layout */
    bool layout_complete; /* the members for this layout were captured and are set */
    bool has_oui;
    uint32_t oui;
    uint64_t class_key; /* B_Key (BM), CC_Key (congestion control), of layout PLAIN; else 0 */
    struct rdc_mad_smp smp;
    struct rdc_mad_rmpp rmpp;
    struct rdc_mad_sa sa;

    /* Data of the attribute, behind all headers. Borrowed; `data_captured` may be 0 */
    const uint8_t *data;
    uint16_t data_size; /* on the wire */
    uint16_t data_captured;
};

/* Decodes the headers; `cur` is the payload of the UD packet, and is used up. The common header
 * must be there, the headers of the class need not (layout_complete). A base version other than 1
 * (or 0x80, Omni-Path) is RDC_UNSUPPORTED. */
RDC_CHECKED enum rdc_status rdc_mad_decode(struct rdc_cursor *cur, struct rdc_mad *out);

/* Visits everything behind the common header: the headers of the class, then the fields of the
 * attribute (all that were captured). Methods that carry no data, as SubnAdm Get with no component,
 * are visited all the same: the fields are there on the wire. For class CM it visits the message.
 */
void rdc_mad_fields(const struct rdc_mad *mad, rdc_field_visit *visit, void *context);
/* Visits the common header itself: base_version ... attribute_modifier, with names in `text` */
void rdc_mad_header_fields(const struct rdc_mad *mad, rdc_field_visit *visit, void *context);

/* Static strings; never NULL ("unknown", "vendor", "application", "reserved") */
const char *rdc_mad_class_name(uint8_t mgmt_class); /* "Subn", "SubnDirected", "SubnAdm", ... */
const char *rdc_mad_method_name(uint8_t mgmt_class, uint8_t method);           /* "GetResp" */
const char *rdc_mad_attribute_name(uint8_t mgmt_class, uint16_t attribute_id); /* "PortInfo" */
/* Bits 0 to 4 of the common status in words; the class has the high byte (13.4.7) */
const char *rdc_mad_status_text(uint16_t status);

/* Codes that several attributes share: MTU 1..5 to 256..4096 bytes, 0 for others */
uint32_t rdc_mtu_bytes(uint8_t code);
/* Rate code of a path record (15.2.5.16) to bit/s, 0 for unknown ones */
uint64_t rdc_ib_rate_bps(uint8_t code);

#endif
