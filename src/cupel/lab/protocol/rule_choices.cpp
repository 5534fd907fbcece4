#include "cupel/lab/protocol/rule_choices.h"

#include <algorithm>

#include "cupel/base/error.h"

namespace cupel {
namespace {

const RuleField* allowed_choice(const std::string& where, const std::string& name,
                                const OptionValue& value) {
  const RuleField* field = rule_choice(name);
  if (field != nullptr && !field->allows(value))
    fail("{}: {} cannot be {}; choose among {}", where, name, to_text(value), field->choose_among);
  return field;
}

}  // namespace

const RuleField* rule_choice(const std::string& name) {
  const RuleField* field = find_rule_field(name);
  return field != nullptr && field->choose_among != nullptr ? field : nullptr;
}

bool set_rule_choice(TrainRule& rule, const std::string& where, const std::string& name,
                     const OptionValue& value) {
  const RuleField* field = allowed_choice(where, name, value);
  if (field != nullptr) field->set(rule, value);
  return field != nullptr;
}

bool set_rule_choice(RuleChange& train, const std::string& where, const std::string& name,
                     const OptionValue& value) {
  const RuleField* field = allowed_choice(where, name, value);
  if (field == nullptr) return false;
  std::erase_if(train.fields, [&](const auto& one) { return one.first == field; });
  const auto next =
      std::ranges::find_if(train.fields, [&](const auto& one) { return field < one.first; });
  train.fields.emplace(next, field, value);
  return true;
}

}  // namespace cupel
