/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The reading loop that all commands share: packets come decoded, some at a time; what is
 * wrong with the files is told at the end, after what could be read. SIGINT and SIGTERM end
 * reading, which counts as damage there; a second one ends the process.
 *
 *     struct feed *in = feed_open(&options, &status);
 *     while (in != NULL && (count = feed_next(in, &packets)) > 0)
 *         ... packets[0 .. count - 1]
 *     status = feed_close(in, status);
 *
 * or, where nearly all packets may be told in brief,
 *
 *     while (in != NULL && feed_next_batch(in, &batch))
 *         ... batch
 */
#ifndef CMD_FEED_H
#define CMD_FEED_H

#include "analysis/capture.h"
#include "cmd/command.h"
#include "cmd/options.h"
#include "flow/flow.h"

enum {
    FEED_BATCH = FLOW_BATCH,
};

/* Sees batches before those who ask for them, and in their order; may be in another thread: until
 * the last packet has come it works on what is its own. */
struct feed_observer {
    void (*batch)(void *context, const struct flow_batch *batch);
    void *context;
};

/* NULL after an error, which has been told; *status then says which kind, else it is STATUS_OK.
 * `options` are borrowed until feed_close(). */
struct feed *feed_open(const struct options *options, enum exit_status *status);

/* The same, but the error is the caller's to tell. */
struct feed *feed_try(const struct options *options, enum exit_status *status, GError **error);

/* Before the first packet. */
void feed_observe(struct feed *in, const struct feed_observer *observer);

/* The next packets, decoded, at most FEED_BATCH; 0 at the end. Their `frame` is a frame reference
 * (report/frame.h), `interface` the first one that sees the same link: files of one capture share
 * its interfaces. They, and the bytes that they borrow, are valid until the next call. */
size_t feed_next(struct feed *in, const struct rdc_packet **packets);

/* The same, told in brief where they can be; false at the end. Not to be mixed with feed_next(). */
bool feed_next_batch(struct feed *in, struct flow_batch *batch);

/* After the last packet: some that were counted as TCP belong to iWARP, which only the engine
 * knows. */
void feed_saw_iwarp(struct feed *in, const struct flow_engine *engine);

/* What has been read so far; complete once feed_next() has returned 0. `file_count` is right
 * from the start; call it again for interfaces and drops. Valid until feed_close(). */
const struct capture *feed_capture(struct feed *in);

/* What is wrong with the files, sentences; complete once feed_next() has returned 0. */
size_t feed_damage_count(const struct feed *in);
const char *feed_damage(const struct feed *in, size_t index);

/* Tells what the engine had no memory to follow, and how many rounds were not kept, for those whose
 * output can't; and that files overlap, for those who do not read the page. After flow_finish() */
void feed_tell_limits(const struct feed *in, const struct flow_engine *engine, uint64_t rounds);

/* Tells damage and warnings, and when no RDMA was found, what was. Returns STATUS_INPUT when a file
 * was damaged, else `status`. NULL is accepted. */
enum exit_status feed_close(struct feed *in, enum exit_status status);

#endif
