// Choices that are of the training rule and not of the model: how many graphs are in a step, and
// what stops training.
#pragma once

#include <string>

#include "cupel/lab/protocol/protocol.h"

namespace cupel {

// The field of a rule that rows may choose by this name (RuleField::choose_among); nullptr for any
// other name, which is then a setting of the model.
[[nodiscard]] const RuleField* rule_choice(const std::string& name);

// Sets such a field, of a rule or of a row's differences from one, and says true; false where
// rule_choice() is nullptr. Throws Error naming `where` for a value that a rule cannot have.
bool set_rule_choice(TrainRule& rule, const std::string& where, const std::string& name,
                     const OptionValue& value);
bool set_rule_choice(RuleChange& train, const std::string& where, const std::string& name,
                     const OptionValue& value);

}  // namespace cupel
