// JSON with everything the report knows. Absent numbers are null; scores are in percent.
#include <nlohmann/json.hpp>

#include "cupel/base/json_text.h"
#include "cupel/data/facts/facts_statistics_json.h"
#include "cupel/judge/report/event_scores.h"
#include "cupel/judge/report/print.h"
#include "cupel/judge/report/report.h"

namespace cupel {
namespace {

using Json = nlohmann::ordered_json;

Json number(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json interval(const std::optional<Interval>& value) {
  return value ? Json{value->low, value->high} : Json(nullptr);
}

const char* p_word(FriedmanP p) {
  return p == FriedmanP::kCounted ? "counted" : p == FriedmanP::kF ? "f" : "chance-of-ranks";
}

// Scores of configurations are fractions: means, of the kind chosen by, over the runs compared.
Json choice_json(const CellChoice& choice) {
  Json configurations = Json::array();
  for (const ConfigurationResult& one : choice.configurations)
    configurations.push_back({{"configuration", one.name},
                              {"runs", one.runs},
                              {"complete", one.complete},
                              {"score", number(one.score)}});
  return {{"configuration", choice.chosen},  {"chosen_by", choice.by},
          {"complete", choice.complete},     {"asked", choice.configurations.size()},
          {"protocol", choice.grid},         {"runs_compared", choice.compared},
          {"configurations", configurations}};
}

Json cell_json(const Cell& cell) {
  Json json;
  json["dataset"] = cell.column.dataset;
  json["model"] = cell.model;
  json["metric"] = cell.column.measure.word();
  json["mean"] = number(cell.mean);
  json["sd"] = number(cell.sd);
  json["spread_kind"] = cell.spread_kind;
  json["interval_95"] = interval(cell.interval);
  json["n"] = cell.n;
  json["expected_n"] = cell.expected_n;
  json["independent_draws"] = cell.splits;
  json["failed"] = cell.failed;
  json["timed_out"] = cell.timed_out;
  json["diverged"] = cell.diverged;
  if (cell.conflicts > 0) json["conflicts"] = cell.conflicts;
  if (cell.not_isolated > 0) json["not_isolated"] = cell.not_isolated;
  json["seconds_per_run"] = number(cell.seconds_per_run);
  json["memory_bytes"] = cell.memory_bytes ? Json(*cell.memory_bytes) : Json(nullptr);
  if (cell.quoted) json["quoted"] = true;
  json["published"] = {{"mean", number(cell.published_mean)},
                       {"spread", number(cell.published_spread)},
                       {"spread_kind", cell.published_spread_kind},
                       {"n", cell.published_n}};
  json["gap"] = number(cell.gap);
  json["gap_interval_90"] = interval(cell.gap_interval);
  json["smallest_delta"] = number(cell.smallest_delta);
  json["detectable_gap"] = number(cell.detectable_gap);
  json["runs_to_decide"] = number(cell.runs_to_decide);
  json["p"] = number(cell.p);
  json["p_corrected"] = number(cell.p_corrected);
  if (cell.looks > 0)
    json["look"] = {{"at", cell.look}, {"of", cell.looks}, {"size", cell.look_size}};
  json["verdict"] = to_text(cell.verdict);
  json["basis"] = cell.basis;
  if (cell.choice) json["choice"] = choice_json(*cell.choice);
  return json;
}

Json pair_json(const RowPair& pair) {
  return {{"a", pair.a},
          {"b", pair.b},
          {"splits", pair.splits},
          {"difference", number(pair.difference)},
          {"interval_90", interval(pair.interval)},
          {"smallest_delta", number(pair.smallest_delta)},
          {"p", number(pair.p)},
          {"p_corrected", number(pair.p_corrected)},
          {"p_wilcoxon", number(pair.p_wilcoxon)},
          {"p_general", number(pair.p_general)},
          {"outcome", report::outcome(pair)},
          {"splits_to_decide", pair.splits_to_decide ? Json(*pair.splits_to_decide) : Json()}};
}

Json comparison_json(const Comparison& comparison) {
  Json json;
  json["dataset"] = comparison.column.dataset;
  json["metric"] = comparison.column.measure.word();
  json["models"] = comparison.models;
  json["letters"] = Json::object();
  for (const auto& [model, letters] : comparison.letters) json["letters"][model] = letters;
  json["pairs"] = Json::array();
  for (const RowPair& pair : comparison.pairs) json["pairs"].push_back(pair_json(pair));
  return json;
}

Json event_score_json(const EventScore& score) {
  return {{"dataset", score.dataset}, {"model", score.model},       {"setting", score.setting},
          {"filter", score.filter},   {"relation", score.relation}, {"group", score.group},
          {"metric", score.metric},   {"value", score.value},       {"n", score.questions}};
}

std::string render_json(const Report& report, const Results&) {
  Json json;
  json["protocol"] = report.protocol;
  json["title"] = report.title;
  json["alpha"] = kAlpha;
  json["tables"] = Json::array();
  for (const ReportTable& table : report.tables) {
    Json out;
    out["id"] = table.id;
    out["title"] = table.title;
    out["kind"] = table.kind;
    if (!table.source.empty()) out["source"] = table.source;
    if (!table.strata.empty()) out["strata"] = table.strata;
    out["delta"] = table.delta;
    out["family"] = table.family;
    if (table.kind == "readings") {
      out["readings"] = Json::array();
      for (const Reading& reading : table.readings)
        out["readings"].push_back({{"dataset", reading.column.dataset},
                                   {"metric", reading.column.measure.word()},
                                   {"designed", reading.designed},
                                   {"released", reading.released},
                                   {"printed", reading.printed}});
    }
    out["cells"] = Json::array();
    for (const Cell& cell : table.cells) out["cells"].push_back(cell_json(cell));
    out["comparisons"] = Json::array();
    for (const Comparison& c : table.comparisons) out["comparisons"].push_back(comparison_json(c));
    if (table.field) {
      const Friedman& test = table.field->friedman;
      out["friedman"] = {{"models", table.field->models()},
                         {"datasets", table.field->datasets},
                         {"chi_squared", test.chi_squared},
                         {"iman_davenport_f", test.alike ? Json() : Json(test.f)},
                         {"p", test.p},
                         {"p_is", p_word(test.p_is)},
                         {"ranked_alike", test.alike},
                         {"nemenyi_critical_difference", table.field->critical_difference}};
    }
    if (!table.event_scores.empty()) {
      out["event_scores"] = Json::array();
      for (const EventScore& score : table.event_scores)
        out["event_scores"].push_back(event_score_json(score));
      out["complexity"] = Json::array();
      for (const report::AskedRelation& asked : report::asked_relations(table)) {
        Json one = {{"dataset", asked.dataset}, {"relation", asked.relation}};
        one.update(complexity_json(complexity(asked.counts())));
        if (const auto unseen = asked.unseen_answers("all")) one["unseen_answers"] = *unseen;
        if (asked.cuts.size() > 1) {
          one["cuts"] = Json::array();
          for (const auto& [split, counts] : asked.cuts) {
            Json cut = {{"split", split}};
            cut.update(complexity_json(complexity(counts)));
            one["cuts"].push_back(std::move(cut));
          }
        }
        out["complexity"].push_back(std::move(one));
      }
    }
    out["notes"] = table.notes;
    json["tables"].push_back(std::move(out));
  }
  // Text that is not UTF-8 (a data set's path may be anything) is replaced, never refused.
  return json_text(json);
}

}  // namespace

extern const Format format_json;
const Format format_json = {"json", "json", "everything, for programs", render_json};

}  // namespace cupel
