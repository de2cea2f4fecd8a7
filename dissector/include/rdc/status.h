/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How a decoder ends. Every decoder of the core returns one of these and leaves its output
 * untouched unless it returns RDC_OK.
 */
#ifndef RDC_STATUS_H
#define RDC_STATUS_H

enum rdc_status {
    RDC_OK = 0,
    RDC_TRUNCATED,   /* the captured bytes end here: the snap length's fault */
    RDC_MALFORMED,   /* the packet's own bytes end here, or contradict themselves: the sender's fault */
    RDC_UNSUPPORTED, /* well formed as far as can be told, but not a protocol of this library */
};

#define RDC_CHECKED __attribute__((warn_unused_result))

#endif
