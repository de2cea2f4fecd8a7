/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Every format that is neither pcap nor pcapng, through Wireshark's libwiretap where the build has
 * it. libwiretap guesses; a guess is believed only when it yields a packet of a network.
 */
#include "capture/reader.h"

const char *wiretap_advice(void)
{
#ifdef HAVE_WIRETAP
    return "pcap, pcapng and what Wireshark reads would do; convert it with the program that wrote "
           "it";
#else
    return "this build reads pcap and pcapng; convert it (editcap -F pcapng FILE NEW), or build "
           "with wireshark-dev installed, which adds Wireshark's formats";
#endif
}

#ifndef HAVE_WIRETAP

const char *source_other_formats(void)
{
    return NULL;
}

struct reader *wiretap_open(struct source_file *file, uint32_t file_index, GError **error)
{
    (void)file;
    (void)file_index;
    (void)error;
    return NULL;
}

#else

#include <string.h>
#include <wiretap/pcap-encap.h>
#include <wiretap/wtap.h>
#include <ws_version.h>
#include <wsutil/wslog.h>

#define WIRESHARK_SINCE(major, minor)                                                              \
    (WIRESHARK_VERSION_MAJOR > (major) ||                                                          \
     (WIRESHARK_VERSION_MAJOR == (major) && WIRESHARK_VERSION_MINOR >= (minor)))

enum {
    FIRST_PACKET_SPACE = 2048,
    MAX_FACES = 1024,           /* interfaces; looked through for each packet */
    MAX_EVENTS = 1000,          /* records before the first packet that are no packets */
    LINKTYPES = 512,            /* LINKTYPE_* numbers in use are below */
    LINKTYPE_NONE = 0x10000000, /* plus libwiretap's number: it has no LINKTYPE_* */
    ERF_TYPE_META = 27,         /* Provenance: not a packet, often the first record */
};

/* Record types of ERF (Endace) whose contents have a link type of their own. libwiretap takes the
 * record header away. */
static const struct erf_type {
    uint8_t type;
    uint32_t linktype;
} erf_types[] = {
    {2, RDC_LINKTYPE_ETHERNET},  /* ETH */
    {11, RDC_LINKTYPE_ETHERNET}, /* COLOR_ETH */
    {16, RDC_LINKTYPE_ETHERNET}, /* DSM_COLOR_ETH */
    {20, RDC_LINKTYPE_ETHERNET}, /* COLOR_HASH_ETH */
    {21, RDC_LINKTYPE_INFINIBAND}, {22, RDC_LINKTYPE_IPV4},
    {23, RDC_LINKTYPE_IPV6},       {25, RDC_LINKTYPE_IB_LINK_PACKET},
};

/* An interface number of libwiretap with packets of one kind */
struct wiretap_face {
    uint32_t id;
    int encap;
    int erf_type; /* -1: not ERF */
    uint32_t linktype;
};

struct wiretap {
    struct reader r;
    wtap *wth;
    wtap_rec rec;
    Buffer buffer;
    bool held;     /* the record was read in advance */
    GArray *faces; /* of struct wiretap_face, parallel to r.interfaces */
    int64_t last_ns;
};

static void prepare_library(void);
static bool believable(struct wiretap *wt);
static bool read_packet(struct wiretap *wt);
static bool read_record(struct wiretap *wt);
static const uint8_t *packet_bytes(struct wiretap *wt);
static bool find_face(struct wiretap *wt, uint32_t *index);
static uint32_t linktype_of(int encap, int erf_type);

/* What does not fit becomes the nearest that does */
static int64_t ns_of(const nstime_t *ts)
{
    const int64_t last_s = INT64_MAX / 1000000000;

    if (ts->secs >= last_s)
        return INT64_MAX;
    return ts->secs <= -last_s ? INT64_MIN : (int64_t)ts->secs * 1000000000 + ts->nsecs;
}

static size_t wiretap_next(struct reader *r, struct source_record *out, size_t max)
{
    struct wiretap *wt = (struct wiretap *)r;
    const wtap_packet_header *h = &wt->rec.rec_header.packet_header;
    uint32_t index;

    (void)max;
    if (!wt->held && !read_packet(wt))
        return 0;
    wt->held = false;
    if (h->caplen > SOURCE_MAX_RECORD || !find_face(wt, &index)) {
        reader_damage(r, (uint64_t)wtap_read_so_far(wt->wth),
                      "a packet claims %u captured bytes, or an interface beyond reason",
                      h->caplen);
        return 0;
    }
    if (wt->rec.presence_flags & WTAP_HAS_TS)
        wt->last_ns = ns_of(&wt->rec.ts);
    *out = (struct source_record){
        .in = {.bytes = packet_bytes(wt),
               .captured = h->caplen,
               .wire = h->len,
               .linktype = g_array_index(wt->faces, struct wiretap_face, index).linktype,
               .interface = index,
               .time_ns = wt->last_ns,
               .fcs_size = -1},
        .frame = ++r->frames,
        .file = r->file_index,
        .untimed = (wt->rec.presence_flags & WTAP_HAS_TS) == 0,
    };
    if (h->caplen > h->len)
        oddities_note(&r->odd, ODDITY_LENGTH, r->frames, UINT64_MAX);
    if (oddity_is_time(wt->last_ns))
        oddities_note(&r->odd, ODDITY_TIME, r->frames, UINT64_MAX);
    return 1;
}

static void wiretap_end(struct reader *r)
{
    struct wiretap *wt = (struct wiretap *)r;

    wtap_rec_cleanup(&wt->rec);
#if !WIRESHARK_SINCE(4, 6)
    ws_buffer_free(&wt->buffer);
#endif
    wtap_close(wt->wth);
    g_array_free(wt->faces, TRUE);
}

static const struct format format_wiretap = {"wiretap", sizeof(struct wiretap), NULL,
                                             NULL,      wiretap_next,           wiretap_end};

const char *source_other_formats(void)
{
    return "libwiretap " G_STRINGIFY(WIRESHARK_VERSION_MAJOR) "." G_STRINGIFY(
        WIRESHARK_VERSION_MINOR) "." G_STRINGIFY(WIRESHARK_VERSION_MICRO);
}

struct reader *wiretap_open(struct source_file *file, uint32_t file_index, GError **error)
{
    struct wiretap *wt;
    char *info = NULL;
    int err = 0;
    wtap *wth;

    (void)error;
    prepare_library();
    wth = wtap_open_offline(file->path, WTAP_TYPE_AUTO, &err, &info, FALSE);
    g_free(info);
    if (!wth)
        return NULL;
    wt = g_new0(struct wiretap, 1);
    wt->r = (struct reader){.format = &format_wiretap,
                            .name = file->name,
                            .file_index = file_index,
                            .file = file,
                            .reopenable = true,
                            .interfaces = g_ptr_array_new(),
                            .interface_room = SOURCE_MAX_INTERFACES};
    wt->wth = wth;
    wt->faces = g_array_new(FALSE, FALSE, sizeof(struct wiretap_face));
#if WIRESHARK_SINCE(4, 6)
    wtap_rec_init(&wt->rec, FIRST_PACKET_SPACE);
#else
    wtap_rec_init(&wt->rec);
    ws_buffer_init(&wt->buffer, FIRST_PACKET_SPACE);
#endif
    file->format = wtap_file_type_subtype_name(wtap_file_type_subtype(wth));
    file->sections = 1;
    if (believable(wt))
        return &wt->r;
    file->format = NULL;
    reader_close(&wt->r);
    return NULL;
}

/* libwiretap's log goes nowhere: what matters comes back as an error */
#if WIRESHARK_SINCE(4, 4)
static void drop_message(const char *domain, enum ws_log_level level, const char *file, long line,
                         const char *function, const char *fatal, ws_log_manifest_t *manifest,
                         const char *format, va_list arguments, void *data)
{
    (void)fatal;
    (void)manifest;
#else
static void drop_message(const char *domain, enum ws_log_level level, struct timespec time,
                         const char *file, long line, const char *function, const char *format,
                         va_list arguments, void *data)
{
    (void)time;
#endif
    (void)domain;
    (void)level;
    (void)file;
    (void)line;
    (void)function;
    (void)format;
    (void)arguments;
    (void)data;
}

/* Once a process, and before anything else: without it libwiretap crashes, or floods stderr */
static void prepare_library(void)
{
    static gsize prepared;

    if (!g_once_init_enter(&prepared))
        return;
#if WIRESHARK_SINCE(4, 6)
    ws_log_init(NULL);
#else
    ws_log_init("rdmapcap", NULL);
#endif
    ws_log_set_level(LOG_LEVEL_CRITICAL);
    ws_log_set_writer(drop_message);
    wtap_init(FALSE);
    g_once_init_leave(&prepared, 1);
}

/* Guesses of libwiretap include pictures, films and programs, and, with no packets at all, much
 * else. A capture of a network has a first packet, of a link type with a LINKTYPE_* number. */
static bool believable(struct wiretap *wt)
{
    const struct wiretap_face *face;
    uint32_t index;

    wt->held = read_packet(wt);
    if (!wt->held || wt->rec.rec_header.packet_header.caplen > SOURCE_MAX_RECORD ||
        !find_face(wt, &index))
        return false;
    face = &g_array_index(wt->faces, struct wiretap_face, index);
    return face->linktype < LINKTYPE_NONE || face->erf_type == ERF_TYPE_META;
}

/* The next record that is a packet */
static bool read_packet(struct wiretap *wt)
{
    int events = 0;

    do {
        if (!read_record(wt))
            return false;
        if (wt->rec.rec_type == REC_TYPE_PACKET)
            return true;
    } while (wt->r.frames > 0 || ++events < MAX_EVENTS);
    return false;
}

static bool read_record(struct wiretap *wt)
{
    char *info = NULL;
    int err = 0;
    gint64 offset;
    bool good;

#if WIRESHARK_SINCE(4, 6)
    wtap_rec_reset(&wt->rec);
    good = wtap_read(wt->wth, &wt->rec, &err, &info, &offset);
#else
    wtap_rec_reset(&wt->rec);
    good = wtap_read(wt->wth, &wt->rec, &wt->buffer, &err, &info, &offset);
#endif
    if (!good && err != 0) {
        if (info)
            g_strdelimit(info, "\n\r", ' ');
        reader_damage(&wt->r, (uint64_t)wtap_read_so_far(wt->wth), "%s%s%s",
                      err == WTAP_ERR_SHORT_READ ? "the file ends inside a record"
                                                 : wtap_strerror(err),
                      info ? ": " : "", info ? info : "");
    }
    g_free(info);
    return good;
}

static const uint8_t *packet_bytes(struct wiretap *wt)
{
#if WIRESHARK_SINCE(4, 6)
    return ws_buffer_start_ptr(&wt->rec.data);
#else
    return ws_buffer_start_ptr(&wt->buffer);
#endif
}

static bool find_face(struct wiretap *wt, uint32_t *index)
{
    const wtap_packet_header *h = &wt->rec.rec_header.packet_header;
    struct wiretap_face face = {.encap = h->pkt_encap, .erf_type = -1};
    struct source_interface *known;

    if (wt->rec.presence_flags & WTAP_HAS_INTERFACE_ID)
        face.id = h->interface_id;
    if (face.encap == WTAP_ENCAP_ERF)
        face.erf_type = h->pseudo_header.erf.phdr.type & 0x7f;
    for (*index = 0; *index < wt->faces->len; ++*index) {
        const struct wiretap_face *f = &g_array_index(wt->faces, struct wiretap_face, *index);

        if (f->id == face.id && f->encap == face.encap && f->erf_type == face.erf_type)
            return true;
    }
    known = *index < MAX_FACES ? reader_add_interface(&wt->r) : NULL;
    if (!known)
        return false;
    face.linktype = linktype_of(face.encap, face.erf_type);
    g_array_append_val(wt->faces, face);
    known->linktype = face.linktype;
    known->index = *index;
    known->snaplen = wtap_snapshot_length(wt->wth);
    known->ts_exponent = 9;
    return true;
}

static uint32_t linktype_of(int encap, int erf_type)
{
    for (size_t i = 0; i < G_N_ELEMENTS(erf_types); i++)
        if (erf_type == erf_types[i].type)
            return erf_types[i].linktype;
    if (encap == WTAP_ENCAP_INFINIBAND)
        return RDC_LINKTYPE_INFINIBAND;
    if (erf_type < 0 && encap > 0)
        for (int linktype = 0; linktype < LINKTYPES; linktype++)
            if (wtap_pcap_encap_to_wtap_encap(linktype) == encap)
                return (uint32_t)linktype;
    return LINKTYPE_NONE + (uint32_t)MAX(encap, 0) * 256 + (uint32_t)MAX(erf_type, 0);
}

#endif
