// The nodes that rank best by any of several measures.
#pragma once

#include <span>
#include <vector>

#include "cupel/base/matrix.h"

namespace cupel {

// Nodes with a positive score by one measure, best first, as many as can matter.
//
// A node's rank is the number of nodes that score as high or higher, less the nodes that share the
// best score, plus one: nodes that tie share a rank. Whoever wants `count` nodes by best rank needs
// no node behind the count-th of a measure, but ties with it count.
struct Shortlist {
  struct Entry {
    float score;
    Index node;
  };
  std::vector<Entry> entries;  // score descends, then node ascends
  Offset last_ties = 0;        // nodes with the last entry's score, listed or not
  bool complete = true;        // every node with a positive score is listed
};

// From the nodes and their scores, in ascending order of node; what is not above 0 is no entry.
// Linear in their number, plus count log count. Listed are the `count` best and ties with the last
// of them, of these the `count` with the lowest ids.
[[nodiscard]] Shortlist shortlist(std::span<const Shortlist::Entry> scored, Index count);

// The shortlists of the first `columns` columns of a batch (batch_rows.h): a row for each node. One
// walk over the rows, which puts aside what reaches the `count` best so far.
[[nodiscard]] std::vector<Shortlist> shortlists(std::span<const float> rows, std::size_t columns,
                                                Index count);

// What nodes without a score rank as, by each measure.
enum class Unscored {
  kLast,      // one behind the last node with a score
  kUnranked,  // nothing: another measure decides
};

// Picks nodes by the best of their ranks; equal ones by id. Not thread-safe: holds a mark per node.
class RankPicker {
 public:
  RankPicker(Index nodes, Unscored unscored);

  // One measure: its list of more than the wanted number, and the score of `without`.
  struct Measure {
    const Shortlist* list;
    float without_score;
  };
  // `count` nodes, ascending, or all there are. No node of `excluded` (ascending, distinct) and not
  // `without` is picked; the lists hold none of `excluded` and may hold `without`, and are of
  // count + 1. Where fewer nodes than count have a score, all of them are picked first.
  [[nodiscard]] std::vector<Index> pick(std::span<const Measure> measures, Index without,
                                        std::span<const Index> excluded, Index count);

 private:
  void rank(const Measure& measure, Index without);
  Unscored unscored_;
  std::vector<Offset> best_;  // per node: best rank so far, 0 none
  std::vector<Index> ranked_;
  Offset unscored_rank_ = 0;  // best of those that nodes without a score get, 0 none
};

}  // namespace cupel
