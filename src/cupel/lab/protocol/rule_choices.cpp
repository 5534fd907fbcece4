#include "cupel/lab/protocol/rule_choices.h"

#include "cupel/base/error.h"
#include "cupel/learn/train/rule_fields.h"

namespace cupel {

bool set_rule_choice(TrainRule& rule, const std::string& where, const std::string& name,
                     const OptionValue& value) {
  const RuleField* field = find_rule_field(name);
  if (field == nullptr || field->choose_among == nullptr) return false;
  if (!field->allows(value))
    fail("{}: {} cannot be {}; choose among {}", where, name, to_text(value), field->choose_among);
  field->set(rule, value);
  return true;
}

}  // namespace cupel
