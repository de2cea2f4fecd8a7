/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * FPDUs by packet (see tcp_follow.h).
 */
#include "cmd/tcp_follow.h"

#include <glib.h>
#include <string.h>

struct tcp_follow {
    struct flow_engine *engine;
    GArray *fpdus;
    struct rdc_mpa mpa;
    uint8_t private_data[PACKET_PRIVATE_SHOWN];
    bool has_mpa;
};

static void take_mpa(void *context, const struct rdc_mpa *frame)
{
    struct tcp_follow *t = context;

    t->mpa = *frame;
    if (frame->private_data != NULL) {
        t->mpa.private_data_captured =
            MIN(frame->private_data_captured, (uint16_t)sizeof(t->private_data));
        memcpy(t->private_data, frame->private_data, t->mpa.private_data_captured);
        t->mpa.private_data = t->private_data;
    }
    t->has_mpa = true;
}

static void take_fpdu(void *context, const struct flow_fpdu *fpdu)
{
    struct tcp_follow *t = context;

    g_array_append_vals(t->fpdus, fpdu, 1);
}

struct tcp_follow *tcp_follow_new(void)
{
    struct tcp_follow *t = g_new0(struct tcp_follow, 1);
    struct flow_config config = {.only_tcp = true};
    struct flow_sink sink = {.context = t, .mpa = take_mpa, .fpdu = take_fpdu};

    t->engine = flow_engine_new(&config, &sink);
    t->fpdus = g_array_new(FALSE, FALSE, sizeof(struct flow_fpdu));
    return t;
}

void tcp_follow_free(struct tcp_follow *t)
{
    if (t == NULL)
        return;
    flow_engine_free(t->engine);
    g_array_free(t->fpdus, TRUE);
    g_free(t);
}

void tcp_follow_packet(struct tcp_follow *t, struct packet_record *record)
{
    record->has_mpa = record->iwarp = false;
    record->fpdu_count = 0;
    if (record->pkt.kind != RDC_KIND_TCP || t->engine == NULL)
        return;
    t->has_mpa = false;
    g_array_set_size(t->fpdus, 0);
    flow_packet(t->engine, &record->pkt);
    record->iwarp = flow_latest_facts(t->engine)->stream != FLOW_NO_STREAM;
    record->has_mpa = t->has_mpa;
    record->mpa = t->mpa;
    record->fpdus = (const struct flow_fpdu *)(const void *)t->fpdus->data;
    record->fpdu_count = t->fpdus->len;
}

const struct flow_engine *tcp_follow_engine(const struct tcp_follow *t)
{
    return t->engine;
}
