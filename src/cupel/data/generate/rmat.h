// R-MAT: a graph of 2^scale nodes whose edges are drawn into a recursively divided adjacency.
//
// Source: Chakrabarti, Zhan and Faloutsos, "R-MAT: a recursive model for graph mining", SDM 2004. A
// draw descends `scale` times into one of the four quarters of what is left of the matrix: both
// ends in the lower half with probability a, the target in the upper half with b, the source with
// c, both with d = 1 - a - b - c. No noise is added to these from level to level. Nodes are then
// renumbered at random, as Graph500 has it, so that a number tells nothing of a degree.
#pragma once

#include <cstdint>

#include "cupel/base/matrix.h"
#include "cupel/base/parallel.h"
#include "cupel/base/random.h"

namespace cupel {

struct RmatSettings {
  int scale = 0;           // 1 to 30
  std::int64_t draws = 0;  // of edges; loops and repeats are among them
  double a = 0, b = 0, c = 0;
  bool permute = true;  // renumber the nodes
  StreamKey key;
};

// The pairs i < j that were drawn in either direction, each once as the entry (i, j). A draw is a
// function of key and its number, so that the graph is the same on any number of threads.
// Memory: 4 bytes per draw and 20 per node. Every edge is drawn twice, to be counted and to be put
// in its place.
[[nodiscard]] Csr rmat_graph(const RmatSettings& settings, Threads threads);

// One to one from the numbers below 2^bits to themselves, at random. 1 <= bits <= 31.
class RandomNumbering {
 public:
  RandomNumbering(StreamKey key, std::uint32_t purpose, int bits);

  std::uint32_t operator()(std::uint32_t number) const {
    // Multiplication by an odd number and adding its own upper half to the lower one can be undone.
    for (const std::uint32_t factor : factors_) {
      number = (number * factor) & mask_;
      number ^= number >> half_;
    }
    return number;
  }

 private:
  static constexpr int kRounds = 4;
  std::uint32_t factors_[kRounds];
  std::uint32_t mask_;
  int half_;
};

}  // namespace cupel
