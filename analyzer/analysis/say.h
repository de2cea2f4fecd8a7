/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Numbers as they stand in a sentence: "1,204", "67.1 ms", "1.5 %". Each comes as a small text by
 * value: printf("%s packets", say_count(n).text).
 */
#ifndef ANALYSIS_SAY_H
#define ANALYSIS_SAY_H

#include <stdint.h>

struct say {
    char text[48];
};

struct say say_count(uint64_t n);
/* "1 packet", "1,204 packets"; `noun` in the singular, its plural takes an s */
struct say say_many(uint64_t n, const char *noun);
/* "once", "3 times" */
struct say say_how_often(uint64_t n);
/* The verb of that many */
static inline const char *say_verb(uint64_t n, const char *of_one, const char *of_many)
{
    return n == 1 ? of_one : of_many;
}
struct say say_ns(int64_t ns);
struct say say_pct(double pct);
/* "3.2", "120" */
struct say say_real(double x);
struct say say_rate(double bits_per_second);
/* "00:11:22:33:44:55" */
struct say say_mac(const uint8_t mac[6]);

#endif
