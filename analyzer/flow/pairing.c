/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Pairing of streams (see pairing.h).
 */
#include "flow/pairing.h"

#include <string.h>

#include "flow/psns.h"
#include "flow/request.h"
#include "flow/response.h"

enum {
    PROOF = 3,            /* matching responses that prove a pairing, misses that disprove one */
    SEARCH_MAX = 4096,    /* streams looked at for one response or one port */
    SEARCH_EARNED = 128,  /* of these by each response that has no peer; beside SEARCH_FIRST */
    VAIN = 64,            /* searches in vain before they become few */
    PORT_SHARED = 8,      /* streams of one side and port, beyond which the port tells nothing */
    PORT_SHARED_MAX = 64, /* the same where there are tens of thousands of streams */
    DECIDE = 8,           /* responses after which the better candidate is taken */
    AHEAD = 64,           /* PSNs ahead of the requests where a response is no evidence */
};

uint16_t pairing_hashed_port(uint32_t qpn_a, uint32_t qpn_b)
{
    uint64_t v = (uint64_t)qpn_a * qpn_b;
    uint32_t label;

    v ^= v >> 20;
    v ^= v >> 40;
    label = (uint32_t)(v & 0xfffff);
    return (uint16_t)(((label & 0x3fff) ^ (label >> 14)) | 0xc000);
}

static bool may_pair(const struct stream *a, const struct stream *b)
{
    bool same = a->service == b->service || a->service == RDC_SERVICE_RESERVED ||
                b->service == RDC_SERVICE_RESERVED;

    return same && a->peer == FLOW_NO_STREAM && b->peer == FLOW_NO_STREAM;
}

/* ------------------------------------------------------------------ making and undoing */

static void share_pmtu(struct stream *a, struct stream *b)
{
    if (a->pmtu == 0 && b->pmtu != 0) {
        a->pmtu = b->pmtu;
        psns_pmtu_known(a);
    }
}

void pairing_make(struct flow_engine *e, struct stream *a, struct stream *b, enum flow_pairing by)
{
    (void)e;
    a->peer = b->index;
    b->peer = a->index;
    a->paired_by = b->paired_by = (uint8_t)by;
    a->matches = a->misses = b->matches = b->misses = 0;
    a->candidate_count = b->candidate_count = 0;
    a->vain_searches = b->vain_searches = 0;
    a->local_qpn = b->key.dest_qpn;
    b->local_qpn = a->key.dest_qpn;
    a->local_qpn_known = b->local_qpn_known = true;
    share_pmtu(a, b);
    share_pmtu(b, a);
}

static void unpair(struct flow_engine *e, struct stream *s)
{
    struct stream *peer = stream_peer(e, s);

    if (peer == NULL)
        return;
    s->answered_before |= s->responder != NULL;
    peer->answered_before |= peer->responder != NULL;
    response_restart(e, s);
    response_restart(e, peer);
    if (s->requester != NULL)
        early_forget(s->requester);
    if (peer->requester != NULL)
        early_forget(peer->requester);
    s->peer = peer->peer = FLOW_NO_STREAM;
    s->paired_by = peer->paired_by = FLOW_UNPAIRED;
    s->local_qpn_known = peer->local_qpn_known = false;
    e->summary.undone_pairings++;
}

/* ------------------------------------------------------------------ only */

static bool proved(const struct stream *s, const struct stream *peer)
{
    return s->matches + peer->matches >= PROOF;
}

/* A third stream between two hosts: pairs that rest on being the only ones need another proof. */
static void question_only_pairs(struct flow_engine *e, const struct host_pair *pair)
{
    uint32_t looked = 0;

    for (uint32_t i = pair->streams[0]; i != FLOW_NO_STREAM && looked < SEARCH_MAX;
         i = e->streams[i]->next_in_pair, looked++) {
        struct stream *s = e->streams[i], *peer = stream_peer(e, s);

        if (s->paired_by != FLOW_PAIRED_ONLY)
            continue;
        if (proved(s, peer))
            s->paired_by = peer->paired_by = FLOW_PAIRED_PSN;
        else
            unpair(e, s);
    }
}

static void pair_only(struct flow_engine *e, const struct host_pair *pair)
{
    struct stream *found[2] = {NULL, NULL};

    for (int side = 0; side < 2; side++)
        for (uint32_t i = pair->streams[side]; i != FLOW_NO_STREAM; i = e->streams[i]->next_in_pair)
            if (e->streams[i]->service != RDC_SERVICE_UD)
                found[side] = e->streams[i];
    if (found[0] != NULL && found[1] != NULL && may_pair(found[0], found[1]))
        pairing_make(e, found[0], found[1], FLOW_PAIRED_ONLY);
}

void pairing_new_stream(struct flow_engine *e, struct stream *s)
{
    struct host_pair *pair = &e->pairs[s->pair];

    pair->connected[s->side]++;
    if (pair->connected[0] + pair->connected[1] == 3)
        question_only_pairs(e, pair);
    else if (pair->connected[0] == 1 && pair->connected[1] == 1)
        pair_only(e, pair);
}

/* ------------------------------------------------------------------ sport */

static uint64_t port_hash(const struct flow_engine *e, uint32_t pair, uint8_t side, uint16_t port)
{
    return flow_hash_words(&e->hash_key, (uint64_t)pair << 1 | side, port);
}

struct port_query {
    const struct flow_engine *engine;
    uint32_t pair;
    uint8_t side;
    uint16_t port;
};

static bool port_equal(const void *context, uint32_t index)
{
    const struct port_query *q = context;
    const struct stream *s = q->engine->streams[index];

    return s->pair == q->pair && s->side == q->side && s->first_port == q->port;
}

/* The table holds the latest stream of each (pair, side, port); the others hang behind it. */
static void index_port(struct flow_engine *e, struct stream *s, uint16_t port)
{
    struct port_query q = {e, s->pair, s->side, port};
    uint64_t hash = port_hash(e, s->pair, s->side, port);
    uint32_t head = flow_table_find(&e->port_table, hash, port_equal, &q);

    if (head == FLOW_NO_STREAM) {
        flow_table_add(&e->port_table, hash, s->index);
    } else {
        s->next_of_port = e->streams[head]->next_of_port;
        e->streams[head]->next_of_port = s->index;
    }
}

/* Ports that follow from QPNs are spread over 2^14: where many streams share one, it is a
 * coincidence when it fits two QPNs. `i`: the first stream of the port. */
static bool port_tells(const struct flow_engine *e, uint32_t i)
{
    uint32_t sharing = 0, most;

    if (i == FLOW_NO_STREAM)
        return false;
    most = PORT_SHARED + e->pairs[e->streams[i]->pair].connected[e->streams[i]->side] / 1024;
    if (most > PORT_SHARED_MAX)
        most = PORT_SHARED_MAX;
    for (; i != FLOW_NO_STREAM && sharing <= most; i = e->streams[i]->next_of_port)
        sharing++;
    return sharing <= most;
}

void pairing_new_port(struct flow_engine *e, struct stream *s, uint16_t port)
{
    struct port_query q = {e, s->pair, (uint8_t)!s->side, port};
    uint32_t i =
        flow_table_find(&e->port_table, port_hash(e, q.pair, q.side, port), port_equal, &q);

    s->port_tried = true;
    s->first_port = port;
    if (!port_tells(e, i))
        i = FLOW_NO_STREAM;
    for (; i != FLOW_NO_STREAM; i = e->streams[i]->next_of_port) {
        struct stream *other = e->streams[i];

        if (other->key.dest_qpn == 0 || s->key.dest_qpn == 0 ||
            pairing_hashed_port(s->key.dest_qpn, other->key.dest_qpn) != port)
            continue;
        if (s->paired_by == FLOW_PAIRED_CM || other->paired_by == FLOW_PAIRED_CM ||
            other->paired_by == FLOW_PAIRED_SPORT)
            continue;
        if (s->peer == other->index) {
            s->paired_by = other->paired_by = FLOW_PAIRED_SPORT;
            break;
        }
        unpair(e, s);
        unpair(e, other);
        pairing_make(e, s, other, FLOW_PAIRED_SPORT);
        break;
    }
    index_port(e, s, port);
}

void pairing_second_port(struct flow_engine *e, struct stream *s)
{
    struct stream *peer = stream_peer(e, s);
    const struct host_pair *pair = &e->pairs[s->pair];

    if (s->paired_by != FLOW_PAIRED_SPORT || peer == NULL)
        return;
    if (proved(s, peer))
        s->paired_by = peer->paired_by = FLOW_PAIRED_PSN;
    else if (pair->connected[0] == 1 && pair->connected[1] == 1)
        s->paired_by = peer->paired_by = FLOW_PAIRED_ONLY;
}

/* ------------------------------------------------------------------ psn */

/* Whether a response with this PSN can answer a request of s that was seen */
static bool answers(const struct stream *s, uint32_t psn)
{
    const struct requester *r = s->requester;
    int64_t u;

    if (r == NULL || !r->started)
        return false;
    u = unwrap(r->next, psn);
    return pairing_is_recent(r, u) && u < r->next + (r->loose ? PAIRING_RECENT : 0);
}

/* A little ahead of the requests, as where the directions were recorded out of step: that is no
 * evidence. */
static bool is_ahead(const struct stream *s, uint32_t psn)
{
    int64_t ahead = unwrap(s->requester->next, psn) - s->requester->next;

    return ahead >= 0 && ahead < AHEAD;
}

/* Whether that request asked for it */
static bool asked(const struct stream *s, uint32_t psn)
{
    const struct requester *r = s->requester;
    const struct seen *seen = history_find(&r->seen, unwrap(r->next, psn));

    return seen != NULL && (seen->flags & SEEN_WANTS_ACK) != 0;
}

static void add_candidate(struct flow_engine *e, struct stream *t, uint32_t index, bool exact)
{
    if (t->candidates == NULL)
        t->candidates = flow_arena_new(&e->arena, CANDIDATES_MAX * sizeof(*t->candidates));
    if (t->candidates != NULL && t->candidate_count < CANDIDATES_MAX)
        t->candidates[t->candidate_count++] = (struct candidate){index, 1, exact};
}

static void find_candidates(struct flow_engine *e, struct stream *t, uint32_t psn)
{
    uint32_t i = e->pairs[t->pair].streams[!t->side], looked = 0;

    for (; i != FLOW_NO_STREAM && looked < SEARCH_MAX && t->candidate_count < CANDIDATES_MAX;
         i = e->streams[i]->next_in_pair, looked++)
        if (may_pair(t, e->streams[i]) && answers(e->streams[i], psn))
            add_candidate(e, t, i, asked(e->streams[i], psn));
    e->search_credit -= looked;
}

static void weigh_candidates(struct flow_engine *e, struct stream *t, uint32_t psn)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < t->candidate_count; i++) {
        struct candidate c = t->candidates[i];

        if (!may_pair(t, e->streams[c.stream]) || !answers(e->streams[c.stream], psn))
            continue;
        c.hits++;
        c.exact += asked(e->streams[c.stream], psn);
        t->candidates[kept++] = c;
    }
    t->candidate_count = (uint8_t)kept;
}

/* One candidate is left, or one fits clearly better after several responses. */
static struct candidate *best_candidate(struct stream *t)
{
    struct candidate *best = t->candidates;
    bool tie = false;

    if (best == NULL || t->candidate_count == 0)
        return NULL;
    for (uint32_t i = 1; i < t->candidate_count; i++) {
        struct candidate *c = &t->candidates[i];

        tie = c->exact == best->exact || (tie && c->exact < best->exact);
        if (c->exact > best->exact)
            best = c;
    }
    if (t->candidate_count == 1)
        return best;
    return best->hits >= DECIDE && !tie ? best : NULL;
}

/* A search looks at many streams: the more were in vain, the fewer are made. Answers to nothing, of
 * ever new streams, must not make each packet search: all searches together have a bound, too. */
static bool worth_searching(struct flow_engine *e, struct stream *t)
{
    uint32_t n;

    e->search_credit += SEARCH_EARNED;
    if (e->search_credit <= 0)
        return false;
    n = t->vain_searches++;
    return n < VAIN || (n & (n - 1)) == 0 || n % (VAIN * VAIN) == 0;
}

static void seek_peer(struct flow_engine *e, struct stream *t, uint32_t psn)
{
    struct candidate *best;
    uint32_t matches;

    if (t->candidate_count > 0)
        weigh_candidates(e, t, psn);
    else if (worth_searching(e, t))
        find_candidates(e, t, psn);
    best = best_candidate(t);
    if (best == NULL)
        return;
    matches = best->hits;
    pairing_make(e, t, e->streams[best->stream], FLOW_PAIRED_PSN);
    t->matches = matches;
}

static void confirm_peer(struct flow_engine *e, struct stream *t, uint32_t psn)
{
    struct stream *s = stream_peer(e, t);
    const struct host_pair *pair = &e->pairs[t->pair];

    /* -fanalyzer: only a stream that has a peer confirms it */
    if (s->requester == NULL || !s->requester->started)
        return;
    if (answers(s, psn)) {
        pairing_confirmed(t);
        return;
    }
    if (is_ahead(s, psn))
        return;
    t->misses++;
    if (t->paired_by == FLOW_PAIRED_SPORT || t->misses < PROOF ||
        pair->connected[0] + pair->connected[1] < 3)
        return;
    unpair(e, t);
    seek_peer(e, t, psn);
}

void pairing_response(struct flow_engine *e, struct stream *t, const struct rdc_packet *pkt)
{
    if (t->peer == FLOW_NO_STREAM)
        seek_peer(e, t, pkt->ib.bth.psn);
    else if (t->paired_by != FLOW_PAIRED_CM)
        confirm_peer(e, t, pkt->ib.bth.psn);
}
