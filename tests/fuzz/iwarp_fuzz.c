/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Any bytes as what a TCP stream of iWARP holds. An input is three bytes of choices and the bytes:
 *   what they are (enum below), bytes that were not captured:16
 */
#include <stdlib.h>

#include "rdc/iwarp.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    CHOICES = 3,
    AS_MPA = 0,
    AS_FPDUS = 1,
    AS_ULPDU = 2,
    AS_COUNT,
};

static void must(bool holds);
static void read_mpa(struct rdc_cursor *cur);
static void read_fpdus(struct rdc_cursor *cur);
static void read_ulpdu(struct rdc_cursor *cur);
static void read_payload(const uint8_t *payload, uint32_t captured, uint32_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rdc_cursor cur;

    if (size < CHOICES)
        return 0;
    cur = (struct rdc_cursor){
        .at = data + CHOICES,
        .captured = size - CHOICES,
        .wire = size - CHOICES + rdc_be16(data + 1),
    };
    switch (data[0] % AS_COUNT) {
    case AS_MPA:
        read_mpa(&cur);
        break;
    case AS_FPDUS:
        read_fpdus(&cur);
        break;
    default:
        read_ulpdu(&cur);
        break;
    }
    must(cur.captured <= cur.wire);
    return 0;
}

static void read_mpa(struct rdc_cursor *cur)
{
    struct rdc_mpa mpa;
    bool start = rdc_mpa_is_start(cur->at, cur->captured);

    if (rdc_mpa_decode(cur, &mpa) != RDC_OK)
        return;
    must(start);
    read_payload(mpa.private_data, mpa.private_data_captured, mpa.private_data_size);
}

static void read_fpdus(struct rdc_cursor *cur)
{
    struct rdc_fpdu fpdu;
    size_t before = cur->wire;

    while (cur->captured > 0 && rdc_fpdu_decode(cur, &fpdu) == RDC_OK) {
        must(cur->wire < before);
        must(before - cur->wire == rdc_fpdu_size(fpdu.ulpdu_length));
        before = cur->wire;
        must(fpdu.ulpdu.captured <= fpdu.ulpdu.wire);
        must(rdc_fpdu_size_with_markers(fpdu.ulpdu_length, before) >=
             rdc_fpdu_size(fpdu.ulpdu_length));
        read_ulpdu(&fpdu.ulpdu);
    }
}

static void read_ulpdu(struct rdc_cursor *cur)
{
    struct rdc_ddp ddp;
    struct rdc_rdmap rdmap;

    if (rdc_ddp_decode(cur, &ddp) != RDC_OK || rdc_rdmap_decode(cur, &ddp, &rdmap) != RDC_OK)
        return;
    must(rdc_rdmap_name(rdmap.opcode) != NULL);
    if (rdmap.header && rdmap.opcode == RDC_RDMAP_TERMINATE) {
        const struct rdc_rdmap_terminate *t = &rdmap.terminate;

        must(rdc_terminate_layer_name(t->layer) != NULL);
        must(rdc_terminate_type_name(t->layer, t->type) != NULL);
        must(rdc_terminate_code_text(t->layer, t->type, t->code) != NULL);
    }
    read_payload(rdmap.payload, rdmap.payload_captured, rdmap.payload_size);
}

/* Reads all of it, so that the sanitizer sees where it lies. */
static void read_payload(const uint8_t *payload, uint32_t captured, uint32_t size)
{
    const volatile uint8_t *bytes = payload;

    must(captured <= size);
    must((payload == NULL) == (captured == 0));
    for (uint32_t i = 0; i < captured; i++)
        (void)bytes[i];
}

static void must(bool holds)
{
    if (!holds)
        abort();
}
