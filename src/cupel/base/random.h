// Keyed counter streams: every random number is a pure function of (key, purpose, step, row,
// block).
//
// Philox4x32 with 7 rounds (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011;
// 7 rounds is the smallest count that passes BigCrush there). Nothing is stored between draws, so
// any row can be drawn alone, in any order, on any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace cupel {

struct StreamKey {
  std::uint32_t low = 0, high = 0;
  friend bool operator==(const StreamKey&, const StreamKey&) = default;
};

// Key of everything random in one run; `identity` is the text that names the run.
[[nodiscard]] StreamKey stream_key(std::string_view identity);

inline constexpr int kPhiloxRounds = 7;
inline constexpr std::uint32_t kPhiloxMul0 = 0xD2511F53u, kPhiloxMul1 = 0xCD9E8D57u;
inline constexpr std::uint32_t kPhiloxWeyl0 = 0x9E3779B9u, kPhiloxWeyl1 = 0xBB67AE85u;

// One block of 128 random bits for counter (block, row, step, purpose).
[[nodiscard]] constexpr std::array<std::uint32_t, 4> philox(StreamKey key, std::uint32_t purpose,
                                                            std::uint32_t step, std::uint32_t row,
                                                            std::uint32_t block) {
  std::uint32_t c0 = block, c1 = row, c2 = step, c3 = purpose;
  std::uint32_t k0 = key.low, k1 = key.high;
  for (int round = 0; round < kPhiloxRounds; ++round) {
    const std::uint64_t p0 = std::uint64_t{kPhiloxMul0} * c0;
    const std::uint64_t p1 = std::uint64_t{kPhiloxMul1} * c2;
    const auto hi0 = static_cast<std::uint32_t>(p0 >> 32), lo0 = static_cast<std::uint32_t>(p0);
    const auto hi1 = static_cast<std::uint32_t>(p1 >> 32), lo1 = static_cast<std::uint32_t>(p1);
    c0 = hi1 ^ c1 ^ k0;
    c1 = lo1;
    c2 = hi0 ^ c3 ^ k1;
    c3 = lo0;
    k0 += kPhiloxWeyl0;
    k1 += kPhiloxWeyl1;
  }
  return {c0, c1, c2, c3};
}

// A serial reader of one (key, purpose, step, row) stream, for generators and samplers.
class Stream {
 public:
  Stream(StreamKey key, std::uint32_t purpose, std::uint32_t step = 0, std::uint32_t row = 0)
      : key_(key), purpose_(purpose), step_(step), row_(row) {}

  std::uint32_t next_u32();
  // Uniform in [0, 1), 32 bits of resolution.
  double next_unit() { return next_u32() * 0x1p-32; }
  // Uniform in [0, bound), unbiased. Requires bound > 0.
  std::uint32_t next_below(std::uint32_t bound);
  // Standard normal (Box-Muller).
  double next_normal();

 private:
  StreamKey key_;
  std::uint32_t purpose_, step_, row_, block_ = 0;
  std::array<std::uint32_t, 4> words_{};
  int used_ = 4;
};

}  // namespace cupel
