# SPDX-License-Identifier: GPL-2.0-or-later
#
# The libraries, all from packages. Optional ones leave a part out and say which.
find_package(PkgConfig REQUIRED)
pkg_check_modules(GLIB REQUIRED IMPORTED_TARGET glib-2.0>=2.74)
pkg_check_modules(JSON_GLIB REQUIRED IMPORTED_TARGET json-glib-1.0)
pkg_check_modules(PCAP REQUIRED IMPORTED_TARGET libpcap)
pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(LZ4 REQUIRED IMPORTED_TARGET liblz4)
find_package(Threads REQUIRED)

find_package(Wireshark CONFIG QUIET)
if(Wireshark_FOUND)
  message(STATUS "Wireshark ${Wireshark_MAJOR_VERSION}.${Wireshark_MINOR_VERSION}: other capture formats through libwiretap")
else()
  message(STATUS "No wireshark-dev: only pcap and pcapng captures are read")
endif()
