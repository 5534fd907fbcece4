#include "cupel/learn/events/tgat_program.h"

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
    const std::size_t at = layers_.size() * TgatConstants::kOfLayer;
    return b_.finish(scorer_.logits(
        layers_.back(), hidden, constants_[at + TgatConstants::kPairSources],
        constants_[at + TgatConstants::kPairTargets], constants_[at + TgatConstants::kPairKinds]));
  }
  PairScorerPlaces places() const { return scorer_.places(); }

 private:
  void declare_constants(const TgatShape& shape) {
    const auto of = [&](const std::string& name, Layout layout, SpaceId space, Index cols) {
      constants_.push_back(b_.constant(name, {layout, space, 0, cols}));
    };
    SpaceId row{};
    for (Index l = 1; l <= shape.layers; ++l) {
      const std::string layer = " of layer " + std::to_string(l);
      row = b_.space("row" + layer);
      const SpaceId slot = b_.space("slot" + layer);
      // Columns that name rows of another space: there are as many as rows are bound.
      of("slots" + layer, Layout::kSparse, row, 0);
      of("attends" + layer, Layout::kDense, row, 1);
      of("elapsed" + layer, Layout::kDense, slot, 1);
      of("kinds" + layer, Layout::kSparse, slot, shape.kinds);
      of("own" + layer, Layout::kSparse, row, 0);
      of("with" + layer, Layout::kSparse, slot, 0);
    }
    const SpaceId pair = b_.space("pair");
    of("sources of pairs", Layout::kSparse, pair, 0);
    of("targets of pairs", Layout::kSparse, pair, 0);
    of("kinds of pairs", Layout::kSparse, pair, shape.kinds);
  }

  // What layer l, from 1 on, attends to.
  TemporalAttention::Over over(std::size_t l) {
    const auto own = [&](int constant) {
      return constants_[(l - 1) * TgatConstants::kOfLayer + static_cast<std::size_t>(constant)];
    };
    TemporalAttention::Over out;
    std::vector<Value> sent;
    if (l > 1) {
      const Value below = layers_[l - 2].out(over(l - 1), times_);
      out.receivers = propagate(own(TgatConstants::kOwn), below);
      sent.push_back(propagate(own(TgatConstants::kWith), below));
    }
    if (kinds_) sent.push_back(gather_rows(own(TgatConstants::kKinds), scorer_.kinds()));
    sent.push_back(times_.of(own(TgatConstants::kElapsed)));
    out.senders = sent.size() == 1 ? sent.front() : concat_columns(sent);
    out.slots = own(TgatConstants::kSlots), out.attends = own(TgatConstants::kAttends);
    return out;
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
