// Rows of numbers for entities and relations, by which facts are scored.
#pragma once

#include <span>

#include "cupel/base/matrix.h"
#include "cupel/base/parallel.h"
#include "cupel/base/random.h"
#include "cupel/learn/events/embeddings/fact_scores.h"
#include "cupel/learn/events/event_model.h"

namespace cupel {

struct FactForm {
  FactScoring scoring;
  // Each direction of a relation has a row of its own (Lacroix et al. 2018, section 6); else both
  // share one, and a fact has one score.
  bool reciprocal = true;
};

// How a query uses the rows of relations.
struct RelationUse {
  Index row = 0;
  bool inverse = false;  // of the score of (answer, relation, given)
};

struct FactEmbeddings {
  FactForm form;
  Matrix entities, relations;

  RelationUse use(const EventQuery& query) const {
    if (!form.reciprocal) return {query.relation, query.source_asked};
    return {2 * query.relation + (query.source_asked ? 1 : 0), false};
  }
};

// Drawn: normal numbers with deviation 0.1; for TransE uniform within 6 / sqrt(dimension), as its
// paper has it. Rows are a function of the key and their number.
[[nodiscard]] FactEmbeddings draw_embeddings(const FactForm& form, const EventWorld& world,
                                             Index dimension, StreamKey key, Threads threads);

// q(i) of query i: queries x dimension.
void compose_queries(const FactEmbeddings& embeddings, std::span<const EventQuery> queries,
                     Threads threads, DenseView q);

}  // namespace cupel
