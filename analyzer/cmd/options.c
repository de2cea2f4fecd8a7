/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The shared options; see options.h. GOption reads them as text and numbers, this file checks what
 * they mean.
 */
#include "cmd/options.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cmd/message.h"
#include "cmd/option_value.h"
#include "cmd/option_words.h"
#include "cmd/output.h"
#include "cmd/sandbox.h"

enum {
    PIPE_WIDTH = 100, /* of a page that goes to no terminal */
    MIN_WIDTH = 40,
    MAX_WIDTH = 1000,
    MAX_THREADS = 1024,
};

/* As GOption leaves them. It would read numbers as strtol(3) does, so they are texts to it. */
struct raw {
    char *format;
    char *bpf;
    char *link_rate;
    char *reorder_window;
    char *color;
    char **ports;
    char **files;
    char *limit;
    char *threads;
    char *width;
    GArray *entries; /* of GOptionEntry: what the command has */
    gboolean all;
    gboolean list;
    gboolean quiet;
    gboolean no_sandbox;
    gboolean help;
};

static bool check(struct options *o, const struct command *command, struct raw *raw);
static void show_help(const struct command *command, GOptionContext *context,
                      enum exit_status *status);
static void raw_done(struct raw *raw);

static void add(GOptionContext *context, GOptionEntry entry, bool hidden, struct raw *raw)
{
    GOptionEntry entries[] = {entry, {0}};

    g_array_append_val(raw->entries, entry);
    if (hidden)
        entries[0].flags |= G_OPTION_FLAG_HIDDEN;
    g_option_context_add_main_entries(context, entries, NULL);
}

static void add_shared(GOptionContext *context, const struct command *command, struct raw *raw)
{
    const struct {
        enum option_use use; /* 0: of every command */
        GOptionEntry entry;
    } shared[] = {
        {OPTIONS_FILES,
         {"bpf", 0, 0, G_OPTION_ARG_STRING, &raw->bpf, "Only packets that a libpcap filter matches",
          "EXPR"}},
        {OPTIONS_FILES,
         {"limit", 0, 0, G_OPTION_ARG_STRING, &raw->limit, "Stop after N packets", "N"}},
        {OPTIONS_FILES,
         {"rocev2-port", 0, 0, G_OPTION_ARG_STRING_ARRAY, &raw->ports,
          "A UDP port that is RoCEv2 too", "N"}},
        {OPTIONS_LINK_RATE,
         {"link-rate", 0, 0, G_OPTION_ARG_STRING, &raw->link_rate, "Rate of the link, such as 100G",
          "RATE"}},
        {OPTIONS_VERDICTS,
         {"reorder-window", 0, 0, G_OPTION_ARG_STRING, &raw->reorder_window,
          "Longest delay by reordering, such as 50us", "TIME"}},
        {OPTIONS_ROWS,
         {"all", 0, 0, G_OPTION_ARG_NONE, &raw->all, "Every row of every table", NULL}},
        {OPTIONS_FILES,
         {"threads", 0, 0, G_OPTION_ARG_STRING, &raw->threads, "Threads to use", "N"}},
        {OPTIONS_WIDTH,
         {"width", 0, 0, G_OPTION_ARG_STRING, &raw->width, "Columns of text output", "N"}},
        {OPTIONS_COLOR,
         {"color", 0, 0, G_OPTION_ARG_STRING, &raw->color, "auto, always or never", "WHEN"}},
        {OPTIONS_FILES,
         {"quiet", 'q', 0, G_OPTION_ARG_NONE, &raw->quiet, "No progress, no notes", NULL}},
        {OPTIONS_FILES,
         {"no-sandbox", 0, 0, G_OPTION_ARG_NONE, &raw->no_sandbox, "Keep privileges not needed",
          NULL}},
        {0, {"help", 'h', 0, G_OPTION_ARG_NONE, &raw->help, "Show this help", NULL}},
        {0, {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &raw->files, NULL, NULL}},
    };

    for (size_t i = 0; i < G_N_ELEMENTS(shared); i++)
        add(context, shared[i].entry, shared[i].use != 0 && (command->options & shared[i].use) == 0,
            raw);
}

static void add_entries(GOptionContext *context, const struct command *command, struct raw *raw,
                        const GOptionEntry *own)
{
    GOptionEntry format = {"format", 'f', 0, G_OPTION_ARG_STRING, &raw->format, NULL, "FORMAT"};
    GOptionEntry list = {"list", 0, 0, G_OPTION_ARG_NONE, &raw->list, command->list, NULL};
    char *formats = g_strdup(command->formats);

    for (; own != NULL && own->long_name != NULL; own++)
        add(context, *own, false, raw);
    if (formats != NULL) {
        format.description = g_intern_string(g_strdelimit(formats, " ", '|'));
        add(context, format, false, raw);
    }
    if (command->list != NULL)
        add(context, list, false, raw);
    add_shared(context, command, raw);
    g_free(formats);
}

static bool parse(GOptionContext *context, const struct command *command, const struct raw *raw,
                  int argc, char *const *argv)
{
    char **words = option_words(raw->entries, argc, argv);
    GError *error = NULL;
    bool ok;

    if (words == NULL)
        return false;
    ok = g_option_context_parse_strv(context, &words, &error);
    if (!ok) {
        message_error("%s: %s; see: rdmapcap help %s", command->name, error->message,
                      command->name);
        g_error_free(error);
    }
    g_strfreev(words);
    return ok;
}

bool options_parse(struct options *o, const struct command *command, const GOptionEntry *own,
                   int argc, char **argv, enum exit_status *status)
{
    GOptionContext *context = g_option_context_new(command->usage);
    struct raw raw = {.entries = g_array_new(FALSE, FALSE, sizeof(GOptionEntry))};
    bool run = false;

    *o = (struct options){0};
    *status = STATUS_USAGE;
    g_option_context_set_help_enabled(context, FALSE);
    add_entries(context, command, &raw, own);
    if (!parse(context, command, &raw, argc, argv))
        run = false;
    else if (raw.help)
        show_help(command, context, status);
    else
        run = check(o, command, &raw);
    if (run && !raw.no_sandbox)
        sandbox_enter(g_get_tmp_dir());
    g_option_context_free(context);
    raw_done(&raw);
    return run;
}

void options_done(struct options *options)
{
    g_free(options->bpf);
    g_strfreev(options->files);
}

static void raw_done(struct raw *raw)
{
    g_array_free(raw->entries, TRUE);
    g_free(raw->format);
    g_free(raw->bpf);
    g_free(raw->link_rate);
    g_free(raw->reorder_window);
    g_free(raw->color);
    g_free(raw->limit);
    g_free(raw->threads);
    g_free(raw->width);
    g_strfreev(raw->ports);
    g_strfreev(raw->files);
}

static bool check_format(struct options *o, const struct command *command, const char *text)
{
    static const char *const names[FORMAT_COUNT] = {
        [FORMAT_TEXT] = "text",    [FORMAT_JSON] = "json",   [FORMAT_JSONL] = "jsonl",
        [FORMAT_CSV] = "csv",      [FORMAT_JUNIT] = "junit", [FORMAT_SARIF] = "sarif",
        [FORMAT_GITHUB] = "github"};
    const char *formats = o->list ? "text json" : command->formats;
    char **offered = g_strsplit(formats, " ", -1);
    const char *wanted = text != NULL ? text : offered[0];
    bool ok = g_strv_contains((const char *const *)offered, wanted);

    for (size_t i = 0; ok && i < FORMAT_COUNT; i++)
        if (strcmp(names[i], wanted) == 0)
            o->format = (enum format)i;
    if (!ok)
        message_error("%s%s: no format \"%s\" here; choose one of: %s", command->name,
                      o->list ? " --list" : "", text, formats);
    g_strfreev(offered);
    return ok;
}

static bool check_ports(struct options *o, char **ports)
{
    for (size_t i = 0; ports != NULL && ports[i] != NULL; i++) {
        uint64_t port;

        if (!option_number("--rocev2-port", ports[i], 1, UINT16_MAX, &port))
            return false;
        if (o->decode.extra_port_count == RDC_MAX_EXTRA_PORTS) {
            message_error("--rocev2-port: more than %d ports; leave some out", RDC_MAX_EXTRA_PORTS);
            return false;
        }
        o->decode.extra_ports[o->decode.extra_port_count++] = (uint16_t)port;
    }
    return true;
}

/* no-color.org: NO_COLOR counts when it is not empty; what the user asks for here counts more */
static bool check_color(struct options *o, const char *when)
{
    const char *no_color = g_getenv("NO_COLOR");
    const char *term = g_getenv("TERM");

    if (when == NULL || strcmp(when, "auto") == 0)
        o->color = isatty(STDOUT_FILENO) == 1 && (no_color == NULL || no_color[0] == '\0') &&
                   g_strcmp0(term, "dumb") != 0;
    else if (strcmp(when, "always") == 0)
        o->color = true;
    else if (strcmp(when, "never") != 0) {
        message_error("--color %s: give auto, always or never", option_shown(when));
        return false;
    }
    return true;
}

static bool check_numbers(struct options *o, const struct raw *raw)
{
    uint64_t threads = g_get_num_processors();
    struct winsize size = {0};
    uint64_t width = 0;

    if (!option_number("--limit", raw->limit, 1, UINT64_MAX, &o->limit) ||
        !option_number("--threads", raw->threads, 1, MAX_THREADS, &threads) ||
        !option_number("--width", raw->width, MIN_WIDTH, MAX_WIDTH, &width))
        return false;
    o->threads = (unsigned)threads;
    o->width = (size_t)width;
    if (o->width == 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
        o->width = size.ws_col;
    if (o->width == 0)
        o->width = PIPE_WIDTH;
    o->width = CLAMP(o->width, MIN_WIDTH, MAX_WIDTH);
    return true;
}

static bool check_files(const struct command *command, const struct raw *raw)
{
    bool some = (command->options & OPTIONS_FILES) != 0 && !raw->list;
    bool has_stdin = false;

    if (!some && raw->files != NULL) {
        message_error("%s%s: \"%s\" is one too many; no FILE is read here", command->name,
                      raw->list ? " --list" : "", raw->files[0]);
        return false;
    }
    if (some && raw->files == NULL) {
        message_error("%s: no FILE given; name a capture, or - for standard input", command->name);
        return false;
    }
    for (size_t i = 0; some && raw->files[i] != NULL; i++) {
        if (raw->files[i][0] == '\0') {
            message_error("%s: a FILE has an empty name; is a variable of the shell not set?",
                          command->name);
            return false;
        }
        if (strcmp(raw->files[i], "-") != 0)
            continue;
        if (has_stdin) {
            message_error("%s: standard input is named twice; give - once", command->name);
            return false;
        }
        has_stdin = true;
    }
    return true;
}

static bool check(struct options *o, const struct command *command, struct raw *raw)
{
    o->all = raw->all;
    o->list = raw->list;
    o->quiet = raw->quiet;
    if ((command->formats != NULL && !check_format(o, command, raw->format)) ||
        !check_ports(o, raw->ports) || !check_color(o, raw->color) || !check_numbers(o, raw))
        return false;
    if (raw->link_rate != NULL && !option_rate(raw->link_rate, &o->link_rate_bps)) {
        message_error("--link-rate %s: not a rate; write bits per second, such as 100G or 25Gbit/s",
                      option_shown(raw->link_rate));
        return false;
    }
    if (raw->reorder_window != NULL &&
        !option_time(raw->reorder_window, &o->flow.reorder_window_ns)) {
        message_error("--reorder-window %s: not a time; write a number and its unit, such as 50us",
                      raw->reorder_window);
        return false;
    }
    if (!check_files(command, raw))
        return false;
    o->bpf = g_steal_pointer(&raw->bpf);
    o->files = g_steal_pointer(&raw->files);
    return true;
}

/* GLib's own list of options between our text; its "Usage:" names no program */
static void show_help(const struct command *command, GOptionContext *context,
                      enum exit_status *status)
{
    char *help = g_option_context_get_help(context, TRUE, NULL);
    const char *list = strstr(help, "Options:\n");
    struct output out;

    output_open(&out);
    buffer_printf(&out.buffer, "Usage: rdmapcap %s [OPTION...]%s%s\n\n%s\n\n%s\nOptions:\n%s",
                  command->name, command->usage[0] != '\0' ? " " : "", command->usage,
                  command->summary, command->details, list != NULL ? strchr(list, '\n') + 1 : help);
    buffer_printf(&out.buffer, "%sExample:\n%s", g_str_has_suffix(help, "\n\n") ? "" : "\n",
                  command->example);
    *status = output_close(&out, STATUS_OK);
    g_free(help);
}
