#include "cupel/api/diff.h"

#include <nlohmann/json.hpp>

namespace cupel {
namespace {

using Json = nlohmann::ordered_json;

Json value_of(const std::string& json) { return json.empty() ? Json() : Json::parse(json); }

Json fields_json(const std::vector<FieldDifference>& fields) {
  Json out = Json::array();
  for (const auto& [field, a, b] : fields)
    out.push_back({{"field", field}, {"a", value_of(a)}, {"b", value_of(b)}});
  return out;
}

Json unmatched_json(const std::vector<UnmatchedRuns>& all) {
  Json out = Json::array();
  for (const UnmatchedRuns& group : all) {
    Json runs = Json::array();
    for (const UnmatchedRuns::Run& run : group.runs)
      runs.push_back({{"id", run.id},
                      {"split", run.split},
                      {"init", run.init},
                      {"nearest", run.nearest.empty() ? Json() : Json(run.nearest)}});
    out.push_back(
        {{"model", group.model},
         {"dataset", group.dataset},
         {"family", group.family},
         {"nearest_family", group.nearest_family.empty() ? Json() : Json(group.nearest_family)},
         {"fields", fields_json(group.fields)},
         {"other_split", group.other_split},
         {"other_init", group.other_init},
         {"runs", runs}});
  }
  return out;
}

}  // namespace

Json store_diff_json(const StoreDiff& diff, const std::string& a, const std::string& b) {
  Json different = Json::array();
  for (const DifferentRun& run : diff.different)
    different.push_back({{"id", run.id},
                         {"model", run.model},
                         {"dataset", run.dataset},
                         {"split", run.split},
                         {"init", run.init},
                         {"outcome", fields_json(run.outcome)}});
  return {{"a", a},
          {"b", b},
          {"holds", diff.holds()},
          {"equal", diff.equal},
          {"different", different},
          {"unfinished", diff.unfinished},
          {"in_conflict", diff.in_conflict},
          {"only_a", unmatched_json(diff.only_a)},
          {"only_b", unmatched_json(diff.only_b)}};
}

Json run_diff_json(const RunDiff& diff) {
  return {{"a", diff.a.id},
          {"b", diff.b.id},
          {"identity", fields_json(diff.identity)},
          {"outcome", fields_json(diff.outcome)}};
}

}  // namespace cupel
