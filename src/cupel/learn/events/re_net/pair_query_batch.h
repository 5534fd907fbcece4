// What the program of RE-Net in the form of PyTorch Geometric is bound to: some queries and their
// histories.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "cupel/engine/program/bound_program.h"
#include "cupel/learn/events/id_table.h"
#include "cupel/learn/events/re_net/graph_rows.h"
#include "cupel/learn/events/re_net/history_shape.h"
#include "cupel/learn/events/re_net/pair_histories.h"

namespace cupel {

// Rows of one content are there once, so that they are computed once. Two queries of one entity and
// relation are one where their histories are the same, whatever their times. Made once, filled
// again and again. Not thread-safe. Memory: for q queries at most q `length` contents.
class PairQueryBatch {
 public:
  PairQueryBatch(const EventWorld& world, Index length);

  void clear();
  // Number of a query that is asked at `time`, by what `past` has before it and, after that, so
  // many `unknown` steps, of which nothing is known.
  Index add(const PairHistories& past, std::int64_t time, Index given, Index kind, Index unknown);

  std::vector<HistoryQuery>& queries() { return queries_; }
  // By PairConstants; of this batch until it is filled again.
  std::vector<ConstantMatrix> constants();

 private:
  struct End {
    explicit End(Index all_entities) { given.reach(static_cast<std::size_t>(all_entities)); }
    Numbered given;
    IdTable contents, histories;
    std::vector<std::size_t> content_begin;  // by content, + end: in `who`
    std::vector<Index> who;                  // ascending, as often as it was met
    std::vector<Index> query_of;             // by history
    Csr given_entity, content_entities, history_contents, history_given, history_relation,
        query_history;
  };
  Index content(End& end, std::span<const Index> who);
  Index entity(Index id);

  Index all_entities_, relations_, length_;
  Numbered entities_;
  Csr entity_of_all_;
  std::array<End, 2> ends_;
  std::vector<HistoryQuery> queries_;
  std::vector<Index> who_, history_;
};

}  // namespace cupel
