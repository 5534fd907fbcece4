#include "cupel/learn/train/rule_fields.h"

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <type_traits>

namespace cupel {
namespace {

constexpr double kMost = 1e9;

const char* refuse_one_graph(const OptionValue& value) {
  return value == OptionValue(std::int64_t{1})
             ? "over one graph nothing can be normalised; take 2 or more, or 0 for all training "
               "graphs"
             : nullptr;
}

bool decays(const TrainRule& rule) { return rule.decay_every > 0; }

// As many references as TrainRule has fields; with one more or fewer it does not compile.
[[maybe_unused]] auto references(const TrainRule& rule) {
  const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = rule;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m);
}

template <class T>
using Stored = std::conditional_t<std::is_same_v<T, int>, std::int64_t, T>;

}  // namespace

std::span<const RuleField> rule_fields() {
  static const RuleField all[] = {
      {.name = "max_epochs", .member = &TrainRule::max_epochs, .least = 1, .most = kMost},
      {.name = "patience", .member = &TrainRule::patience, .least = 0, .most = kMost},
      {.name = "stop_on",
       .member = &TrainRule::stop_on,
       .words = {"valid-objective", "valid-loss", "valid-score"},
       .choose_among = "valid-objective, valid-loss and valid-score"},
      {.name = "ties_improve", .member = &TrainRule::ties_improve},
      {.name = "keep", .member = &TrainRule::keep, .words = {"best", "latest-best", "last"}},
      {.name = "optimizer", .member = &TrainRule::optimizer, .words = {"adam", "adam-torch"}},
      {.name = "epsilon", .member = &TrainRule::epsilon, .least = 1e-30, .most = 1},
      {.name = "batch_size",
       .member = &TrainRule::batch_size,
       .least = 0,
       .most = kMost,
       .refusal = refuse_one_graph,
       .choose_among = "whole numbers from 2 on, or 0 for all graphs",
       .in_identity = [](const TrainRule& rule) { return rule.batch_size > 0; }},
      {.name = "loss",
       .member = &TrainRule::loss,
       .words = {"cross-entropy", "binary-cross-entropy"},
       .in_identity = [](const TrainRule& rule) { return rule.loss != TrainRule().loss; }},
      {.name = "decay_every",
       .member = &TrainRule::decay_every,
       .least = 0,
       .most = kMost,
       .identity_path = "/decay/every",
       .in_identity = decays},
      {.name = "decay",
       .member = &TrainRule::decay,
       .least = 1e-6,
       .most = 1,
       .identity_path = "/decay/factor",
       .in_identity = decays},
      {.name = "on_divergence", .member = &TrainRule::on_divergence, .words = {"restore", "fail"}},
      {.name = "clip_norm",
       .member = &TrainRule::clip_norm,
       .least = 0,
       .most = kMost,
       .in_identity = [](const TrainRule& rule) { return rule.clip_norm > 0; }},
  };
  static_assert(std::extent_v<decltype(all)> ==
                std::tuple_size_v<decltype(references(TrainRule()))>);
  return all;
}

const RuleField* find_rule_field(std::string_view name) {
  const auto found = std::ranges::find(rule_fields(), name, &RuleField::name);
  return found == rule_fields().end() ? nullptr : &*found;
}

OptionValue RuleField::value(const TrainRule& rule) const {
  return std::visit(
      [&]<class T>(T TrainRule::*at) -> OptionValue { return static_cast<Stored<T>>(rule.*at); },
      member);
}

void RuleField::set(TrainRule& rule, const OptionValue& value) const {
  std::visit(
      [&]<class T>(T TrainRule::*at) {
        const auto* given = std::get_if<Stored<T>>(&value);
        if (given == nullptr)
          throw std::logic_error(std::string("rule field '") + name + "' has another type");
        rule.*at = static_cast<T>(*given);
      },
      member);
}

bool RuleField::allows(const OptionValue& value) const {
  if (value.index() != this->value(TrainRule()).index()) return false;
  if (const auto* text = std::get_if<std::string>(&value))
    return std::ranges::find(words, *text) != words.end();
  const auto in_range = [&](double number) { return number >= least && number <= most; };
  if (const auto* whole = std::get_if<std::int64_t>(&value))
    if (!in_range(static_cast<double>(*whole))) return false;
  if (const auto* real = std::get_if<double>(&value))
    if (!in_range(*real)) return false;
  return refusal(value) == nullptr;
}

}  // namespace cupel
