// Some questions of validation, by which training is stopped in time.
#pragma once

#include <vector>

#include "cupel/base/limits.h"
#include "cupel/base/random.h"
#include "cupel/learn/events/embeddings/fact_embeddings.h"
#include "cupel/learn/events/embeddings/fact_queries.h"

namespace cupel {

// Questions drawn of both ends of facts; about each, what else was true at that time.
class FactSample {
 public:
  // At most `size` questions, drawn with the key. Candidates are the entities that some query of
  // `train` has. Takes O(facts log size).
  FactSample(const FactColumns& facts, const EventWorld& world, const FactQueries& train,
             Offset size, StreamKey key, const RunLimits& limits);

  bool empty() const { return questions_.empty(); }
  // Mean reciprocal rank with the time filter, ties at their mean; 0 for an answer that is no
  // candidate.
  double mean_reciprocal_rank(const FactEmbeddings& at, Threads threads,
                              const RunLimits& limits) const;

 private:
  struct Question {
    std::int64_t time = 0;
    EventQuery query;
    std::vector<Index> truths;  // at that time, ascending, each once
    std::vector<Index> asked;   // those that were drawn, as often as they were
  };
  double reciprocal_ranks(const Question& question, std::span<const float> scores) const;

  std::vector<Question> questions_;  // by time, given, relation, end
  std::vector<std::uint8_t> is_candidate_;
};

}  // namespace cupel
