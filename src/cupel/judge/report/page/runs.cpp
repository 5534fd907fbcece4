// What is behind the cells: scores by split, distribution, epochs, cost, failures, identity.
#include <algorithm>
#include <map>
#include <set>

#include "cupel/judge/report/across.h"
#include "cupel/judge/report/build.h"
#include "cupel/judge/report/cost.h"
#include "cupel/judge/report/page/data.h"
#include "cupel/judge/report/page/uses.h"
#include "cupel/judge/stats/descriptive.h"
#include "cupel/lab/record/identity.h"

namespace cupel::page {
namespace {

using namespace report;

// [lowest, lower quartile, median, upper quartile, highest]
Json five_numbers(std::vector<double> values) {
  if (values.empty()) return nullptr;
  std::sort(values.begin(), values.end());
  Json out = Json::array();
  for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0})
    out.push_back(number(quantile(values, share)));
  return out;
}

// The text of a run's family within that of the run: {"family":FAMILY,"init":1,"split":0}.
std::string family_in(const std::string& identity) {
  constexpr std::string_view kBefore = "{\"family\":", kAfter = ",\"init\":";
  const std::size_t end = identity.rfind(kAfter);
  if (!identity.starts_with(kBefore) || end == std::string::npos) return "";
  return identity.substr(kBefore.size(), end - kBefore.size());
}

// [[places of an identity's parts, id of the family, runs], ...]: most cells have one, those that
// choose settings split by split have several.
Json identities_json(const CellResults& cell, Identities& identities) {
  std::vector<std::pair<std::string, int>> families;
  for (const PlacedRun& run : cell.runs) {
    std::string family = family_in(run.record.identity);
    if (family.empty()) continue;
    const auto known = std::find_if(families.begin(), families.end(),
                                    [&](const auto& one) { return one.first == family; });
    if (known == families.end())
      families.emplace_back(std::move(family), 1);
    else
      ++known->second;
  }
  Json out = Json::array();
  for (const auto& [family, runs] : families)
    out.push_back({identities.add(family), identity_hash(family), runs});
  return out.empty() ? Json(nullptr) : out;
}

// [[message, runs], ...], the most frequent first; of many, the first few.
Json failures_json(const CellResults& cell) {
  constexpr std::size_t kMost = 5, kLongest = 300;
  std::map<std::string, int> counts;
  for (const PlacedRun& run : cell.runs) {
    const RunRecord& record = run.record;
    if (record.status == RunStatus::kOk) continue;
    ++counts[to_text(record.status) +
             (record.message.empty() ? "" : ": " + record.message.substr(0, kLongest))];
  }
  std::vector<std::pair<std::string, int>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  Json out = Json::array();
  for (std::size_t i = 0; i < std::min(kMost, sorted.size()); ++i)
    out.push_back({text(sorted[i].first), sorted[i].second});
  return out.empty() ? Json(nullptr) : out;
}

// Scores in hundredths of a point, as whole numbers: as fine as anything that is drawn of them.
Json hundredths(double value) { return number(std::round(value * 100)); }

void add_scores(Lists& lists, const CellResults& cell, std::int64_t listed) {
  const ScoresBySplit scores = scores_of(cell);
  std::vector<double> all;
  Json places = Json::array(), means = Json::array(), runs = Json::array();
  for (const auto& [split, mean] : split_means(scores)) {
    places.push_back(split);
    means.push_back(number(mean));
  }
  for (const auto& [split, values] : scores) {
    Json here = Json::array();
    for (const double value : values) here.push_back(hundredths(value));
    runs.push_back(std::move(here));
    all.insert(all.end(), values.begin(), values.end());
  }
  const bool in_order = !places.empty() && places.back() == places.size() - 1;
  const bool any = !all.empty();
  lists.add("box", five_numbers(all));
  // 0, 1, 2, ... where not said.
  lists.add("splitPlaces", any && !in_order ? places : Json(nullptr));
  lists.add("splitMeans", any ? means : Json(nullptr));
  const bool is_listed = static_cast<std::int64_t>(cell.runs.size()) <= listed;
  const bool more_than_means = all.size() > scores.size();
  lists.add("scores", any && is_listed && more_than_means ? runs : Json(nullptr));
}

void add_nothing(Lists& lists) {
  for (const char* name :
       {"box", "splitPlaces", "splitMeans", "scores", "epochs", "seconds", "total", "memory",
        "failures", "identities", "command", "function", "contentByPath", "firstRun"})
    lists.add(name, nullptr);
}

void add_cell(Lists& lists, const Results& results, const TableResults& source,
              const CellResults& cell, Identities& identities, std::int64_t listed) {
  add_scores(lists, cell, listed);
  std::vector<double> epochs;
  for (const PlacedRun& run : cell.runs)
    if (run.record.epochs > 0) epochs.push_back(run.record.epochs);
  const Cost cost = cost_of(cell);
  lists.add("epochs", five_numbers(epochs));
  lists.add("seconds", number(cost.seconds_per_run));
  lists.add("total", number(cost.seconds));
  lists.add("memory", cost.memory_bytes ? Json(*cost.memory_bytes) : Json(nullptr));
  lists.add("failures", failures_json(cell));
  lists.add("identities", identities_json(cell, identities));
  lists.add("command", command_of(results, source.id, cell));
  const auto function = function_of(cell);
  lists.add("function", function ? text(*function) : Json(nullptr));
  const auto content = content_by_path(cell);
  lists.add("contentByPath", content ? text(*content) : Json(nullptr));
  lists.add("firstRun", text(cell.runs.front().record.id));
}

// By column: 1 for cells that no other beats in both cost and score.
Json pareto_json(const ReportTable& table, const std::vector<CostPoint>& points) {
  Json out = Json::array();
  for (std::size_t i = 0; i < table.cells.size(); ++i) out.push_back(nullptr);
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    std::vector<CostPoint> column;
    for (std::size_t r = 0; r < table.models.size(); ++r)
      column.push_back(points[r * table.columns.size() + c]);
    const std::vector<bool> best =
        pareto(column, scale_of(table.columns[c].measure).larger_is_better);
    for (std::size_t r = 0; r < table.models.size(); ++r)
      if (best[r]) out[r * table.columns.size() + c] = 1;
  }
  return out;
}

}  // namespace

Json runs_json(const Results& results, const ReportTable& table, const TableResults* source,
               Identities& identities, std::int64_t listed) {
  if (source == nullptr) return Json::object();
  Lists lists;
  std::vector<CostPoint> points;
  for (const Cell& cell : table.cells) {
    Column column = cell.column;
    if (table.kind == "ranks") column.measure = measure_on(*source, column.dataset);
    const CellResults* from = find_cell(*source, column, cell.model);
    if (from == nullptr || from->runs.empty()) {
      add_nothing(lists);
      points.emplace_back();
      continue;
    }
    points.push_back({cost_of(*from).seconds_per_run, cell.mean});
    add_cell(lists, results, *source, *from, identities, listed);
  }
  Json out = lists.json();
  if (table.kind == "scores") out["pareto"] = pareto_json(table, points);
  return out;
}

}  // namespace cupel::page
