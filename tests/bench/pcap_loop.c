/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The least that any tool on libpcap does: reads a capture and touches two bytes of each packet.
 * With a second argument, libpcap reads through a stdio buffer of so many bytes.
 */
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    char error[PCAP_ERRBUF_SIZE];
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    pcap_t *p = NULL;
    struct pcap_pkthdr *header;
    const u_char *bytes;
    unsigned long packets = 0;
    unsigned long sum = 0;

    if (file && argc > 2)
        setvbuf(file, NULL, _IOFBF, strtoul(argv[2], NULL, 10));
    if (file)
        p = pcap_fopen_offline_with_tstamp_precision(file, PCAP_TSTAMP_PRECISION_NANO, error);
    if (!p) {
        fprintf(stderr, "usage: pcap_loop FILE [BUFFER-BYTES]\n");
        return 1;
    }
    while (pcap_next_ex(p, &header, &bytes) == 1) {
        packets++;
        if (header->caplen > 42)
            sum += bytes[12] + (unsigned long)bytes[42];
    }
    printf("%lu packets, sum %lu\n", packets, sum);
    pcap_close(p);
    return 0;
}
