/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Notes: what is odd in a packet that could be decoded all the same. One list; it feeds the `notes`
 * of the command line and the expert information of Wireshark. A packet holds them as a bit set.
 */
#ifndef RDC_NOTE_H
#define RDC_NOTE_H

#include <stdint.h>

enum rdc_severity {
    RDC_SEVERITY_NOTE,
    RDC_SEVERITY_WARNING,
    RDC_SEVERITY_ERROR,
};

/* X(NAME, "id in output", severity, "where it is specified", "what it means") */
#define RDC_NOTE_LIST(X)                                                                           \
    X(HEADER_TRUNCATED, "header_truncated", NOTE, "snap length", "A header is cut by the snap length") \
    X(HEADER_MALFORMED, "header_malformed", ERROR, "", "A header does not fit into the packet")    \
    X(LENGTH_MISMATCH, "length_mismatch", WARNING, "", "Two length fields of the packet disagree") \
    X(DEPTH, "too_deep", WARNING, "", "More encapsulations than this program peels")               \
    X(IP_FRAGMENT, "ip_fragment", WARNING, "RFC 791, RFC 8200 4.5", "A fragment of an IP packet")  \
    X(IP_CHECKSUM_BAD, "ip_checksum_bad", ERROR, "RFC 791 3.1", "The IPv4 header checksum is wrong") \
    X(BTH_VERSION, "bth_version", WARNING, "IBTA vol. 1, 9.2", "A BTH version other than 0")       \
    X(BTH_RESERVED, "bth_reserved", NOTE, "IBTA vol. 1, 9.2", "Reserved bits of the BTH are set")  \
    X(OPCODE_RESERVED, "opcode_reserved", WARNING, "IBTA vol. 1, 9.2.1", "A reserved BTH opcode")  \
    X(OPCODE_VENDOR, "opcode_vendor", NOTE, "IBTA vol. 1, 9.2.1", "A manufacturer's BTH opcode")   \
    X(PAD_TOO_LARGE, "pad_too_large", ERROR, "IBTA vol. 1, 9.2.3", "More pad bytes than payload")  \
    X(AETH_RESERVED, "aeth_reserved", WARNING, "IBTA vol. 1, 9.7.5.1.1", "A reserved AETH syndrome") \
    X(ICRC_BAD, "icrc_bad", ERROR, "IBTA vol. 1, 7.8.1", "The invariant CRC is wrong: the receiver drops the packet") \
    X(ICRC_SOFT_ROCE, "icrc_soft_roce", NOTE, "IBTA vol. 1, 7.8.1", "The invariant CRC of this FLUSH is the one that Soft-RoCE computes, not the specified one") \
    X(VCRC_BAD, "vcrc_bad", ERROR, "IBTA vol. 1, 7.8.2", "The variant CRC is wrong")               \
    X(LPCRC_BAD, "lpcrc_bad", ERROR, "IBTA vol. 1, 7.9.4", "The link packet CRC is wrong")         \
    X(CNP_NO_BECN, "cnp_no_becn", WARNING, "IBTA A17.9.3", "A CNP without its BECN bit")           \
    X(PAUSE_RESERVED, "pause_reserved", NOTE, "IEEE 802.1Qbb", "The high byte of the class-enable vector is not zero") \
    X(PAUSE_DESTINATION, "pause_destination", WARNING, "IEEE 802.3 31B", "A pause frame that is not sent to 01:80:c2:00:00:01") \
    X(PAUSE_SOURCE, "pause_source", NOTE, "IEEE 802.3 31B", "A pause frame whose source is no station address") \
    X(GRH_VERSION, "grh_version", WARNING, "IBTA vol. 1, 8.3", "A GRH whose version is not 6 or whose next header is not IBA") \
    X(LVER, "lrh_version", WARNING, "IBTA vol. 1, 7.7.2", "An LRH with an unknown link version")   \
    X(MPA_RESERVED, "mpa_reserved", NOTE, "RFC 5044 7.1", "Reserved bits of an MPA frame are set") \
    X(DDP_VERSION, "ddp_version", WARNING, "RFC 5041 4", "A DDP or RDMAP version other than 1")    \
    X(TERMINATE_SOFT_IWARP, "terminate_soft_iwarp", NOTE, "RFC 5040 4.8", "A Terminate in the bit order of Soft-iWARP") \
    X(MARKER_BAD, "marker_bad", WARNING, "RFC 5044 4.3", "An MPA marker that does not point at its FPDU") \
    X(FPDU_CRC_BAD, "fpdu_crc_bad", ERROR, "RFC 5044 4.4", "The CRC32c of an FPDU is wrong")

enum rdc_note {
#define X(name, id, severity, spec, text) RDC_NOTE_##name,
    RDC_NOTE_LIST(X)
#undef X
    RDC_NOTE_COUNT,
};

/* A set of notes: bit 1 << enum rdc_note */
typedef uint64_t rdc_notes;
#define RDC_NOTE_BIT(name) ((rdc_notes)1 << RDC_NOTE_##name)

struct rdc_note_info {
    const char *id;
    enum rdc_severity severity;
    const char *spec;
    const char *text;
};

extern const struct rdc_note_info rdc_note_table[RDC_NOTE_COUNT];

#endif
