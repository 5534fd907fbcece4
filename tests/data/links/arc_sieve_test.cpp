#include "cupel/data/links/arc_sieve.h"

#include <gtest/gtest.h>

#include <set>

#include "cupel/base/random.h"

namespace cupel {
namespace {

// All pairs of sparse and dense graphs, of nodes without arcs too.
TEST(ArcSieve, FindsTheArcsAndNothingElse) {
  for (const Index nodes : {1, 2, 9, 70}) {
    for (const int count : {0, 1, 40, 2000}) {
      Stream stream(stream_key("arc sieve"), 0, 0, static_cast<std::uint32_t>(nodes + count));
      std::vector<Pair> drawn;
      for (int k = 0; k < count; ++k)
        drawn.push_back(
            {static_cast<Index>(stream.next_below(static_cast<std::uint32_t>(nodes))),
             static_cast<Index>(stream.next_below(static_cast<std::uint32_t>(nodes + 1) / 2))});
      const std::set<Pair> expected(drawn.begin(), drawn.end());
      const Csr arcs = arcs_of(drawn, nodes, true);
      const ArcSieve sieve(arcs);
      for (Index i = 0; i < nodes; ++i)
        for (Index j = 0; j < nodes; ++j)
          EXPECT_EQ(sieve.has({i, j}), expected.contains({i, j})) << i << ", " << j;
    }
  }
}

}  // namespace
}  // namespace cupel
