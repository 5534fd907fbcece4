// Small labelled graphs as numbers, and which of them are isomorphic.
#pragma once

#include <cstdint>

namespace cupel {

// A connected graph of a few nodes in some order: what a search meets. Two of one layout are equal
// if and only if size, labels and arcs are (the size is told by the last node, which is joined to
// an earlier one).
struct SubgraphCode {
  std::uint64_t arcs = 0;    // of nodes 1, 2, ...: label + 1 of the arc to each earlier node, or 0
  std::uint64_t labels = 0;  // of nodes 0, 1, ...
  friend bool operator==(const SubgraphCode&, const SubgraphCode&) = default;
};
struct SubgraphCodeHash {
  std::size_t operator()(const SubgraphCode& code) const {
    std::uint64_t h = (code.arcs + 0x632BE59BD9B4E019u) * 0x9E3779B97F4A7C15u;
    h = (h ^ (h >> 29) ^ code.labels) * 0xBF58476D1CE4E5B9u;
    return static_cast<std::size_t>(h ^ (h >> 32));
  }
};

// Bits of one label in a code.
struct SubgraphLayout {
  int arc_bits = 1, label_bits = 0;

  // Place of the arc between nodes p and q < p.
  int arc_shift(int p, int q) const { return arc_bits * (p * (p - 1) / 2 + q); }
  int label_shift(int p) const { return label_bits * p; }
};

struct IsomorphismClass {
  SubgraphCode canonical;  // the same for isomorphic graphs, and for no others
  std::int64_t automorphisms = 0;
};

// Of a graph of `size` <= 8 nodes, by trying orders of its nodes.
[[nodiscard]] IsomorphismClass isomorphism_class(const SubgraphLayout& layout,
                                                 const SubgraphCode& code, int size);

}  // namespace cupel
