/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Handshakes (see setup.h): REQ, REP, RTU make a connection, REJ refuses it, DREQ and DREP end it.
 */
#include "analysis/setup.h"

#include <glib.h>

#include "analysis/numbers.h"
#include "analysis/say.h"
#include "flow/histogram.h"
#include "rdc/cm.h"
#include "rdc/mad.h"

enum {
    EXCHANGES_MAX = 1 << 20,
    REASONS_MAX = 64,
    SHOWN_MAX = 100,
    ABOUT_REQ = 0, /* REJ refuses a REQ (12.6.7.1) */
};

struct refusal {
    uint16_t reason;
    uint8_t about;
    struct tally rejects;
};

/* Bytes without gaps */
struct exchange_key {
    uint8_t caller[16], called[16];
    uint32_t id; /* the caller's communication ID, or its QPN */
};

/* The latest exchange of a key */
struct exchange_index {
    struct numbers keys;    /* of struct exchange_key */
    struct try_list latest; /* of uint32_t, by such a number: 1 + index of the exchange */
};

struct setup {
    struct try_list list; /* of struct setup_exchange */
    uint32_t count;       /* of them */
    struct exchange_index by_id, by_qpn;
    struct flow_histogram reply;     /* REQ to REP */
    struct flow_histogram handshake; /* REQ to RTU */
    uint64_t messages;
    uint64_t not_counted;
    uint64_t sidr_requests, sidr_replies, sidr_refused;
    unsigned refusal_count;
    struct refusal refusals[REASONS_MAX];
};

static void begin(void *state, const struct capture *capture)
{
    struct setup *s = state;

    (void)capture;
    s->by_id.keys.key_size = sizeof(struct exchange_key);
    s->by_qpn.keys.key_size = sizeof(struct exchange_key);
}

static void index_done(struct exchange_index *index)
{
    try_list_done(&index->latest);
    numbers_done(&index->keys);
}

static void done(void *state)
{
    struct setup *s = state;

    try_list_done(&s->list);
    index_done(&s->by_id);
    index_done(&s->by_qpn);
    flow_histogram_done(&s->reply, NULL);
    flow_histogram_done(&s->handshake, NULL);
}

static struct setup_exchange *at(const struct setup *s, size_t i)
{
    return (struct setup_exchange *)s->list.entries + i;
}

/* ------------------------------------------------------------------ finding the exchange */

static struct exchange_key key_of(const uint8_t caller[16], const uint8_t called[16], uint32_t id)
{
    struct exchange_key key = {.id = id};

    memcpy(key.caller, caller, 16);
    memcpy(key.called, called, 16);
    return key;
}

static struct setup_exchange *find_in(const struct setup *s, const struct exchange_index *index,
                                      const struct exchange_key *key)
{
    uint32_t number = numbers_find(&index->keys, key);
    uint32_t latest = number < index->latest.room ? ((uint32_t *)index->latest.entries)[number] : 0;

    return latest != 0 ? at(s, latest - 1) : NULL;
}

static struct setup_exchange *find(const struct setup *s, const uint8_t caller[16],
                                   const uint8_t called[16], uint32_t id)
{
    struct exchange_key key = key_of(caller, called, id);

    return find_in(s, &s->by_id, &key);
}

/* Makes room for a key; NULL: there is no memory for it */
static uint32_t *reach(struct exchange_index *index, const struct exchange_key *key)
{
    uint32_t number = numbers_of(&index->keys, key);

    if (number == NO_NUMBER || !try_list_reach(&index->latest, number, sizeof(uint32_t)))
        return NULL;
    return (uint32_t *)index->latest.entries + number;
}

/* Keeps an exchange, the latest of its id and QPN; false: there is no memory for it */
static bool keep(struct setup *s, const struct setup_exchange *x)
{
    struct exchange_key id = key_of(x->caller, x->called, x->comm_id[0]);
    struct exchange_key qpn = key_of(x->caller, x->called, x->caller_qpn);
    uint32_t *of_id = reach(&s->by_id, &id), *of_qpn = reach(&s->by_qpn, &qpn);

    if (of_id == NULL || of_qpn == NULL || !try_list_reach(&s->list, s->count, sizeof(*x)))
        return false;
    *at(s, s->count++) = *x;
    *of_id = *of_qpn = s->count;
    return true;
}

/* Whichever end sent it. The called side knows the caller's id as the remote one. */
static struct setup_exchange *of_message(const struct setup *s, const struct rdc_packet *pkt,
                                         const struct rdc_cm *cm, bool *by_caller)
{
    struct setup_exchange *x = find(s, pkt->src, pkt->dst, cm->local_comm_id);

    *by_caller = x != NULL && (x->comm_id[1] == 0 || cm->remote_comm_id == 0 ||
                               x->comm_id[1] == cm->remote_comm_id);
    return *by_caller ? x : find(s, pkt->dst, pkt->src, cm->remote_comm_id);
}

/* ------------------------------------------------------------------ messages */

/* The latest try was answered here. A repeat that comes soon behind a late answer was on its way
 * already; one that comes later behind the answer than the answer behind the try was not. */
static bool is_unheard(const struct setup_asked *a, const struct rdc_packet *pkt)
{
    return a->heard_ns != INT64_MIN && pkt->time_ns - a->heard_ns > a->heard_ns - a->latest_ns;
}

/* Copies on other interfaces are no repetitions. */
static void ask(struct setup_asked *a, const struct setup_exchange *x, const struct rdc_packet *pkt,
                bool by_caller)
{
    if (a->tries == 0)
        *a = (struct setup_asked){.by_caller = by_caller,
                                  .first_ns = pkt->time_ns,
                                  .answer_ns = INT64_MIN,
                                  .heard_ns = INT64_MIN};
    else if (x->interface != pkt->interface || a->by_caller != by_caller)
        return;
    a->unheard += is_unheard(a, pkt);
    if (a->tries < SETUP_FRAMES)
        a->frames[a->tries] = pkt->frame;
    a->tries++;
    a->latest_ns = pkt->time_ns;
    a->heard_ns = INT64_MIN;
}

/* At another interface than the request's it may get lost between both; and a DREQ of the other
 * side is no answer that ends the asking. */
static void answer(struct setup_asked *a, const struct setup_exchange *x,
                   const struct rdc_packet *pkt, uint16_t message, bool by_caller)
{
    if (a->tries == 0 || a->by_caller == by_caller)
        return;
    if (a->answer_ns == INT64_MIN)
        a->answer_ns = pkt->time_ns;
    if (message == RDC_CM_DREQ || x->interface != pkt->interface)
        return;
    if (a->answer_frame == 0)
        a->answer_frame = pkt->frame;
    if (a->heard_ns == INT64_MIN)
        a->heard_ns = pkt->time_ns;
}

/* A refusal may get lost, too. */
static bool is_same_request(const struct setup_exchange *old, const struct rdc_cm *cm,
                            uint64_t transaction)
{
    return old != NULL && old->caller_qpn == cm->local_qpn &&
           (old->state <= SETUP_ESTABLISHED ||
            (old->state == SETUP_REJECTED && old->transaction == transaction));
}

static void on_request(struct setup *s, const struct rdc_packet *pkt, const struct rdc_cm *cm,
                       uint64_t transaction)
{
    struct setup_exchange *old = find(s, pkt->src, pkt->dst, cm->local_comm_id);
    struct setup_exchange fresh = {.address_kind = pkt->address_kind,
                                   .comm_id = {cm->local_comm_id, 0},
                                   .caller_qpn = cm->local_qpn,
                                   .transaction = transaction,
                                   .interface = pkt->interface,
                                   .service_id = cm->service_id,
                                   .last_frame = pkt->frame};

    if (is_same_request(old, cm, transaction)) {
        ask(&old->connect, old, pkt, true);
        return;
    }
    if (rdc_cm_has(cm, RDC_CM_HAS_REMOTE_RESPONSE_TIMEOUT))
        fresh.patience_ns = (int64_t)rdc_cm_timeout_ns(cm->remote_cm_response_timeout);
    ask(&fresh.connect, &fresh, pkt, true);
    memcpy(fresh.caller, pkt->src, 16);
    memcpy(fresh.called, pkt->dst, 16);
    flow_key_of(pkt, &fresh.key);
    s->not_counted += s->count == EXCHANGES_MAX || !keep(s, &fresh);
}

static void enter(struct setup_exchange *x, enum setup_state state, const struct rdc_packet *pkt)
{
    x->state = (uint8_t)state;
    x->last_frame = pkt->frame;
}

static void on_reject(struct setup *s, struct setup_exchange *x, const struct rdc_packet *pkt,
                      const struct rdc_cm *cm, bool by_caller)
{
    unsigned i = 0;

    if (cm->about_message == ABOUT_REQ)
        answer(&x->connect, x, pkt, RDC_CM_REJ, by_caller);
    if (x->state == SETUP_REJECTED)
        return; /* sent again */
    enter(x, SETUP_REJECTED, pkt);
    x->about = cm->about_message;
    x->reason = cm->reason;
    while (i < s->refusal_count &&
           (s->refusals[i].reason != cm->reason || s->refusals[i].about != cm->about_message))
        i++;
    if (i == REASONS_MAX)
        return;
    if (i == s->refusal_count)
        s->refusals[s->refusal_count++] =
            (struct refusal){.reason = cm->reason, .about = cm->about_message};
    tally_add(&s->refusals[i].rejects, pkt->frame);
}

/* Something that needs a REP, though none came here */
static void show_reply(struct setup_exchange *x, int64_t time_ns)
{
    if (x->state != SETUP_REQUESTED)
        return;
    x->reply_missed = true;
    x->shown_ns = time_ns;
}

static void on_answer(struct setup *s, struct setup_exchange *x, const struct rdc_packet *pkt,
                      const struct rdc_cm *cm, bool by_caller)
{
    if (!by_caller)
        x->comm_id[1] = cm->local_comm_id;
    switch (cm->message) {
    case RDC_CM_REP:
        answer(&x->connect, x, pkt, RDC_CM_REP, by_caller);
        if (x->state != SETUP_REQUESTED)
            break;
        enter(x, SETUP_REPLIED, pkt);
        x->called_qpn = cm->local_qpn;
        flow_histogram_add(&s->reply, pkt->time_ns - x->connect.first_ns, NULL);
        break;
    case RDC_CM_RTU:
        if (x->state > SETUP_REPLIED)
            break;
        show_reply(x, pkt->time_ns);
        enter(x, SETUP_ESTABLISHED, pkt);
        flow_histogram_add(&s->handshake, pkt->time_ns - x->connect.first_ns, NULL);
        break;
    case RDC_CM_REJ:
        on_reject(s, x, pkt, cm, by_caller);
        break;
    case RDC_CM_DREQ:
    case RDC_CM_DREP:
        answer(&x->disconnect, x, pkt, cm->message, by_caller);
        if (cm->message == RDC_CM_DREQ)
            ask(&x->disconnect, x, pkt, by_caller);
        show_reply(x, pkt->time_ns);
        if (x->state != SETUP_CLOSED)
            enter(x, SETUP_CLOSED, pkt);
        break;
    default:
        break;
    }
}

static void unusual(void *state, const struct rdc_packet *pkt)
{
    struct setup *s = state;
    struct rdc_cursor cur;
    struct setup_exchange *x;
    struct rdc_mad mad;
    struct rdc_cm cm;
    bool by_caller;

    if (pkt->kind != RDC_KIND_BTH || pkt->ib.bth.dest_qpn != 1 || pkt->ib.payload == NULL ||
        pkt->ib.icrc_check == RDC_CHECK_BAD)
        return;
    cur = (struct rdc_cursor){pkt->ib.payload, pkt->ib.payload_captured, pkt->ib.payload_size};
    if (rdc_mad_decode(&cur, &mad) != RDC_OK || rdc_cm_decode(&mad, &cm) != RDC_OK)
        return;
    s->messages++;
    s->sidr_requests += cm.message == RDC_CM_SIDR_REQ;
    s->sidr_replies += cm.message == RDC_CM_SIDR_REP;
    s->sidr_refused += cm.message == RDC_CM_SIDR_REP && cm.sidr_status != 0;
    if (cm.message == RDC_CM_REQ) {
        on_request(s, pkt, &cm, mad.transaction_id);
        return;
    }
    x = of_message(s, pkt, &cm, &by_caller);
    if (x != NULL)
        on_answer(s, x, pkt, &cm, by_caller);
}

/* ------------------------------------------------------------------ what came of it */

/* Who sends to the caller's queue pair learned its number from the request, and accepted it. */
static void look_at_use(struct setup *s, const struct flow_endpoint *caller,
                        const struct flow_endpoint *called, const struct flow_direction *back)
{
    struct exchange_key key = key_of(caller->address, called->address, caller->qpn);
    struct setup_exchange *x;

    if (back->counters == NULL || !caller->qpn_known || caller->has_port)
        return;
    x = find_in(s, &s->by_qpn, &key);
    if (x == NULL || x->state != SETUP_REQUESTED || back->first_ns < x->connect.first_ns)
        return;
    show_reply(x, back->first_ns);
    x->state = SETUP_ESTABLISHED;
}

static void connection(void *state, const struct analysis_input *in,
                       const struct flow_connection *c)
{
    struct setup *s = state;

    (void)in;
    if (c == NULL || s->count == 0)
        return;
    look_at_use(s, &c->a, &c->b, &c->b_to_a);
    look_at_use(s, &c->b, &c->a, &c->a_to_b);
}

size_t setup_count(const struct analysis_run *run)
{
    const struct setup *s = analysis_run_state(run, &an_setup);

    return s->count;
}

uint64_t setup_not_counted(const struct analysis_run *run)
{
    const struct setup *s = analysis_run_state(run, &an_setup);

    return s->not_counted;
}

const struct setup_exchange *setup_get(const struct analysis_run *run, size_t index)
{
    return at(analysis_run_state(run, &an_setup), index);
}

uint32_t setup_stream(const struct flow_engine *engine, const struct setup_exchange *x)
{
    struct flow_key key = x->key;
    uint32_t stream;

    key.dest_qpn = x->called_qpn;
    stream = x->called_qpn != 0 ? flow_stream_of(engine, &key) : FLOW_NO_STREAM;
    if (stream != FLOW_NO_STREAM)
        return stream;
    memcpy(key.src, x->called, sizeof(key.src));
    memcpy(key.dst, x->caller, sizeof(key.dst));
    key.dest_qpn = x->caller_qpn;
    return flow_stream_of(engine, &key);
}

bool setup_unanswered(const struct setup_exchange *x, const struct capture *capture)
{
    return x->state == SETUP_REQUESTED &&
           (x->connect.tries > 1 || capture->last_time_ns - x->connect.latest_ns > x->patience_ns);
}

/* ------------------------------------------------------------------ report */

static void put_times(struct report_node *parent, const char *name, const struct flow_histogram *h)
{
    struct report_node *section = report_section(parent, name, NULL);
    static const struct {
        const char *name;
        unsigned permille;
    } points[] = {{"p50", 500}, {"p90", 900}, {"p99", 990}, {"max", 1000}};

    report_item(section, "count", NULL, report_count(h->count));
    for (unsigned i = 0; i < G_N_ELEMENTS(points); i++)
        report_item(section, points[i].name, NULL,
                    h->count > 0
                        ? report_ns((int64_t)flow_histogram_quantile(h, points[i].permille))
                        : report_none());
}

/* "12 us (median), 40 us (p99), 41 us (max)" */
static void say_times(struct report_node *section, const char *title,
                      const struct flow_histogram *h)
{
    char *text;

    if (h->count == 0)
        return;
    text = g_strdup_printf(
        "%s (median), %s (p99), %s (max)", say_ns((int64_t)flow_histogram_quantile(h, 500)).text,
        say_ns((int64_t)flow_histogram_quantile(h, 990)).text, say_ns((int64_t)h->max).text);
    report_item(section, NULL, title, report_from(report_text(text), REPORT_CLOCKED));
    g_free(text);
}

static void put_rejects(struct report_node *section, const struct setup *s)
{
    static const struct report_column columns[] = {{"reason", "Reason", false},
                                                   {"reason_text", "In words", false},
                                                   {"about", "Of", false},
                                                   {"count", "Count", false},
                                                   {"frames", "Frames", false}};
    static const char *const about[] = {"REQ", "REP", "other"};
    struct report_node *table = report_table(section, "rejects", "Rejected connections",
                                             REPORT_ARRAY, columns, G_N_ELEMENTS(columns));

    for (unsigned i = 0; i < s->refusal_count; i++) {
        const struct refusal *r = &s->refusals[i];

        report_row(table, (struct report_value[]){
                              report_number(r->reason), report_text(rdc_cm_reason_text(r->reason)),
                              report_text(about[r->about < 2 ? r->about : 2]),
                              report_count(r->rejects.count), tally_frames(&r->rejects)});
    }
}

static void put_unanswered(struct report_node *section, const struct setup *s,
                           const struct capture *capture)
{
    static const struct report_column columns[] = {{"first_frame", "Frame", false},
                                                   {"caller", "From", false},
                                                   {"called", "To", false},
                                                   {"ulp", "For", true},
                                                   {"tries", "Tries", false}};
    struct report_node *table = report_table(section, "unanswered_requests", "Unanswered requests",
                                             REPORT_ARRAY, columns, G_N_ELEMENTS(columns));
    uint64_t count = 0;

    for (uint32_t i = 0; i < s->count; i++) {
        const struct setup_exchange *x = at(s, i);
        const char *ulp = rdc_ulp_name(x->service_id);

        if (!setup_unanswered(x, capture) || count++ >= SHOWN_MAX)
            continue;
        report_row(
            table,
            (struct report_value[]){
                report_frame(x->connect.frames[0]), report_address(x->address_kind, x->caller),
                report_address(x->address_kind, x->called),
                ulp != NULL ? report_text(ulp) : report_unknown("the service id suggests none"),
                report_count(x->connect.tries)});
    }
    report_item(section, "unanswered", NULL, report_count(count));
}

static void put_states(struct report_node *section, const struct setup *s)
{
    uint64_t of[SETUP_STATES] = {0}, missed = 0, repeated = 0, teardowns = 0;

    for (uint32_t i = 0; i < s->count; i++) {
        of[at(s, i)->state]++;
        missed += at(s, i)->reply_missed;
        repeated += at(s, i)->connect.tries - 1;
        teardowns += MAX(at(s, i)->disconnect.tries, 1) - 1;
    }
    report_item(section, "requests", "Attempts", report_count(s->count));
    report_item(section, "repeated_requests", "Asked again", report_count(repeated));
    report_item(section, "repeated_teardowns", "Teardown asked again", report_count(teardowns));
    report_item(section, "established", "Established",
                report_count(of[SETUP_ESTABLISHED] + of[SETUP_REPLIED] + of[SETUP_CLOSED]));
    report_item(section, "rejected", "Rejected", report_count(of[SETUP_REJECTED]));
    report_item(section, "without_teardown", "Without teardown",
                report_count(of[SETUP_ESTABLISHED] + of[SETUP_REPLIED]));
    report_item(section, "replies_not_captured", "Replies not here", report_count(missed));
    report_item(section, "sidr_requests", NULL, report_count(s->sidr_requests));
    report_item(section, "sidr_replies", NULL, report_count(s->sidr_replies));
    report_item(section, "sidr_refused", NULL, report_count(s->sidr_refused));
    report_item(section, "requests_not_counted", NULL, report_count(s->not_counted));
}

static void report(const void *state, const struct analysis_input *in, struct report_node *root)
{
    const struct setup *s = state;
    struct report_node *section = report_section(root, "setup", s->messages > 0 ? "Set-up" : NULL);

    report_item(section, "cm_messages", "Messages",
                s->messages > 0
                    ? report_count(s->messages)
                    : report_unknown("no set-up message is on the capture: connections began "
                                     "before it, or agree on their numbers in another way"));
    if (s->messages == 0)
        return;
    put_states(section, s);
    say_times(section, "Request to reply", &s->reply);
    say_times(section, "Request to ready", &s->handshake);
    put_times(section, "reply_ns", &s->reply);
    put_times(section, "handshake_ns", &s->handshake);
    put_rejects(section, s);
    put_unanswered(section, s, in->capture);
}

const struct analysis an_setup = {
    .name = "setup",
    .summary = "set-up and teardown of connections",
    .state_size = sizeof(struct setup),
    .begin = begin,
    .unusual = unusual,
    .connection = connection,
    .report = report,
    .done = done,
};
