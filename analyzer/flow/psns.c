/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * PSNs of requests (see psns.h).
 */
#include "flow/psns.h"

#include "flow/verdict.h"

enum {
    MIN_PMTU = 256,
};

static uint32_t read_psns(uint32_t length, uint32_t pmtu)
{
    return length <= pmtu ? 1 : (uint32_t)(((uint64_t)length + pmtu - 1) / pmtu);
}

/* 0: the path MTU is not known, or the length is none that a requester can ask for at once */
static uint32_t plausible_psns(uint32_t length, uint32_t pmtu)
{
    uint32_t psns = pmtu == 0 ? 0 : read_psns(length, pmtu);

    return psns > EPOCH_JUMP ? 0 : psns;
}

uint32_t psns_of_length(const struct stream *s, uint32_t length)
{
    return length <= MIN_PMTU ? 1 : plausible_psns(length, s->pmtu);
}

uint32_t psns_of_read(const struct stream *s, const struct rdc_packet *pkt)
{
    const struct rdc_exts *ext = &pkt->ib.ext;

    return (ext->present & RDC_EXT_RETH) != 0 ? psns_of_length(s, ext->reth.length) : 0;
}

void psns_pmtu_known(struct stream *s)
{
    struct requester *r = s->requester;

    if (r == NULL)
        return;
    for (uint32_t i = 0; i < r->reads.count; i++) {
        struct read_request *read = &r->reads.list[i];

        if (!read->open_end || read->length == 0 || plausible_psns(read->length, s->pmtu) == 0)
            continue;
        read->end = read->u + plausible_psns(read->length, s->pmtu);
        if (i + 1 < r->reads.count && read->end > r->reads.list[i + 1].u)
            read->end = r->reads.list[i + 1].u; /* the list stays sorted by ends, too */
        read->open_end = false;
        if (r->loose && i + 1 == r->reads.count && read->end > r->next) {
            r->next = read->end;
            r->loose = false;
        }
    }
    if (r->loose && r->reads.count > 0 && !r->reads.list[r->reads.count - 1].open_end)
        r->loose = false;
}

void psns_settle(struct flow_engine *e, struct stream *s, int64_t u)
{
    struct requester *r = s->requester;
    struct read_request *read = r->reads.count == 0 ? NULL : &r->reads.list[r->reads.count - 1];

    r->loose = false;
    r->next = u;
    if (read == NULL || !read->open_end || s->ids.step < 0 || s->ids.step > 1)
        return;
    for (uint32_t pmtu = MIN_PMTU; pmtu <= 4096; pmtu *= 2) {
        bool fits = read->length != 0 && read_psns(read->length, pmtu) == (uint64_t)(u - read->u);
        /* only lengths that tell one path MTU from the others prove it */
        bool proves =
            fits &&
            (pmtu == MIN_PMTU ||
             read_psns(read->length, pmtu / 2) != read_psns(read->length, pmtu)) &&
            (pmtu == 4096 || read_psns(read->length, pmtu * 2) != read_psns(read->length, pmtu));

        if (proves && s->pmtu == 0) {
            stream_pmtu(e, s, pmtu);
            break;
        }
    }
    read->end = u;
    read->open_end = false;
}
