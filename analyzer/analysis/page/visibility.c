/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * See visibility.h.
 */
#include "analysis/page/visibility.h"

static const char not_captured[] = "this direction is not on the capture";
static const char one_way[] = "the other direction is not on the capture, or not known";
static const char headers_cut[] = "the headers are cut off by the snap length";
static const char is_tcp[] = "TCP has no such thing";
const char visibility_icrcs_meaningless[] =
    "nearly all ICRCs of an interface are wrong: they mean nothing";
static const char out_of_step[] = "acknowledgements were recorded before what they acknowledge";
static const char not_for_service[] = "this service does not tell";

struct visibility visibility_of(const struct flow_connection *c, const struct flow_direction *d,
                                const struct flow_direction *other)
{
    bool reliable = c->service == RDC_SERVICE_RC || c->service == RDC_SERVICE_XRC;
    const struct flow_counters *n = d->counters;
    struct visibility v = {0};

    if (n == NULL) {
        v = (struct visibility){not_captured, not_captured, not_captured,
                                not_captured, not_captured, not_captured,
                                not_captured, not_captured, not_captured};
        if (other->counters != NULL && other->counters->cnps_sent > 0)
            v.cnps = NULL; /* they stand in the other direction */
        return v;
    }
    if (c->transport == RDC_TRANSPORT_IWARP) {
        v.roce = v.cnps = is_tcp;
        v.answers = v.needless = v.after = other->counters == NULL ? one_way : NULL;
        v.icrc = n->truncated == n->packets ? headers_cut : NULL;
        return v;
    }
    if (c->service == RDC_SERVICE_UD || c->service == RDC_SERVICE_RD)
        v.psn = v.answers = v.after = not_for_service;
    if (reliable && other->counters == NULL)
        v.answers = v.after = one_way;
    if (c->service == RDC_SERVICE_UC)
        v.answers = v.after = not_for_service;
    if (other->counters == NULL)
        v.cnps = one_way;
    if (n->aeth_unseen > 0 && n->aeth_unseen >= n->acks)
        v.aeth = headers_cut;
    if (other->counters != NULL && other->counters->aeth_unseen > 0)
        v.after = headers_cut;
    if (n->truncated == n->packets)
        v.icrc = headers_cut;
    if (n->icrc_unjudged > 0)
        v.icrc = visibility_icrcs_meaningless;
    v.needless = v.answers == NULL && n->acked_early > 0 ? out_of_step : v.answers;
    return v;
}

/* Packets of UC are not acknowledged: only a count of drops tells what the capture missed. */
bool direction_loss_uncertain(const struct flow_connection *c, const struct flow_counters *sent,
                              const struct capture *capture)
{
    if (sent == NULL)
        return false;
    if (capture->overlap_count > 0)
        return sent->lost_before_tap + sent->lost_after_tap > 0;
    if (sent->lost_before_tap == 0)
        return false;
    return capture->drops > 0 || sent->not_captured + sent->acked_unseen > 0 ||
           (sent->holes_open > 0 && sent->holes_open >= sent->lost_before_tap) ||
           (c->service == RDC_SERVICE_UC && !capture->drops_known);
}

bool connection_loss_uncertain(const struct flow_connection *c, const struct capture *capture)
{
    return direction_loss_uncertain(c, c->a_to_b.counters, capture) ||
           direction_loss_uncertain(c, c->b_to_a.counters, capture);
}
