/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The path MTU (IBTA 9.7.1: FIRST and MIDDLE packets are filled, no packet is larger), and IP
 * fragments, which no adapter puts together (IBTA A17.3: RoCEv2 packets are not to be fragmented).
 */
#include "analysis/mtu.h"

#include <glib.h>

enum {
    SIZES = 5, /* 256 .. 4096 */
};

/* A direction with trouble */
struct row {
    uint32_t connection, pmtu, cm_pmtu, full_size, largest;
    const char *name;
    struct mtu_trouble trouble;
};

struct mtu {
    struct tally fragments;
    GArray *rows; /* of struct row, ROWS_MAX at the most */
    uint64_t troubled;
    uint64_t by_size[SIZES]; /* directions */
    uint64_t unknown;
};

static void begin(void *state, const struct capture *capture)
{
    struct mtu *m = state;

    (void)capture;
    m->rows = g_array_new(FALSE, FALSE, sizeof(struct row));
}

static void done(void *state)
{
    struct mtu *m = state;

    g_array_free(m->rows, TRUE);
}

static void unusual(void *state, const struct rdc_packet *pkt)
{
    struct mtu *m = state;
    bool has_ip = (pkt->layers & (1u << RDC_LAYER_IPV4 | 1u << RDC_LAYER_IPV6)) != 0;

    if (has_ip && pkt->ip.fragment &&
        (pkt->transport == RDC_TRANSPORT_ROCEV2 || pkt->refusal == RDC_REFUSAL_FRAGMENT))
        tally_add(&m->fragments, pkt->frame);
}

const struct tally *mtu_fragments(const struct analysis_run *run)
{
    const struct mtu *m = analysis_run_state(run, &an_mtu);

    return &m->fragments;
}

bool mtu_trouble_of(const struct direction *d, struct mtu_trouble *out)
{
    const struct flow_path *p = d->sent->path, *other = d->other->path;
    const struct flow_path_changes *n = p->changes;

    *out = (struct mtu_trouble){
        .differs_from_cm = d->sent->cm_pmtu_bytes != 0 && p->full_size != 0 &&
                           p->full_size != d->sent->cm_pmtu_bytes,
        .differs_by_direction = other != NULL && p->full_size != 0 && other->full_size != 0 &&
                                p->full_size != other->full_size,
    };
    if (n != NULL) {
        out->larger = n->larger;
        out->larger_frame = n->larger_frame;
        out->smaller = n->smaller;
        out->smaller_frame = n->smaller_frame;
    }
    return out->larger > 0 || out->smaller > 0 || out->differs_from_cm || out->differs_by_direction;
}

/* ------------------------------------------------------------------ directions */

static void count_size(struct mtu *m, const struct direction *d)
{
    for (unsigned i = 0; i < SIZES; i++) {
        if (d->pmtu_bytes == 256u << i) {
            m->by_size[i]++;
            return;
        }
    }
    m->unknown++;
}

static void look_at(void *context, const struct direction *d)
{
    struct mtu *m = context;
    struct row row = {.connection = d->connection,
                      .pmtu = d->pmtu_bytes,
                      .cm_pmtu = d->sent->cm_pmtu_bytes,
                      .full_size = d->sent->path->full_size,
                      .largest = d->sent->path->largest,
                      .name = d->name};

    if (d->service != RDC_SERVICE_RC && d->service != RDC_SERVICE_UC &&
        d->service != RDC_SERVICE_XRC)
        return;
    count_size(m, d);
    if (mtu_trouble_of(d, &row.trouble) && m->troubled++ < ROWS_MAX)
        g_array_append_val(m->rows, row);
}

static void connection(void *state, const struct analysis_input *in,
                       const struct flow_connection *c)
{
    (void)in;
    if (c != NULL)
        directions_of(c, look_at, state);
}

/* ------------------------------------------------------------------ report */

static struct report_value size_or(uint32_t bytes, const char *reason)
{
    return bytes != 0 ? report_bytes(bytes) : report_unknown(reason);
}

static struct report_value frame_or_none(uint64_t frame)
{
    return frame != 0 ? report_frame(frame) : report_none();
}

static void put_row(struct report_node *table, const struct row *r)
{
    const struct mtu_trouble *t = &r->trouble;

    report_row(table, (struct report_value[]){
                          report_number(r->connection), report_text(r->name),
                          size_or(r->pmtu, "no packet shows the path MTU"),
                          size_or(r->cm_pmtu, "no set-up message announces it"),
                          size_or(r->full_size, "there is no FIRST or MIDDLE packet"),
                          report_bytes(r->largest), report_count(t->larger),
                          frame_or_none(t->larger_frame), report_count(t->smaller),
                          frame_or_none(t->smaller_frame), report_bool(t->differs_from_cm),
                          report_bool(t->differs_by_direction)});
}

static void report(const void *state, const struct analysis_input *in, struct report_node *root)
{
    static const struct report_column columns[] = {
        {"connection", "Connection", false},
        {"direction", "Direction", false},
        {"pmtu_bytes", "Path MTU", false},
        {"cm_pmtu_bytes", "CM said", true},
        {"full_packet_bytes", "Filled", false},
        {"largest_bytes", "Largest", false},
        {"larger", "Larger", false},
        {"larger_frame", "First", true},
        {"smaller", "Smaller", false},
        {"smaller_frame", "First", true},
        {"differs_from_cm", "Not as CM", true},
        {"differs_by_direction", "By direction", true},
    };
    static const char *const names[SIZES] = {"256", "512", "1024", "2048", "4096"};
    const struct mtu *m = state;
    struct report_node *section = report_section(root, "mtu", "");
    struct report_node *table =
        report_table(section, "directions", "Packets that do not fit the path MTU", REPORT_ARRAY,
                     columns, G_N_ELEMENTS(columns));

    (void)in;
    for (guint i = 0; i < m->rows->len; i++)
        put_row(table, &g_array_index(m->rows, struct row, i));
    report_item(section, "troubled_directions", NULL, report_count(m->troubled));
    report_item(section, "pmtu_bytes", NULL, report_map(names, m->by_size, SIZES));
    report_item(section, "pmtu_unknown", NULL, report_count(m->unknown));
    report_item(section, "ip_fragments", NULL, report_count(m->fragments.count));
    report_item(section, "ip_fragment_frames", NULL, tally_frames(&m->fragments));
}

const struct analysis an_mtu = {
    .name = "mtu",
    .summary = "packets against the path MTU, and IP fragments",
    .state_size = sizeof(struct mtu),
    .begin = begin,
    .unusual = unusual,
    .connection = connection,
    .report = report,
    .done = done,
};
