#include "cupel/lab/protocol/rule_choices.h"

#include <variant>

#include "cupel/base/error.h"

namespace cupel {

bool set_rule_choice(TrainRule& rule, const std::string& where, const std::string& name,
                     const OptionValue& value) {
  if (name == "batch_size") {
    const auto* graphs = std::get_if<std::int64_t>(&value);
    if (graphs == nullptr || *graphs < 0 || *graphs == 1 || *graphs > 1'000'000'000)
      fail("{}: batch_size cannot be {}; choose among whole numbers from 2 on, or 0 for all graphs",
           where, to_text(value));
    rule.batch_size = static_cast<int>(*graphs);
    return true;
  }
  if (name != "stop_on") return false;
  const auto* watched = std::get_if<std::string>(&value);
  if (watched == nullptr ||
      (*watched != "valid-objective" && *watched != "valid-loss" && *watched != "valid-score"))
    fail("{}: stop_on cannot be {}; choose among valid-objective, valid-loss and valid-score",
         where, to_text(value));
  rule.stop_on = *watched;
  return true;
}

}  // namespace cupel
