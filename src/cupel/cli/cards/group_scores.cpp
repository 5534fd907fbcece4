#include "cupel/cli/cards/group_scores.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cupel/cli/text.h"
#include "cupel/data/facts/complexity.h"
#include "cupel/learn/score/group_names.h"

namespace cupel::cli {
namespace {

struct Relation {
  std::string name;
  std::vector<std::string> groups;
  std::map<std::string, std::map<std::string, double>> scores;  // by group and metric
};

// "all", then what training has seen, then what else there is.
std::size_t place_of(const std::string& group) {
  if (group == "all") return 0;
  return 1 + static_cast<std::size_t>(std::ranges::find(kFactGroupNames, group) -
                                      kFactGroupNames.begin());
}

template <class T>
void add_once(std::vector<T>& list, const T& value) {
  if (std::ranges::find(list, value) == list.end()) list.push_back(value);
}

std::string score_of(const std::map<std::string, double>& scores, const std::string& metric) {
  const auto found = scores.find(metric);
  if (found == scores.end()) return metric == "n" || metric == "unknown" ? "0" : "-";
  return metric == "n" || metric == "unknown" ? grouped(static_cast<std::int64_t>(found->second))
                                              : fmt::format("{:.4f}", found->second);
}

std::string complexity_of(const Relation& relation) {
  GroupCounts counts = {};
  for (std::size_t g = 0; g < kFactGroups; ++g) {
    const auto found = relation.scores.find(std::string(kFactGroupNames[g]));
    if (found == relation.scores.end() || !found->second.contains("n")) continue;
    counts[g] = static_cast<Offset>(found->second.at("n"));
  }
  return complexity_text(counts);
}

}  // namespace

std::string group_scores_text(const std::vector<std::pair<std::string, double>>& other_scores) {
  std::vector<Relation> relations;
  std::vector<std::string> metrics;
  bool unknown = false;
  for (const auto& [name, value] : other_scores) {
    const auto group = parse_group_name(name);
    if (!group) continue;
    auto at = std::ranges::find(relations, group->relation, &Relation::name);
    if (at == relations.end()) {
      relations.push_back({group->relation, {}, {}});
      at = relations.end() - 1;
    }
    add_once(at->groups, group->group);
    at->scores[group->group][group->metric] = value;
    if (!is_count(*group)) add_once(metrics, group->metric);
    unknown = unknown || (group->metric == "unknown" && value > 0);
  }
  std::string out;
  for (Relation& relation : relations) {
    std::ranges::sort(relation.groups, {},
                      [](const std::string& group) { return std::pair(place_of(group), group); });
    // One relation is all relations.
    if (relations.size() == 2 && relation.name != "all") continue;
    out += fmt::format("\n{}: {}\n", relation.name == "all" ? "All relations" : relation.name,
                       complexity_of(relation));
    Columns columns("lr" + std::string(metrics.size() + (unknown ? 1 : 0), 'r'));
    std::vector<std::string> head = {"group", "questions"};
    if (unknown) head.emplace_back("unranked");
    head.insert(head.end(), metrics.begin(), metrics.end());
    columns.row(std::move(head));
    for (const std::string& group : relation.groups) {
      const auto& scores = relation.scores.at(group);
      std::string words = group;
      std::ranges::replace(words, '_', ' ');
      std::vector<std::string> row = {words, score_of(scores, "n")};
      if (unknown) row.push_back(score_of(scores, "unknown"));
      for (const std::string& metric : metrics) row.push_back(score_of(scores, metric));
      columns.row(std::move(row));
    }
    out += columns.text();
  }
  return out;
}

}  // namespace cupel::cli
