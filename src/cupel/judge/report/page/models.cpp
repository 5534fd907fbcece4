// Models against each other, as lists over pairs.
#include <algorithm>

#include "cupel/judge/report/across.h"
#include "cupel/judge/report/page/data.h"
#include "cupel/judge/report/print.h"

namespace cupel::page {
namespace {

using namespace report;

std::size_t place_of(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

Json places_of(const ReportTable& table, const std::vector<std::string>& models) {
  Json out = Json::array();
  for (const std::string& model : models) out.push_back(place_of(table.models, model));
  return out;
}

void add_duel(Lists& lists, const Duel& duel) {
  lists.add("wins", duel.wins);
  lists.add("ties", duel.ties);
  lists.add("losses", duel.losses);
  lists.add("p", number(duel.p));
  lists.add("holm", number(duel.p_holm));
}

Json column_json(const ReportTable& table, const TableResults& source, std::size_t place,
                 const Comparison& comparison) {
  const std::vector<Duel> duels = duels_on_splits(source, comparison);
  Lists lists;
  for (std::size_t i = 0; i < comparison.pairs.size(); ++i) {
    const RowPair& pair = comparison.pairs[i];
    lists.add("difference", number(pair.difference));
    lists.add("low", pair.interval ? number(pair.interval->low) : Json(nullptr));
    lists.add("high", pair.interval ? number(pair.interval->high) : Json(nullptr));
    lists.add("t", number(pair.p_corrected));
    lists.add("general", number(pair.p_general));
    lists.add("outcome", pair.p ? Json(static_cast<int>(pair.verdict)) : Json(nullptr));
    add_duel(lists, duels[i]);
  }
  Json letters = Json::array();
  for (const std::string& model : comparison.models) {
    const auto found = comparison.letters.find(model);
    letters.push_back(found == comparison.letters.end() ? "" : found->second);
  }
  return {{"column", place},
          {"models", places_of(table, comparison.models)},
          {"letters", letters},
          {"pairs", lists.json()}};
}

Json across_json(const ReportTable& table, const Across& across) {
  Lists lists;
  for (const AcrossPair& pair : across.pairs) {
    lists.add("difference", number(pair.difference));
    add_duel(lists, pair.duel);
  }
  return {{"datasets", across.datasets},
          {"larger", across.larger_is_better},
          {"models", places_of(table, across.models)},
          {"pairs", lists.json()}};
}

Json ranks_json(const ReportTable& table, const RankDiagram& diagram) {
  Json ranks = Json::array(), groups = Json::array();
  for (const double rank : diagram.ranks) ranks.push_back(number(rank));
  for (const auto& [first, last] : diagram.groups) groups.push_back({first, last});
  return {{"models", places_of(table, diagram.models)},
          {"ranks", ranks},
          {"groups", groups},
          {"difference", number(diagram.test.critical_difference)},
          {"test", friedman_text(diagram.test)}};
}

}  // namespace

Json models_json(const ReportTable& table, const TableResults* source) {
  Json out = Json::object();
  if (table.kind != "scores" || source == nullptr) return out;
  out["columns"] = Json::array();
  for (const Comparison& comparison : table.comparisons) {
    const auto column = std::find(table.columns.begin(), table.columns.end(), comparison.column);
    out["columns"].push_back(column_json(
        table, *source, static_cast<std::size_t>(column - table.columns.begin()), comparison));
  }
  if (const auto across = across_datasets(table)) out["across"] = across_json(table, *across);
  if (const auto diagram = rank_diagram(table, *source)) out["ranks"] = ranks_json(table, *diagram);
  if (has_letters(table)) out["lettersText"] = text(letters_text(table));
  return out;
}

}  // namespace cupel::page
