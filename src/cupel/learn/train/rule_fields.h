// The fields of the training rule, listed once. Protocol files, overrides, cards, identities and
// their tests walk through this list.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cupel/base/options.h"
#include "cupel/learn/train/rule.h"

namespace cupel {

// One field. Immutable.
struct RuleField {
  using Member = std::variant<int TrainRule::*, double TrainRule::*, bool TrainRule::*,
                              std::string TrainRule::*>;

  const char* name;  // in protocol files and on cards
  Member member;
  double least = 0, most = 0;           // numbers: inclusive range
  std::vector<std::string> words = {};  // texts: the allowed ones
  // Why a value of the right type and range is refused all the same, and the way out; nullptr if it
  // is not.
  const char* (*refusal)(const OptionValue& value) = [](const OptionValue&) -> const
      char* { return nullptr; };
  // A row may list values of the field among its choices; these words name the allowed ones.
  const char* choose_among = nullptr;
  // JSON pointer to the value in the "train" of an identity; nullptr: "/" and the name.
  const char* identity_path = nullptr;
  // Whether a rule's identity contains the field. Fields that are younger than kept results are in
  // it only where they have an effect, so that older runs keep their ids.
  bool (*in_identity)(const TrainRule& rule) = [](const TrainRule&) { return true; };

  // The value in `rule`: int64 for whole numbers.
  [[nodiscard]] OptionValue value(const TrainRule& rule) const;
  // Throws std::logic_error for a value of another type. Ranges and words are the caller's to
  // check.
  void set(TrainRule& rule, const OptionValue& value) const;
  // Whether it has the field's type and range, is one of the words and is not refused.
  [[nodiscard]] bool allows(const OptionValue& value) const;
};

// All fields, in the order of TrainRule.
[[nodiscard]] std::span<const RuleField> rule_fields();

// nullptr if there is none.
[[nodiscard]] const RuleField* find_rule_field(std::string_view name);

}  // namespace cupel
