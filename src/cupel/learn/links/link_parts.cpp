#include "cupel/learn/links/link_parts.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "cupel/base/named_settings.h"
#include "cupel/engine/program/op.h"
#include "cupel/engine/program/passes.h"
#include "cupel/engine/program/product_order.h"

namespace cupel {
namespace {

std::vector<Index> all_nodes(Index nodes) {
  std::vector<Index> all(static_cast<std::size_t>(nodes));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

LinkParts::Loss loss_of(const std::string& name) {
  using Loss = LinkParts::Loss;
  return name == "sampled"         ? Loss::kSampled
         : name == "sampled-means" ? Loss::kSampledMeans
         : name == "corrupted"     ? Loss::kCorrupted
                                   : Loss::kAllPairs;
}

}  // namespace

DecoderChoice read_decoder(const std::string& text) {
  const NamedSettings named = named_settings(text);
  const Decoder& decoder = find_decoder(named.name);
  return {decoder, parse_options("decoder '" + named.name + "'", decoder.options, named.settings)};
}

LinkEncoder::LinkEncoder(const std::shared_ptr<const VisibleGraph>& graph, const Schedule& model,
                         Index dimension)
    : inputs(builder, graph, dimension),
      program(builder.finish(model.phases.front().logits(builder, inputs))) {}

Binding LinkEncoder::binding(ParameterSet& values, ParameterSet* gradients) const {
  return {inputs.constants(), all_nodes(inputs.nodes()), false, &values, gradients};
}

Program LinkEncoder::compiled(const Binding& binding, int replays) const {
  return order_products(compile(program, binding.gradients != nullptr), binding, replays);
}

LinkParts::LinkParts(const LinkView& view, const Schedule& model, const Options& settings)
    : loss(loss_of(settings.text("pair_loss"))) {
  const auto dimension = static_cast<Index>(settings.integer("dimension"));
  const DecoderChoice chosen = read_decoder(settings.text("decoder"));
  encoder = std::make_unique<LinkEncoder>(view.shared_graph(), model, dimension);
  const auto& shape = encoder->program.nodes[static_cast<std::size_t>(encoder->program.output)];
  if (shape.shape.cols != dimension)
    throw std::logic_error("[links] an encoder of other than `dimension` columns");
  if (view.graph_of(LinkPart::kTest) != view.shared_graph())
    test_encoder = std::make_unique<LinkEncoder>(view.graph_of(LinkPart::kTest), model, dimension);
  decoder =
      trace_decoder(chosen.decoder, view.nodes(), dimension, view.directed(), chosen.settings);
  parameters = encoder->program.parameters;
  parameters.insert(parameters.end(), decoder.parameters.begin() + kEmbeddings + 1,
                    decoder.parameters.end());
}

bool evaluates_as_trained(const Program& program) {
  return std::ranges::none_of(program.nodes, [](const Node& node) {
    return node.kind == Node::Kind::kOp && node.op->only_training();
  });
}

}  // namespace cupel
