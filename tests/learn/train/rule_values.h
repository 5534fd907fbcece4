// Values of the fields of a training rule, for tests that go through all of them.
#pragma once

#include <vector>

#include "cupel/learn/train/rule_fields.h"

namespace cupel::made {

// Allowed values of `field` other than that in `rule`: every word of a text, one number.
inline std::vector<OptionValue> other_values(const RuleField& field, const TrainRule& rule) {
  const OptionValue is = field.value(rule);
  if (const auto* flag = std::get_if<bool>(&is)) return {!*flag};
  if (const auto* whole = std::get_if<std::int64_t>(&is)) return {*whole + 2};
  if (const auto* real = std::get_if<double>(&is)) return {*real > 0 ? *real / 2 : 0.5};
  std::vector<OptionValue> out;
  for (const std::string& word : field.words) {
    if (is != OptionValue(word)) out.emplace_back(word);
  }
  return out;
}

}  // namespace cupel::made
