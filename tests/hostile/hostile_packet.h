/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Writing hostile captures: headers are put one behind the other into `packet`, and a record makes
 * a packet of a pcap file on standard output of them. Numbers are in wire order.
 */
#ifndef HOSTILE_PACKET_H
#define HOSTILE_PACKET_H

#include <stddef.h>
#include <stdint.h>

extern uint8_t packet[1 << 19];
extern size_t used;   /* bytes of it */
extern uint64_t tick; /* ns: time of the latest record() */

void put(const void *bytes, size_t size);
/* A number of `size` bytes */
void be(uint64_t value, unsigned size);
void zeros(size_t size);
/* Straight to the file */
void le32(uint32_t value);

void ethernet(uint16_t type);
void ipv4(uint32_t src, uint32_t dst, uint8_t protocol, size_t payload);
void ipv6(const uint8_t src[16], const uint8_t dst[16], uint8_t protocol, size_t payload);
void udp(uint16_t src, uint16_t dst, size_t payload);
void bth(uint8_t opcode, uint32_t qpn, uint32_t psn);
/* RoCEv2, all of it: 16 zero bytes behind the BTH, which are the AETH or RETH where the opcode has
 * one. ROCE_EXTENDED: where they begin. */
void roce(uint32_t src, uint32_t dst, uint8_t opcode, uint32_t qpn, uint32_t psn);
/* Up to the TCP header */
void tcp(uint32_t src, uint32_t dst, uint16_t port, uint32_t seq, size_t payload);
/* PFC of all priorities */
void pfc(uint32_t sender, uint16_t quanta);

void file_header(void);
/* What was put, as a packet of `wire` bytes, or of as many as there are a microsecond later */
void record_at(uint64_t ns, size_t wire);
void record(void);

enum {
    ROCE_EXTENDED = 14 + 20 + 8 + 12,
};

struct adversary {
    const char *name;
    void (*write)(uint32_t i); /* round i */
};

/* Those of adversary_walks.c; ends with NULL */
extern const struct adversary walks[];

#endif
