# SPDX-License-Identifier: GPL-2.0-or-later
#
# What makes a mistake of ours hard to exploit: part of rdmapcap_options. The test structure.hardening
# looks at the program that came out.
include(CheckPIESupported)
include(CheckCCompilerFlag)
include(CheckLinkerFlag)
check_pie_supported(LANGUAGES C)

foreach(flag stack-protector-strong stack-clash-protection cf-protection=full)
  string(MAKE_C_IDENTIFIER "HAVE_${flag}" have)
  check_c_compiler_flag(-f${flag} ${have}) # cf-protection: x86 only
  if(${have})
    target_compile_options(rdmapcap_options INTERFACE -f${flag})
  endif()
endforeach()
target_link_options(rdmapcap_options INTERFACE -Wl,-z,relro,-z,now,-z,noexecstack)

# CET. Shadow stacks are marked as usable here: the linker does so only where all objects say so, and the
# start files of Debian 12 do not, though nothing in them minds. Not marked is IBT: they lack its targets.
check_linker_flag(C -Wl,-z,shstk HAVE_LINKER_SHSTK)
if(HAVE_cf_protection_full AND HAVE_LINKER_SHSTK)
  target_link_options(rdmapcap_options INTERFACE -Wl,-z,shstk)
endif()

# Needs an optimised build; the sanitizers check the same and more.
if(NOT RDMAPCAP_SANITIZE)
  set(level 2)
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_C_COMPILER_VERSION VERSION_GREATER_EQUAL 12)
    set(level 3)
  endif()
  target_compile_options(rdmapcap_options INTERFACE
    $<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-U_FORTIFY_SOURCE$<SEMICOLON>-D_FORTIFY_SOURCE=${level}>)
endif()
