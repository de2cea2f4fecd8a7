#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Installs what is missing, builds with the sanitizers and runs the whole test suite.
# RDMAPCAP_TRUTH_DIR may name a folder with more captures and their truth for the same tests.
set -eu
cd "$(dirname "$0")"
. cmake/setup.sh

setup_packages
setup_build dev
exec ctest --preset dev --parallel 2
