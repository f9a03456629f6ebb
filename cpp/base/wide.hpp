// Loops over arrays of numbers are compiled twice, for any processor and for those with AVX2; which
// one runs is decided when the program starts. Without fused multiply-add, so both give the same
// bits.
#pragma once

#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && \
    !defined(__SANITIZE_THREAD__)
#define DEMOTIC_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define DEMOTIC_WIDE
#endif
