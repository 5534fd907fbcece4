// What positive pairs are ranked against, and how ranks are counted without a matrix of questions x
// candidates.
//
// Candidates come in three forms. A visible side and a sealed side are made of them: Asked is what
// a model scores, and does not tell positives from negatives; Questions is what the answers are
// counted by, and never reaches a model. RankCounter takes scores in the order of Asked and gives
// counts for each question. All are values, safe to read from many threads.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "cupel/data/graph/pairs.h"

namespace cupel {

// Pairs are directed, or undirected and written with source < target, as in a PairList.

// One set of negatives for all positives.
struct CandidatePool {
  std::vector<Pair> pairs;  // ascending, distinct, none a positive
};

// Negatives of each positive's own. One may be a positive of another question, where only links of
// other parts were left out.
struct CandidateLists {
  std::vector<Offset> start = {0};  // positives + 1
  std::vector<Pair> pairs;          // of a list: ascending, distinct, not its positive
};

// Every node of a type as the other end of the pair, less a filter. The nodes of a type are
// [begin, end). An undirected pair is asked from both ends, a directed one from its source.
struct AllTargets {
  Index begin = 0, end = 0;
  Csr filter;  // pattern, nodes x nodes: targets of each source that do not count; loops need none
};

using Candidates = std::variant<CandidatePool, CandidateLists, AllTargets>;

// What is to be scored: rows in a fixed order. The set of pairs shows where the questions are, as
// any list of negatives does, but neither order nor multiplicity tells more.
struct Asked {
  std::vector<Pair> pairs;  // pool and lists: ascending, distinct; row r is pairs[r]
  // All targets: row r pairs sources[r / width()] with begin + r % width(). Sources ascend. Pairs
  // of a source with itself and filtered ones are rows too, whose scores count nowhere.
  std::vector<Index> sources;
  Index begin = 0, end = 0;

  bool all_targets() const { return end > begin; }
  Offset width() const { return Offset{end} - begin; }
  Offset rows() const;
  Pair pair(Offset row) const;  // not in the order of an undirected pair where targets are all
};

enum class CandidateForm : std::uint8_t { kPool, kLists, kAll };

// The sealed side: positives and their candidates as rows of Asked.
struct Questions {
  CandidateForm form = CandidateForm::kPool;
  // Questions for each positive, one after another: 2 where both ends are asked, source first.
  int per_positive = 1;
  std::vector<Offset> positive;  // per question: the row of its positive
  // Pool: the rows of all negatives, ascending. Lists: question q has [start[q], start[q + 1]).
  std::vector<Offset> rows, start;
  // All: columns of the block of source s that do not count for its questions, its own among them,
  // are [start[s], start[s + 1]), ascending. A question's own column never counts for it.
  std::vector<Index> filtered;

  Offset size() const { return static_cast<Offset>(positive.size()); }
};

struct Ranking {
  Asked asked;
  Questions questions;
};

// Positives keep their order in Questions. Candidates of a pool or a list are rows, and equal pairs
// share one. Time and memory: O(pairs log pairs) for pool and lists; O(positives + the filter of
// the sources that are asked) for all targets, however many targets there are. A pool that holds a
// positive, lists of another number, a pair out of range or against the order, and filters of
// another size are bugs (std::logic_error).
[[nodiscard]] Ranking make_ranking(std::span<const Pair> positives, bool directed, Index nodes,
                                   const Candidates& candidates);

// Candidates of a question: the questions' smallest number and largest. Hits@K needs K <= smallest.
struct CandidateCounts {
  Offset smallest = 0, largest = 0;
};
[[nodiscard]] CandidateCounts candidate_counts(const Ranking& ranking);

}  // namespace cupel
