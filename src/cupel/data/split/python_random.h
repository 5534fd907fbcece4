// Python's generator, bit for bit: random.Random(seed) of Python 3.2 and later.
//
// Needed because the splits of Wiki-CS are defined by it. Nothing else in Cupel draws from it.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace cupel {

// MT19937 (M. Matsumoto and T. Nishimura, ACM TOMACS 8, 1998), seeded by an array of 32-bit words
// as Python does. Not thread-safe.
class PythonRandom {
 public:
  explicit PythonRandom(std::uint64_t seed);

  // shuffle(items) for fewer than 2^32 items.
  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i-- > 1;)
      std::swap(items[i], items[below(static_cast<std::uint32_t>(i + 1))]);
  }
  // randrange(bound) for a bound from 1.
  std::uint32_t below(std::uint32_t bound);

 private:
  std::uint32_t next();
  void seed_with(std::uint32_t number);

  std::array<std::uint32_t, 624> state_{};
  std::size_t at_ = 624;
};

}  // namespace cupel
