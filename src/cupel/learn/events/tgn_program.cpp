#include "cupel/learn/events/tgn_program.h"

#include <cmath>
#include <string>
#include <vector>

namespace cupel {
namespace {

constexpr Index kHeads = 2;

// One trace of all parameters and constants.
class Trace {
 public:
  explicit Trace(const TgnShape& shape) : shape_(shape), d_(shape.width) {
    declare_parameters();
    declare_constants();
  }

  Program update() { return b_.finish(updated()); }
  Program embed() { return b_.finish(embedded(constants_[TgnConstants::kOwn])); }
  Program logits() { return b_.finish(scored(merged(updated()))); }

 private:
  friend struct cupel::TgnPrograms;

  bool kinds() const { return shape_.kinds > 0; }
  Value own(int constant) const { return constants_[static_cast<std::size_t>(constant)]; }
  int slot_of(Value v) const { return b_.program().nodes[static_cast<std::size_t>(v.id)].slot; }

  Value parameter(const std::string& name, Index rows, Index cols, Parameter::Init init,
                  Index fan) {
    Parameter p;
    p.name = name, p.rows = rows, p.cols = cols, p.init = init, p.fan = fan;
    return b_.parameter(std::move(p));
  }
  Value of_time(const std::string& name, std::vector<float> fill) {
    Parameter p;
    p.name = name, p.rows = 1, p.cols = static_cast<Index>(fill.size());
    p.init = Parameter::Init::kFill, p.fill = std::move(fill);
    p.trained = shape_.trained_times;
    return b_.parameter(std::move(p));
  }

  void declare_parameters() {
    using enum Parameter::Init;
    const Index d = d_, sent = (kinds() ? 3 : 2) * d;
    std::vector<float> frequencies;
    for (Index i = 0; i < d; ++i)
      frequencies.push_back(static_cast<float>(std::pow(10.0, d == 1 ? 0 : -9.0 * i / (d - 1.0))));
    frequency_ = of_time("time.w", std::move(frequencies));
    phase_ = of_time("time.b", std::vector<float>(static_cast<std::size_t>(d), 0.0f));
    // PyTorch's GRU: all from U(-1 / sqrt(d), 1 / sqrt(d)).
    gru_own_ = b_.uniform("gru.own", d, 3 * d, d);
    gru_partner_ = b_.uniform("gru.partner", d, 3 * d, d);
    gru_time_ = b_.uniform("gru.time", d, 3 * d, d);
    if (kinds()) gru_kind_ = b_.uniform("gru.kind", d, 3 * d, d);
    gru_bias_ = b_.uniform("gru.bias", 1, 3 * d, d);
    gru_state_ = b_.uniform("gru.state", d, 3 * d, d);
    gru_state_bias_ = b_.uniform("gru.state_bias", 1, 3 * d, d);
    // Of each head: queries, then what takes them to the senders, and values from these.
    query_ = parameter("query", d, 2 * d, kGlorotUniform, 4 * d);
    query_time_ = parameter("query.time", d, 2 * d, kGlorotUniform, 4 * d);
    query_bias_ = b_.zeros("query.bias", 2 * d);
    for (Index h = 0; h < kHeads; ++h) {
      const std::string number = std::to_string(h + 1);
      keys_.push_back(parameter("key" + number, d, sent, kGlorotUniform, 2 * d + sent));
      values_.push_back(parameter("value" + number, sent, d, kGlorotUniform, 2 * d + sent));
      value_biases_.push_back(b_.zeros("value.bias" + number, d));
      attended_.push_back(b_.uniform("attended" + number, d, 2 * d, 2 * d));
    }
    attended_bias_ = b_.zeros("attended.bias", 2 * d);
    merge_attended_ = parameter("merge.attended", 2 * d, d, kGlorotNormal, 4 * d);
    merge_own_ = parameter("merge.own", d, d, kGlorotNormal, 4 * d);
    merge_bias_ = b_.uniform("merge.bias", 1, d, 3 * d);
    embedding_ = parameter("embedding", d, d, kGlorotNormal, 2 * d);
    embedding_bias_ = b_.uniform("embedding.bias", 1, d, d);
    const Index scored = kinds() ? 3 * d : 2 * d;
    source_ = parameter("score.source", d, d, kGlorotNormal, scored + d);
    target_ = parameter("score.target", d, d, kGlorotNormal, scored + d);
    if (kinds()) of_kind_ = parameter("score.kind", d, d, kGlorotNormal, scored + d);
    hidden_bias_ = b_.uniform("score.bias", 1, d, scored);
    out_ = parameter("score.out", d, 1, kGlorotNormal, d + 1);
    out_bias_ = b_.uniform("score.out_bias", 1, 1, d);
    if (kinds()) {
      Parameter p;
      p.name = "kinds", p.rows = shape_.kinds, p.cols = d;
      p.init = kNormal, p.gain = 1;
      kinds_ = b_.parameter(std::move(p));
    }
  }

  void declare_constants() {
    const SpaceId node = b_.space("node"), root = b_.space("root"), slot = b_.space("slot"),
                  pair = b_.space("pair");
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
    sparse("nodes of roots", root, 0);
    sparse("nodes of slots", slot, 0);
    dense("elapsed of slots", slot, 1);
    sparse("slots of roots", root, 0);
    dense("attends", root, 1);
    sparse("sources of pairs", pair, 0);
    sparse("targets of pairs", pair, 0);
    if (!kinds()) return;
    sparse("kinds of nodes", node, shape_.kinds);
    sparse("kinds of slots", slot, shape_.kinds);
    sparse("kinds of pairs", pair, shape_.kinds);
  }

  Value phi(Value elapsed) { return cosine(matmul(elapsed, frequency_) + phase_); }

  // What is linear behind one another is one product: with matrices of parameters, which have fewer
  // rows than batches.
  Value updated() {
    const Value state = own(TgnConstants::kOwn);
    // Of the state: both gates, then the two parts of what is fresh.
    const Value of_state = matmul(
        state, concat_columns({columns(gru_own_, 0, 2 * d_) + columns(gru_state_, 0, 2 * d_),
                               columns(gru_own_, 2 * d_, d_), columns(gru_state_, 2 * d_, d_)}));
    Value in = matmul(own(TgnConstants::kPartner), gru_partner_) +
               matmul(phi(own(TgnConstants::kElapsed)), gru_time_);
    if (kinds()) in = in + gather_rows(own(TgnConstants::kNodeKinds), matmul(kinds_, gru_kind_));
    in = in + gru_bias_;
    const Value gates = sigmoid(columns(in, 0, 2 * d_) + columns(of_state, 0, 2 * d_) +
                                columns(gru_state_bias_, 0, 2 * d_));
    const Value reset = columns(of_state, 3 * d_, d_) + columns(gru_state_bias_, 2 * d_, d_);
    const Value fresh = tanh(columns(in, 2 * d_, d_) + columns(of_state, 2 * d_, d_) +
                             columns(gates, 0, d_) * reset);
    return fresh + columns(gates, d_, d_) * (state - fresh);
  }

  // z before its last layer.
  Value merged(Value states) {
    const Value mine = propagate(own(TgnConstants::kRootNodes), states);
    std::vector<Value> sent = {propagate(own(TgnConstants::kSlotNodes), states)};
    if (kinds()) sent.push_back(gather_rows(own(TgnConstants::kSlotKinds), kinds_));
    sent.push_back(phi(own(TgnConstants::kSlotElapsed)));
    const Value sender = concat_columns(sent);
    const Value query_bias = matmul(cosine(phase_), query_time_) + query_bias_;
    std::vector<Value> receivers, biases, sums;
    Value bias = matmul(attended_bias_, merge_attended_);
    for (std::size_t h = 0; h < static_cast<std::size_t>(kHeads); ++h) {
      const Index first = static_cast<Index>(h) * d_;
      receivers.push_back(matmul(columns(query_, first, d_), keys_[h]));
      biases.push_back(matmul(columns(query_bias, first, d_), keys_[h]));
      const Value out = matmul(attended_[h], merge_attended_);
      sums.push_back(matmul(values_[h], out));
      bias = bias + matmul(value_biases_[h], out);
    }
    const Value receiver = matmul(mine, concat_columns(receivers)) + concat_columns(biases);
    const Value attended = shared_attention(own(TgnConstants::kRootSlots), receiver, sender, kHeads,
                                            1 / std::sqrt(static_cast<double>(d_)), shape_.dropout);
    return relu(matmul(attended, stack_rows(sums)) + matmul(own(TgnConstants::kAttends), bias) +
                matmul(mine, merge_own_) + merge_bias_);
  }

  Value embedded(Value states) { return matmul(merged(states), embedding_) + embedding_bias_; }

  Value scored(Value merged) {
    const auto part = [&](int pairs, Value weights) {
      return matmul(propagate(own(pairs), merged), matmul(embedding_, weights));
    };
    Value hidden =
        part(TgnConstants::kPairSources, source_) + part(TgnConstants::kPairTargets, target_);
    if (kinds())
      hidden = hidden + gather_rows(own(TgnConstants::kPairKinds), matmul(kinds_, of_kind_));
    const Value bias =
        hidden_bias_ + matmul(embedding_bias_, source_) + matmul(embedding_bias_, target_);
    return matmul(relu(hidden + bias), out_) + out_bias_;
  }

  TgnShape shape_;
  Index d_;
  Builder b_;
  std::vector<Value> constants_, keys_, values_, value_biases_, attended_;
  Value frequency_, phase_, gru_own_, gru_partner_, gru_time_, gru_kind_, gru_bias_, gru_state_,
      gru_state_bias_, query_, query_time_, query_bias_, attended_bias_, merge_attended_,
      merge_own_, merge_bias_, embedding_, embedding_bias_, source_, target_, of_kind_,
      hidden_bias_, out_, out_bias_, kinds_;
};

}  // namespace

TgnPrograms::TgnPrograms(const TgnShape& shape) {
  update = Trace(shape).update();
  embed = Trace(shape).embed();
  Trace trace(shape);
  of_source = trace.slot_of(trace.source_), of_target = trace.slot_of(trace.target_);
  hidden_bias = trace.slot_of(trace.hidden_bias_);
  out = trace.slot_of(trace.out_), out_bias = trace.slot_of(trace.out_bias_);
  if (shape.kinds > 0) of_kind = trace.slot_of(trace.of_kind_), kinds = trace.slot_of(trace.kinds_);
  logits = trace.logits();
}

}  // namespace cupel
