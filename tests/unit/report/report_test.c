/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One report of every shape and type, through every renderer.
 */
#include "support.h"

#include <stdio.h>

#include "rdc/packet.h"
#include "render/report_render.h"
#include "report/frame.h"
#include "report/report.h"

static const struct report_column columns[] = {
    {"id", "Id", false},           {"a.address", "Requester", false}, {"a.qpn", "QP", false},
    {"rtt_ns", "RTT", false},      {"first_frame", "First", false},   {"frames", "Frames", false},
    {"note", "A long note", true},
};

static const char *const two_files[] = {"a.pcap", "b.pcap"};

/* The text and lists of a row, overwritten by the next */
struct maker {
    uint64_t frames[4];
    char note[40];
    size_t files;
    bool *freed;
};

static void make_row(void *context, size_t row, struct report_value *cells)
{
    static const uint8_t address[16] = {10, 0, 0, 1};
    struct maker *m = context;
    const uint64_t frames[2][4] = {{frame_ref(0, 1), frame_ref(m->files - 1, 2), 3, 4},
                                   {frame_ref(m->files - 1, 2)}};

    memcpy(m->frames, frames[row], sizeof(m->frames));
    snprintf(m->note, sizeof(m->note), "%s", row == 0 ? "a note that is rather long" : "");
    cells[0] = report_number(row + 1);
    cells[1] = report_address(RDC_ADDRESS_IPV4, address);
    cells[2] = row == 0 ? report_number(17) : report_unknown("one-way");
    cells[3] = row == 0 ? report_ns(1500) : report_unknown("one-way");
    cells[4] = report_frame(m->frames[0]);
    cells[5] = report_frames(m->frames, row == 0 ? 4 : 0);
    cells[6] = row == 0 ? report_text(m->note) : report_none();
}

static void maker_free(void *context)
{
    struct maker *m = context;

    *m->freed = true;
    free(m);
}

/* Rows that are kept, or that are made when they are read */
/* NOLINTNEXTLINE(readability-non-const-parameter): the maker is told of it, and writes to it */
static void put_rows(struct report_node *table, size_t files, bool *freed)
{
    struct maker *m = malloc(sizeof(*m));
    struct report_value cells[SUPPORT_COUNT(columns)];

    assert_non_null(m);
    *m = (struct maker){.files = files, .freed = freed};
    if (freed != NULL) {
        report_rows(table, 2, (struct report_maker){make_row, maker_free, m});
        return;
    }
    for (size_t row = 0; row < 2; row++) {
        make_row(m, row, cells);
        report_row(table, cells);
    }
    free(m);
}

static void fill(struct report *report, bool *freed)
{
    const char *names[] = {"SEND", "RDMA_READ"};
    const uint64_t counts[] = {1000, 2};
    struct report_node *section = report_section(&report->root, "capture", "Capture");
    struct report_node *table;

    report_item(section, "packets", "Packets", report_count(1234567));
    report_item(section, "drops", "Dropped", report_unknown("not counted"));
    report_item(section, "messages", "Messages", report_map(names, counts, 2));
    report_item(section, "loss_pct", "Loss", report_mood(report_pct(0.125), REPORT_BAD));
    report_item(section, NULL, "For people", report_bool(true));
    report_item(section, "for_programs", NULL, report_time(5));
    report_item(section, "speed_bps", NULL, report_bps(1e18));
    table = report_table(&report->root, "connections", "Connections", REPORT_ARRAY, columns,
                         SUPPORT_COUNT(columns));
    put_rows(table, report->file_count, freed);
    table = report_table(&report->root, "opcodes", "Opcodes", REPORT_PAIRS, columns, 2);
    report_row(table, (struct report_value[]){report_text("CNP"), report_count(3)});
}

static void check(size_t files, void (*render)(struct buffer *, const struct report *),
                  const char *want)
{
    for (unsigned made = 0; made < 2; made++) {
        struct report *report = report_new("rdmapcap.test/1", "9.9", two_files, files);
        struct buffer b = {0};
        bool freed = false;

        fill(report, made == 1 ? &freed : NULL);
        render(&b, report);
        buffer_char(&b, '\0');
        assert_string_equal(b.data, want);
        buffer_done(&b);
        report_free(report);
        assert_int_equal(freed, made == 1);
    }
}

/* What is computed from times is unknown where packets have none; what is stated is not */
static void check_without_times(void **state)
{
    static const struct report_column two[] = {{"span_ns", NULL, false},
                                               {"speed_bps", NULL, false}};
    struct report_value cells[] = {report_ns(1), report_from(report_bps(8), REPORT_STATED)};
    struct report *report = report_new("rdmapcap.test/1", "9.9", two_files, 1);
    struct report_node *table;
    const struct report_value *read;

    (void)state;
    report_without_times(report, "no clock");
    report_item(&report->root, "at_ns", NULL, report_time(5));
    assert_int_equal(report->root.last->value.type, REPORT_UNKNOWN);
    assert_string_equal(report->root.last->value.text, "no clock");
    report_item(&report->root, "share_pct", NULL, report_from(report_pct(5), REPORT_CLOCKED));
    assert_int_equal(report->root.last->value.type, REPORT_UNKNOWN);
    report_item(&report->root, "loss_pct", NULL, report_pct(5));
    assert_int_equal(report->root.last->value.type, REPORT_PCT);
    table =
        report_table(report_section(&report->root, "in", NULL), "rows", NULL, REPORT_ARRAY, two, 2);
    report_row(table, cells);
    read = report_cells(table, 0);
    assert_int_equal(read[0].type, REPORT_UNKNOWN);
    assert_int_equal(read[1].type, REPORT_BPS);
    report_free(report);
}

static void check_json(void **state)
{
    (void)state;
    check(1, report_render_json,
          "{\n  \"schema\": \"rdmapcap.test/1\",\n  \"tool_version\": \"9.9\",\n"
          "  \"capture\": {\n    \"packets\": 1234567,\n    \"drops\": null,\n"
          "    \"messages\": {\n      \"SEND\": 1000,\n      \"RDMA_READ\": 2\n    },\n"
          "    \"loss_pct\": 0.125,\n    \"for_programs\": 5,\n"
          "    \"speed_bps\": 1000000000000000000,\n"
          "    \"unknown\": {\n      \"drops\": \"not counted\"\n    }\n  },\n"
          "  \"connections\": [\n    {\n      \"id\": 1,\n      \"a\": {\n"
          "        \"address\": \"10.0.0.1\",\n        \"qpn\": 17\n      },\n"
          "      \"rtt_ns\": 1500,\n      \"first_frame\": 1,\n      \"frames\": [1,2,3,4],\n"
          "      \"note\": \"a note that is rather long\"\n    },\n    {\n      \"id\": 2,\n"
          "      \"a\": {\n        \"address\": \"10.0.0.1\",\n        \"qpn\": null,\n"
          "        \"unknown\": {\n          \"qpn\": \"one-way\"\n        }\n      },\n"
          "      \"rtt_ns\": null,\n      \"first_frame\": 2,\n      \"frames\": [],\n"
          "      \"note\": null,\n      \"unknown\": {\n        \"rtt_ns\": \"one-way\"\n"
          "      }\n    }\n  ],\n  \"opcodes\": {\n    \"CNP\": 3\n  }\n}\n");
}

static void render_rows(struct buffer *b, const struct report *report)
{
    report_render_jsonl(b, report, report_find(&report->root, "connections"));
}

static void check_jsonl_of_two_files(void **state)
{
    (void)state;
    check(2, render_rows,
          "{\"id\":1,\"a\":{\"address\":\"10.0.0.1\",\"qpn\":17},\"rtt_ns\":1500,"
          "\"first_frame\":1,\"first_file\":\"a.pcap\","
          "\"frames\":[\"a.pcap:1\",\"b.pcap:2\",\"a.pcap:3\",\"a.pcap:4\"],"
          "\"note\":\"a note that is rather long\"}\n"
          "{\"id\":2,\"a\":{\"address\":\"10.0.0.1\",\"qpn\":null,"
          "\"unknown\":{\"qpn\":\"one-way\"}},\"rtt_ns\":null,\"first_frame\":2,"
          "\"first_file\":\"b.pcap\",\"frames\":[],\"note\":null,"
          "\"unknown\":{\"rtt_ns\":\"one-way\"}}\n");
}

static void render_table(struct buffer *b, const struct report *report)
{
    report_render_csv(b, report, report_find(&report->root, "connections"));
}

static void check_csv(void **state)
{
    (void)state;
    check(1, render_table,
          "id,a.address,a.qpn,rtt_ns,first_frame,frames,note\n"
          "1,10.0.0.1,17,1500,1,1 2 3 4,a note that is rather long\n"
          "2,10.0.0.1,,,2,,\n");
}

static void render_wide(struct buffer *b, const struct report *report)
{
    report_render_text(b, report, &(struct text_style){.width = 200});
}

static void render_narrow(struct buffer *b, const struct report *report)
{
    report_render_text(b, report, &(struct text_style){.width = 60, .color = true});
}

static void check_text(void **state)
{
    (void)state;
    check(1, render_wide,
          "Capture\n"
          "  Packets                   1,234,567\n"
          "  Dropped                   unknown: not counted\n"
          "  Messages                  SEND 1,000, RDMA_READ 2\n"
          "  Loss                      0.12 %\n"
          "  For people                yes\n"
          "\nConnections\n"
          "  Id  Requester       QP      RTT  First  Frames        A long note\n"
          "   1  10.0.0.1        17  1.50 us      1  1, 2, 3, ...  a note that is rather long\n"
          "   2  10.0.0.1   unknown  unknown      2  -             -\n"
          "\nOpcodes\n"
          "  Id   Requester\n"
          "  CNP          3\n");
}

static void check_narrow_text(void **state)
{
    (void)state;
    check(1, render_narrow,
          "\033[1mCapture\033[0m\n"
          "  Packets                   1,234,567\n"
          "  Dropped                   unknown: not counted\n"
          "  Messages                  SEND 1,000, RDMA_READ 2\n"
          "  Loss                      \033[31m0.12 %\033[0m\n"
          "  For people                yes\n"
          "\n\033[1mConnections\033[0m\n"
          "  Id  Requester       QP      RTT  First  Frames\n"
          "   1  10.0.0.1        17  1.50 us      1  1, 2, 3, ...\n"
          "   2  10.0.0.1   unknown  unknown      2  -\n"
          "\n\033[1mOpcodes\033[0m\n"
          "  Id   Requester\n"
          "  CNP          3\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_without_times),
        cmocka_unit_test(check_json),
        cmocka_unit_test(check_jsonl_of_two_files),
        cmocka_unit_test(check_csv),
        cmocka_unit_test(check_text),
        cmocka_unit_test(check_narrow_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
