// The file of a frozen plan.
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <set>
#include <tuple>

#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/base/json_text.h"
#include "cupel/base/regular_file.h"
#include "cupel/lab/record/identity.h"
#include "cupel/lab/shards/frozen_plan.h"

namespace cupel {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;
constexpr std::int64_t kMostRuns = 10'000'000;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;

// Families stand once, with their runs by split.
Json body_of(const FrozenPlan& plan) {
  Json runs = Json::array();
  for (const FrozenRuns& entry : plan.runs)
    runs.push_back(
        {entry.family, entry.dataset, entry.model, entry.split, entry.inits, entry.microseconds});
  Json out = {{"cupel_plan", kVersion},
              {"protocol", plan.protocol},
              {"folder", plan.folder},
              {"text", plan.text},
              {"published", plan.published_text},
              {"datasets", plan.datasets},
              {"models", plan.models},
              {"tables", plan.tables},
              {"choices", plan.choices},
              {"splits", plan.splits},
              {"inits", plan.inits},
              {"shards", plan.shards},
              {"later", plan.later},
              {"columns", {"family", "dataset", "model", "split", "inits", "microseconds"}},
              {"runs", std::move(runs)}};
  if (plan.stretches > 0) out["stretches"] = plan.stretches;
  return out;
}

std::string hash_of(const FrozenPlan& plan) { return identity_hash(json_text(body_of(plan), -1)); }

FrozenRuns runs_of(const Json& entry) {
  return {entry.at(0),
          entry.at(1),
          entry.at(2),
          entry.at(3).get<int>(),
          entry.at(4).get<std::vector<int>>(),
          entry.at(5).get<std::uint64_t>()};
}

FrozenPlan plan_of(const Json& file) {
  FrozenPlan out;
  out.protocol = file.at("protocol");
  out.folder = file.at("folder");
  out.text = file.at("text");
  out.published_text = file.at("published");
  out.datasets = file.at("datasets");
  out.models = file.at("models");
  out.tables = file.at("tables");
  out.choices = file.at("choices");
  out.splits = file.at("splits").get<int>();
  out.inits = file.at("inits").get<int>();
  out.shards = file.at("shards").get<int>();
  out.later = file.at("later").get<int>();
  if (file.contains("stretches")) out.stretches = file["stretches"].get<int>();
  for (const Json& entry : file.at("runs")) out.runs.push_back(runs_of(entry));
  out.hash = file.at("hash");
  return out;
}

// Throws for what no plan has, though its hash may fit.
void check_values(const std::string& label, const FrozenPlan& plan) {
  const auto refuse = [&label](const char* field, auto value, const std::string& range) {
    fail("{}: '{}' is {}, and not {}; make the plan again with `cupel plan`", label, field, value,
         range);
  };
  if (plan.shards < 1 || plan.shards > kMostShards)
    refuse("shards", plan.shards, fmt::format("from 1 to {}", kMostShards));
  for (const FrozenRuns& runs : plan.runs) {
    if (runs.microseconds < 1 || runs.microseconds > kMostMicroseconds)
      refuse("microseconds", runs.microseconds, fmt::format("from 1 to {}", kMostMicroseconds));
    if (runs.split < 0) refuse("split", runs.split, "0 or more");
    const bool rise =
        std::ranges::adjacent_find(runs.inits, std::ranges::greater_equal()) == runs.inits.end();
    if (runs.inits.empty() || !rise || runs.inits.front() < 0)
      refuse("inits", fmt::format("[{}]", fmt::join(runs.inits, ",")),
             "a list of rising numbers from 0");
  }
  if (plan.stretches == 0) return;
  if (plan.stretches <= plan.shards || plan.stretches > kMostShards)
    refuse("stretches", plan.stretches, fmt::format("from {} to {}", plan.shards + 1, kMostShards));
  if (const std::int64_t with_runs = std::ssize(shards_with_runs(plan)); with_runs != plan.shards)
    refuse("shards", plan.shards, fmt::format("{}, the stretches that have runs", with_runs));
}

}  // namespace

std::string frozen_text(FrozenPlan& plan) {
  Json file = body_of(plan);
  plan.hash = hash_of(plan);
  file["hash"] = plan.hash;
  return json_text(file, -1);
}

FrozenPlan parse_frozen(const std::string& label, std::string_view text) {
  const Json file = Json::parse(text, nullptr, false);
  if (!file.is_object() || !file.contains("cupel_plan"))
    fail("{}: this is no plan of `cupel plan`, or it was cut short; make it again", label);
  if (file["cupel_plan"] != kVersion)
    fail("{}: the plan was written by another version of cupel; make it again with this one",
         label);
  FrozenPlan plan;
  try {
    plan = plan_of(file);
  } catch (const nlohmann::json::exception&) {
    fail("{}: the plan lacks something or was edited; make it again with `cupel plan`", label);
  }
  if (plan.count() > kMostRuns || plan.hash != hash_of(plan))
    fail("{}: the plan is not as it was written (its hash is {}); make it again with `cupel plan`",
         label, plan.hash);
  check_values(label, plan);
  return plan;
}

FrozenPlan read_frozen(const std::filesystem::path& path) {
  return parse_frozen(path.string(), read_small_file(path, kMostBytes));
}

bool is_frozen(const std::filesystem::path& path) {
  return file_starts_with(path, "{\"cupel_plan\"");
}

}  // namespace cupel
