// What of a processor shows in results: whether products are added without a rounding in between,
// and whether its vectors hold the eight partial sums of a row.
#pragma once

#include <cstdint>

namespace cupel::kernels {

enum class Rounding : std::uint8_t {
  kFused,        // one rounding of a product and its sum: any x86 since 2013
  kFusedByFour,  // one too, but four lanes make the sums along a row: any 64-bit ARM
  kTwice,        // products are rounded before they are added
};

// That of the instruction set which Highway picks here.
[[nodiscard]] Rounding rounding();

}  // namespace cupel::kernels
