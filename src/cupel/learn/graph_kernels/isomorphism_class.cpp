#include "cupel/learn/graph_kernels/isomorphism_class.h"

#include <algorithm>
#include <array>
#include <limits>

namespace cupel {

namespace {

constexpr int kMostNodes = 8;
constexpr std::uint64_t kWorst = std::numeric_limits<std::uint64_t>::max();

// The orders of the nodes by ascending label whose rows of arcs come first in the alphabet. There
// are as many of them as automorphisms.
class Orders {
 public:
  Orders(const SubgraphLayout& layout, const SubgraphCode& code, int size)
      : layout_(layout), size_(size) {
    const auto bits = [](std::uint64_t word, int shift, int count) {
      return count == 0 ? 0 : (word >> shift) & ((std::uint64_t{1} << count) - 1);
    };
    for (int p = 0; p < size; ++p) {
      label_[p] = sorted_[p] = bits(code.labels, layout.label_shift(p), layout.label_bits);
      for (int q = 0; q < p; ++q)
        arc_[p][q] = arc_[q][p] = bits(code.arcs, layout.arc_shift(p, q), layout.arc_bits);
    }
    std::sort(sorted_.begin(), sorted_.begin() + size);
    best_.fill(kWorst);
    place(0);
  }

  IsomorphismClass result() const {
    IsomorphismClass out;
    out.automorphisms = found_;
    for (int p = 0; p < size_; ++p) {
      if (layout_.label_bits > 0) out.canonical.labels |= sorted_[p] << layout_.label_shift(p);
      if (p > 0) out.canonical.arcs |= best_[p] << layout_.arc_shift(p, 0);
    }
    return out;
  }

 private:
  // All that was placed so far equals the best order.
  void place(int p) {
    if (p == size_) {
      ++found_;
      return;
    }
    for (int node = 0; node < size_; ++node) {
      if ((used_ >> node & 1u) != 0 || label_[node] != sorted_[p]) continue;
      std::uint64_t row = 0;
      for (int q = 0; q < p; ++q) row |= arc_[node][order_[q]] << (layout_.arc_bits * q);
      if (row > best_[p]) continue;
      if (row < best_[p]) {
        best_[p] = row;
        std::fill(best_.begin() + p + 1, best_.end(), kWorst);
        found_ = 0;
      }
      used_ |= 1u << node;
      order_[p] = node;
      place(p + 1);
      used_ &= ~(1u << node);
    }
  }

  SubgraphLayout layout_;
  int size_;
  std::array<std::array<std::uint64_t, kMostNodes>, kMostNodes> arc_{};
  std::array<std::uint64_t, kMostNodes> label_{}, sorted_{}, best_{};
  std::array<int, kMostNodes> order_{};
  unsigned used_ = 0;
  std::int64_t found_ = 0;
};

}  // namespace

IsomorphismClass isomorphism_class(const SubgraphLayout& layout, const SubgraphCode& code,
                                   int size) {
  return Orders(layout, code, size).result();
}

}  // namespace cupel
