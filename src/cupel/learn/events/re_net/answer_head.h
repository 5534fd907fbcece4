// What answers queries, of both ends or of one: scores of all entities, and of relations, from
// states of histories.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cupel/base/parallel.h"
#include "cupel/engine/kernels/dropout.h"
#include "cupel/engine/program/parameters.h"
#include "cupel/learn/events/re_net/history_shape.h"

namespace cupel {

// Memory of answers, which grows as needed.
struct AnswerRoom {
  AlignedVector<float> logits, of_given, of_kind, weights;
};

// So many rows and columns of it.
[[nodiscard]] DenseView room_for(AlignedVector<float>& in, Index rows, Index cols);

// W_o [e ; g ; w] is a sum of three products, of which those of e and of w are computed once for
// all queries of a block that share them, and what is dropped of them. A block is as many queries
// as together have `logits` logits, and 4 to 1024 of them; the room holds three such arrays, and
// one of an embedding for each entity in training. Not thread-safe; the bits do not depend on the
// threads.
class AnswerHead {
 public:
  // Room may be shared by heads that take turns. It must outlive them.
  AnswerHead(const ReNetShape& shape, const ReNetAnswers& places, std::int64_t logits,
             AnswerRoom& room, Threads threads);

  Index block() const { return block_; }
  // Of all entities: a row of `out` for each of `rows`, numbers of at most block() queries. states:
  // a row [g ; q] for each query, or g alone where relations are not predicted.
  void logits(ParameterSet& values, std::span<const HistoryQuery> queries,
              std::span<const Index> rows, ConstDenseView states, DenseView out);
  // P(relation | given) by the relations' part of the states. rows of queries x relations.
  Matrix relation_probabilities(ParameterSet& values, std::span<const HistoryQuery> queries,
                                ConstDenseView states);

  // Cross-entropy of all answers, plus a tenth of that of the relations where they are predicted,
  // over `facts`, with e and w dropped for each query, or where masks are shared, by draws that are
  // the same for all queries that share them. Of `rows`, any number of them. Writes the gradients
  // of W_o, W_r and their biases, and those rows of that of the states; those of e and w are added
  // by add_rows(). Not finite if a logit is not.
  double loss(ParameterSet& values, ParameterSet& gradients, std::span<const HistoryQuery> queries,
              std::span<const Index> rows, ConstDenseView states, double facts, StreamKey key,
              std::uint32_t step, DenseView grad_states);
  // Of the last loss().
  void add_rows(ParameterSet& gradients);

 private:
  // Rows of a table that queries of a block name, some of their elements dropped.
  struct Named {
    std::vector<Index> ids, of_query;
    Matrix rows;
    std::vector<std::uint8_t> mask;
  };
  struct Source {
    StreamKey key;
    std::uint32_t purpose, step;
  };
  void name(ParameterSet& values, int table, std::span<const Index> ids, const Source* source,
            Named& out);
  void keep_rows(int table, const Named& named, Matrix grad);
  bool predicts_relations() const { return at_.relation_bias >= 0; }
  // Logits of the states g plus the parts of e and w.
  void fill(ParameterSet& values, std::span<const HistoryQuery* const> queries, ConstDenseView g,
            const Source* source, DenseView logits);
  double entity_loss(std::span<const HistoryQuery* const> queries, double facts, DenseView logits);
  double relation_loss(ParameterSet& values, ParameterSet& gradients,
                       std::span<const HistoryQuery* const> queries, ConstDenseView q, double facts,
                       DenseView grad_q, DenseView grad_given, bool first);
  void clear_gradients(ParameterSet& gradients) const;
  // Writes where `first`, else adds.
  void put_weights(ParameterSet& gradients, int place, ConstDenseView grad, ConstDenseView in,
                   bool first);
  void put_bias(ParameterSet& gradients, int place, ConstDenseView grad, bool first);

  ReNetShape shape_;
  ReNetAnswers at_;
  Threads threads_;
  kernels::DropRate rate_;
  Index block_;
  AnswerRoom& room_;
  Named given_, kind_;
  std::vector<Index> ids_;
  struct KeptRows {
    int table;
    std::vector<Index> ids;
    Matrix grad;
  };
  std::vector<KeptRows> kept_;
};

}  // namespace cupel
