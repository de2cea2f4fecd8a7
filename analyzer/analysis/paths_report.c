/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The part `paths` of the report: spread of source ports, and what shows that a way changed within
 * the capture: TTL, and the MAC address from which an address comes.
 */
#include <stdlib.h>

#include "analysis/directions.h"
#include "analysis/paths.h"

enum {
    PAIRS_MAX = 100,
};

static void put_pairs(struct report_node *section, const struct paths *p)
{
    static const struct report_column columns[] = {
        {"source", "From", false},      {"destination", "To", false},
        {"qps", "QPs", false},          {"source_ports", "Source ports", false},
        {"wire_bytes", "Bytes", false}, {"effective_flows", "Worth flows", false}};
    struct report_node *table =
        report_table(section, "pairs", "", REPORT_ARRAY, columns, G_N_ELEMENTS(columns));

    for (size_t i = 0; i < p->pair_count && i < PAIRS_MAX; i++) {
        const struct path_pair *n = &p->pairs[i];

        report_row(table,
                   (struct report_value[]){report_address(n->address_kind, n->src),
                                           report_address(n->address_kind, n->dst),
                                           report_count(n->qps), report_count(n->ports),
                                           report_bytes(n->bytes), report_real(n->effective)});
    }
    report_item(section, "pair_count", NULL, report_count(p->pair_count));
}

static void put_spread(struct report_node *section, const struct paths *p)
{
    struct report_value none = report_unknown("there is no RoCEv2 stream");
    bool any = p->pair_count > 0;

    report_item(section, "source_ports", any ? "UDP source ports" : NULL,
                any ? report_count(p->ports) : none);
    report_item(section, "source_port_entropy_bits", any ? "Their entropy in bits" : NULL,
                any ? report_real(p->port_bits) : none);
    report_item(section, "effective_source_ports", NULL,
                any ? report_real(p->effective_ports) : none);
    report_item(section, "flows", NULL, any ? report_count(p->tuples) : none);
    report_item(section, "effective_flows", any ? "Worth flows, by bytes" : NULL,
                any ? report_real(p->effective_flows) : none);
    report_item(section, "pairs_of_several_qps", NULL,
                any ? report_count(p->several_qp_pairs) : none);
    report_item(section, "pairs_of_several_qps_on_one_port", NULL,
                any ? report_count(p->one_port_pairs) : none);
}

/* ------------------------------------------------------------------ changes */

struct home {
    uint32_t interface;
    uint8_t kind;
    uint8_t address[16];
    uint8_t mac[6];
};

/* A direction of which one TTL or MAC address changes */
struct change {
    uint32_t connection;
    const char *name;
    struct flow_endpoint from;
    const struct flow_path *path; /* the engine's */
};

struct ways {
    struct path_shares shares;
    struct paths found;
    GArray *ttl, *mac; /* of struct change, ROWS_MAX at the most */
    uint64_t ttl_count, mac_count;
    struct numbers homes; /* of struct home: where senders are */
};

static void begin(void *state, const struct capture *capture)
{
    struct ways *w = state;

    (void)capture;
    path_shares_init(&w->shares);
    w->ttl = g_array_new(FALSE, FALSE, sizeof(struct change));
    w->mac = g_array_new(FALSE, FALSE, sizeof(struct change));
    w->homes.key_size = sizeof(struct home);
}

static void done(void *state)
{
    struct ways *w = state;

    path_shares_done(&w->shares);
    g_array_free(w->ttl, TRUE);
    g_array_free(w->mac, TRUE);
    numbers_done(&w->homes);
    paths_done(&w->found);
}

const struct paths *paths_of(const struct analysis_run *run)
{
    const struct ways *w = analysis_run_state(run, &an_paths);

    return &w->found;
}

static void add_change(struct ways *w, const struct direction *d)
{
    const struct flow_path_changes *n = d->sent->path->changes;
    struct change change = {d->connection, d->name, *d->from, d->sent->path};

    if (n->ttl_changes > 0 && w->ttl_count++ < ROWS_MAX)
        g_array_append_val(w->ttl, change);
    if (n->src_mac_frame != 0 && w->mac_count++ < ROWS_MAX)
        g_array_append_val(w->mac, change);
}

static void add_home(struct numbers *homes, const struct direction *d)
{
    struct home h;

    memset(&h, 0, sizeof(h)); /* homes are compared as bytes */
    h.interface = d->sent->path->interface;
    h.kind = d->from->address_kind;
    memcpy(h.address, d->from->address, sizeof(h.address));
    memcpy(h.mac, d->sent->path->src_mac, sizeof(h.mac));
    numbers_surely(homes, &h);
}

static void look_at(void *context, const struct direction *d)
{
    struct ways *w = context;

    path_shares_add(&w->shares, d);
    if (d->sent->path->changes != NULL)
        add_change(w, d);
    if (d->sent->path->has_mac)
        add_home(&w->homes, d);
}

static void connection(void *state, const struct analysis_input *in,
                       const struct flow_connection *c)
{
    struct ways *w = state;

    (void)in;
    if (c != NULL)
        directions_of(c, look_at, w);
    else
        paths_find(&w->found, &w->shares);
}

/* ------------------------------------------------------------------ report */

static void put_ttls(struct report_node *table, const GArray *changes)
{
    for (guint i = 0; i < changes->len; i++) {
        const struct change *c = &g_array_index(changes, struct change, i);
        const struct flow_path_changes *n = c->path->changes;

        report_row(table, (struct report_value[]){
                              report_number(c->connection), report_text(c->name),
                              report_number(n->ttl_min), report_number(n->ttl_max),
                              report_count(n->ttl_changes), report_frame(n->ttl_frame)});
    }
}

static void put_macs(struct report_node *table, const GArray *changes)
{
    for (guint i = 0; i < changes->len; i++) {
        const struct change *c = &g_array_index(changes, struct change, i);
        const struct flow_path_changes *n = c->path->changes;

        report_row(table,
                   (struct report_value[]){report_number(c->connection), report_text(c->name),
                                           report_address(c->from.address_kind, c->from.address),
                                           report_mac(c->path->src_mac), report_mac(n->src_mac),
                                           report_frame(n->src_mac_frame)});
    }
}

static void put_changes(struct report_node *section, const struct ways *w)
{
    static const struct report_column ttl[] = {
        {"connection", "Connection", false}, {"direction", "Direction", false},
        {"ttl_min", "Lowest", false},        {"ttl_max", "Highest", false},
        {"changes", "Changes", false},       {"first_frame", "First frame", false}};
    static const struct report_column mac[] = {
        {"connection", "Connection", false}, {"direction", "Direction", false},
        {"address", "Address", false},       {"mac", "MAC", false},
        {"second_mac", "Second MAC", false}, {"first_frame", "First frame", false}};

    put_ttls(report_table(section, "ttl_changes", "TTLs that change", REPORT_ARRAY, ttl,
                          G_N_ELEMENTS(ttl)),
             w->ttl);
    put_macs(report_table(section, "mac_changes", "Streams from two MAC addresses", REPORT_ARRAY,
                          mac, G_N_ELEMENTS(mac)),
             w->mac);
    report_item(section, "ttl_changing_directions", NULL, report_count(w->ttl_count));
    report_item(section, "mac_changing_directions", NULL, report_count(w->mac_count));
}

static int by_address(const void *a, const void *b)
{
    const struct home *x = a, *y = b;
    int order = x->interface < y->interface ? -1 : x->interface > y->interface;

    if (order == 0)
        order = memcmp(x->address, y->address, sizeof(x->address));
    return order != 0 ? order : memcmp(x->mac, y->mac, sizeof(x->mac));
}

/* One address behind several MAC addresses */
static void put_homes(struct report_node *section, const struct numbers *homes)
{
    static const struct report_column columns[] = {
        {"address", NULL, false}, {"mac", NULL, false}, {"second_mac", NULL, false}};
    struct report_node *table = report_table(section, "addresses_with_several_macs", NULL,
                                             REPORT_ARRAY, columns, G_N_ELEMENTS(columns));
    struct home *list = g_memdup2(homes->keys.entries, homes->count * sizeof(*list));
    uint64_t count = 0;

    if (homes->count > 1)
        qsort(list, homes->count, sizeof(*list), by_address);
    for (uint32_t i = 1; i < homes->count; i++) {
        const struct home *a = &list[i - 1], *b = &list[i];

        if (a->interface != b->interface ||
            memcmp(a->address, b->address, sizeof(a->address)) != 0 ||
            memcmp(a->mac, b->mac, sizeof(a->mac)) == 0 || count++ >= ROWS_MAX)
            continue;
        report_row(table, (struct report_value[]){report_address(b->kind, b->address),
                                                  report_mac(a->mac), report_mac(b->mac)});
    }
    report_item(section, "second_macs", NULL, report_count(count));
    g_free(list);
}

static void report(const void *state, const struct analysis_input *in, struct report_node *root)
{
    const struct ways *w = state;
    struct report_node *section =
        report_section(root, "paths", w->found.pair_count > 0 ? "Paths (RoCEv2)" : "");

    (void)in;
    put_spread(section, &w->found);
    put_pairs(section, &w->found);
    put_changes(section, w);
    put_homes(section, &w->homes);
}

const struct analysis an_paths = {
    .name = "paths",
    .summary = "spread of UDP source ports, and changes of the way",
    .state_size = sizeof(struct ways),
    .begin = begin,
    .connection = connection,
    .report = report,
    .done = done,
};
