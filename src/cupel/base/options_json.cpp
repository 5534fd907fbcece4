#include "cupel/base/options_json.h"

#include <nlohmann/json.hpp>

namespace cupel {

nlohmann::ordered_json to_json(const OptionValue& value) {
  return std::visit([](const auto& v) { return nlohmann::ordered_json(v); }, value);
}

nlohmann::ordered_json settings_json(const std::vector<OptionSpec>& specs) {
  auto list = nlohmann::ordered_json::array();
  for (const OptionSpec& spec : specs) {
    nlohmann::ordered_json one = {
        {"name", spec.name}, {"default", to_json(spec.fallback)}, {"doc", spec.doc}};
    if (spec.min < spec.max) one["range"] = {spec.min, spec.max};
    if (!spec.choices.empty()) one["choices"] = spec.choices;
    list.push_back(std::move(one));
  }
  return list;
}

}  // namespace cupel
