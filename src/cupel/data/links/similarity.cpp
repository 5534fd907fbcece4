#include "cupel/data/links/similarity.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cupel/data/graph/graph.h"

namespace cupel {
namespace {

// Rows of kBatch numbers, one row per node or feature.
template <class T>
std::vector<T> zero_rows(std::size_t rows) {
  return std::vector<T>(rows * kBatch, T{0});
}

constexpr double kLeft = 1e-7;  // of the error, by one solution in float32

// Calls visit(column, value) for what the row of a node holds.
template <class Visit>
void for_row(const Features& features, Index node, const Visit& visit) {
  if (const auto* dense = std::get_if<Matrix>(&features)) {
    const float* row = dense->row(node);
    for (Index f = 0; f < dense->cols; ++f) visit(f, double{row[f]});
    return;
  }
  const Csr& sparse = std::get<Csr>(features);
  for (Offset at = sparse.row_ptr[node]; at < sparse.row_ptr[node + 1]; ++at)
    visit(sparse.columns[at], double{sparse.value(at)});
}

}  // namespace

// With y = p / degree and l leaves at node u, y(u) = start(u) + rho / d(u) times the sum of y over
// links, and y(leaf) = start(leaf) + rho y(u). The leaves' terms go to the left side.
PersonalisedPageRank::PersonalisedPageRank(const Csr& arcs, double restart)
    : restart_(restart), place_(static_cast<std::size_t>(arcs.rows)), folded_(place_.size(), 0) {
  const double rho = 1 - restart;
  std::vector<Index> order;
  std::vector<double> leaves(place_.size(), 0);
  for (Index i = 0; i < arcs.rows; ++i) {
    degree_.push_back(static_cast<double>(arcs.row_size(i)));
    const Index other = arcs.row_size(i) == 1 ? arcs.row_columns(i)[0] : i;
    // Where two nodes have only each other, the lower one stays.
    folded_[i] = other != i && (arcs.row_size(other) > 1 || other < i);
    if (folded_[i])
      ++leaves[other];
    else
      order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return arcs.row_size(a) > arcs.row_size(b); });
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Index node = order[k];
    place_[node] = static_cast<Index>(k);
    const double left = degree_[node] - rho * rho * leaves[node];
    weight_.push_back(left > 0 ? rho / left : 0);
    own_.push_back(left > 0 ? degree_[node] / left : 0);
  }
  std::vector<Edge> edges;
  for (Index i = 0; i < arcs.rows; ++i) {
    if (folded_[i]) {
      place_[i] = place_[arcs.row_columns(i)[0]];
      continue;
    }
    for (const Index j : arcs.row_columns(i)) {
      if (!folded_[j]) edges.push_back({place_[i], place_[j]});
    }
  }
  inner_ = from_edges(static_cast<Index>(order.size()), edges);
}

// The solution of y = start + weight A y on inner nodes.
void PersonalisedPageRank::solve(const Rows& start, Rows& out) const {
  const double rho = 1 - restart_, rate = rho / (1 + std::sqrt(1 - rho * rho));
  Rows before = zero_rows<float>(weight_.size());
  out = start;  // the first step, from zero
  double omega = 1, error = 2 * rate;
  for (int step = 2; error > kLeft; ++step, error *= rate) {
    omega = step == 2 ? 1 / (1 - rho * rho / 2) : 1 / (1 - rho * rho * omega / 4);
    const auto factor = static_cast<float>(omega);
    for (Index v = 0; v < inner_.rows; ++v) {
      float sum[kBatch] = {};
      for (const Index u : inner_.row_columns(v)) {
        const float* from = out.data() + static_cast<std::size_t>(u) * kBatch;
        for (Index c = 0; c < kBatch; ++c) sum[c] += from[c];
      }
      const auto weight = static_cast<float>(weight_[v]);
      float* to = before.data() + static_cast<std::size_t>(v) * kBatch;
      const float* jump = start.data() + static_cast<std::size_t>(v) * kBatch;
      for (Index c = 0; c < kBatch; ++c)
        to[c] = factor * (weight * sum[c] + jump[c] - to[c]) + to[c];
    }
    std::swap(out, before);
  }
}

NodeBatch PersonalisedPageRank::batch(std::span<const Index> sources) const {
  const std::size_t nodes = place_.size();
  Rows start = zero_rows<float>(weight_.size()), first, second;
  // Where each walk starts, and what the inner node there gets of it.
  std::vector<double> jump(kBatch, 0), inner(kBatch, 0);
  for (std::size_t c = 0; c < sources.size(); ++c) {
    const Index source = sources[c], place = place_[source];
    if (degree_[source] == 0) continue;
    jump[c] = restart_ / degree_[source];
    inner[c] = jump[c] * (folded_[source] ? weight_[place] : own_[place]);
    start[static_cast<std::size_t>(place) * kBatch + c] = static_cast<float>(inner[c]);
  }
  solve(start, first);

  // What is missing of the first solution, in double.
  Rows missing(first.size());
  for (Index v = 0; v < inner_.rows; ++v) {
    double sum[kBatch] = {};
    for (const Index u : inner_.row_columns(v)) {
      const float* from = first.data() + static_cast<std::size_t>(u) * kBatch;
      for (Index c = 0; c < kBatch; ++c) sum[c] += from[c];
    }
    const std::size_t row = static_cast<std::size_t>(v) * kBatch;
    for (std::size_t c = 0; c < kBatch; ++c) {
      const bool own = c < sources.size() && place_[sources[c]] == v;
      missing[row + c] =
          static_cast<float>((own ? inner[c] : 0) + weight_[v] * sum[c] - first[row + c]);
    }
  }
  solve(missing, second);

  NodeBatch out(nodes * kBatch, 0.0f);
  for (std::size_t c = 0; c < sources.size(); ++c) {
    float* column = out.data() + c * nodes;
    for (std::size_t i = 0; i < nodes; ++i) {
      const std::size_t at = static_cast<std::size_t>(place_[i]) * kBatch + c;
      const double there = double{first[at]} + second[at];
      const double own = static_cast<Index>(i) == sources[c] ? jump[c] : 0;
      column[i] =
          static_cast<float>(degree_[i] * (folded_[i] ? (1 - restart_) * there + own : there));
    }
    if (jump[c] == 0) column[sources[c]] = static_cast<float>(restart_);
  }
  return out;
}

FeatureCosine::FeatureCosine(const Features& features) : features_(features) {
  const Index nodes = std::visit([](const auto& matrix) { return matrix.rows; }, features);
  for (Index i = 0; i < nodes; ++i) {
    double squares = 0;
    for_row(features, i, [&](Index, double value) { squares += value * value; });
    scale_.push_back(squares > 0 ? 1 / std::sqrt(squares) : 0);
  }
}

NodeBatch FeatureCosine::batch(std::span<const Index> nodes) const {
  std::vector<double> asked = zero_rows<double>(static_cast<std::size_t>(feature_count(features_)));
  for (std::size_t c = 0; c < nodes.size(); ++c) {
    for_row(features_, nodes[c], [&](Index f, double value) {
      asked[static_cast<std::size_t>(f) * kBatch + c] = value * scale_[nodes[c]];
    });
  }
  NodeBatch out(scale_.size() * kBatch);
  for (std::size_t v = 0; v < scale_.size(); ++v) {
    double sum[kBatch] = {};
    for_row(features_, static_cast<Index>(v), [&](Index f, double value) {
      const double* other = asked.data() + static_cast<std::size_t>(f) * kBatch;
      for (Index c = 0; c < kBatch; ++c) sum[c] += value * other[c];
    });
    for (std::size_t c = 0; c < kBatch; ++c)
      out[c * scale_.size() + v] = static_cast<float>(sum[c] * scale_[v]);
  }
  return out;
}

double FeatureCosine::of(Index a, Index b) const {
  double sum = 0;
  if (const auto* dense = std::get_if<Matrix>(&features_)) {
    for (Index f = 0; f < dense->cols; ++f) sum += double{(*dense)(a, f)} * (*dense)(b, f);
  } else {
    const Csr& sparse = std::get<Csr>(features_);
    Offset i = sparse.row_ptr[a], j = sparse.row_ptr[b];
    while (i < sparse.row_ptr[a + 1] && j < sparse.row_ptr[b + 1]) {
      const Index left = sparse.columns[i], right = sparse.columns[j];
      if (left == right) sum += double{sparse.value(i)} * sparse.value(j);
      i += left <= right;
      j += right <= left;
    }
  }
  return sum * scale_[static_cast<std::size_t>(a)] * scale_[static_cast<std::size_t>(b)];
}

void resource_allocation(const Csr& arcs, Index node, std::vector<double>& scores,
                         std::vector<Index>& touched) {
  for (const Index common : arcs.row_columns(node)) {
    const double share = 1 / static_cast<double>(arcs.row_size(common));
    for (const Index other : arcs.row_columns(common)) {
      double& score = scores[static_cast<std::size_t>(other)];
      if (score == 0) touched.push_back(other);
      score += share;
    }
  }
  std::sort(touched.begin(), touched.end());
}

}  // namespace cupel
