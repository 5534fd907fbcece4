// Scientists who may be one.
#pragma once

#include <string>
#include <vector>

#include "cupel/data/facts/facts.h"
#include "cupel/data/resolve/blocks.h"
#include "cupel/data/resolve/candidate.h"
#include "cupel/data/resolve/compare_names.h"
#include "cupel/data/resolve/egos.h"

namespace cupel {

// Entities are numbered as in `egos`, both of which must outlive it. Thread-safe.
class People {
 public:
  People(const TemporalFacts& facts, const Egos& egos, int type);

  // Of the type, numbered from 0.
  [[nodiscard]] Index names() const { return size_; }
  // Puts the pairs of a name and names above it whose score is `show` at least behind `out`, in the
  // order of the second. `others` is overwritten.
  void compare(Index name, double show, std::vector<Index>& others,
               std::vector<MergeCandidate>& out) const;
  // Whether they cannot be one: their names, a paper of both, or equal names.
  [[nodiscard]] Bar bar(Index a, Index b) const;
  // What speaks for a candidate and against it.
  [[nodiscard]] std::string evidence(const MergeCandidate& one) const;
  [[nodiscard]] const Blocks& blocks() const { return blocks_; }

 private:
  // What stands around two of them; sums are of whole numbers, so that no order shows.
  struct Around {
    int shared = 0;           // co-authors
    std::int64_t weight = 0;  // of these, in 2^-20: less for those who work with many
    std::int64_t gap = 0;     // years between the last of one and the first of the other
    double near = 0;          // share of co-authors of one who work with co-authors of the other
    std::int64_t places = 0;  // shared institutions, the rarer the more, in 2^-20
    std::int64_t skills = 0;  // shared capabilities, the same
  };
  [[nodiscard]] std::vector<Blocks::Key> keys() const;
  void count_words();
  void gather(Index name, std::vector<Index>& out) const;
  [[nodiscard]] bool score(Index a, Index b, double show, MergeCandidate& out) const;
  [[nodiscard]] Around around(Index a, Index b) const;
  [[nodiscard]] std::string name_evidence(const MergeCandidate& one) const;
  [[nodiscard]] double name_logit(Index a, Index b, NameRelation relation) const;
  [[nodiscard]] double graph_logit(Index a, Index b) const;
  [[nodiscard]] double commonness(Index word, bool last) const;
  [[nodiscard]] Index end_word(Index name, bool last) const;
  [[nodiscard]] std::string_view name_of(Index entity) const;

  const TemporalFacts* facts_;
  const Egos* egos_;
  Index begin_, size_;  // names are numbered from 0, entities from begin_
  NameBook names_;
  std::vector<Index> as_first_, as_last_;  // names with the word there; for an initial, its letter
  Blocks blocks_;
};

}  // namespace cupel
