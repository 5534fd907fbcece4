#include "cupel/lab/run/trial_row.h"

#include "cupel/base/error.h"

namespace cupel {

ModelRow with_trial(ModelRow row, const Settings& trial) {
  const auto check = [&](const std::vector<ChoiceDimension>& choices) {
    for (const ChoiceDimension& dimension : choices) {
      for (const std::string& name : dimension.settings) {
        if (!trial.contains(name))
          fail("{}: '{}' is chosen from a list, and the search of '{}' does not cover it",
               dimension.where, name, row.name);
      }
    }
  };
  check(row.choices);
  row.choices.clear();
  for (RowCase& special : row.cases) {
    check(special.choices);
    special.choices.clear();
    for (const auto& [name, value] : trial) {
      special.settings.erase(name);
      const RuleField* field = rule_choice(name);
      std::erase_if(special.train.fields, [&](const auto& one) { return one.first == field; });
    }
  }
  put_trial(row, row.external.has_value(), trial);
  return row;
}

}  // namespace cupel
