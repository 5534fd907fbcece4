#include "cupel/data/links/similarity.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cupel/data/graph/graph.h"
#include "cupel/data/links/batch_rows.h"

namespace cupel {
namespace {

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
    share_.push_back(folded_[i] ? rho : 1);
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
    rounded_weight_.push_back(static_cast<float>(weight_.back()));
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
void PersonalisedPageRank::solve(const NodeBatch& start, NodeBatch& before, NodeBatch& out) const {
  const double rho = 1 - restart_, rate = rho / (1 + std::sqrt(1 - rho * rho));
  before.assign(start.size(), 0.0f);
  out = start;  // the first step, from zero
  double omega = 1, error = 2 * rate;
  for (int step = 2; error > kLeft; ++step, error *= rate) {
    omega = step == 2 ? 1 / (1 - rho * rho / 2) : 1 / (1 - rho * rho * omega / 4);
    batch_rows::step(inner_, rounded_weight_.data(), start.data(), out.data(), before.data(),
                     static_cast<float>(omega));
    out.swap(before);
  }
}

void PersonalisedPageRank::batch(std::span<const Index> sources, Work& work, NodeBatch& out) const {
  auto& [start, first, missing, second, before] = work;
  start.assign(weight_.size() * kBatch, 0.0f);
  missing.resize(start.size());
  // Where each walk starts, and what the inner node there gets of it.
  std::vector<double> jump(kBatch, 0), inner(kBatch, 0);
  const auto place_of = [&](std::size_t c) {
    return static_cast<std::size_t>(place_[sources[c]]) * kBatch + c;
  };
  for (std::size_t c = 0; c < sources.size(); ++c) {
    const Index source = sources[c], place = place_[source];
    if (degree_[source] == 0) continue;
    jump[c] = restart_ / degree_[source];
    inner[c] = jump[c] * (folded_[source] ? weight_[place] : own_[place]);
    start[place_of(c)] = static_cast<float>(inner[c]);
  }
  solve(start, before, first);

  // What is missing of the first solution, in double.
  batch_rows::missing(inner_, weight_.data(), first.data(), missing.data());
  for (std::size_t c = 0; c < sources.size(); ++c) {
    const Index place = place_[sources[c]];
    double sum = 0;
    for (const Index u : inner_.row_columns(place))
      sum += first[static_cast<std::size_t>(u) * kBatch + c];
    missing[place_of(c)] = static_cast<float>(inner[c] + weight_[place] * sum - first[place_of(c)]);
  }
  solve(missing, before, second);

  out.resize(place_.size() * kBatch);
  batch_rows::spread(static_cast<Index>(place_.size()), place_.data(), degree_.data(),
                     share_.data(), first.data(), second.data(), out.data());
  for (std::size_t c = 0; c < sources.size(); ++c) {
    const Index source = sources[c];
    float& own = out[static_cast<std::size_t>(source) * kBatch + c];
    if (degree_[source] == 0) {
      own = static_cast<float>(restart_);
    } else if (folded_[source]) {
      const double there = double{first[place_of(c)]} + second[place_of(c)];
      own = static_cast<float>(degree_[source] * (share_[source] * there + jump[c]));
    }
  }
}

FeatureCosine::FeatureCosine(const Features& features) : features_(features) {
  const Index nodes = std::visit([](const auto& matrix) { return matrix.rows; }, features);
  for (Index i = 0; i < nodes; ++i) {
    double squares = 0;
    for_row(features, i, [&](Index, double value) { squares += value * value; });
    scale_.push_back(squares > 0 ? 1 / std::sqrt(squares) : 0);
  }
}

void FeatureCosine::batch(std::span<const Index> nodes, NodeBatch& out) const {
  AlignedVector<double> asked(static_cast<std::size_t>(feature_count(features_)) * kBatch, 0.0);
  for (std::size_t c = 0; c < nodes.size(); ++c) {
    for_row(features_, nodes[c], [&](Index f, double value) {
      asked[static_cast<std::size_t>(f) * kBatch + c] = value * scale_[nodes[c]];
    });
  }
  out.resize(scale_.size() * kBatch);
  std::visit(
      [&](const auto& x) { batch_rows::products(x, asked.data(), scale_.data(), out.data()); },
      features_);
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
