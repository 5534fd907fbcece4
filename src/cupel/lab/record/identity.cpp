#include "cupel/lab/record/identity.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/base/hash.h"
#include "cupel/learn/train/rule_fields.h"

namespace cupel {

namespace {

// Until there were two words, "valid-loss" named the loss with the penalty; identities still write
// it so. Where there is no penalty the two losses are one, and have that word as well.
std::string stop_on_text(const FamilyFields& fields) {
  if (fields.rule.stop_on == "valid-objective") return "valid-loss";
  if (fields.rule.stop_on != "valid-loss") return fields.rule.stop_on;
  const auto l2 = fields.settings.find("l2");
  const bool penalised =
      fields.program.empty() && l2 != fields.settings.end() && l2->second != OptionValue(0.0);
  return penalised ? "valid-cross-entropy" : "valid-loss";
}

nlohmann::json json_of(const std::map<std::string, OptionValue>& settings) {
  nlohmann::json out = nlohmann::json::object();
  for (const auto& [name, value] : settings)
    std::visit([&, &key = name](const auto& v) { out[key] = v; }, value);
  return out;
}

nlohmann::json train_identity(const FamilyFields& fields) {
  nlohmann::json out = nlohmann::json::object();
  for (const RuleField& field : rule_fields()) {
    if (!field.in_identity(fields.rule)) continue;
    const std::string path =
        field.identity_path != nullptr ? field.identity_path : std::string("/") + field.name;
    std::visit([&](const auto& v) { out[nlohmann::json::json_pointer(path)] = v; },
               field.value(fields.rule));
  }
  out["stop_on"] = stop_on_text(fields);
  return out;
}

}  // namespace

std::string family_identity(const FamilyFields& fields) {
  // nlohmann::json keeps objects sorted by key and prints the shortest exact decimal.
  const nlohmann::json settings = json_of(fields.settings);
  SplitScheme scheme = fields.split;
  scheme.first = 0;
  nlohmann::json out = {
      {"dataset", {{"content", fields.dataset}, {"preparation", fields.preparation}}},
      {"metric", fields.metric},
      {"model", {{"name", fields.model}, {"settings", settings}}},
      {"numerics", kNumericsVersion},
      {"scores", fields.scores_test ? "valid+test" : "valid"},
      {"split", scheme.identity()},
      {"train", train_identity(fields)},
  };
  if (!fields.names.empty()) out["dataset"]["names"] = fields.names;
  if (!fields.task.empty())
    out["task"] = {{"kind", fields.task}, {"settings", json_of(fields.task_settings)}};
  if (fields.revision > 1) out["model"]["revision"] = fields.revision;
  if (fields.rounding == kernels::Rounding::kTwice) out["fma"] = false;
  if (fields.rounding == kernels::Rounding::kFusedByFour) out["fma"] = "four lanes";
  if (!fields.program.empty()) out["model"]["program"] = fields.program;
  return out.dump(-1, ' ', true);
}

std::string identity_fault(const std::string& family) {
  using Json = nlohmann::json;
  constexpr int kDeepest = 16;
  bool deep = false;
  const Json json = Json::parse(
      family,
      [&](int depth, Json::parse_event_t, Json&) {
        deep = deep || depth > kDeepest;
        return !deep;
      },
      false);
  if (deep || !json.is_object()) return "what its family depends on is no JSON object";
  using Type = Json::value_t;
  const std::pair<const char*, Type> needed[] = {
      {"/dataset/content", Type::string}, {"/dataset/preparation", Type::array},
      {"/metric", Type::string},          {"/model/name", Type::string},
      {"/model/settings", Type::object},  {"/split", Type::string},
      {"/train/stop_on", Type::string}};
  for (const auto& [path, type] : needed) {
    const Json::json_pointer at(path);
    if (!json.contains(at) || json.at(at).type() != type)
      return fmt::format("what its family depends on has no '{}'", path);
  }
  const Json& model = json.at("model");
  if (!model.contains("program")) return "";
  const Json& program = model.at("program");
  if (!program.is_object() || !std::ranges::all_of(program, &Json::is_string))
    return "what its family depends on has no texts in '/model/program'";
  return "";
}

std::string run_identity(const std::string& family, int split, int init) {
  return fmt::format(R"({{"family":{},"init":{},"split":{}}})", family, init, split);
}

std::string identity_hash(const std::string& identity) { return sha256(identity).substr(0, 32); }

}  // namespace cupel
