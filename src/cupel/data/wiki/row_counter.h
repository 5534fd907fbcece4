// Counts, place by place, how many rows of bits have a one there.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace cupel {

template <int kWords>
using BitRow = std::array<std::uint64_t, kWords>;

// Eight rows at a time become four by carry-save adders (R. Harley's and D. Seal's way to count
// bits), so that a row costs about five operations a word.
template <int kWords>
class RowCounter {
 public:
  using Row = BitRow<kWords>;

  void add(const Row& row) {
    waiting_[count_] = row;
    if (++count_ == kBlock) add_block();
  }

  // Calls each(place, ones) for every place with ones, in rising order, and begins anew.
  template <class Each>
  void take(Each each) {
    if (count_ > 0) {
      for (int k = count_; k < kBlock; ++k) waiting_[k] = Row{};
      add_block();
    }
    if (blocks_ > 0) flush();
    if (!any_) return;
    for (int place = 0; place < 64 * kWords; ++place) {
      if (totals_[place] != 0) each(place, totals_[place]);
      totals_[place] = 0;
    }
    any_ = false;
  }

 private:
  static constexpr int kBlock = 8, kPlanes = 16;

  // `sum` + `b` + `c`, carries to `carry`.
  static void add_three(Row& carry, Row& sum, const Row& b, const Row& c) {
    for (int k = 0; k < kWords; ++k) {
      const std::uint64_t half = sum[k] ^ b[k];
      carry[k] = (sum[k] & b[k]) | (half & c[k]);
      sum[k] = half ^ c[k];
    }
  }

  void add_block() {
    Row twos_a, twos_b, fours_a, fours_b, carry;
    add_three(twos_a, planes_[0], waiting_[0], waiting_[1]);
    add_three(twos_b, planes_[0], waiting_[2], waiting_[3]);
    add_three(fours_a, planes_[1], twos_a, twos_b);
    add_three(twos_a, planes_[0], waiting_[4], waiting_[5]);
    add_three(twos_b, planes_[0], waiting_[6], waiting_[7]);
    add_three(fours_b, planes_[1], twos_a, twos_b);
    add_three(carry, planes_[2], fours_a, fours_b);
    for (int plane = 3; plane < kPlanes; ++plane) {
      std::uint64_t left = 0;
      for (int k = 0; k < kWords; ++k) {
        const std::uint64_t both = planes_[plane][k] & carry[k];
        planes_[plane][k] ^= carry[k];
        carry[k] = both;
        left |= both;
      }
      if (left == 0) break;
    }
    count_ = 0;
    // A plane more would be needed after 2^13 blocks.
    if (++blocks_ == (1 << (kPlanes - 3)) - 1) flush();
  }

  void flush() {
    for (int plane = 0; plane < kPlanes; ++plane) {
      for (int k = 0; k < kWords; ++k) {
        for (std::uint64_t left = planes_[plane][k]; left != 0; left &= left - 1)
          totals_[64 * k + std::countr_zero(left)] += std::uint64_t{1} << plane;
        planes_[plane][k] = 0;
      }
    }
    blocks_ = 0;
    any_ = true;
  }

  std::array<Row, kBlock> waiting_{};
  std::array<Row, kPlanes> planes_{};
  std::array<std::uint64_t, 64 * kWords> totals_{};
  int count_ = 0, blocks_ = 0;
  bool any_ = false;
};

}  // namespace cupel
