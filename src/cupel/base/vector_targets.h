// Which instruction sets code that Highway vectorises is built for: AVX-512, AVX2 with FMA, NEON,
// and the plain baseline for anything older. Include before any header of Highway.
#pragma once

// Every further target costs build time and would only serve machines slower than AVX2.
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
