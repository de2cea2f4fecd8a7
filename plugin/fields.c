/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Registers the fields (see fields.h).
 */
#include "plugin/fields.h"

int field_ids[FIELD_COUNT];
int tree_ids[2] = {-1, -1}; /* 0 would be an error */

static hf_register_info registered[] = {
#define X(id, title, name, type, display, strings, text)                                           \
    {&field_ids[FIELD_##id], {title, "rdmapcap." name, type, display, strings, 0, text, HFILL}},
    FIELD_LIST(X)
#undef X
};

void fields_register(int protocol)
{
    static int *trees[] = {&tree_ids[0], &tree_ids[1]};

    for (int i = 0; i < FIELD_COUNT; i++)
        field_ids[i] = -1;
    proto_register_field_array(protocol, registered, FIELD_COUNT);
    proto_register_subtree_array(trees, (int)(sizeof(trees) / sizeof(trees[0])));
}
