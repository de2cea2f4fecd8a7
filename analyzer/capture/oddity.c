/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Records that say what can't be; see oddity.h.
 */
#include "capture/oddity.h"

void oddities_note(struct oddities *odd, enum oddity kind, uint64_t frame, uint64_t offset)
{
    if (odd->of[kind].count++ > 0)
        return;
    odd->of[kind].frame = frame;
    odd->of[kind].offset = offset;
}

char *oddities_text(const struct oddities *odd, enum oddity kind, const char *file, uint64_t last)
{
    static const char *const texts[ODDITY_COUNT] = {
        [ODDITY_FRACTION] = "a second or more behind the point of its time stamp, which was added",
        [ODDITY_TIME] = "a time stamp that can't be, before 1970 or after 2116",
        [ODDITY_OPTION] =
            "an option that does not fit there or has the wrong size, and was left out",
        [ODDITY_BLOCK] =
            "an option that does not fit there or has the wrong size, and was left out",
        [ODDITY_COUNTS] =
            "statistics that are too short or of no known interface, and were left out",
        [ODDITY_LENGTH] = "more captured bytes than its length on the wire says",
    };
    uint64_t count = odd->of[kind].count;
    GString *text;

    if (count == 0 || odd->of[kind].frame > last)
        return NULL;
    text = g_string_new(NULL);
    if (!oddity_is_of_packet(kind))
        g_string_printf(text, "%s: the block at byte %" G_GUINT64_FORMAT, file,
                        odd->of[kind].offset);
    else
        g_string_printf(text, "%s: frame %" G_GUINT64_FORMAT, file, odd->of[kind].frame);
    if (oddity_is_of_packet(kind) && odd->of[kind].offset != UINT64_MAX)
        g_string_append_printf(text, " (byte %" G_GUINT64_FORMAT ")", odd->of[kind].offset);
    g_string_append_printf(text, " has %s", texts[kind]);
    if (count > 1)
        g_string_append_printf(text, "; so have %" G_GUINT64_FORMAT " more", count - 1);
    return g_string_free(text, FALSE);
}
