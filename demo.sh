#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Installs what is missing, builds the command and shows what is in a capture of an incident.
set -eu
cd "$(dirname "$0")"
. cmake/setup.sh

capture=captures/rxe/rc_write_loss2.B.pcap.gz

setup_packages
setup_build release rdmapcap
echo
echo "$ rdmapcap stats $capture"
exec build/release/rdmapcap stats "$capture"
