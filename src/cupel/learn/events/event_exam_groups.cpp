// Scores of groups of facts: by relation, by what training has seen, by staleness, by horizon.
#include <algorithm>
#include <array>
#include <numeric>

#include "cupel/base/error.h"
#include "cupel/data/facts/facts_statistics.h"
#include "cupel/learn/events/event_exam.h"
#include "cupel/learn/events/kept_metrics.h"
#include "cupel/learn/events/step_end.h"
#include "cupel/learn/score/group_names.h"
#include "cupel/learn/score/metrics.h"

namespace cupel {
namespace {

// Of more relations each has one group alone, that of all its facts; of still more there are none.
constexpr std::size_t kMostWithGroups = 24, kMostRelationsApart = 1000;

// What every run keeps.
const std::vector<std::string>& event_metrics(bool whether) {
  static const std::vector<std::string> ranks = kept_metric_names({AnswerForm::kRanks});
  static const std::vector<std::string> pool = [] {
    std::vector<std::string> out = kept_metric_names({AnswerForm::kPool});
    out.insert(out.end(), kKeptOfWhether.begin(), kKeptOfWhether.end());
    return out;
  }();
  return whether ? pool : ranks;
}

// Groups of facts by kind, in one numbering: all of them, by what training has seen, by staleness,
// by how many steps ahead of what was known.
constexpr std::size_t kStaleness = 1 + kFactGroups, kSteps = kStaleness + kStalenessBins,
                      kKinds = kSteps + kHorizonNames.size();

std::size_t step_bin(std::int32_t step) {
  return step <= 1 ? 0 : step == 2 ? 1 : step <= 5 ? 2 : step <= 10 ? 3 : 4;
}

std::string kind_name(std::size_t kind) {
  if (kind == 0) return "all";
  if (kind < kStaleness) return std::string(kFactGroupNames[kind - 1]);
  if (kind < kSteps) return fmt::format("staleness {}", kStalenessNames[kind - kStaleness]);
  return fmt::format("step {}", kHorizonNames[kind - kSteps]);
}

}  // namespace

std::vector<std::pair<std::string, double>> EventExam::other_scores(const std::string& but) const {
  require_end();
  std::vector<std::pair<std::string, double>> out;
  std::vector<std::string> metrics = event_metrics(whether());
  const Values of_all = values(metrics, all_questions());
  for (std::size_t i = 0; i < metrics.size(); ++i)
    if (metrics[i] != but && of_all[i]) out.emplace_back(metrics[i], *of_all[i]);
  if (!part_->strata) return out;
  // Groups have what the run was selected by, too.
  if (std::ranges::find(metrics, but) == metrics.end()) metrics.push_back(but);
  add_groups(metrics, out);
  if (part_->settings.single_step && part_->settings.known_together() > 0)
    out.emplace_back(to_text({std::string(kCutSteps), "all", "all"}),
                     static_cast<double>(cut_steps()));
  return out;
}

// Batches may end within one step several times.
Offset EventExam::cut_steps() const {
  const std::span<const std::int64_t> time = part_->asked().time;
  Offset out = 0, last = 0;  // the step that was cut last ends there
  for (const Offset batch : part_->batches)
    if (batch >= last && cuts_a_step(time, batch)) ++out, last = end_of_step(time, batch);
  return out;
}

bool EventExam::is_of_kind(Offset fact, std::size_t kind) const {
  const auto at = static_cast<std::size_t>(fact);
  const EventStrata& strata = *part_->strata;
  if (kind == 0) return true;
  if (kind < kStaleness) return static_cast<std::size_t>(strata.groups.of[at]) == kind - 1;
  if (kind < kSteps) return static_cast<std::size_t>(strata.staleness.of[at]) == kind - kStaleness;
  return step_bin(strata.step[at]) == kind - kSteps;
}

void EventExam::add_groups(const std::vector<std::string>& metrics,
                           std::vector<std::pair<std::string, double>>& out) const {
  const FactColumns asked = part_->asked();
  std::vector<std::string> given;
  for (const FactRelation& relation : part_->data->relations) given.push_back(relation.name);
  const std::vector<std::string> names = distinct_names(given, asked.relations);
  // Facts by relation, and a relation's in their order.
  std::vector<Offset> facts(static_cast<std::size_t>(asked.size()));
  std::iota(facts.begin(), facts.end(), Offset{0});
  const std::size_t kinds = part_->settings.single_step ? kSteps : kKinds;
  const auto add = [&](const std::string& relation, const std::vector<GroupScore>& scores) {
    for (const auto& [metric, group, value] : scores)
      out.emplace_back(to_text(GroupName{metric, relation, group}), value);
  };
  const std::vector<GroupScore> of_all = group_scores(metrics, facts, kinds);
  add("all", of_all);
  if (names.size() == 1) return add(names.front(), of_all);
  if (names.size() > kMostRelationsApart) return;
  std::ranges::stable_sort(facts, {}, [&](Offset fact) { return asked.relation_of(fact); });
  for (auto at = facts.begin(); at != facts.end();) {
    const Index relation = asked.relation_of(*at);
    const auto end = std::find_if(at, facts.end(),
                                  [&](Offset fact) { return asked.relation_of(fact) != relation; });
    add(names[static_cast<std::size_t>(relation)],
        group_scores(metrics, {at, end}, names.size() > kMostWithGroups ? 1 : kinds));
    at = end;
  }
}

// Of some facts, ascending: each of the first `kinds` kinds of group that has any of them.
std::vector<EventExam::GroupScore> EventExam::group_scores(const std::vector<std::string>& metrics,
                                                           std::span<const Offset> facts,
                                                           std::size_t kinds) const {
  const int per_fact = part_->questions_per_fact();
  std::vector<GroupScore> out;
  std::vector<Offset> questions;
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    questions.clear();
    for (const Offset fact : facts)
      for (int side = 0; side < per_fact && is_of_kind(fact, kind); ++side)
        questions.push_back(fact * per_fact + side);
    if (questions.empty()) continue;
    const std::string group = kind_name(kind);
    const Values values_of = values(metrics, questions);
    for (std::size_t i = 0; i < metrics.size(); ++i)
      if (values_of[i]) out.push_back({metrics[i], group, *values_of[i]});
    out.push_back({"n", group, static_cast<double>(questions.size())});
    if (whether()) continue;
    const auto unknown = std::ranges::count_if(
        questions, [&](Offset q) { return unknown_[static_cast<std::size_t>(q)]; });
    out.push_back({"unknown", group, static_cast<double>(unknown)});
  }
  return out;
}

}  // namespace cupel
