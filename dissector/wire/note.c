/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The table of notes, made from their one list.
 */
#include "rdc/note.h"

const struct rdc_note_info rdc_note_table[RDC_NOTE_COUNT] = {
#define X(name, id, severity, spec, text) {id, RDC_SEVERITY_##severity, spec, text},
    RDC_NOTE_LIST(X)
#undef X
};
