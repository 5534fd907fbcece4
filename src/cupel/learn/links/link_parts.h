// Programs of a model of links: what is known before a parameter exists.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cupel/base/options.h"
#include "cupel/engine/program/bound_program.h"
#include "cupel/engine/program/builder.h"
#include "cupel/learn/layers/graph_inputs.h"
#include "cupel/learn/links/decoder.h"
#include "cupel/learn/links/link_view.h"
#include "cupel/learn/schedule.h"

namespace cupel {

struct DecoderChoice {
  const Decoder& decoder;
  Options settings;
};
// Of a text such as "mlp:hidden=32". Throws Error if there is no such decoder, or setting.
[[nodiscard]] DecoderChoice read_decoder(const std::string& text);

// A model's embeddings of all nodes under one graph.
struct LinkEncoder {
  Builder builder;
  GraphInputs inputs;
  Program program;

  LinkEncoder(const std::shared_ptr<const VisibleGraph>& graph, const Schedule& model,
              Index dimension);

  // To all nodes; for training where there are gradients.
  [[nodiscard]] Binding binding(ParameterSet& values, ParameterSet* gradients) const;
  // What is bound so, compiled for so many replays (product_order.h).
  [[nodiscard]] Program compiled(const Binding& binding, int replays) const;
};

// `settings` as of link_feed_settings(), which check_link_settings() passed (link_feed.h).
struct LinkParts {
  enum class Loss : std::uint8_t { kSampled, kSampledMeans, kCorrupted, kAllPairs };
  Loss loss = Loss::kSampled;
  std::unique_ptr<LinkEncoder> encoder, test_encoder;  // the second: null if both see the same arcs
  Program decoder;
  std::vector<Parameter> parameters;  // the encoder's, then the decoder's but for embeddings

  LinkParts(const LinkView& view, const Schedule& model, const Options& settings);
};

// Training and evaluation compute one and the same: no dropout, no noise.
[[nodiscard]] bool evaluates_as_trained(const Program& program);

}  // namespace cupel
