/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Finding where FPDUs begin, in bytes of which nothing is known.
 */
#ifndef FLOW_MPA_SYNC_H
#define FLOW_MPA_SYNC_H

#include "flow/mpa_fpdu.h"

/* How much proof is needed */
struct mpa_proof {
    uint8_t crcs;  /* consecutive FPDUs whose CRC fits */
    uint8_t zeros; /* or that are plausible and have a CRC of 0 */
    uint8_t cut;   /* or that are plausible and not captured whole */
};

/* Bytes can be made so that an FPDU could begin at each of them. So looking costs credit, which
 * comes with segments; without, places are refused unseen. What is no attack earns far more than it
 * needs: of random bytes, one place in 8000 is looked at. */
enum {
    MPA_CREDIT_MAX = 1 << 20,
    MPA_CREDIT_FIRST = 1 << 17,
    MPA_CREDIT_SEGMENT = 16384, /* earned by a segment */
    MPA_CREDIT_BYTE = 4,        /* and by each of its bytes */
    MPA_CREDIT_PLACE = 4096,    /* cost of a place; CRCs that it needs come to that */
};

static inline void mpa_sync_earn(int64_t *credit, uint32_t captured)
{
    *credit += MPA_CREDIT_SEGMENT + (int64_t)captured * MPA_CREDIT_BYTE;
    if (*credit > MPA_CREDIT_MAX)
        *credit = MPA_CREDIT_MAX;
}

extern const struct mpa_proof mpa_proof_known;   /* the connection is iWARP */
extern const struct mpa_proof mpa_proof_unknown; /* any TCP connection */

/* Do FPDUs begin at `pos`? MPA_WAIT: so far nothing speaks against it, *need says up to where bytes
 * are needed to tell. */
enum mpa_fit mpa_sync_at(const struct tcp_run *run, int64_t pos, const struct mpa_layout *layout,
                         const struct mpa_proof *proof, int64_t *need);
/* Searches the held bytes that are new since the last search, segment starts first, and the places
 * that wait; true and *first when found. */
bool mpa_sync_search(struct tcp_run *run, const struct mpa_layout *layout,
                     const struct mpa_proof *proof, int64_t *first);

#endif
