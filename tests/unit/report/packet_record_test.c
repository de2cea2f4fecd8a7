/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a dump says about fields that are there, that are not, and that can't be seen: one packet,
 * cut and bent in several ways, as JSON and as CSV.
 */
#include "support.h"

#include "render/packet_record.h"

enum {
    WIRE = 330, /* bytes that the packet had on the wire */
    BTH = 42,   /* offset of its BTH */
    UDP_PORT = 36,
};

/* RC RDMA WRITE FIRST over RoCEv2/IPv4, up to the first bytes of its payload */
static const char packet_hex[] = "02000000000b02000000000a0800"
                                 "4500013c39f340004011ebbb0a0000010a000002"
                                 "de9f12b701280000"
                                 "0600ffff0000007500310001"
                                 "00007f7ac2bcb000000025550000012c"
                                 "00070e15";

static const struct row {
    const char *name;
    uint32_t captured;
    uint8_t at, value; /* a byte to change; 0: none */
    const char *has;   /* in the JSON */
    const char *has_not;
    const char *cell; /* in the CSV */
} rows[] = {
    {"reth-there", 74, 0, 0, "\"reth\":{\"va\":\"0x00007f7ac2bcb000\",\"rkey\":\"0x00002555\",",
     "\"reth\":null", ",0x00007f7ac2bcb000,0x00002555,300,"},
    {"icrc-cut", 74, 0, 0,
     "\"icrc\":null,\"unknown\":{\"icrc\":\"not all bytes of the packet were captured\"}}",
     "\"icrc\":\"ok", "\"{\"\"icrc\"\":\"\"not all bytes of the packet were captured\"\"}\""},
    {"reth-cut", 69, 0, 0, "\"psn\":3211265,\"reth\":null,", "\"reth\":{",
     "{\"\"reth\"\":\"\"cut by the snap length\"\""},
    {"reth-cut-reason", 54, 0, 0,
     "\"unknown\":{\"reth\":\"cut by the snap length\",\"icrc\":", "\"reth\":{", ",,,"},
    {"bth-cut", 53, 0, 0, "\"udp_dst_port\":4791", "\"opcode\"", ",4791,"},
    {"refused", 74, BTH + 1, 0x0f, "\"transport\":null,\"refused\":\"", "\"opcode\"", ",4791,"},
    {"not-ours", 74, UDP_PORT, 0, "\"transport\":null,\"udp_src_port\":56991,\"udp_dst_port\":183",
     "\"opcode\"", ",183,"},
    {"absent-is-absent", 74, 0, 0, "\"link\":\"ethernet\"", "\"vlan\"", "ethernet"},
    {"no-aeth", 74, 0, 0, "\"rel_ns\":-5,", "\"aeth\"", ",-5,330,74,"},
};

static void decode(const struct row *row, const uint8_t *bytes, struct packet_record *record)
{
    const struct rdc_config config = {0};
    const struct rdc_input in = {
        .bytes = bytes,
        .captured = row->captured,
        .wire = WIRE,
        .linktype = RDC_LINKTYPE_ETHERNET,
        .time_ns = 1700000000000000000,
        .fcs_size = -1,
    };

    rdc_decode(&config, &in, &record->pkt);
    record->pkt.frame = 7;
    record->file = NULL;
    record->rel_ns = -5;
    packet_record_complete(record);
}

static void expect(const char *text, const char *has, const char *has_not)
{
    if (strstr(text, has) == NULL)
        fail_msg("no %s in %s", has, text);
    if (has_not != NULL && strstr(text, has_not) != NULL)
        fail_msg("%s in %s", has_not, text);
}

static void check_row(void **state)
{
    const struct row *row = *state;
    uint8_t whole[128];
    uint8_t *bytes;
    struct packet_record record = {0};
    struct buffer b = {0};

    assert_true(support_hex(packet_hex, whole, sizeof(whole)) >= row->captured);
    if (row->at != 0)
        whole[row->at] = row->value;
    bytes = support_copy(whole, row->captured);
    decode(row, bytes, &record);

    packet_json(&b, &record);
    buffer_char(&b, '\0');
    expect(b.data, row->has, row->has_not);
    b.used = 0;
    packet_csv(&b, &record);
    buffer_char(&b, '\0');
    expect(b.data, row->cell, NULL);
    b.used = 0;
    packet_tree(&b, &record);

    buffer_done(&b);
    support_free(bytes, row->captured);
}

/* Commas outside quotes */
static size_t count_cells(const char *line)
{
    size_t cells = 1;
    bool quoted = false;

    for (; *line != '\0'; line++) {
        quoted ^= *line == '"';
        cells += !quoted && *line == ',';
    }
    return cells;
}

static void check_columns(void **state)
{
    struct buffer header = {0};
    struct buffer line = {0};
    uint8_t bytes[128];
    struct packet_record record = {0};

    (void)state;
    support_hex(packet_hex, bytes, sizeof(bytes));
    decode(&rows[1], bytes, &record);
    packet_csv_header(&header);
    buffer_char(&header, '\0');
    packet_csv(&line, &record);
    buffer_char(&line, '\0');
    assert_int_equal(count_cells(line.data), count_cells(header.data));
    assert_non_null(strstr(header.data, ",reth.va,reth.rkey,reth.length,aeth.syndrome,"));
    buffer_done(&header);
    buffer_done(&line);
}

static void check_nested_tunnels(void **state)
{
    struct buffer b = {0};
    uint8_t bytes[128];
    struct packet_record record = {0};

    (void)state;
    support_hex(packet_hex, bytes, sizeof(bytes));
    decode(&rows[0], bytes, &record);
    record.pkt.tunnel_count = 2;
    record.pkt.tunnels[0] = (struct rdc_tunnel){.kind = RDC_TUNNEL_GRE};
    record.pkt.tunnels[1] = (struct rdc_tunnel){.kind = RDC_TUNNEL_VXLAN, .has_id = true, .id = 5};
    packet_record_complete(&record);
    packet_json(&b, &record);
    buffer_char(&b, '\0');
    expect(b.data,
           "\"tunnel\":{\"kind\":\"vxlan\",\"id\":5},"
           "\"tunnels\":[{\"kind\":\"gre\",\"id\":null},{\"kind\":\"vxlan\",\"id\":5}],",
           NULL);
    buffer_done(&b);
}

int main(void)
{
    struct CMUnitTest tests[SUPPORT_COUNT(rows) + 2] = {
        cmocka_unit_test(check_columns),
        cmocka_unit_test(check_nested_tunnels),
    };

    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++)
        tests[2 + i] =
            (struct CMUnitTest){rows[i].name, check_row, NULL, NULL, (void *)(uintptr_t)&rows[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
