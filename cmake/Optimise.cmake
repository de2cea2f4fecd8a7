# SPDX-License-Identifier: GPL-2.0-or-later
#
# The command is optimised as one, with calls between its libraries in line, which takes a twentieth less
# time. The libraries hold code for that (RDMAPCAP_AS_ONE, options to compile and to link) and code for
# those who link them as they are (RDMAPCAP_IN_PARTS, to link): the plugin and the tests.
if(RDMAPCAP_LTO AND CMAKE_C_COMPILER_ID STREQUAL "GNU" AND NOT RDMAPCAP_SANITIZE)
  set(optimised $<CONFIG:Release,RelWithDebInfo,MinSizeRel>)
  set(RDMAPCAP_AS_ONE $<${optimised}:-flto=auto> $<${optimised}:-ffat-lto-objects>)
  set(RDMAPCAP_IN_PARTS $<${optimised}:-fno-lto>)
endif()
