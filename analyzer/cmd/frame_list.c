/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * See frame_list.h.
 */
#include "cmd/frame_list.h"

#include <string.h>

#include "analysis/decimal.h"
#include "cmd/message.h"
#include "cmd/option_value.h"

struct frame_range {
    uint64_t first, last;
};

/* "226" or "481-490" */
static bool read_range(const char *text, struct frame_range *range)
{
    char **ends = g_strsplit(text, "-", 2);
    bool ok = ends[0] != NULL && decimal_whole(ends[0], 1, UINT64_MAX, &range->first);

    range->last = range->first;
    if (ok && ends[1] != NULL)
        ok = decimal_whole(ends[1], range->first, UINT64_MAX, &range->last);
    g_strfreev(ends);
    return ok;
}

static int by_first(gconstpointer a, gconstpointer b)
{
    const struct frame_range *x = a, *y = b;

    return x->first < y->first ? -1 : x->first > y->first;
}

/* Ranges that overlap become one. */
static void put_in_order(GArray *ranges)
{
    struct frame_range *r = (struct frame_range *)(void *)ranges->data;
    guint n = 0;

    g_array_sort(ranges, by_first);
    for (guint i = 1; i < ranges->len; i++) {
        if (r[i].first > r[n].last)
            r[++n] = r[i];
        else
            r[n].last = MAX(r[n].last, r[i].last);
    }
    g_array_set_size(ranges, n + 1);
}

bool frame_list_read(struct frame_list *list, const char *option, const char *text)
{
    char **parts;
    bool ok = true;

    list->ranges = NULL;
    if (text == NULL)
        return true;
    list->ranges = g_array_new(FALSE, FALSE, sizeof(struct frame_range));
    parts = g_strsplit(text, ",", -1);
    for (size_t i = 0; ok && parts[i] != NULL; i++) {
        struct frame_range range = {0};

        ok = read_range(g_strstrip(parts[i]), &range);
        g_array_append_val(list->ranges, range);
    }
    g_strfreev(parts);
    ok = ok && list->ranges->len > 0;
    if (ok)
        put_in_order(list->ranges);
    else
        message_error("%s %s: give frame numbers, such as 226,368,481-490", option,
                      option_shown(text));
    return ok;
}

void frame_list_done(struct frame_list *list)
{
    if (list->ranges != NULL)
        g_array_free(list->ranges, TRUE);
}

bool frame_list_holds(const struct frame_list *list, uint64_t frame)
{
    guint from = 0, to = list->ranges != NULL ? list->ranges->len : 0;

    if (list->ranges == NULL)
        return true;
    while (from < to) {
        guint middle = from + (to - from) / 2;
        const struct frame_range *r = &g_array_index(list->ranges, struct frame_range, middle);

        if (frame >= r->first && frame <= r->last)
            return true;
        if (frame < r->first)
            to = middle;
        else
            from = middle + 1;
    }
    return false;
}

bool frame_list_ends(const struct frame_list *list, uint64_t frame)
{
    return list->ranges != NULL &&
           frame >= g_array_index(list->ranges, struct frame_range, list->ranges->len - 1).last;
}
