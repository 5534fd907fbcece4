#include "cupel/base/random.h"

#include <cmath>
#include <numbers>

#include "cupel/base/hash.h"

namespace cupel {

StreamKey stream_key(std::string_view identity) {
  const std::string hex = sha256(identity);
  const auto word = [&](std::size_t at) {
    return static_cast<std::uint32_t>(std::stoul(hex.substr(at, 8), nullptr, 16));
  };
  return {word(0), word(8)};
}

std::uint32_t Stream::next_u32() {
  if (used_ == 4) {
    words_ = philox(key_, purpose_, step_, row_, block_++);
    used_ = 0;
  }
  return words_[static_cast<std::size_t>(used_++)];
}

std::uint32_t Stream::next_below(std::uint32_t bound) {
  // Lemire's multiply-shift with rejection of the short interval.
  std::uint64_t product = std::uint64_t{next_u32()} * bound;
  auto low = static_cast<std::uint32_t>(product);
  if (low < bound) {
    const std::uint32_t threshold = -bound % bound;
    while (low < threshold) {
      product = std::uint64_t{next_u32()} * bound;
      low = static_cast<std::uint32_t>(product);
    }
  }
  return static_cast<std::uint32_t>(product >> 32);
}

double Stream::next_normal() {
  const double u = (next_u32() + 1.0) * 0x1p-32;  // (0, 1]
  return std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * next_unit());
}

}  // namespace cupel
