/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Rates of links (see link_rate.h).
 */
#include "analysis/link_rate.h"

#include <string.h>

#define MEGA UINT64_C(1000000)
#define GIGA UINT64_C(1000000000)

enum {
    WINDOW_NS = 1000000,
    FRAMING = 20, /* bytes: preamble, start of frame, shortest gap; a captured frame has its FCS */
};

const uint64_t link_rates[LINK_RATES] = {
    10 * MEGA, 100 * MEGA, GIGA,       2500 * MEGA, 5 * GIGA,   10 * GIGA,  25 * GIGA,
    40 * GIGA, 50 * GIGA,  100 * GIGA, 200 * GIGA,  400 * GIGA, 800 * GIGA, 1600 * GIGA,
};

const char *link_rate_source_name(enum link_rate_source source)
{
    static const char *const names[] = {
        [LINK_RATE_GIVEN] = "given",
        [LINK_RATE_INTERFACE] = "interface",
        [LINK_RATE_INFERRED] = "inferred",
    };

    return names[source];
}

static uint64_t mac_number(const uint8_t mac[6])
{
    uint32_t high;
    uint16_t low;

    memcpy(&high, mac, 4);
    memcpy(&low, mac + 4, 2);
    return (uint64_t)high << 16 | low;
}

static uint32_t link_index(uint32_t link)
{
    return link < LOAD_LINKS ? link : LOAD_LINKS - 1;
}

static void begin_slot(struct load_meter *m, struct load_slot *s, uint32_t link, uint64_t key,
                       int64_t window)
{
    uint64_t *peak = &m->peak_bytes[link_index(s->link)];

    if (s->bytes > *peak)
        *peak = s->bytes;
    *s = (struct load_slot){.key = key, .window = window, .link = link};
}

/* A slot that two addresses share starts again at each change: less is seen, never more. */
static void add(struct load_meter *m, uint32_t link, uint64_t key, int64_t window, uint32_t bytes)
{
    struct load_slot *s = &m->slots[(key * UINT64_C(0x9e3779b97f4a7c15)) >> 56];

    if (s->key != key || s->window != window)
        begin_slot(m, s, link, key, window);
    s->bytes += bytes;
}

void load_meter_packet(struct load_meter *m, uint32_t link, const struct rdc_packet *pkt)
{
    int64_t window = pkt->time_ns / WINDOW_NS;
    uint64_t place = (uint64_t)link << 49; /* above the address and the direction */
    uint32_t bytes = pkt->wire_size + FRAMING;

    add(m, link, mac_number(pkt->src_mac) | place, window, bytes);
    add(m, link, mac_number(pkt->dst_mac) | place | UINT64_C(1) << 48, window, bytes);
}

uint64_t load_meter_peak(const struct load_meter *m, uint32_t link)
{
    uint64_t peak = m->peak_bytes[link_index(link)];

    for (unsigned i = 0; i < LOAD_SLOTS; i++)
        if (link_index(m->slots[i].link) == link_index(link) && m->slots[i].bytes > peak)
            peak = m->slots[i].bytes;
    return peak * 8 * 1000;
}

bool link_rate_known(const struct capture *capture, uint32_t interface, struct link_rate *out)
{
    if (capture->link_rate_bps != 0) {
        *out = (struct link_rate){capture->link_rate_bps, LINK_RATE_GIVEN};
        return true;
    }
    if (interface < capture->interface_count && capture->interfaces[interface].speed_bps != 0) {
        *out = (struct link_rate){capture->interfaces[interface].speed_bps, LINK_RATE_INTERFACE};
        return true;
    }
    return false;
}

unsigned link_rate_for_load(uint64_t bps)
{
    unsigned i = 0;

    while (i < LINK_RATES - 1 && link_rates[i] < bps)
        i++;
    return i;
}
