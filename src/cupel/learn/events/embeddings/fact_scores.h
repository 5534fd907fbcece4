// Scores of facts by embeddings of their ends and relation, with their gradients.
//
// Each is taken apart in two: what is given and the relation make a query vector, which is compared
// with every entity at once. TransE: Bordes et al., "Translating Embeddings for Modeling
// Multi-relational Data", NIPS 2013, equation 1. DistMult: Yang et al., "Embedding Entities and
// Relations for Learning and Inference in Knowledge Bases", ICLR 2015, section 3.1. ComplEx:
// Trouillon et al., "Complex Embeddings for Simple Link Prediction", ICML 2016, equation 11.
#pragma once

#include <cstdint>
#include <span>

#include "cupel/engine/kernels/distances.h"
#include "cupel/engine/kernels/views.h"

namespace cupel {

enum class FactScore : std::uint8_t {
  kTransE,    // - |e_s + w_r - e_o|
  kDistMult,  // sum of e_s w_r e_o
  kComplEx,   // Re sum of e_s w_r conj(e_o); a row is all real parts, then all imaginary ones
};

struct FactScoring {
  FactScore score = FactScore::kDistMult;
  kernels::Norm norm = kernels::Norm::kL1;  // of TransE
};

// Rows of one size, which is even for ComplEx.
//
// q such that compare(q, e_o) is the score of (given, relation, o); `inverse`: of
// (o, relation, given).
void compose(const FactScoring& scoring, bool inverse, std::span<const float> given,
             std::span<const float> relation, std::span<float> q);
// Writes the gradients of `given` and `relation`. The spans must not overlap.
void compose_backward(const FactScoring& scoring, bool inverse, std::span<const float> given,
                      std::span<const float> relation, std::span<const float> grad_q,
                      std::span<float> grad_given, std::span<float> grad_relation);

// scores(i, j) = compare(row i of queries, row j of entities). The bits of a score depend on its
// two rows alone.
void compare(const FactScoring& scoring, Threads threads, ConstDenseView queries,
             ConstDenseView entities, DenseView scores);
// From gradients of the scores, which are overwritten; so are grad_queries and grad_entities.
void compare_backward(const FactScoring& scoring, Threads threads, ConstDenseView queries,
                      ConstDenseView entities, ConstDenseView scores, DenseView grad_scores,
                      DenseView grad_queries, DenseView grad_entities);

}  // namespace cupel
