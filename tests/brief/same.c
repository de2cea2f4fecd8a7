/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * same [PAGE] FILE...: what is said of a capture never depends on whether its packets come in
 * brief. The pages of `stats`, `flows` and `check` are made of it twice, from whole packets and
 * from batches as the commands take them, with one thread and with two, and compared. Some packets
 * must have come in brief, else nothing was compared.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/check/check.h"
#include "analysis/connections.h"
#include "analysis/overview.h"
#include "cmd/feed.h"
#include "render/check_render.h"
#include "render/report_render.h"

/* Takes batches of a capture. `whole`: made of whole packets. */
struct reading {
    struct feed *feed;
    bool whole;
    uint64_t packets, briefs;
};

static bool next(struct reading *r, struct flow_batch *batch)
{
    const struct rdc_packet *packets;

    if (r->whole) {
        size_t count = feed_next(r->feed, &packets);

        flow_batch_init(batch, packets, count);
        return count > 0;
    }
    if (!feed_next_batch(r->feed, batch))
        return false;
    r->packets += batch->count;
    for (size_t i = 0; i < batch->count; i++)
        r->briefs += flow_batch_is_brief(batch, i);
    return true;
}

static void stats(struct reading *r, struct buffer *out)
{
    struct overview *overview = overview_new(feed_capture(r->feed));
    struct flow_batch batch;
    struct report *report;

    feed_observe(r->feed, &(struct feed_observer){overview_ahead, overview});
    while (next(r, &batch))
        overview_batch(overview, &batch);
    feed_saw_iwarp(r->feed, overview_engine(overview));
    feed_capture(r->feed);
    report = overview_report(overview, "", true);
    report_render_json(out, report);
    report_free(report);
    overview_free(overview);
}

static void flows(struct reading *r, struct buffer *out)
{
    struct flow_engine *engine = flow_engine_new(NULL, NULL);
    struct connections_view view = {.capture = feed_capture(r->feed)};
    struct flow_batch batch;
    struct report *report;

    while (next(r, &batch))
        flow_batch(engine, &batch);
    flow_finish(engine);
    report = report_new("", "", view.capture->files, view.capture->file_count);
    connections_table(&report->root, engine, &view);
    report_render_json(out, report);
    report_free(report);
    flow_engine_free(engine);
}

/* All marks but one, so that frames are shown for the others */
static struct check_policy *policy_new(void)
{
    struct check_policy *policy = check_policy_new();

    check_policy_defaults(policy);
    check_policy_dscp(policy, "63", NULL);
    check_policy_pcp(policy, "7", NULL);
    return policy;
}

static void judge(struct reading *r, const struct check_policy *policy, struct check_capture *out)
{
    struct check_watch *watch = check_watch_new();
    struct check_marks *marks = check_marks_new(policy->dscp, policy->pcp);
    struct flow_sink sink = check_watch_sink(watch);
    struct flow_engine *engine = flow_engine_new(NULL, &sink);
    struct flow_batch batch;

    while (next(r, &batch)) {
        flow_batch(engine, &batch);
        check_marks_batch(marks, &batch);
    }
    flow_finish(engine);
    check_watch_settle(watch);
    check_judge(policy, &(struct check_facts){feed_capture(r->feed), engine, watch, marks}, out);
    flow_engine_free(engine);
    check_marks_free(marks);
    check_watch_free(watch);
}

static void check(struct reading *r, struct buffer *out)
{
    struct check_policy *policy = policy_new();
    const struct capture *capture = feed_capture(r->feed);
    struct check_capture *judged = check_capture_new(capture->files, policy->rules->len);
    struct check_report report = {
        .tool_version = "",
        .rules = (const struct check_rule *)(void *)policy->rules->data,
        .rule_count = policy->rules->len,
        .captures = g_ptr_array_new(),
    };

    judge(r, policy, judged);
    g_ptr_array_add(report.captures, judged);
    check_render_json(out, &report);
    g_ptr_array_free(report.captures, TRUE);
    check_capture_free(judged);
    check_policy_free(policy);
}

static const struct page {
    const char *name;
    void (*make)(struct reading *r, struct buffer *out);
} pages[] = {{"stats", stats}, {"flows", flows}, {"check", check}};

static struct reading make(const struct page *page, char **files, bool whole, unsigned threads,
                           struct buffer *out)
{
    struct options options = {
        .format = FORMAT_JSON, .quiet = true, .threads = threads, .files = files};
    enum exit_status status;
    struct reading r = {.feed = feed_open(&options, &status), .whole = whole};

    if (r.feed == NULL)
        exit(2);
    page->make(&r, out);
    feed_close(r.feed, status);
    return r;
}

/* Returns how many packets came in brief */
static uint64_t compare(const struct page *page, char **files, unsigned threads, int *status)
{
    struct buffer whole = {0}, brief = {0};
    struct reading r;

    make(page, files, true, threads, &whole);
    r = make(page, files, false, threads, &brief);
    if (whole.used != brief.used || memcmp(whole.data, brief.data, whole.used) != 0) {
        fprintf(stderr, "%s%s: %s says something else with packets in brief (threads: %u)\n",
                files[0], files[1] != NULL ? " and others" : "", page->name, threads);
        *status = 1;
    }
    buffer_done(&whole);
    buffer_done(&brief);
    return r.briefs;
}

/* `only`: a page; NULL: all of them */
static uint64_t compare_pages(const struct page *only, char **files, int *status)
{
    uint64_t briefs = 0;

    for (const struct page *page = pages; page < pages + G_N_ELEMENTS(pages); page++)
        for (unsigned threads = 1; threads <= 2 && (only == NULL || only == page); threads++)
            briefs += compare(page, files, threads, status);
    return briefs;
}

static const struct page *page_of(const char *name)
{
    for (size_t i = 0; name != NULL && i < G_N_ELEMENTS(pages); i++)
        if (strcmp(name, pages[i].name) == 0)
            return &pages[i];
    return NULL;
}

/* Each file, and all of them joined */
int main(int argc, char **argv)
{
    const struct page *only = page_of(argv[1]);
    char **files = argv + (only != NULL ? 2 : 1);
    uint64_t briefs = 0;
    int status = 0;

    (void)argc;
    for (char **file = files; *file != NULL; file++)
        briefs += compare_pages(only, (char *[]){*file, NULL}, &status);
    if (files[0] != NULL && files[1] != NULL)
        briefs += compare_pages(only, files, &status);
    if (briefs == 0) {
        fprintf(stderr, "no packet came in brief\n");
        status = 1;
    }
    return status;
}
