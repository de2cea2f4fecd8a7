/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "support.h"

#include "rdc/note.h"

static void table(void **state)
{
    (void)state;
    assert_true(RDC_NOTE_COUNT <= 64); /* a set of notes is a 64-bit word */
    for (size_t i = 0; i < RDC_NOTE_COUNT; i++) {
        const struct rdc_note_info *info = &rdc_note_table[i];

        assert_non_null(info->id);
        assert_true(info->id[0] != '\0');
        assert_int_equal(strspn(info->id, "abcdefghijklmnopqrstuvwxyz0123456789_"),
                         strlen(info->id));
        assert_true(info->text[0] != '\0');
        assert_non_null(info->spec);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(info->id, rdc_note_table[j].id);
    }
    assert_string_equal(rdc_note_table[RDC_NOTE_ICRC_BAD].id, "icrc_bad");
    assert_int_equal(rdc_note_table[RDC_NOTE_ICRC_BAD].severity, RDC_SEVERITY_ERROR);
    assert_string_equal(rdc_note_table[RDC_NOTE_DEPTH].id, "too_deep");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
