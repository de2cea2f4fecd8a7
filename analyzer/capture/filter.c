/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One compiled program for each link type that occurs; the last one used is tried first.
 */
#include <pcap/pcap.h>

#include "capture/filter.h"

struct program {
    uint32_t linktype;
    char *why; /* it can't be compiled; NULL: it can */
    struct bpf_program code;
};

struct filter {
    char *expression;
    GArray *programs; /* of struct program */
    guint last;
};

static const struct program *find_program(struct filter *f, uint32_t linktype);
static void compile(const char *expression, struct program *p);
static int dlt_of(uint32_t linktype);

struct filter *filter_new(const char *expression)
{
    struct filter *f = g_new0(struct filter, 1);

    f->expression = g_strdup(expression);
    f->programs = g_array_new(FALSE, TRUE, sizeof(struct program));
    return f;
}

void filter_free(struct filter *f)
{
    if (!f)
        return;
    for (guint i = 0; i < f->programs->len; i++) {
        struct program *p = &g_array_index(f->programs, struct program, i);

        if (!p->why)
            pcap_freecode(&p->code);
        g_free(p->why);
    }
    g_array_free(f->programs, TRUE);
    g_free(f->expression);
    g_free(f);
}

const char *filter_prepare(struct filter *f, uint32_t linktype)
{
    return find_program(f, linktype)->why;
}

bool filter_match(struct filter *f, const struct rdc_input *in)
{
    const struct program *p = find_program(f, in->linktype);

    if (p->why)
        return false;
    return bpf_filter(p->code.bf_insns, in->bytes, in->wire, in->captured) != 0;
}

static const struct program *find_program(struct filter *f, uint32_t linktype)
{
    struct program *all = (struct program *)(void *)f->programs->data;
    struct program fresh = {.linktype = linktype};

    if (f->last < f->programs->len && all[f->last].linktype == linktype)
        return &all[f->last];
    for (f->last = 0; f->last < f->programs->len; f->last++)
        if (all[f->last].linktype == linktype)
            return &all[f->last];
    compile(f->expression, &fresh);
    g_array_append_val(f->programs, fresh);
    return &g_array_index(f->programs, struct program, f->last);
}

static void compile(const char *expression, struct program *p)
{
    pcap_t *dead = pcap_open_dead(dlt_of(p->linktype), SOURCE_USUAL_RECORD);

    if (!dead) {
        p->why = g_strdup("libpcap has no memory");
        return;
    }
    if (pcap_compile(dead, &p->code, expression, 1, PCAP_NETMASK_UNKNOWN) != 0)
        p->why = g_strdup(pcap_geterr(dead));
    pcap_close(dead);
}

/* The number that libpcap knows a link type of a file by: different where systems gave one number
 * several meanings (pcap/dlt.h) */
static int dlt_of(uint32_t linktype)
{
    switch (linktype) {
    case 100:
        return DLT_ATM_RFC1483;
    case RDC_LINKTYPE_RAW:
    case RDC_LINKTYPE_RAW_OLD:
    case RDC_LINKTYPE_RAW_BSD:
        return DLT_RAW;
    case 102:
        return DLT_SLIP_BSDOS;
    case 103:
        return DLT_PPP_BSDOS;
    case 106:
        return DLT_ATM_CLIP;
    default:
        return linktype <= INT32_MAX ? (int)linktype : -1;
    }
}
