#include "cupel/learn/embedding/dgi.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "cupel/base/error.h"
#include "cupel/engine/kernels/pair_loss.h"
#include "cupel/engine/program/passes.h"

namespace cupel {
namespace {

constexpr Index kWidest = 4096;

std::shared_ptr<const VisibleGraph> checked(const std::shared_ptr<const Dataset>& data,
                                            const DgiSettings& settings) {
  if (data->graphs)
    fail("data set '{}': Deep Graph Infomax embeds the nodes of one graph, and this is a set of {}",
         data->name, data->graphs->size());
  if (data->nodes() == 0)
    fail("data set '{}': Deep Graph Infomax embeds nodes, and there are none", data->name);
  if (feature_count(data->features) == 0)
    fail(
        "data set '{}': Deep Graph Infomax tells nodes by their features, and they have none; take "
        "a data set with features",
        data->name);
  const auto in_range = [](Index width) { return width >= 1 && width <= kWidest; };
  for (const Index width : settings.hidden)
    if (!in_range(width))
      fail("Deep Graph Infomax: a hidden width of {}; it is 1 to {}", width, kWidest);
  if (settings.hidden.empty())
    fail("Deep Graph Infomax: no hidden layer; give at least one hidden width");
  if (!in_range(settings.dimension))
    fail("Deep Graph Infomax: a dimension of {}; it is 1 to {}", settings.dimension, kWidest);
  if (settings.epochs < 0) fail("Deep Graph Infomax: {} epochs; take 0 or more", settings.epochs);
  if (!(settings.lr > 0) || !std::isfinite(settings.lr))
    fail("Deep Graph Infomax: a learning rate of {}; it is above 0", settings.lr);
  return std::make_shared<const VisibleGraph>(data);
}

// 1 x nodes: what each row of H adds to the mean over the summary nodes of S H.
Csr summary_weights(const Csr& normalised, const std::vector<Index>& nodes) {
  std::vector<double> sums(static_cast<std::size_t>(normalised.cols));
  for (const Index i : nodes)
    for (Offset e = normalised.row_ptr[i]; e < normalised.row_ptr[i + 1]; ++e)
      sums[static_cast<std::size_t>(normalised.columns[e])] += normalised.value(e);
  Csr out;
  out.rows = 1;
  out.cols = normalised.cols;
  for (Index j = 0; j < out.cols; ++j) {
    const double sum = sums[static_cast<std::size_t>(j)];
    if (sum == 0) continue;
    out.columns.push_back(j);
    out.values.push_back(static_cast<float>(sum / static_cast<double>(nodes.size())));
  }
  out.row_ptr.push_back(static_cast<Offset>(out.columns.size()));
  return out;
}

std::vector<Index> all_nodes(Index nodes) {
  std::vector<Index> all(static_cast<std::size_t>(nodes));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

struct Layer {
  Value w, b;
};

}  // namespace

std::vector<Index> dgi_summary_nodes(const Dataset& dataset) {
  if (!dataset.stored_splits.empty() && !dataset.stored_splits.front().train.empty())
    return dataset.stored_splits.front().train;
  return all_nodes(dataset.nodes());
}

Program DgiTraining::trace(const Dataset& dataset, const DgiSettings& settings) {
  Builder& b = builder_;
  const Value adj = inputs_.symmetric_normalised(true);
  const Csr& normalised = *inputs_.constants().back().sparse;
  const Value pool = inputs_.sparse_over("summary", "summary weights", [&](auto&&...) {
    return summary_weights(normalised, dgi_summary_nodes(dataset));
  });
  std::vector<Layer> layers;
  Index width = inputs_.features();
  std::vector<Index> widths = settings.hidden;
  widths.push_back(settings.dimension);
  for (const Index next : widths) {
    const std::string number = std::to_string(layers.size() + 1);
    const Value w = b.glorot("w" + number, width, next);
    layers.push_back({w, b.zeros("b" + number, next)});
    width = next;
  }
  const Value scores = b.uniform("scores", width, width, width);
  const Layer last = layers.back();

  // What the last layer is given, from X W of the first: where the rows of X are in another order,
  // those of the product are.
  const auto hidden = [&](Value product) {
    Value x = elu(propagate(adj, product) + layers.front().b);
    for (std::size_t i = 1; i + 1 < layers.size(); ++i)
      x = elu(propagate(adj, matmul(x, layers[i].w)) + layers[i].b);
    return x;
  };
  const Value first = matmul(inputs_.feature_matrix(), layers.front().w);
  const Value h = hidden(first), corrupted = hidden(shuffle_rows(first));

  const Value z = propagate(adj, matmul(h, last.w)) + last.b;
  encoded_ = z.id;
  const Value mean = matmul(column_sums(propagate(pool, h)), last.w) + last.b;
  const Value direction = matmul(sigmoid(mean), scores);   // (W s)^T
  const Value through_last = head_dot(last.w, direction);  // W_last W s
  const Value offset = head_dot(last.b, direction);
  const auto logit = [&](Value x) { return matmul(propagate(adj, x), through_last) + offset; };
  return b.finish(concat_columns({logit(h), logit(corrupted)}));
}

DgiTraining::DgiTraining(const std::shared_ptr<const Dataset>& prepared,
                         const DgiSettings& settings, StreamKey key, Threads threads)
    : key_(key),
      threads_(threads),
      inputs_(builder_, checked(prepared, settings), settings.dimension),
      program_(trace(*prepared, settings)),
      values_(program_.parameters),
      gradients_(program_.parameters),
      adam_(program_.parameters, settings.lr, {1e-8, true}) {
  initialise(program_.parameters, key, values_);
  for (Index i = 0; i < prepared->nodes(); ++i) is_true_.insert(is_true_.end(), {1.0f, 0.0f});
}

double DgiTraining::loss(int epoch) {
  if (trained_ == nullptr)
    trained_ = std::make_unique<BoundProgram>(
        compile(program_, true),
        Binding{inputs_.constants(), all_nodes(inputs_.nodes()), false, &values_, &gradients_},
        threads_);
  trained_->forward(key_, static_cast<std::uint32_t>(epoch));
  const ConstDenseView logits = trained_->output();
  const std::size_t count = is_true_.size();
  const auto value =
      kernels::pair_loss(threads_, kernels::PairLossForm::kMeansOfBoth, {logits.data, count},
                         is_true_, {trained_->output_gradient().data, count});
  if (!value.finite)
    fail(
        "data set '{}': Deep Graph Infomax gave scores that are not finite in epoch {}; scale the "
        "features",
        inputs_.graph().name(), epoch);
  trained_->backward();
  return value.loss;
}

Matrix DgiTraining::embedding() {
  Program encoder = program_;
  encoder.output = encoded_;
  BoundProgram bound(
      compile(encoder, false),
      Binding{inputs_.constants(), all_nodes(inputs_.nodes()), false, &values_, nullptr}, threads_);
  bound.forward(key_, 0);
  const ConstDenseView rows = bound.output();
  Matrix out(rows.rows, rows.cols);
  for (Index i = 0; i < out.rows; ++i) std::copy_n(rows.row(i), out.cols, out.row(i));
  if (!std::ranges::all_of(out.values, [](float v) { return std::isfinite(v); }))
    fail(
        "data set '{}': Deep Graph Infomax gave an embedding that is not finite; scale the "
        "features",
        inputs_.graph().name());
  return out;
}

Matrix dgi_embedding(const std::shared_ptr<const Dataset>& prepared, const DgiSettings& settings,
                     StreamKey key, Threads threads, const RunLimits& limits,
                     const std::function<void(int done, int all)>& progress) {
  DgiTraining training(prepared, settings, key, threads);
  for (int epoch = 0; epoch < settings.epochs; ++epoch) {
    limits.check();
    (void)training.loss(epoch);
    training.step();
    if (progress) progress(epoch + 1, settings.epochs);
  }
  return training.embedding();
}

}  // namespace cupel
