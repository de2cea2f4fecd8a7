/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What rules see, and the lists of rules. A rule is one function: it looks at one direction of one
 * connection or at the whole capture, and raises what it finds.
 */
#ifndef ANALYSIS_FINDINGS_RULES_H
#define ANALYSIS_FINDINGS_RULES_H

#include "analysis/findings/findings.h"
#include "analysis/page/visibility.h"
#include "analysis/round_sums.h"
#include "analysis/say.h"

/* One direction of a connection: what its sender sent. It was captured. */
struct sight {
    const struct analysis_input *in;
    const struct flow_connection *c;
    const struct flow_direction *sent;
    const struct flow_direction *back;   /* the opposite one; its counters may be NULL */
    const struct flow_counters *n;       /* of `sent` */
    const struct evidence_stream *proof; /* of `sent`; all empty when there is none */
    const struct evidence_stream *proof_back;
    const struct round_sums
        *rounds; /* of its sender as a requester; all zero when there are none */
    const struct round_sums *rounds_back;
    struct visibility v;           /* of `sent` */
    struct finding_subject stream; /* of `sent` */
    struct finding_subject stream_back;
    struct finding_subject receiver; /* the host that `sent` goes to */
    uint8_t resends; /* enum finding_class: why `sent` repeats most of what it repeats */
    bool a_to_b;
};

/* Addresses as they stand in a sentence: of the sender, of the receiver */
struct say sight_from(const struct sight *s);
struct say sight_to(const struct sight *s);

/* Losses behind the capture point, without packets that nobody answered at all */
static inline uint64_t sight_lost_after(const struct sight *s)
{
    uint64_t n = s->v.after == NULL ? s->n->lost_after_tap : 0;

    return n - MIN(n, s->rounds->outages.seen);
}

/* Looks at one direction. */
struct direction_rule {
    void (*raise)(const struct sight *s, struct findings *out);
    size_t counter; /* of struct flow_counters: where it is zero, there is nothing to raise */
};

#define WITH(counter) offsetof(struct flow_counters, counter)

/* Looks at the whole capture. Connections are walked once for all of these rules: `look` sees each
 * of them, and gathers for `raise`. */
struct capture_rule {
    void (*raise)(const struct analysis_input *in, const void *gathered, struct findings *out);
    void (*look)(void *gathered, const struct analysis_input *in, const struct flow_connection *c);
    size_t gathered_size; /* of what is zero at first; 0 and NULL: it does not look at any */
};

/* Each ends with one without `raise`. */
extern const struct direction_rule loss_rules[];       /* loss.c */
extern const struct direction_rule damage_rules[];     /* loss.c, too: order says nothing */
extern const struct direction_rule recovery_rules[];   /* recovery.c */
extern const struct direction_rule refusal_rules[];    /* refusal.c */
extern const struct capture_rule capture_rules[];      /* capture.c */
extern const struct capture_rule pause_rules[];        /* pause.c */
extern const struct direction_rule congestion_rules[]; /* congestion.c */
extern const struct capture_rule ecn_rules[];
extern const struct direction_rule path_rules[]; /* path.c */
extern const struct capture_rule path_capture_rules[];
extern const struct capture_rule fabric_rules[];  /* fabric.c */
extern const struct direction_rule iwarp_rules[]; /* iwarp.c */

struct finding_subject subject_stream(uint32_t stream);
struct finding_subject subject_port(const uint8_t mac[6], int priority, uint32_t link);
struct finding_subject subject_host(uint8_t address_kind, const uint8_t address[16]);

/* A finding about the connection of `s` and what is sent */
struct finding sight_finding(const struct sight *s, enum finding_id id,
                             const struct first_frames *frames);
/* From when to when, and how it ended, as these rounds of a requester tell */
void sight_span(const struct sight *s, const struct round_sums *requester, enum round_spans which,
                struct finding *f);
/* Frames of a kind of event in the sent direction, or NULL */
static inline const struct first_frames *sight_frames(const struct sight *s, unsigned kind)
{
    return evidence_frames(s->in->evidence, s->sent->stream, kind);
}

/* What several connections show together, with the frames of the worst */
struct gathered {
    uint64_t sum;
    uint32_t connections; /* that show it */
    uint32_t worst;       /* connection with the most */
    uint64_t most;
    struct first_frames frames; /* of the worst */
};

/* Adds a connection that shows `n` of it; `frames`: NULL for its first frame */
void gather(struct gathered *g, const struct flow_connection *c, uint64_t n,
            const struct first_frames *frames);
struct finding gathered_finding(enum finding_id id, const struct gathered *g);

static inline double share_pct(uint64_t part, uint64_t whole)
{
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0.0;
}

#endif
