/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Why an iWARP connection was given up: the words, and where the STag was named first.
 */
#include "support.h"

#include <glib.h>

#include "analysis/terminate.h"
#include "rdc/iwarp.h"

static const struct row {
    const char *name;
    struct flow_terminate terminate;
    const char *text;
    uint64_t frame;
} rows[] = {
    {"write",
     {.layer = 1, .type = 1, .has_ddp = true, .tagged = true, .opcode = RDC_RDMAP_WRITE, .stag = 7},
     "DDP, tagged buffer error, invalid STag; about Write of STag 0x00000007",
     20},
    {"read",
     {.type = 1,
      .has_ddp = true,
      .opcode = RDC_RDMAP_READ_REQUEST,
      .has_read_request = true,
      .stag = 9,
      .qn = 1,
      .msn = 3},
     "RDMAP, remote protection error, invalid STag; about Read Request of STag 0x00000009",
     31},
    {"send",
     {.layer = 1, .type = 2, .code = 2, .has_ddp = true, .opcode = RDC_RDMAP_SEND, .msn = 7},
     "DDP, untagged buffer error, invalid MSN, no buffer available; about Send",
     0},
    {"no-header", {.type = 1, .stag = 7}, "RDMAP, remote protection error, invalid STag", 0},
    {"not-named",
     {.layer = 1, .type = 1, .has_ddp = true, .tagged = true, .opcode = RDC_RDMAP_WRITE, .stag = 8},
     "DDP, tagged buffer error, invalid STag; about Write of STag 0x00000008",
     0},
};

static void check_row(void **state)
{
    const struct row *row = *state;
    struct flow_stag stags[] = {
        {.stag = 7, .own = true, .first_frame = 10, .last_frame = 11},
        {.stag = 7, .first_frame = 20, .last_frame = 22},
        {.stag = 9, .first_frame = 31, .last_frame = 31},
    };
    struct flow_iwarp other = {.stags = stags, .stag_count = SUPPORT_COUNT(stags)};
    char *text = terminate_text(&row->terminate);

    assert_string_equal(text, row->text);
    assert_int_equal(terminate_stag_frame(&row->terminate, &other), row->frame);
    assert_int_equal(terminate_stag_frame(&row->terminate, NULL), 0);
    g_free(text);
}

int main(void)
{
    struct CMUnitTest tests[SUPPORT_COUNT(rows)];

    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++)
        tests[i] =
            (struct CMUnitTest){rows[i].name, check_row, NULL, NULL, (void *)(uintptr_t)&rows[i]};
    return _cmocka_run_group_tests("terminate", tests, SUPPORT_COUNT(rows), NULL, NULL);
}
