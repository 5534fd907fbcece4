// Which entities may be one: proposals of merges, by names and by what stands around them.
//
// After S. Horawalavithana et al., "EXPERT", 2022, section 3 (entity resolution by name and ego
// network). The measure is ours: a logistic model of what names differ in, how rare they are, and
// whom two entities work with; its weights are in people_weights.h.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cupel/base/parallel.h"
#include "cupel/data/facts/academic.h"
#include "cupel/data/facts/facts.h"
#include "cupel/data/resolve/decision.h"

namespace cupel {

struct ProposeSettings {
  double threshold = 0.93;  // a score from which a proposal is accepted
  double show = 0.3;        // a score from which it is written at all
  bool scientists = true, institutions = true;
};

struct Proposals {
  std::vector<MergeDecision> decisions;        // by (first, second)
  std::map<std::string, std::int64_t> counts;  // what was compared, accepted, left open, and why
};

// Proposes in two steps, so that it is known how many pairs there will be, and what they will take
// of memory, before all names are compared. Not thread-safe.
class Proposer {
 public:
  // Gathers what stands around entities and which names share a key. `facts` and `authorships` must
  // outlive it. Throws Error for a threshold that is none.
  Proposer(const TemporalFacts& facts, const Authorships& authorships,
           const ProposeSettings& settings, Threads threads);
  ~Proposer();
  Proposer(const Proposer&) = delete;
  Proposer& operator=(const Proposer&) = delete;

  // About as many pairs as propose() gives: 4,096 names, or one in 64 where these are more, are
  // compared with all above them. Exact where there are no more names of a type. Does not depend on
  // the number of threads.
  [[nodiscard]] std::int64_t expected() const;
  // As propose_merges() says; ends it.
  [[nodiscard]] Proposals propose() &&;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Only names that share a key are compared (blocks.h): first letter and last name, two words in any
// order, the head of both names, the letters without blanks; for scientists also names with the
// same first or last word that share a co-author. No proposal is rejected: a person may.
//
// A proposal from `threshold` on is accepted unless
// - both are authors of one paper, or have the same name, or are institutions that print different
//   countries: then the source told them apart;
// - one of them fits a third one as well, or nearly, which cannot be the other ("J. Smith" to "John
//   Smith" and "Jane Smith");
// - it would put two names into one person of which each has a word that the other has not, or two
//   that were told apart. Proposals are taken from the best down, and every pair of names of the
//   two groups that would become one is held against this.
// What is not accepted is open, and its evidence says why.
//
// The same entities are proposed, with the same bits, however facts, papers and entities are
// numbered and on any number of threads. Time grows as entities, times a bounded number of
// comparisons each, and as the squares of co-authors' lists, which are bounded too. Memory: that of
// gather_egos(), 350 bytes for each scientist, 700 for each institution, and 300 for each proposal.
[[nodiscard]] Proposals propose_merges(const TemporalFacts& facts, const Authorships& authorships,
                                       const ProposeSettings& settings, Threads threads);

}  // namespace cupel
