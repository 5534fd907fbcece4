// Choices that are of the training rule and not of the model: how many graphs are in a step, and
// what stops training.
#pragma once

#include <string>

#include "cupel/base/options.h"
#include "cupel/learn/train/rule.h"

namespace cupel {

// Sets a field of a rule that rows may choose (RuleField::choose_among) and says true; false for
// any other name, which is then a setting of the model. Throws Error naming `where` for a value
// that a rule cannot have.
bool set_rule_choice(TrainRule& rule, const std::string& where, const std::string& name,
                     const OptionValue& value);

}  // namespace cupel
