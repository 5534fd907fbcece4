#include "cupel/cli/cards/facts_card.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cupel/cli/text.h"
#include "cupel/data/facts/fact_times.h"

namespace cupel::cli {
namespace {

std::string capitals(std::string text) {
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  std::ranges::replace(text, '_', ' ');
  return text;
}

// Relations stand beside the rest while a line has room for them, else below it.
constexpr std::size_t kBeside = 6;

std::string parts_text(const std::string& time_unit, const FactsStatistics& statistics) {
  const bool beside = statistics.relations.size() <= kBeside;
  std::vector<std::string> head = {"PART", "FROM", "TO", "FACTS", "NODES"};
  for (const std::string& type : statistics.types) head.push_back(capitals(type));
  if (beside)
    for (const std::string& relation : statistics.relations) head.push_back(capitals(relation));
  Columns columns("l" + std::string(head.size() - 1, 'r'));
  columns.row(head);
  for (const PartStatistics& part : statistics.parts) {
    std::vector<std::string> cells = {part.part, time_text(part.from, time_unit),
                                      time_text(part.to, time_unit), grouped(part.facts),
                                      grouped(part.nodes)};
    for (const Offset number : part.by_type) cells.push_back(grouped(number));
    if (beside)
      for (const Offset number : part.by_relation) cells.push_back(grouped(number));
    columns.row(cells);
  }
  if (beside) return columns.text();
  Columns below("l" + std::string(statistics.parts.size(), 'r'));
  head = {"FACTS OF RELATION"};
  for (const PartStatistics& part : statistics.parts) head.push_back(capitals(part.part));
  below.row(head);
  for (std::size_t r = 0; r < statistics.relations.size(); ++r) {
    std::vector<std::string> cells = {statistics.relations[r]};
    for (const PartStatistics& part : statistics.parts)
      cells.push_back(grouped(part.by_relation[r]));
    below.row(cells);
  }
  return columns.text() + "\n" + below.text();
}

// A row for each relation, and one for all of them if there are several.
template <class Names, class Counts>
std::string counts_text(const FactsStatistics& statistics, const Names& names, const Counts& of,
                        const typename Counts::value_type& all) {
  Columns columns("l" + std::string(names.size(), 'r'));
  std::vector<std::string> head = {"RELATION"};
  for (const std::string_view name : names) head.push_back(capitals(std::string(name)));
  columns.row(head);
  const auto add = [&](const std::string& relation, const auto& counts) {
    std::vector<std::string> cells = {relation};
    for (const Offset number : counts) cells.push_back(grouped(number));
    columns.row(cells);
  };
  for (std::size_t r = 0; r < statistics.relations.size(); ++r) add(statistics.relations[r], of[r]);
  if (statistics.relations.size() > 1) add("all", all);
  return columns.text();
}

std::vector<std::string> complexity_cells(const std::string& relation, const Complexity& of) {
  const auto number = [](std::optional<double> value) {
    return value ? fmt::format("{:.3f}", *value) : std::string("undefined");
  };
  return {relation, number(of.trans), number(of.trans_share), number(of.ind), number(of.ind_share)};
}

std::string complexity_text(const FactsStatistics& statistics) {
  Columns columns("lrrrr");
  columns.row({"RELATION", "C_TRANS", "SHARE", "C_IND", "SHARE"});
  const auto add = [&](const std::string& relation, const Complexity& of) {
    columns.row(complexity_cells(relation, of));
  };
  for (std::size_t r = 0; r < statistics.relations.size(); ++r)
    add(statistics.relations[r], statistics.complexity[r]);
  if (statistics.relations.size() > 1) add("all", statistics.complexity_all);
  return columns.text();
}

}  // namespace

std::string facts_text(const std::string& name, const std::string& time_unit,
                       const FactsStatistics& statistics) {
  return labelled("Facts", name) +
         labelled("Split", fmt::format("train to {}, valid to {}, test to {}",
                                       time_text(statistics.cuts.train, time_unit),
                                       time_text(statistics.cuts.valid, time_unit),
                                       time_text(statistics.cuts.test, time_unit))) +
         "\n" + parts_text(time_unit, statistics) + "\nTest facts, by what training has seen\n" +
         counts_text(statistics, kFactGroupNames, statistics.groups.by_relation,
                     statistics.groups.all) +
         "\nComplexity\n" + complexity_text(statistics) +
         wrap(
             "C_TRANS: first-time / repeated. C_IND: facts with an unseen end / facts without. "
             "Shares "
             "are of both together.",
             2) +
         "\nTest facts, by how long ago their subject was last seen\n" +
         counts_text(statistics, kStalenessNames, statistics.staleness.by_relation,
                     statistics.staleness.all);
}

std::string complexity_over_time_text(const std::vector<std::string>& relations,
                                      const std::vector<CutComplexity>& cuts) {
  Columns columns("rrrlrrrr");
  columns.row(
      {"TRAIN TO", "VALID TO", "TEST TO", "RELATION", "C_TRANS", "SHARE", "C_IND", "SHARE"});
  for (const CutComplexity& row : cuts) {
    const auto add = [&](const std::string& relation, const GroupCounts& counts) {
      std::vector<std::string> cells = {std::to_string(row.cuts.train),
                                        std::to_string(row.cuts.valid),
                                        std::to_string(row.cuts.test)};
      for (std::string& cell : complexity_cells(relation, complexity(counts)))
        cells.push_back(std::move(cell));
      columns.row(cells);
    };
    for (std::size_t r = 0; r < relations.size(); ++r) add(relations[r], row.by_relation[r]);
    if (relations.size() > 1) add("all", row.all);
  }
  return "\nComplexity of later and later cuts\n" + columns.text();
}

}  // namespace cupel::cli
