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

template <class T>
T scale_of(const Csr& arcs, Index node, double rho) {
  const Offset degree = arcs.row_size(node);
  return degree > 0 ? static_cast<T>(rho / static_cast<double>(degree)) : T{0};
}

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

PersonalisedPageRank::PersonalisedPageRank(const Csr& arcs, double restart)
    : restart_(restart), place_(static_cast<std::size_t>(arcs.rows)) {
  std::vector<Index> order(place_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return arcs.row_size(a) > arcs.row_size(b); });
  for (std::size_t i = 0; i < order.size(); ++i) place_[order[i]] = static_cast<Index>(i);
  std::vector<Edge> edges;
  edges.reserve(arcs.columns.size());
  for (Index i = 0; i < arcs.rows; ++i) {
    for (const Index j : arcs.row_columns(i)) edges.push_back({place_[i], place_[j]});
  }
  arcs_ = from_edges(arcs.rows, edges);
}

// The solution of y = start + rho D^-1 A y, for y = p / degree: a step over links only adds.
void PersonalisedPageRank::solve(const std::vector<float>& start, std::vector<float>& out) const {
  const double rho = 1 - restart_, rate = rho / (1 + std::sqrt(1 - rho * rho));
  std::vector<float> before = zero_rows<float>(place_.size());
  out = start;  // the first step, from zero
  double omega = 1, error = 2 * rate;
  for (int step = 2; error > kLeft; ++step, error *= rate) {
    omega = step == 2 ? 1 / (1 - rho * rho / 2) : 1 / (1 - rho * rho * omega / 4);
    const auto weight = static_cast<float>(omega);
    for (Index v = 0; v < arcs_.rows; ++v) {
      float sum[kBatch] = {};
      for (const Index u : arcs_.row_columns(v)) {
        const float* from = out.data() + static_cast<std::size_t>(u) * kBatch;
        for (Index c = 0; c < kBatch; ++c) sum[c] += from[c];
      }
      const float scale = scale_of<float>(arcs_, v, rho);
      float* to = before.data() + static_cast<std::size_t>(v) * kBatch;
      const float* jump = start.data() + static_cast<std::size_t>(v) * kBatch;
      for (Index c = 0; c < kBatch; ++c)
        to[c] = weight * (scale * sum[c] + jump[c] - to[c]) + to[c];
    }
    std::swap(out, before);
  }
}

NodeBatch PersonalisedPageRank::batch(std::span<const Index> sources) const {
  const std::size_t nodes = place_.size();
  std::vector<float> start = zero_rows<float>(nodes), first, second;
  const auto place = [&](std::size_t c) { return static_cast<std::size_t>(place_[sources[c]]); };
  std::vector<double> jump(sources.size(), 0);
  for (std::size_t c = 0; c < sources.size(); ++c) {
    const Offset degree = arcs_.row_size(place_[sources[c]]);
    if (degree > 0) jump[c] = restart_ / static_cast<double>(degree);
    start[place(c) * kBatch + c] = static_cast<float>(jump[c]);
  }
  solve(start, first);

  // What is missing of the first solution, in double.
  std::vector<float> missing(nodes * kBatch);
  for (Index v = 0; v < arcs_.rows; ++v) {
    double sum[kBatch] = {};
    for (const Index u : arcs_.row_columns(v)) {
      const float* from = first.data() + static_cast<std::size_t>(u) * kBatch;
      for (Index c = 0; c < kBatch; ++c) sum[c] += from[c];
    }
    const double scale = scale_of<double>(arcs_, v, 1 - restart_);
    const std::size_t row = static_cast<std::size_t>(v) * kBatch;
    for (std::size_t c = 0; c < kBatch; ++c) {
      const bool own = c < sources.size() && place(c) == static_cast<std::size_t>(v);
      missing[row + c] = static_cast<float>((own ? jump[c] : 0) + scale * sum[c] - first[row + c]);
    }
  }
  solve(missing, second);

  NodeBatch out(nodes * kBatch, 0.0f);
  for (std::size_t c = 0; c < sources.size(); ++c) {
    float* column = out.data() + c * nodes;
    for (std::size_t i = 0; i < nodes; ++i) {
      const std::size_t at = static_cast<std::size_t>(place_[i]) * kBatch + c;
      column[i] = static_cast<float>((double{first[at]} + second[at]) *
                                     static_cast<double>(arcs_.row_size(place_[i])));
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
