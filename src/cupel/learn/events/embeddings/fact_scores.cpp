#include "cupel/learn/events/embeddings/fact_scores.h"

#include "cupel/engine/kernels/dense.h"

namespace cupel {
namespace {

// Real and imaginary parts of a row.
template <class T>
struct Parts {
  explicit Parts(std::span<T> row)
      : re(row.first(row.size() / 2)), im(row.subspan(row.size() / 2)) {}
  std::span<T> re, im;
};

}  // namespace

void compose(const FactScoring& scoring, bool inverse, std::span<const float> given,
             std::span<const float> relation, std::span<float> q) {
  switch (scoring.score) {
    case FactScore::kTransE:
      // |e_s + w - e_o| = |(e_o - w) - e_s|
      for (std::size_t k = 0; k < q.size(); ++k)
        q[k] = inverse ? given[k] - relation[k] : given[k] + relation[k];
      return;
    case FactScore::kDistMult:
      for (std::size_t k = 0; k < q.size(); ++k) q[k] = given[k] * relation[k];
      return;
    case FactScore::kComplEx:
      break;
  }
  // Re(x w conj(y)) is the inner product of x w with y, and that of conj(w) y with x.
  const Parts<const float> x(given), w(relation);
  const Parts<float> out(q);
  const float sign = inverse ? -1.0f : 1.0f;
  for (std::size_t k = 0; k < out.re.size(); ++k) {
    const float im = sign * w.im[k];
    out.re[k] = x.re[k] * w.re[k] - x.im[k] * im;
    out.im[k] = x.re[k] * im + x.im[k] * w.re[k];
  }
}

void compose_backward(const FactScoring& scoring, bool inverse, std::span<const float> given,
                      std::span<const float> relation, std::span<const float> grad_q,
                      std::span<float> grad_given, std::span<float> grad_relation) {
  switch (scoring.score) {
    case FactScore::kTransE:
      for (std::size_t k = 0; k < grad_q.size(); ++k) {
        grad_given[k] = grad_q[k];
        grad_relation[k] = inverse ? -grad_q[k] : grad_q[k];
      }
      return;
    case FactScore::kDistMult:
      for (std::size_t k = 0; k < grad_q.size(); ++k) {
        grad_given[k] = grad_q[k] * relation[k];
        grad_relation[k] = grad_q[k] * given[k];
      }
      return;
    case FactScore::kComplEx:
      break;
  }
  const Parts<const float> x(given), w(relation), g(grad_q);
  const Parts<float> to_x(grad_given), to_w(grad_relation);
  const float sign = inverse ? -1.0f : 1.0f;
  for (std::size_t k = 0; k < g.re.size(); ++k) {
    const float im = sign * w.im[k];
    to_x.re[k] = g.re[k] * w.re[k] + g.im[k] * im;
    to_x.im[k] = g.im[k] * w.re[k] - g.re[k] * im;
    to_w.re[k] = g.re[k] * x.re[k] + g.im[k] * x.im[k];
    to_w.im[k] = sign * (g.im[k] * x.re[k] - g.re[k] * x.im[k]);
  }
}

void compare(const FactScoring& scoring, Threads threads, ConstDenseView queries,
             ConstDenseView entities, DenseView scores) {
  if (scoring.score == FactScore::kTransE)
    kernels::negative_distances(threads, scoring.norm, queries, entities, scores);
  else
    kernels::matmul_nt(threads, queries, entities, scores);
}

void compare_backward(const FactScoring& scoring, Threads threads, ConstDenseView queries,
                      ConstDenseView entities, ConstDenseView scores, DenseView grad_scores,
                      DenseView grad_queries, DenseView grad_entities) {
  if (scoring.score == FactScore::kTransE) {
    kernels::scale_distance_gradients(threads, scoring.norm, scores, grad_scores);
    kernels::negative_distances_backward(threads, scoring.norm, queries, entities, grad_scores,
                                         false, grad_queries);
    kernels::negative_distances_backward(threads, scoring.norm, entities, queries, grad_scores,
                                         true, grad_entities);
  } else {
    kernels::matmul(threads, grad_scores, entities, grad_queries);
    kernels::matmul_tn(threads, grad_scores, queries, grad_entities);
  }
}

}  // namespace cupel
