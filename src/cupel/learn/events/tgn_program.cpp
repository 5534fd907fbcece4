#include "cupel/learn/events/tgn_program.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cupel/learn/events/transformer_layer.h"

namespace cupel {
namespace {

// One trace of all parameters and constants.
class Trace {
 public:
  explicit Trace(const TgnShape& shape)
      : kinds_(shape.kinds > 0),
        d_(shape.width),
        times_(b_, d_, shape.trained_times),
        // PyTorch's GRU: all from U(-1 / sqrt(d), 1 / sqrt(d)).
        gru_own_(b_.uniform("gru.own", d_, 3 * d_, d_)),
        gru_partner_(b_.uniform("gru.partner", d_, 3 * d_, d_)),
        gru_time_(b_.uniform("gru.time", d_, 3 * d_, d_)),
        gru_kind_(kinds_ ? b_.uniform("gru.kind", d_, 3 * d_, d_) : Value()),
        gru_bias_(b_.uniform("gru.bias", 1, 3 * d_, d_)),
        gru_state_(b_.uniform("gru.state", d_, 3 * d_, d_)),
        gru_state_bias_(b_.uniform("gru.state_bias", 1, 3 * d_, d_)) {
    const Index of_slot = (kinds_ ? 2 : 1) * d_;  // time and kind
    if (shape.form == TgnForm::kReleased) {
      for (Index l = 1; l <= shape.layers; ++l) {
        const std::string prefix = l == 1 ? "" : "layer" + std::to_string(l) + ".";
        attention_.emplace_back(
            b_, AttentionShape{
                    .prefix = prefix, .width = d_, .sent = d_ + of_slot, .dropout = shape.dropout});
      }
    } else {
      transformer_.emplace(b_, d_, of_slot, shape.dropout);
    }
    scorer_.emplace(b_, d_, shape.kinds,
                    transformer_ ? PairScorerStart::kLinear : PairScorerStart::kGlorot);
    declare_constants(shape.kinds);
    upper_ = constants_.size();
    for (Index l = 2; l <= shape.layers; ++l) declare_layer(b_, l, shape.kinds, constants_);
  }

  Program update() { return b_.finish(updated()); }
  Program embed() {
    const Value states = own(TgnConstants::kOwn);
    return b_.finish(transformer_
                         ? propagate(own(TgnConstants::kRootReceivers), transformed(states))
                         : attention_.back().out(over(states), times_));
  }
  Program logits() {
    const Value sources = own(TgnConstants::kPairSources),
                targets = own(TgnConstants::kPairTargets);
    const Value kinds = kinds_ ? own(TgnConstants::kPairKinds) : Value();
    const Value states = updated();
    if (transformer_)
      return b_.finish(scorer_->logits(transformed(states), sources, targets, kinds));
    const Value hidden = attention_.back().hidden(over(states), times_);
    return b_.finish(scorer_->logits(attention_.back(), hidden, sources, targets, kinds));
  }
  PairScorerPlaces places() const { return scorer_->places(); }

 private:
  Value own(int constant) const { return constants_[static_cast<std::size_t>(constant)]; }

  void declare_constants(Index kinds) {
    const SpaceId node = b_.space("node"), receiver = b_.space("receiver"), root = b_.space("root"),
                  slot = b_.space("slot"), pair = b_.space("pair");
    const auto dense = [&](const char* name, SpaceId space, Index cols) {
      constants_.push_back(b_.constant(name, {Layout::kDense, space, 0, cols}));
    };
    // Columns that name rows of another space: there are as many as rows are bound.
    const auto sparse = [&](const char* name, SpaceId space, Index cols) {
      constants_.push_back(b_.constant(name, {Layout::kSparse, space, 0, cols}));
    };
    dense("own", node, d_);
    dense("partner", node, d_);
    dense("elapsed", node, 1);
    sparse("nodes of receivers", receiver, 0);
    sparse("receivers of roots", root, 0);
    sparse("nodes of slots", slot, 0);
    dense("elapsed of slots", slot, 1);
    const SpaceId embedded = transformer_ ? receiver : root;
    sparse("slots of roots", embedded, 0);
    dense("attends", embedded, 1);
    sparse("sources of pairs", pair, 0);
    sparse("targets of pairs", pair, 0);
    if (kinds == 0) return;
    sparse("kinds of nodes", node, kinds);
    sparse("kinds of slots", slot, kinds);
    sparse("kinds of pairs", pair, kinds);
  }

  // What is linear behind one another is one product: with matrices of parameters, which have fewer
  // rows than batches.
  Value updated() {
    const Value state = own(TgnConstants::kOwn);
    // The state's part of both gates is that of the message and of the recurrence.
    const Value gates = columns(gru_own_, 0, 2 * d_) + columns(gru_state_, 0, 2 * d_);
    Value in = matmul(state, concat_columns({gates, columns(gru_own_, 2 * d_, d_)})) +
               matmul(own(TgnConstants::kPartner), gru_partner_) +
               matmul(times_.of(own(TgnConstants::kElapsed)), gru_time_);
    if (kinds_)
      in = in + gather_rows(own(TgnConstants::kNodeKinds), matmul(scorer_->kinds(), gru_kind_));
    const Value gate_bias = columns(gru_bias_, 0, 2 * d_) + columns(gru_state_bias_, 0, 2 * d_);
    const Value again =
        matmul(state, columns(gru_state_, 2 * d_, d_)) + columns(gru_state_bias_, 2 * d_, d_);
    return gru(in + concat_columns({gate_bias, columns(gru_bias_, 2 * d_, d_)}), again, state);
  }

  // What is known of each slot: a state, a kind, a time.
  Value senders(Value states) const {
    std::vector<Value> sent = {propagate(own(TgnConstants::kSlotNodes), states)};
    if (kinds_) sent.push_back(gather_rows(own(TgnConstants::kSlotKinds), scorer_->kinds()));
    sent.push_back(times_.of(own(TgnConstants::kSlotElapsed)));
    return concat_columns(sent);
  }

  // What the last layer attends to.
  TemporalAttention::Over over(Value states) const {
    TemporalAttention::Over out = {
        .receivers = propagate(own(TgnConstants::kReceiverNodes), states),
        .which = own(TgnConstants::kRootReceivers),
        .senders = senders(states),
        .slots = own(TgnConstants::kRootSlots),
        .attends = own(TgnConstants::kAttends)};
    const std::span<const Value> upper = std::span(constants_).subspan(upper_);
    for (std::size_t l = 0; l + 1 < attention_.size(); ++l)
      out = layer_over(upper.subspan(l * LayerConstants::kCount, LayerConstants::kCount),
                       attention_[l].out(out, times_), kinds_ ? scorer_->kinds() : Value(), times_);
    return out;
  }

  Value transformed(Value states) const {
    return transformer_->out({.receivers = propagate(own(TgnConstants::kReceiverNodes), states),
                              .senders = senders(states),
                              .slots = own(TgnConstants::kRootSlots),
                              .attends = own(TgnConstants::kAttends)});
  }

  bool kinds_;
  Index d_;
  Builder b_;
  TimeEncoding times_;
  Value gru_own_, gru_partner_, gru_time_, gru_kind_, gru_bias_, gru_state_, gru_state_bias_;
  std::vector<TemporalAttention> attention_;  // layer by layer, or else the next
  std::optional<TransformerLayer> transformer_;
  std::optional<PairScorerTrace> scorer_;
  std::vector<Value> constants_;
  std::size_t upper_ = 0;  // where those of layers from the second on begin
};

}  // namespace

TgnPrograms::TgnPrograms(const TgnShape& shape) {
  update = Trace(shape).update();
  embed = Trace(shape).embed();
  Trace trace(shape);
  scorer = trace.places();
  logits = trace.logits();
}

}  // namespace cupel
