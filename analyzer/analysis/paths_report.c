/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The part `paths` of the report: spread of source ports, and what shows that a way changed within
 * the capture: TTL, and the MAC address from which an address comes.
 */
#include <glib.h>

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

struct changes {
    struct report_node *ttl, *mac;
    uint64_t ttl_count, mac_count;
    GArray *homes; /* of struct home: where each sender is */
};

static void put_change(struct changes *c, const struct direction *d)
{
    const struct flow_path *p = d->sent->path;
    const struct flow_path_changes *n = p->changes;

    if (n->ttl_changes > 0 && c->ttl_count++ < ROWS_MAX)
        report_row(c->ttl, (struct report_value[]){
                               report_number(d->connection), report_text(d->name),
                               report_number(n->ttl_min), report_number(n->ttl_max),
                               report_count(n->ttl_changes), report_frame(n->ttl_frame)});
    if (n->src_mac_frame != 0 && c->mac_count++ < ROWS_MAX)
        report_row(c->mac,
                   (struct report_value[]){report_number(d->connection), report_text(d->name),
                                           report_address(d->from->address_kind, d->from->address),
                                           report_mac(p->src_mac), report_mac(n->src_mac),
                                           report_frame(n->src_mac_frame)});
}

static void add_home(GArray *homes, const struct direction *d)
{
    struct home h = {.interface = d->sent->path->interface, .kind = d->from->address_kind};

    memcpy(h.address, d->from->address, sizeof(h.address));
    memcpy(h.mac, d->sent->path->src_mac, sizeof(h.mac));
    g_array_append_val(homes, h);
}

static void look_at(void *context, const struct direction *d)
{
    struct changes *c = context;

    if (d->sent->path->changes != NULL)
        put_change(c, d);
    if (d->sent->path->has_mac)
        add_home(c->homes, d);
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
static void put_homes(struct report_node *section, struct home *list, guint count_of_homes)
{
    static const struct report_column columns[] = {
        {"address", NULL, false}, {"mac", NULL, false}, {"second_mac", NULL, false}};
    struct report_node *table = report_table(section, "addresses_with_several_macs", NULL,
                                             REPORT_ARRAY, columns, G_N_ELEMENTS(columns));
    uint64_t count = 0;

    if (count_of_homes > 1)
        qsort(list, count_of_homes, sizeof(*list), by_address);
    for (guint i = 1; i < count_of_homes; i++) {
        const struct home *a = &list[i - 1], *b = &list[i];

        if (a->interface != b->interface ||
            memcmp(a->address, b->address, sizeof(a->address)) != 0 ||
            memcmp(a->mac, b->mac, sizeof(a->mac)) == 0 || count++ >= ROWS_MAX)
            continue;
        report_row(table, (struct report_value[]){report_address(b->kind, b->address),
                                                  report_mac(a->mac), report_mac(b->mac)});
    }
    report_item(section, "second_macs", NULL, report_count(count));
}

static void put_changes(struct report_node *section, const struct flow_engine *engine)
{
    static const struct report_column ttl[] = {
        {"connection", "Connection", false}, {"direction", "Direction", false},
        {"ttl_min", "Lowest", false},        {"ttl_max", "Highest", false},
        {"changes", "Changes", false},       {"first_frame", "First frame", false}};
    static const struct report_column mac[] = {
        {"connection", "Connection", false}, {"direction", "Direction", false},
        {"address", "Address", false},       {"mac", "MAC", false},
        {"second_mac", "Second MAC", false}, {"first_frame", "First frame", false}};
    struct changes c = {.homes = g_array_new(FALSE, FALSE, sizeof(struct home))};

    c.ttl = report_table(section, "ttl_changes", "TTLs that change", REPORT_ARRAY, ttl,
                         G_N_ELEMENTS(ttl));
    c.mac = report_table(section, "mac_changes", "Streams from two MAC addresses", REPORT_ARRAY,
                         mac, G_N_ELEMENTS(mac));
    directions_visit(engine, look_at, &c);
    report_item(section, "ttl_changing_directions", NULL, report_count(c.ttl_count));
    report_item(section, "mac_changing_directions", NULL, report_count(c.mac_count));
    put_homes(section, (struct home *)(void *)c.homes->data, c.homes->len);
    g_array_free(c.homes, TRUE);
}

/* ------------------------------------------------------------------ report */

static void report(const void *state, const struct analysis_input *in, struct report_node *root)
{
    const struct paths *p = in->paths;
    struct report_node *section =
        report_section(root, "paths", p->pair_count > 0 ? "Paths (RoCEv2)" : "");

    (void)state;
    put_spread(section, p);
    put_pairs(section, p);
    put_changes(section, in->engine);
}

const struct analysis an_paths = {
    .name = "paths",
    .summary = "spread of UDP source ports, and changes of the way",
    .report = report,
};
