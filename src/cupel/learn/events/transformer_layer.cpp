#include "cupel/learn/events/transformer_layer.h"

#include <cmath>
#include <vector>

namespace cupel {
namespace {

constexpr Index kHeads = 2;

}  // namespace

// PyTorch's linear layers: weights and biases from U(-1 / sqrt(inputs), 1 / sqrt(inputs)).
TransformerLayer::TransformerLayer(Builder& b, Index width, Index edge, double dropout)
    : width_(width),
      dropout_(dropout),
      query_(b.uniform("query", width, width, width)),
      query_bias_(b.uniform("query.bias", 1, width, width)),
      key_(b.uniform("key", width, width, width)),
      value_(b.uniform("value", width, width, width)),
      value_bias_(b.uniform("value.bias", 1, width, width)),
      edge_(b.uniform("edge", edge, width, edge)),
      skip_(b.uniform("skip", width, width, width)),
      skip_bias_(b.uniform("skip.bias", 1, width, width)) {
  require(width % kHeads == 0, "transformer-layer", "wants an even width");
}

// What is linear behind one another is one product of parameters, which have fewer rows than
// batches: a receiver asks its senders themselves, and values are made of their means.
Value TransformerLayer::out(const Over& over) const {
  const Index c = width_ / kHeads;
  std::vector<Value> asks, biases, heads;
  for (Index h = 0; h < kHeads; ++h) {
    const auto of_head = [&](Value w) { return columns(w, h * c, c); };
    const Value key = transposed(stack_rows({of_head(key_), of_head(edge_)}));
    asks.push_back(matmul(of_head(query_), key));
    biases.push_back(matmul(of_head(query_bias_), key));
  }
  const Value receiver = matmul(over.receivers, concat_columns(asks)) + concat_columns(biases);
  const Value means = shared_attention(over.slots, receiver, over.senders, kHeads,
                                       1 / std::sqrt(static_cast<double>(c)), dropout_);
  const Index sent = means.shape().cols / kHeads;
  for (Index h = 0; h < kHeads; ++h)
    heads.push_back(matmul(columns(means, h * sent, sent),
                           stack_rows({columns(value_, h * c, c), columns(edge_, h * c, c)})));
  return concat_columns(heads) + matmul(over.attends, value_bias_) +
         (matmul(over.receivers, skip_) + skip_bias_);
}

}  // namespace cupel
