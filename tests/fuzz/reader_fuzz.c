/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Any bytes as a capture file: pcap, pcapng, and both compressed. compressed_fuzz.c gets further
 * into compressed ones.
 */
#include "read_back.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_back(data, size, NULL, NULL);
    return 0;
}
