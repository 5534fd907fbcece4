// What the program of RE-Net's local model is bound to: some queries and their histories.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "cupel/engine/program/bound_program.h"
#include "cupel/learn/events/re_net/graph_rows.h"
#include "cupel/learn/events/re_net/history_shape.h"

namespace cupel {

// Made once, filled again and again. Not thread-safe. Memory: for q queries at most q histories of
// `length` receivers, each with its neighbours and theirs.
class QueryBatch {
 public:
  QueryBatch(const EventWorld& world, Index width, Index length);

  void clear();
  // Number of a query that is asked at `time`, by what `past` has before it. The same query of one
  // time has one number. Times ascend from call to call.
  Index add(Snapshots& past, std::int64_t time, Index given, Index kind);
  // The number of the last step of any history, plus 1; 0: no history has a step.
  Index steps_needed() const;
  // Global states of steps: `states` row k is that of step k, of those that are needed. Before
  // constants(), once all queries are there.
  void finish(const Matrix& states);

  std::vector<HistoryQuery>& queries() { return queries_; }
  const std::vector<HistoryQuery>& queries() const { return queries_; }
  // By ReNetConstants; of this batch until it is filled again.
  std::vector<ConstantMatrix> constants() const;

 private:
  Index subject(Snapshots& past, Index given, bool as_target);

  Index relations_, width_, length_;
  std::int64_t time_ = 0;
  GraphRows graph_;
  std::vector<HistoryQuery> queries_;
  std::unordered_map<std::int64_t, Index> at_time_, subjects_;  // of this time
  Numbered steps_;
  std::vector<std::vector<Index>> histories_;  // by subject: receivers
  Matrix states_;
  Csr receiver_step_, subject_entity_, subject_receivers_, query_receivers_, query_kind_,
      query_subject_;
};

}  // namespace cupel
