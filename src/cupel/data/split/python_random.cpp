#include "cupel/data/split/python_random.h"

#include <algorithm>
#include <bit>

namespace cupel {

void PythonRandom::seed_with(std::uint32_t number) {
  state_[0] = number;
  for (std::uint32_t i = 1; i < state_.size(); ++i)
    state_[i] = 1812433253u * (state_[i - 1] ^ (state_[i - 1] >> 30)) + i;
}

PythonRandom::PythonRandom(std::uint64_t seed) {
  const std::array<std::uint32_t, 2> key = {static_cast<std::uint32_t>(seed),
                                            static_cast<std::uint32_t>(seed >> 32)};
  const std::size_t words = key[1] == 0 ? 1 : 2;
  seed_with(19650218u);
  std::size_t i = 1;
  const auto before = [&] { return state_[i - 1] ^ (state_[i - 1] >> 30); };
  const auto advance = [&] {
    if (++i < state_.size()) return;
    state_[0] = state_.back();
    i = 1;
  };
  for (std::size_t k = 0; k < state_.size(); ++k, advance())
    state_[i] = (state_[i] ^ (before() * 1664525u)) + key[k % words] +
                static_cast<std::uint32_t>(k % words);
  for (std::size_t k = 1; k < state_.size(); ++k, advance())
    state_[i] = (state_[i] ^ (before() * 1566083941u)) - static_cast<std::uint32_t>(i);
  state_[0] = 0x80000000u;
}

std::uint32_t PythonRandom::next() {
  constexpr std::size_t kAhead = 397;
  if (at_ == state_.size()) {
    const std::size_t size = state_.size();
    for (std::size_t i = 0; i < size; ++i) {
      const std::uint32_t joined =
          (state_[i] & 0x80000000u) | (state_[(i + 1) % size] & 0x7FFFFFFFu);
      state_[i] =
          state_[(i + kAhead) % size] ^ (joined >> 1) ^ ((joined & 1) != 0 ? 0x9908B0DFu : 0u);
    }
    at_ = 0;
  }
  std::uint32_t value = state_[at_++];
  value ^= value >> 11;
  value ^= (value << 7) & 0x9D2C5680u;
  value ^= (value << 15) & 0xEFC60000u;
  return value ^ (value >> 18);
}

std::uint32_t PythonRandom::below(std::uint32_t bound) {
  const int bits = std::bit_width(bound);
  for (;;) {
    const std::uint32_t value = next() >> (32 - bits);
    if (value < bound) return value;
  }
}

}  // namespace cupel
