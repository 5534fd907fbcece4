// The nine models of residual.h from lists of arcs, in double, one node at a time.
#pragma once

#include <utility>

#include "learn/models/dense_oracle.h"

namespace cupel::oracle {

using Arcs = std::vector<std::pair<Index, Index>>;  // source, target; may repeat

class Residual {
 public:
  Residual(TracedModel& model, const TaskView& task, std::size_t hidden, std::size_t heads)
      : model_(model), hidden_(hidden), heads_(heads), n_(static_cast<std::size_t>(task.nodes())) {
    for (Index i = 0; i < task.nodes(); ++i)
      for (const Index j : task.adjacency().row_columns(i)) arcs_.emplace_back(i, j);
    looped_ = arcs_;
    for (Index i = 0; i < task.nodes(); ++i) looped_.emplace_back(i, i);
    words_ = words_of(task);
  }

  Dense logits(const std::string& name, int layers) {
    Dense x = gelu(linear("input", features(name)));
    for (int l = 1; l <= layers; ++l) x = layer(name, x, "layer" + std::to_string(l));
    return linear("output", norm("output", x));
  }

 private:
  Dense features(const std::string& name) {
    Arcs simple;
    for (const auto& [u, v] : arcs_)
      if (u != v) simple.emplace_back(u, v);
    if (name == "resnet-adj") {
      Dense a = zeros(n_, n_);
      for (const auto& [u, v] : simple) a[u][v] = 1;
      return beside(words_, a);
    }
    if (name == "resnet-sgc") {
      for (std::size_t i = 0; i < n_; ++i)
        simple.emplace_back(static_cast<Index>(i), static_cast<Index>(i));
      Dense smoothed = words_;
      for (int hop = 0; hop < 5; ++hop) smoothed = convolved(simple, smoothed);
      return beside(words_, smoothed);
    }
    return words_;
  }

  Dense layer(const std::string& name, const Dense& x, const std::string& at) {
    const Dense y = norm(at, x);
    if (name == "residual-gcn") return sum(x, mlp(at, convolved(looped_, y)));
    if (name == "residual-sage") return sum(x, mlp(at, beside(y, mean(y))));
    if (name == "residual-gat" || name == "residual-gat-sep") {
      const Dense z = linear(at + ".z", y);
      if (name == "residual-gat") return sum(x, mlp(at, additive(at, looped_, z)));
      return sum(x, mlp(at, beside(z, additive(at, arcs_, z))));
    }
    if (name == "residual-gt" || name == "residual-gt-sep") {
      const bool apart = name == "residual-gt-sep";
      const Dense a = dot(at, apart ? arcs_ : looped_, y);
      const Dense middle = sum(x, linear(at + ".attended", apart ? beside(y, a) : a));
      return sum(middle, mlp(at + ".mlp", norm(at + ".mlp", middle)));
    }
    return sum(x, mlp(at, y));
  }

  // ---- parts of the frame

  static Dense beside(Dense a, const Dense& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i].insert(a[i].end(), b[i].begin(), b[i].end());
    return a;
  }
  // The weight of inputs side by side is stored in parts, one under the other.
  Dense linear(const std::string& name, const Dense& x) {
    Dense w;
    for (const char* part : {".w", ".w1", ".w2"})
      if (has(name + part))
        for (const Row& row : parameter(model_, name + part)) w.push_back(row);
    return sum(product(x, w), parameter(model_, name + ".b"));
  }
  bool has(const std::string& name) const {
    for (const Parameter& p : model_.program.parameters)
      if (p.name == name) return true;
    return false;
  }
  Dense norm(const std::string& name, Dense x) {
    const Row gain = parameter(model_, name + ".gain")[0];
    const Row shift = parameter(model_, name + ".shift")[0];
    for (Row& row : x) {
      double mean = 0, variance = 0;
      for (const double v : row) mean += v / row.size();
      for (const double v : row) variance += (v - mean) * (v - mean) / row.size();
      for (std::size_t c = 0; c < row.size(); ++c)
        row[c] = (row[c] - mean) / std::sqrt(variance + 1e-5) * gain[c] + shift[c];
    }
    return x;
  }
  static Dense gelu(const Dense& x) {
    return each(x, [](double v) { return v * 0.5 * std::erfc(-v / std::sqrt(2.0)); });
  }
  Dense mlp(const std::string& name, const Dense& x) {
    return linear(name + ".out", gelu(linear(name + ".in", x)));
  }

  // ---- what goes along arcs

  Dense convolved(const Arcs& arcs, const Dense& x) const {
    std::vector<double> outgoing(n_, 0.0);
    for (const auto& [u, v] : arcs) outgoing[u] += 1;
    Dense out = zeros(n_, x[0].size());
    for (const auto& [u, v] : arcs)
      for (std::size_t c = 0; c < x[0].size(); ++c)
        out[v][c] += x[u][c] / std::sqrt(outgoing[u] * outgoing[v]);
    return out;
  }
  Dense mean(const Dense& x) const {
    std::vector<double> incoming(n_, 0.0);
    for (const auto& [u, v] : arcs_) incoming[v] += 1;
    Dense out = zeros(n_, x[0].size());
    for (const auto& [u, v] : arcs_)
      for (std::size_t c = 0; c < x[0].size(); ++c) out[v][c] += x[u][c] / incoming[v];
    return out;
  }
  // Softmax of score(arc) over the arcs to a node, then the sum of the sources' `columns` of x.
  template <class Score>
  void attend(const Arcs& arcs, const Dense& x, std::size_t head, Score score, Dense& out) const {
    std::vector<double> total(n_, 0.0);
    for (const auto& [u, v] : arcs) total[v] += std::exp(score(u, v));
    const std::size_t width = hidden_ / heads_;
    for (const auto& [u, v] : arcs)
      for (std::size_t c = head * width; c < (head + 1) * width; ++c)
        out[v][c] += std::exp(score(u, v)) / total[v] * x[u][c];
  }
  Dense additive(const std::string& name, const Arcs& arcs, const Dense& z) {
    const Dense receiver = product(z, parameter(model_, name + ".receiver.w"));
    const Dense sender = linear(name + ".sender", z);
    Dense out = zeros(n_, hidden_);
    for (std::size_t k = 0; k < heads_; ++k)
      attend(
          arcs, z, k,
          [&](Index u, Index v) {
            const double s = sender[u][k] + receiver[v][k];
            return s > 0 ? s : 0.2 * s;
          },
          out);
    return out;
  }
  Dense dot(const std::string& name, const Arcs& arcs, const Dense& y) {
    const Dense q = linear(name + ".query", y), k = linear(name + ".key", y);
    const Dense values = linear(name + ".value", y);
    const std::size_t width = hidden_ / heads_;
    Dense out = zeros(n_, hidden_);
    for (std::size_t head = 0; head < heads_; ++head)
      attend(
          arcs, values, head,
          [&](Index u, Index v) {
            double s = 0;
            for (std::size_t c = head * width; c < (head + 1) * width; ++c) s += q[u][c] * k[v][c];
            return s / std::sqrt(static_cast<double>(width));
          },
          out);
    return out;
  }

  TracedModel& model_;
  std::size_t hidden_, heads_, n_;
  Arcs arcs_, looped_;
  Dense words_;
};

}  // namespace cupel::oracle
