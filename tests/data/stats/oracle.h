// Statistics straight from their definitions, over a dense 0/1 matrix. Cubic time.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "cupel/data/dataset.h"

namespace cupel::oracle {

using Flags = std::vector<std::vector<char>>;

inline Flags simple(const Csr& stored) {
  Flags joined(stored.rows, std::vector<char>(stored.rows));
  for (Index i = 0; i < stored.rows; ++i) {
    for (const Index j : stored.row_columns(i)) {
      if (i != j) joined[i][j] = joined[j][i] = 1;
    }
  }
  return joined;
}

inline Index degree(const Flags& joined, Index v) {
  return static_cast<Index>(std::ranges::count(joined[v], 1));
}

struct Clustering {
  std::optional<double> global, local;
};

inline Clustering clustering(const Flags& joined) {
  const auto n = static_cast<Index>(joined.size());
  double closed = 0, triples = 0, sum = 0;
  for (Index v = 0; v < n; ++v) {
    double own = 0, all = 0;
    for (Index a = 0; a < n; ++a) {
      for (Index b = a + 1; b < n; ++b) {
        if (!joined[v][a] || !joined[v][b]) continue;
        all += 1;
        own += joined[a][b];
      }
    }
    closed += own;
    triples += all;
    if (all > 0) sum += own / all;
  }
  Clustering out;
  if (triples > 0) out.global = closed / triples;
  if (n > 0) out.local = sum / n;
  return out;
}

// Floyd and Warshall; -1 where there is no path.
inline std::vector<std::vector<Index>> distances(const Flags& joined) {
  const auto n = static_cast<Index>(joined.size());
  constexpr Index kFar = 1 << 28;
  std::vector<std::vector<Index>> d(n, std::vector<Index>(n, kFar));
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) d[i][j] = i == j ? 0 : joined[i][j] ? 1 : kFar;
  }
  for (Index k = 0; k < n; ++k) {
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) d[i][j] = std::min(d[i][j], d[i][k] + d[k][j]);
    }
  }
  for (auto& row : d) {
    for (Index& one : row) one = one == kFar ? -1 : one;
  }
  return d;
}

// The members of the largest component; among equals the one with the smallest node.
inline std::vector<Index> largest_component(const std::vector<std::vector<Index>>& d,
                                            Index* components) {
  const auto n = static_cast<Index>(d.size());
  std::vector<Index> best;
  *components = 0;
  for (Index v = 0; v < n; ++v) {
    std::vector<Index> own;
    for (Index w = 0; w < n; ++w) {
      if (d[v][w] >= 0) own.push_back(w);
    }
    *components += own[0] == v;
    if (own.size() > best.size()) best = own;
  }
  return best;
}

struct Labels {
  std::optional<double> edge, node, by_class, adjusted, informativeness;
};

// For classes that all have a node.
inline Labels labels(const Flags& joined, const std::vector<Index>& y, Index classes) {
  const auto n = static_cast<Index>(joined.size());
  std::vector<std::vector<double>> p(classes, std::vector<double>(classes));
  double m2 = 0, same = 0, shares = 0, with_neighbours = 0;
  for (Index i = 0; i < n; ++i) {
    double own = 0, all = 0;
    for (Index j = 0; j < n; ++j) {
      if (!joined[i][j]) continue;
      all += 1;
      own += y[i] == y[j];
      p[y[i]][y[j]] += 1;
    }
    m2 += all;
    same += own;
    if (all > 0) shares += own / all, with_neighbours += 1;
  }
  Labels out;
  if (m2 == 0) return out;
  out.edge = same / m2;
  out.node = shares / with_neighbours;
  double squares = 0, entropy = 0, mutual = 0, excess = 0;
  std::vector<double> marginal(classes);
  for (Index a = 0; a < classes; ++a) {
    for (Index b = 0; b < classes; ++b) marginal[a] += p[a][b] / m2;
    squares += marginal[a] * marginal[a];
    if (marginal[a] > 0) entropy -= marginal[a] * std::log(marginal[a]);
    const double size = static_cast<double>(std::ranges::count(y, a));
    if (marginal[a] > 0) excess += std::max(0.0, p[a][a] / m2 / marginal[a] - size / n);
  }
  for (Index a = 0; a < classes; ++a) {
    for (Index b = 0; b < classes; ++b) {
      const double both = p[a][b] / m2;
      if (both > 0) mutual += both * std::log(both / marginal[a] / marginal[b]);
    }
  }
  if (classes > 1) out.by_class = excess / (classes - 1);
  if (std::ranges::count_if(marginal, [](double x) { return x > 0; }) > 1) {
    out.adjusted = (*out.edge - squares) / (1 - squares);
    out.informativeness = mutual / entropy;
  }
  return out;
}

}  // namespace cupel::oracle
