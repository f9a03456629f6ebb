// Loops over many numbers that are compiled twice.
#pragma once

#include <cstddef>  // defines __GLIBC__ where it is true

// Sanitizers are not ready yet when the copy is chosen. Compilers say in two ways that one is
// there.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define DEMOTIC_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define DEMOTIC_SANITIZED
#endif
#endif

// Before a function: a second copy is compiled for AVX2, and the right one is chosen when the
// program is loaded. There is no fused multiply-add in it, so both give the same bits.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__has_attribute) && \
    !defined(DEMOTIC_SANITIZED)
#if __has_attribute(target_clones)
#define DEMOTIC_WIDE __attribute__((target_clones("avx2", "default")))
#endif
#endif
#ifndef DEMOTIC_WIDE
#define DEMOTIC_WIDE
#endif
