/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The table of connections: its columns, its rows, and the lines that explain them (see
 * connections.h).
 */
#include "analysis/connections.h"

#include <glib.h>
#include <string.h>

#include "analysis/connections_row.h"
#include "analysis/page/status.h"

#define TIMES(p, name)                                                                             \
    {p name ".count", NULL, false}, {p name ".p50", NULL, false}, {p name ".p90", NULL, false},    \
        {p name ".p99", NULL, false}, {p name ".p999", NULL, false},                               \
    {                                                                                              \
        p name ".max", NULL, false                                                                 \
    }
#define MARKS(p, name)                                                                             \
    {p name ".start_time_ns", NULL, false}, {p name ".span_ns", NULL, false},                      \
        {p name ".packets", NULL, false}, {p name ".ect_packets", NULL, false},                    \
        {p name ".ce_packets", NULL, false},                                                       \
    {                                                                                              \
        p name ".cnps", NULL, false                                                                \
    }
#define ONE(p, name)                                                                               \
    {                                                                                              \
        p name, NULL, false                                                                        \
    }
#define DIRECTION(p)                                                                               \
    ONE(p, "packets"), ONE(p, "wire_bytes"), ONE(p, "payload_bytes"), ONE(p, "messages"),          \
        ONE(p, "message_bytes"), ONE(p, "dropped_messages"), ONE(p, "lost_before_tap"),            \
        ONE(p, "lost_after_tap"), ONE(p, "not_captured"), ONE(p, "gaps"), ONE(p, "gap_psns"),      \
        ONE(p, "holes_open"), ONE(p, "acked_unseen"), ONE(p, "retransmitted_packets"),             \
        ONE(p, "retransmitted_bytes"), ONE(p, "spurious"), ONE(p, "rounds.nak"),                   \
        ONE(p, "rounds.rnr"), ONE(p, "rounds.read"), ONE(p, "rounds.timeout"),                     \
        ONE(p, "rounds.unknown"), ONE(p, "out_of_order"), ONE(p, "duplicates"),                    \
        ONE(p, "naks.sequence"), ONE(p, "naks.rnr"), ONE(p, "naks.invalid_request"),               \
        ONE(p, "naks.access"), ONE(p, "naks.operational"), ONE(p, "naks.invalid_rd"),              \
        ONE(p, "naks.reserved"), ONE(p, "acks"), ONE(p, "ect_packets"), ONE(p, "ce_packets"),      \
        ONE(p, "becn_packets"), ONE(p, "cnps_received"), ONE(p, "max_outstanding_psns"),           \
        ONE(p, "max_outstanding_bytes"), ONE(p, "throughput_bps"), ONE(p, "peak_1ms_bps"),         \
        TIMES(p, "rtt_ns"), TIMES(p, "message_latency_ns"), TIMES(p, "nak_delay_ns"),              \
        TIMES(p, "resend_delay_ns"), TIMES(p, "recovery_ns"), TIMES(p, "message_size_bytes"),      \
        ONE(p, "icrc_bad"), ONE(p, "dscp"), ONE(p, "pcp"), ONE(p, "cnp_interval_ns.min"),          \
        TIMES(p, "cnp_interval_ns"), TIMES(p, "ce_to_cnp_ns"), TIMES(p, "rate_before_bps"),        \
        TIMES(p, "rate_after_bps"), TIMES(p, "rate_recovery_ns"), ONE(p, "cnps_without_ce"),       \
        ONE(p, "ce_unanswered"), ONE(p, "cnps_slowed"), ONE(p, "cnps_not_slowed"),                 \
        MARKS(p, "marks_over_time"), ONE(p, "full_packet_bytes"), ONE(p, "cm_pmtu_bytes"),         \
        ONE(p, "ttl"), ONE(p, "ttl_changes"), ONE(p, "priority_changes"), ONE(p, "state"),         \
        ONE(p, "iwarp.fpdus"), ONE(p, "iwarp.crc_ok"), ONE(p, "iwarp.crc_bad"),                    \
        ONE(p, "iwarp.crc_off"), ONE(p, "iwarp.crc_not_checked"), ONE(p, "iwarp.markers"),         \
        ONE(p, "iwarp.markers_bad"), ONE(p, "iwarp.framing_lost"), ONE(p, "iwarp.tcp_hole_bytes"), \
        ONE(p, "iwarp.keep_alives"), ONE(p, "iwarp.conflicting_segments"),                         \
        ONE(p, "iwarp.zero_windows"), ONE(p, "iwarp.msn_gaps"), ONE(p, "iwarp.terminates"),        \
        ONE(p, "iwarp.reads_unanswered"), ONE(p, "iwarp.max_outstanding_reads"),                   \
        ONE(p, "iwarp.stags"), ONE(p, "iwarp.stags_forgotten"), ONE(p, "iwarp.tcp_payload_bytes"), \
        ONE(p, "iwarp.zero_window_ns"), ONE(p, "iwarp.open_zero_window_ns"),                       \
        ONE(p, "iwarp.wants_markers"), ONE(p, "iwarp.rejects")

/* A page has a status in place of what needs more words to be understood. */
#define COLUMNS(detail, status)                                                                    \
    {                                                                                              \
        {"id", "id", false}, {NULL, detail("state"), true}, {NULL, status, false},                 \
            {"transport", "transport", true}, {"service", "svc", true},                            \
            {"a.address", NULL, false}, {"a.qpn", NULL, false}, {"a.ud_src_qpn", NULL, false},     \
            {"a.tcp_port", NULL, false}, {"a.udp_src_ports", NULL, false},                         \
            {"b.address", NULL, false}, {"b.qpn", NULL, false}, {"b.tcp_port", NULL, false},       \
            {"b.udp_src_ports", NULL, false}, {NULL, "a", false}, {NULL, "b", false},              \
            {"paired_by", detail("paired"), true}, {"pmtu_bytes", detail("pmtu"), true},           \
            {"ulp", NULL, false}, {"epochs", NULL, false}, {"tunnel", NULL, false},                \
            {"state", NULL, false}, {"first_frame", detail("first"), true},                        \
            {"last_frame", detail("last"), true}, {"duration_ns", NULL, false},                    \
            {"loss_uncertain", NULL, false}, {NULL, "packets", false}, {NULL, "resent", false},    \
            {NULL, "lost", false}, {NULL, "naks", true}, {NULL, "rnr", true},                      \
            {NULL, "timeouts", true}, {NULL, "late", true}, {NULL, "ce", true},                    \
            {NULL, "cnps", true}, {NULL, detail("rtt p50"), true},                                 \
            {NULL, detail("recovery"), false}, DIRECTION("a_to_b."), DIRECTION("b_to_a."),         \
    }
#define SHOWN(title) title
#define NOT_SHOWN(title) NULL

static const struct report_column columns[] = COLUMNS(SHOWN, NULL);
static const struct report_column page_columns[] = COLUMNS(NOT_SHOWN, "status");

struct rows {
    const struct flow_engine *engine;
    struct ranked *order;
    size_t count;
    struct row row;
};

static void rows_free(void *context)
{
    struct rows *rows = context;

    g_free(rows->order);
    g_free(rows);
}

/* Those that the view shows, in its order */
static struct rows *rows_new(const struct flow_engine *engine, const struct connections_view *view)
{
    struct rows *rows = g_new0(struct rows, 1);
    size_t count = flow_connection_count(engine);

    rows->engine = engine;
    rows->row.evidence = view->evidence;
    rows->row.statuses = view->statuses;
    rows->row.capture = view->capture;
    rows->order = connections_rank(engine, view);
    for (size_t i = 0; i < count && (view->top == 0 || rows->count < view->top); i++)
        if (view->only_id == 0 || rows->order[i].index + 1 == view->only_id)
            rows->order[rows->count++] = rows->order[i];
    return rows;
}

static void get_row(struct rows *rows, size_t row, struct flow_connection *c,
                    struct report_value *cells)
{
    flow_connection_get(rows->engine, rows->order[row].index, c);
    rows->row.next = cells;
    connections_put_row(&rows->row, c);
    g_assert(rows->row.next == cells + G_N_ELEMENTS(columns));
}

static void make_row(void *context, size_t row, struct report_value *cells)
{
    struct flow_connection c;

    get_row(context, row, &c, cells);
}

/* What the lines below the table explain */
struct notes {
    uint32_t statuses; /* a bit each */
    bool resent;
    bool no_qp, no_single_qp; /* of UD, which names its senders */
};

/* Of a page, which outlives the engine, the rows are kept. */
static struct notes look_at_rows(struct rows *rows, struct report_node *table, bool page)
{
    struct report_value cells[G_N_ELEMENTS(columns)];
    struct flow_connection c;
    struct notes n = {0};

    for (size_t i = 0; i < rows->count; i++) {
        get_row(rows, i, &c, cells);
        if (page)
            report_row(table, cells);
        if (strstr(rows->row.ends[0], "qp ?") != NULL || strstr(rows->row.ends[1], "qp ?") != NULL)
            *(c.service == RDC_SERVICE_UD ? &n.no_single_qp : &n.no_qp) = true;
        if (rows->row.statuses != NULL)
            n.statuses |= UINT32_C(1) << rows->row.statuses[c.id - 1];
        n.resent |= BOTH(&c, retransmitted_packets) > 0;
    }
    return n;
}

struct report_node *connections_table(struct report_node *root, const struct flow_engine *engine,
                                      const struct connections_view *view)
{
    bool in_full = view->only_id != 0; /* people read its story instead */
    struct report_node *table =
        report_table(root, view->page ? NULL : "connections",
                     in_full               ? NULL
                     : view->title != NULL ? view->title
                                           : "Connections",
                     REPORT_ARRAY, view->page ? page_columns : columns, G_N_ELEMENTS(columns));
    struct rows *rows = rows_new(engine, view);
    struct notes n = look_at_rows(rows, table, view->page);

    if (!in_full && (view->page || rows->row.unsure || n.no_qp || n.no_single_qp))
        status_legend(root, n.statuses, rows->row.unsure, capture_disordered_reason(view->capture),
                      n.no_qp && n.no_single_qp ? "no packet names it, or UD of several or cut"
                      : n.no_qp                 ? "no packet names it"
                      : n.no_single_qp          ? "several, or cut off"
                                                : NULL);
    if (n.resent && !view->page && !in_full)
        report_line(root, "recovery: the longest time from the first sign of a loss until all "
                          "that had been sent was acknowledged; never: not by the end of the "
                          "capture; ?: not visible here; -: nothing was sent again.");
    if (view->page)
        rows_free(rows);
    else
        report_rows(table, rows->count, (struct report_maker){make_row, rows_free, rows});
    return table;
}
