/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How a violation is told in words, by every format that shows sentences.
 */
#ifndef RENDER_CHECK_WORDS_H
#define RENDER_CHECK_WORDS_H

#include "render/buffer.h"
#include "report/check_result.h"

/* Up to four decimals: "3", "0.1", "12.0625" */
void check_number(struct buffer *out, double value);
/* "3 > 0", "0.25 > 0.1 %", "46 not in 26,48" */
void check_comparison(struct buffer *out, const struct check_rule *rule,
                      const struct check_violation *violation);
/* "connection 1, 10.0.0.1 qp 17 - 10.0.0.2 qp 18; frames 41, 57, 95" */
void check_place(struct buffer *out, const struct check_capture *capture,
                 const struct check_violation *violation);
/* All of it: "psn_gaps 3 > 0: connection 1, ..." */
void check_sentence(struct buffer *out, const struct check_report *report,
                    const struct check_capture *capture, const struct check_violation *violation);
/* A frame: "41", of several files "FILE:41" */
void check_frame(struct buffer *out, const struct check_capture *capture, uint64_t frame);
/* The files of a capture: "a.pcap", "a.pcap + b.pcap" */
void check_capture_name(struct buffer *out, const struct check_capture *capture);
/* "3 limits broken: psn_gaps, naks, timeouts", "can't decide: ...", ...; nothing when it passed */
void check_verdict(struct buffer *out, const struct check_report *report,
                   const struct check_capture *capture);

#endif
