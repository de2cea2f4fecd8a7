# SPDX-License-Identifier: GPL-2.0-or-later
#
# rdmapcap_options: what every target is compiled with. Link it PRIVATE.
add_library(rdmapcap_options INTERFACE)

target_compile_options(rdmapcap_options INTERFACE
  -Wall -Wextra -Werror -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wstrict-prototypes
  -Wmissing-prototypes -Wmissing-declarations -Wpointer-arith -Wcast-align -Wcast-qual
  -Wwrite-strings -Wundef -Wvla -Wformat=2 -Wswitch-enum -Wdouble-promotion
  -fno-strict-aliasing)
target_compile_definitions(rdmapcap_options INTERFACE _GNU_SOURCE _FILE_OFFSET_BITS=64)

if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
  target_compile_options(rdmapcap_options INTERFACE -Wlogical-op -Wduplicated-cond -Wduplicated-branches)
endif()

if(RDMAPCAP_SANITIZE)
  set(sanitize -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_options(rdmapcap_options INTERFACE ${sanitize})
  target_link_options(rdmapcap_options INTERFACE ${sanitize})
endif()

if(RDMAPCAP_FUZZ)
  target_compile_options(rdmapcap_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
