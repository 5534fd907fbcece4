// Facts without their times as queries with all of their answers.
#pragma once

#include <cstdint>
#include <vector>

#include "cupel/base/limits.h"
#include "cupel/data/facts/columns.h"
#include "cupel/learn/events/event_model.h"

namespace cupel {

// Query i is `query[i]`; its answers are answer[first[i]] up to answer[first[i + 1]], ascending,
// each as often as `count` says. Queries are by their given entity, then relation. At most 24 bytes
// a fact, and 24 for each different query.
struct FactQueries {
  std::vector<EventQuery> query;
  std::vector<Offset> first = {0};
  std::vector<Index> answer;
  std::vector<float> count;

  Offset size() const { return std::ssize(query); }
};

// Of both ends of each fact. A fact without direction is one query of either end, none of which
// asks for a source; a loop of it is one query. Takes 32 bytes a fact besides the result. Throws
// Interrupted or TimedOut.
[[nodiscard]] FactQueries fact_queries(const FactColumns& facts, const EventWorld& world,
                                       const RunLimits& limits);

}  // namespace cupel
