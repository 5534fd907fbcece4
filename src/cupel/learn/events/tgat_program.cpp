#include "cupel/learn/events/tgat_program.h"

#include <span>
#include <string>
#include <vector>

namespace cupel {
namespace {

std::vector<TemporalAttention> layers_of(Builder& b, const TgatShape& shape) {
  std::vector<TemporalAttention> out;
  for (Index l = 1; l <= shape.layers; ++l) {
    const Index parts = 1 + (shape.kinds > 0 ? 1 : 0) + (l > 1 ? 1 : 0);
    out.emplace_back(b, AttentionShape{.prefix = "layer" + std::to_string(l) + ".",
                                       .width = shape.width,
                                       .sent = parts * shape.width,
                                       .dropout = shape.dropout,
                                       .receives = l > 1,
                                       .residual = shape.residual});
  }
  return out;
}

// One trace of all parameters and constants.
class Trace {
 public:
  explicit Trace(const TgatShape& shape)
      : kinds_(shape.kinds > 0),
        times_(b_, shape.width, shape.trained_times),
        layers_(layers_of(b_, shape)),
        scorer_(b_, shape.width, shape.kinds) {
    declare_constants(shape);
  }

  Program embed() { return b_.finish(layers_.back().out(over(layers_.size()), times_)); }
  Program logits() {
    const Value hidden = layers_.back().hidden(over(layers_.size()), times_);
    const std::size_t at = layers_.size() * LayerConstants::kCount;
    return b_.finish(scorer_.logits(
        layers_.back(), hidden, constants_[at + TgatConstants::kPairSources],
        constants_[at + TgatConstants::kPairTargets], constants_[at + TgatConstants::kPairKinds]));
  }
  PairScorerPlaces places() const { return scorer_.places(); }

 private:
  void declare_constants(const TgatShape& shape) {
    for (Index l = 1; l <= shape.layers; ++l) declare_layer(b_, l, shape.kinds, constants_);
    const SpaceId pair = b_.space("pair");
    const auto of = [&](const char* name, Index cols) {
      constants_.push_back(b_.constant(name, {Layout::kSparse, pair, 0, cols}));
    };
    of("sources of pairs", 0);
    of("targets of pairs", 0);
    of("kinds of pairs", shape.kinds);
  }

  // What layer l, from 1 on, attends to.
  TemporalAttention::Over over(std::size_t l) {
    const Value below = l > 1 ? layers_[l - 2].out(over(l - 1), times_) : Value();
    return layer_over(
        std::span(constants_).subspan((l - 1) * LayerConstants::kCount, LayerConstants::kCount),
        below, kinds_ ? scorer_.kinds() : Value(), times_);
  }

  bool kinds_;
  Builder b_;
  TimeEncoding times_;
  std::vector<TemporalAttention> layers_;
  PairScorerTrace scorer_;
  std::vector<Value> constants_;
};

}  // namespace

TgatPrograms::TgatPrograms(const TgatShape& shape) {
  embed = Trace(shape).embed();
  Trace trace(shape);
  scorer = trace.places();
  logits = trace.logits();
}

}  // namespace cupel
