// What the models of sets of graphs declare alike. Layers start as PyTorch's do.
#pragma once

#include <charconv>
#include <string>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/data/features/features.h"
#include "cupel/learn/layers/linear.h"
#include "cupel/learn/layers/settings.h"
#include "cupel/learn/model.h"

namespace cupel {

// How the code of Li et al. 2024 treats the twelve tasks of Tox21.
inline Disagreement tox21_disagreement() {
  return {"(no setting)",
          "On Tox21 the code of Li et al. 2024 takes the last of equally good configurations, "
          "averages the validation loss batch by batch with graphs as weights, joins all nodes of "
          "the 19 graphs without an edge, and takes an output above 0.5 for a yes. Here it is the "
          "first of equals, the mean over all known answers, no edge, and an output above 0."};
}

// A dense value equal to x, which may be sparse.
inline Value dense(GraphInputs& in, Value x) {
  if (x.shape().layout == Layout::kDense) return x;
  const Index width = x.shape().cols;
  Matrix identity(width, width);
  for (Index i = 0; i < width; ++i) identity(i, i) = 1;
  return matmul(x, in.static_constant("identity of " + std::to_string(width), std::move(identity)));
}

// One row for each graph: the mean, sum or maximum over its nodes.
inline Value pool(GraphInputs& in, Value h, const std::string& pooling) {
  if (pooling == "max") return neighbour_max(in.members(false), dense(in, h), -1);
  return propagate(in.members(pooling == "mean"), h);
}

// Batch normalisation of x, whose gain and shift are regularised too, as PyTorch's optimisers do.
inline Value batch_norm(Builder& b, Value x, const std::string& name, double l2) {
  const Index width = x.shape().cols;
  const Value gain = b.parameter({.name = name + ".gain",
                                  .rows = 1,
                                  .cols = width,
                                  .init = Parameter::Init::kFill,
                                  .fill = {1.0f},
                                  .l2 = l2});
  const Value shift = b.parameter({.name = name + ".shift",
                                   .rows = 1,
                                   .cols = width,
                                   .init = Parameter::Init::kFill,
                                   .fill = {0.0f},
                                   .l2 = l2});
  return batch_norm(x, gain, shift, b.running_moments(name + ".running", width));
}

// "64,300,64" as numbers. Throws Error naming the setting.
inline std::vector<Index> widths_of(const std::string& setting, const std::string& text) {
  std::vector<Index> widths;
  const char *at = text.data(), *end = at + text.size();
  while (at < end) {
    Index width = 0;
    const auto [next, error] = std::from_chars(at, end, width);
    if (error != std::errc() || width < 1 || width > 65536 || (next < end && *next != ',')) break;
    widths.push_back(width);
    if (next == end) return widths;
    at = next + 1;
  }
  fail("{} = \"{}\": wants widths between 1 and 65536, with commas between, as in \"64,64\"",
       setting, text);
}

// The setting of node_features_option(). Throws Error if it is no composition.
inline std::string node_composition(const Options& options) {
  check_node_features(options.text("features"));
  return options.text("features");
}
inline OptionSpec node_features_option(const std::string& fallback) {
  return {.name = "features",
          .fallback = fallback,
          .doc = "What a node is described by: names of features, with commas between."};
}
inline OptionSpec pooling_option(const std::string& fallback) {
  return {.name = "pooling",
          .fallback = fallback,
          .doc = "How the nodes of a graph become one row.",
          .choices = {"mean", "sum", "max"}};
}
inline OptionSpec all_weight_decay_option(double fallback) {
  return weight_decay_option(fallback, "all parameters");
}

inline constexpr const char* kErricaCitation =
    "as in Errica et al., A fair comparison of graph neural networks for graph classification, "
    "ICLR 2020";
inline constexpr const char* kLiCitation =
    "as in Li et al., Rethinking the effectiveness of graph classification datasets in benchmarks "
    "for assessing GNNs, IJCAI 2024";
inline constexpr const char* kLinear =
    "linear(x) = x W + b; norm: batch normalisation, eps 1e-5, momentum 0.1";

}  // namespace cupel
