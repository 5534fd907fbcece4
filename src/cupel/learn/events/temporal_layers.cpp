#include "cupel/learn/events/temporal_layers.h"

#include <cmath>

namespace cupel {
namespace {

constexpr Index kHeads = 2;
using Init = Parameter::Init;

Value parameter(Builder& b, const std::string& name, Index rows, Index cols, Init init, Index fan) {
  Parameter p;
  p.name = name, p.rows = rows, p.cols = cols, p.init = init, p.fan = fan;
  return b.parameter(std::move(p));
}

Value filled(Builder& b, const std::string& name, std::vector<float> fill, bool trained) {
  Parameter p;
  p.name = name, p.rows = 1, p.cols = static_cast<Index>(fill.size());
  p.init = Init::kFill, p.fill = std::move(fill), p.trained = trained;
  return b.parameter(std::move(p));
}

// Of each receiver -> of each row.
Value to_rows(const TemporalAttention::Over& over, Value x) {
  return over.which.id < 0 ? x : propagate(over.which, x);
}

}  // namespace

TimeEncoding::TimeEncoding(Builder& b, Index width, bool trained) {
  std::vector<float> frequencies;
  for (Index i = 0; i < width; ++i)
    frequencies.push_back(
        static_cast<float>(std::pow(10.0, width == 1 ? 0 : -9.0 * i / (width - 1.0))));
  frequency_ = filled(b, "time.w", std::move(frequencies), trained);
  phase_ = filled(b, "time.b", std::vector<float>(static_cast<std::size_t>(width), 0.0f), trained);
}

Value TimeEncoding::of(Value elapsed) const { return cosine(matmul(elapsed, frequency_) + phase_); }

Value TimeEncoding::of_nothing() const { return cosine(phase_); }

TemporalAttention::TemporalAttention(Builder& b, const AttentionShape& shape) : shape_(shape) {
  const Index d = shape.width, sent = shape.sent;
  const std::string& p = shape.prefix;
  // Of each head: queries, then what takes them to the senders, and values from these.
  if (shape.receives) query_ = parameter(b, p + "query", d, 2 * d, Init::kGlorotUniform, 4 * d);
  query_time_ = parameter(b, p + "query.time", d, 2 * d, Init::kGlorotUniform, 4 * d);
  if (!shape.residual) query_bias_ = b.zeros(p + "query.bias", 2 * d);
  for (Index h = 0; h < kHeads; ++h) {
    const std::string number = std::to_string(h + 1);
    keys_.push_back(parameter(b, p + "key" + number, d, sent, Init::kGlorotUniform, 2 * d + sent));
    values_.push_back(
        parameter(b, p + "value" + number, sent, d, Init::kGlorotUniform, 2 * d + sent));
    if (!shape.residual) value_biases_.push_back(b.zeros(p + "value.bias" + number, d));
    attended_.push_back(b.uniform(p + "attended" + number, d, 2 * d, 2 * d));
  }
  attended_bias_ = b.zeros(p + "attended.bias", 2 * d);
  if (shape.residual) {
    gain_ = filled(b, p + "gain", std::vector<float>(2 * static_cast<std::size_t>(d), 1.0f), true);
    shift_ = b.zeros(p + "shift", 2 * d);
  }
  const Index merged = shape.receives ? 4 * d : 3 * d;
  merge_attended_ = parameter(b, p + "merge.attended", 2 * d, d, Init::kGlorotNormal, merged);
  if (shape.receives) merge_own_ = parameter(b, p + "merge.own", d, d, Init::kGlorotNormal, merged);
  merge_bias_ = b.uniform(p + "merge.bias", 1, d, merged - d);
  last_ = parameter(b, p + "embedding", d, d, Init::kGlorotNormal, 2 * d);
  last_bias_ = b.uniform(p + "embedding.bias", 1, d, d);
}

// Rows x 2 width: both heads' means of senders.
//
// What is linear behind one another is one product: with matrices of parameters, which have fewer
// rows than batches. So keys and values of senders are never made.
Value TemporalAttention::attended(const Over& over, const TimeEncoding& times) const {
  const Index d = shape_.width;
  Value query = matmul(times.of_nothing(), query_time_);
  if (!shape_.residual) query = query + query_bias_;
  std::vector<Value> receivers, biases;
  for (std::size_t h = 0; h < static_cast<std::size_t>(kHeads); ++h) {
    const Index first = static_cast<Index>(h) * d;
    if (shape_.receives) receivers.push_back(matmul(columns(query_, first, d), keys_[h]));
    biases.push_back(matmul(columns(query, first, d), keys_[h]));
  }
  const Value bias = concat_columns(biases);
  const Value receiver =
      shape_.receives ? to_rows(over, matmul(over.receivers, concat_columns(receivers)) + bias)
                      : matmul(over.attends, bias);
  return shared_attention(over.slots, receiver, over.senders, kHeads,
                          1 / std::sqrt(static_cast<double>(d)), shape_.dropout);
}

// W_1 a: rows x width.
Value TemporalAttention::merged(const Over& over, const TimeEncoding& times) const {
  const Value heads = attended(over, times);
  std::vector<Value> sums;
  if (shape_.residual) {
    for (std::size_t h = 0; h < static_cast<std::size_t>(kHeads); ++h)
      sums.push_back(matmul(values_[h], attended_[h]));
    Value a = matmul(heads, stack_rows(sums)) + attended_bias_;
    const Value nothing = matmul(affine(over.attends, 0, 1), times.of_nothing());
    const Value state = shape_.receives ? to_rows(over, over.receivers)
                                        : matmul(affine(over.attends, 0), times.of_nothing());
    a = layer_norm(a + concat_columns({state, nothing}), gain_, shift_);
    return matmul(a, merge_attended_);
  }
  Value bias = matmul(attended_bias_, merge_attended_);
  for (std::size_t h = 0; h < static_cast<std::size_t>(kHeads); ++h) {
    const Value out = matmul(attended_[h], merge_attended_);
    sums.push_back(matmul(values_[h], out));
    bias = bias + matmul(value_biases_[h], out);
  }
  return matmul(heads, stack_rows(sums)) + matmul(over.attends, bias);
}

Value TemporalAttention::hidden(const Over& over, const TimeEncoding& times) const {
  Value sum = merged(over, times);
  if (shape_.receives) sum = sum + to_rows(over, matmul(over.receivers, merge_own_));
  return relu(sum + merge_bias_);
}

void declare_layer(Builder& b, Index layer, Index kinds, std::vector<Value>& out) {
  const std::string of_layer = " of layer " + std::to_string(layer);
  const SpaceId row = b.space("row" + of_layer), slot = b.space("slot" + of_layer);
  const auto add = [&](const char* name, Layout layout, SpaceId space, Index cols) {
    out.push_back(b.constant(name + of_layer, {layout, space, 0, cols}));
  };
  // Columns that name rows of another space: there are as many as rows are bound.
  add("slots", Layout::kSparse, row, 0);
  add("attends", Layout::kDense, row, 1);
  add("elapsed", Layout::kDense, slot, 1);
  add("kinds", Layout::kSparse, slot, kinds);
  add("own", Layout::kSparse, row, 0);
  add("with", Layout::kSparse, slot, 0);
}

TemporalAttention::Over layer_over(std::span<const Value> constants, Value below, Value kinds,
                                   const TimeEncoding& times) {
  const auto own = [&](int constant) { return constants[static_cast<std::size_t>(constant)]; };
  TemporalAttention::Over out;
  std::vector<Value> sent;
  if (below.id >= 0) {
    out.receivers = propagate(own(LayerConstants::kOwn), below);
    sent.push_back(propagate(own(LayerConstants::kWith), below));
  }
  if (kinds.id >= 0) sent.push_back(gather_rows(own(LayerConstants::kKinds), kinds));
  sent.push_back(times.of(own(LayerConstants::kElapsed)));
  out.senders = sent.size() == 1 ? sent.front() : concat_columns(sent);
  out.slots = own(LayerConstants::kSlots), out.attends = own(LayerConstants::kAttends);
  return out;
}

PairScorerTrace::PairScorerTrace(Builder& b, Index width, Index kinds, PairScorerStart start)
    : b_(&b) {
  const Index d = width, scored = kinds > 0 ? 3 * d : 2 * d;
  const bool linear = start == PairScorerStart::kLinear;
  const auto weight = [&](const char* name, Index cols, Index inputs) {
    return linear ? b.uniform(name, d, cols, d)
                  : parameter(b, name, d, cols, Init::kGlorotNormal, inputs + cols);
  };
  source_ = weight("score.source", d, scored);
  target_ = weight("score.target", d, scored);
  if (kinds > 0) of_kind_ = weight("score.kind", d, scored);
  hidden_bias_ = b.uniform("score.bias", 1, d, linear ? d : scored);
  out_ = weight("score.out", 1, d);
  out_bias_ = b.uniform("score.out_bias", 1, 1, d);
  if (kinds == 0) return;
  Parameter p;
  p.name = "kinds", p.rows = kinds, p.cols = d;
  p.init = Init::kNormal, p.gain = 1;
  kinds_ = b.parameter(std::move(p));
}

PairScorerPlaces PairScorerTrace::places() const {
  const auto slot = [&](Value v) {
    return v.id < 0 ? -1 : b_->program().nodes[static_cast<std::size_t>(v.id)].slot;
  };
  return {slot(source_), slot(target_),   slot(of_kind_), slot(hidden_bias_),
          slot(out_),    slot(out_bias_), slot(kinds_)};
}

Value PairScorerTrace::scored(Value sum, Value bias, Value kinds) const {
  if (kinds_.id >= 0) sum = sum + gather_rows(kinds, matmul(kinds_, of_kind_));
  return matmul(relu(sum + bias), out_) + out_bias_;
}

Value PairScorerTrace::logits(const TemporalAttention& layer, Value hidden, Value sources,
                              Value targets, Value kinds) const {
  const auto part = [&](Value pairs, Value weights) {
    return matmul(propagate(pairs, hidden), matmul(layer.last_weight(), weights));
  };
  const Value bias =
      hidden_bias_ + matmul(layer.last_bias(), source_) + matmul(layer.last_bias(), target_);
  return scored(part(sources, source_) + part(targets, target_), bias, kinds);
}

Value PairScorerTrace::logits(Value embeddings, Value sources, Value targets, Value kinds) const {
  return scored(propagate(sources, matmul(embeddings, source_)) +
                    propagate(targets, matmul(embeddings, target_)),
                hidden_bias_, kinds);
}

}  // namespace cupel
