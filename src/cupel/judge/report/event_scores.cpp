#include "cupel/judge/report/event_scores.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "cupel/data/facts/complexity.h"
#include "cupel/data/facts/staleness.h"
#include "cupel/judge/report/event_question.h"
#include "cupel/judge/stats/descriptive.h"
#include "cupel/learn/score/group_names.h"
#include "cupel/learn/score/metrics.h"

namespace cupel::report {
namespace {

// "all", then the five groups, then what else there is, by name.
std::size_t place_of(const std::string& group) {
  if (group == "all") return 0;
  const auto at = std::ranges::find(kFactGroupNames, group);
  return 1 + static_cast<std::size_t>(at - kFactGroupNames.begin());
}

struct Order {
  bool operator()(const GroupName& a, const GroupName& b) const {
    const auto key = [](const GroupName& name) {
      return std::tuple(name.relation != "all", name.relation, place_of(name.group), name.group,
                        name.metric);
    };
    return key(a) < key(b);
  }
};

struct Sum {
  double total = 0;
  int runs = 0;
  ScoresBySplit by_split = {};  // of counts, run by run
};

// Over splits, the mean over the runs of each.
double total_of(const ScoresBySplit& counts) {
  double total = 0;
  for (const auto& [split, mean] : split_means(counts)) total += mean;
  return total;
}

void add_cell(const CellResults& cell, std::vector<EventScore>& out) {
  std::map<GroupName, Sum, Order> sums;
  EventScore common;
  common.dataset = cell.dataset, common.model = cell.model;
  for (const PlacedRun& run : cell.runs) {
    bool any = false;
    for (const auto& [name, value] : run.record.other_scores) {
      const auto group = parse_group_name(name);
      if (!group) continue;
      Sum& sum = sums[*group];
      sum.total += value, ++sum.runs, any = true;
      if (is_count(*group)) sum.by_split[run.split].push_back(value);
    }
    if (any && common.setting.empty())
      if (const auto asked = event_question(run.record)) {
        common.setting = asked->text("setting");
        common.filter = asked->text(asked->whether() ? "negatives" : "filter");
        if (!asked->whether()) common.ends = asked->text("ends");
      }
  }
  for (const auto& [name, sum] : sums) {
    if (name.metric == "n" || name.metric == kCutSteps) continue;
    EventScore score = common;
    score.relation = name.relation, score.group = name.group, score.metric = name.metric;
    // Counts are over all splits, like the questions.
    score.value = is_count(name) ? total_of(sum.by_split) : sum.total / sum.runs;
    score.value *= scale_of_metric(to_text(name)).unit;
    const auto n = sums.find({"n", name.relation, name.group});
    if (n != sums.end()) {
      score.questions = std::llround(total_of(n->second.by_split));
      for (const auto& [split, mean] : split_means(n->second.by_split))
        score.questions_of[split] = std::llround(mean);
    }
    out.push_back(std::move(score));
  }
}

}  // namespace

std::vector<EventScore> event_scores(const TableResults& table) {
  std::vector<EventScore> out;
  for (const CellResults& cell : table.cells) {
    // Cells by further metrics have the runs of the first.
    const bool again = std::ranges::any_of(out, [&](const EventScore& score) {
      return score.dataset == cell.dataset && score.model == cell.model;
    });
    if (!again) add_cell(cell, out);
  }
  return out;
}

namespace {

// More relations fill pages.
constexpr std::ptrdiff_t kMostSections = 25;

std::string relation_text(const AskedRelation& asked) {
  return fmt::format("{}, {}", asked.dataset,
                     asked.relation == "all" ? "all relations" : asked.relation);
}

// Over splits their mean: each is a cut of its own.
std::string section_text(const AskedRelation& asked) {
  std::vector<GroupCounts> cuts;
  for (const auto& [split, counts] : asked.cuts) cuts.push_back(counts);
  return fmt::format("{}: {}", relation_text(asked),
                     cuts.size() > 1 ? complexity_text(cuts) : complexity_text(asked.counts()));
}

// Groups that a grid has a column for, and its words.
struct GroupColumns {
  std::vector<std::string> groups, heads;

  // Their number if it is none of them.
  std::size_t place_of(const std::string& group) const {
    return static_cast<std::size_t>(std::ranges::find(groups, group) - groups.begin());
  }
};

GroupColumns columns_of_training() {
  GroupColumns out{{"all"}, {"all"}};
  for (const std::string_view name : kFactGroupNames) {
    out.groups.emplace_back(name);
    out.heads.emplace_back(name);
    std::ranges::replace(out.heads.back(), '_', ' ');
  }
  return out;
}

template <class Names>
GroupColumns columns_of_bins(const char* before, const Names& names) {
  GroupColumns out;
  for (const std::string_view name : names) {
    out.groups.push_back(fmt::format("{} {}", before, name));
    out.heads.emplace_back(name);
  }
  return out;
}

// Rows of one section: the metric of each model, the questions, those whose answer training never
// saw, and those that models could not rank. None where no group has a score.
std::vector<Grid::Row> rows_of_section(const ReportTable& table, const AskedRelation& asked,
                                       const GroupColumns& columns) {
  const std::string& metric = table.columns.front().measure.metric;
  const std::size_t width = columns.groups.size();
  std::vector<Grid::Row> rows, unranked;
  const auto cell_of = [&](std::vector<Grid::Row>& rows, const std::string& head, const char* none,
                           std::size_t place) -> std::string& {
    if (rows.empty() || rows.back().cells.front() != head) {
      rows.push_back({std::vector<std::string>(width + 1, none)});
      rows.back().cells.front() = head;
    }
    return rows.back().cells[1 + place];
  };
  for (const EventScore& score : table.event_scores) {
    if (score.dataset != asked.dataset || score.relation != asked.relation) continue;
    const std::size_t place = columns.place_of(score.group);
    if (place == width) continue;
    if (score.metric == metric) {
      cell_of(rows, score.model, "–", place) = fixed(score.value, 1);
    } else if (score.metric == "unknown" && score.value > 0) {
      cell_of(unranked, "unranked by " + score.model, "0", place) =
          fmt::format("{:.0f}", score.value);
    }
  }
  if (rows.empty()) return rows;
  Grid::Row counts{std::vector<std::string>(width + 1, "0")};
  counts.cells.front() = "questions";
  for (const auto& [group, n] : asked.questions) {
    const std::size_t place = columns.place_of(group);
    if (place < width) counts.cells[1 + place] = fmt::format("{}", n);
  }
  rows.push_back(std::move(counts));
  Grid::Row unseen{std::vector<std::string>(width + 1, "0")};
  unseen.cells.front() = "answer unseen";
  bool any = false;
  for (std::size_t place = 0; place < width; ++place) {
    const auto n = asked.unseen_answers(columns.groups[place]);
    if (n) unseen.cells[1 + place] = fmt::format("{}", *n);
    any = any || n.value_or(0) > 0;
  }
  if (any) rows.push_back(std::move(unseen));
  rows.insert(rows.end(), unranked.begin(), unranked.end());
  return rows;
}

// Sections of data sets and relations, each under the text that `head` gives it.
Grid grid_of(const ReportTable& table, const char* by, const GroupColumns& columns,
             std::string (*head)(const AskedRelation& asked), std::string note) {
  Grid grid;
  if (table.event_scores.empty()) return grid;
  grid.title = fmt::format("{} by {}, table {}",
                           measure_words({table.columns.front().measure.metric}), by, table.id);
  grid.head = {"model"};
  grid.head.insert(grid.head.end(), columns.heads.begin(), columns.heads.end());
  const std::vector<AskedRelation> sections = asked_relations(table);
  for (const AskedRelation& asked : sections) {
    // One relation is all relations.
    const auto of_dataset = std::ranges::count(sections, asked.dataset, &AskedRelation::dataset);
    if (asked.relation != "all" && (of_dataset == 2 || of_dataset > kMostSections)) continue;
    if (of_dataset > kMostSections)
      note += fmt::format(" Each of the {} relations of {} is in the csv.", of_dataset - 1,
                          asked.dataset);
    const std::vector<Grid::Row> rows = rows_of_section(table, asked, columns);
    if (rows.empty()) continue;
    grid.rows.push_back({{head(asked)}, true});
    grid.rows.insert(grid.rows.end(), rows.begin(), rows.end());
  }
  grid.note = std::move(note);
  return grid;
}

}  // namespace

GroupCounts AskedRelation::counts() const {
  GroupCounts out = {};
  for (std::size_t g = 0; g < kFactGroups; ++g) {
    const auto found = questions.find(std::string(kFactGroupNames[g]));
    if (found != questions.end()) out[g] = found->second;
  }
  return out;
}

std::optional<std::int64_t> AskedRelation::unseen_answers(const std::string& group) const {
  const auto n = [this](const char* name) {
    const auto found = questions.find(name);
    return found == questions.end() ? 0 : found->second;
  };
  std::int64_t told = 0;
  for (const std::int64_t of_group : counts()) told += of_group;
  if (ends.empty() || told != n("all")) return std::nullopt;
  // Where both ends are asked for, every fact is two questions, one for each.
  const std::int64_t target = n("seen_to_unseen"), source = n("unseen_to_seen");
  const std::int64_t of_target = ends == "both" ? target / 2 : ends == "target" ? target : 0;
  const std::int64_t of_source = ends == "both" ? source / 2 : ends == "source" ? source : 0;
  const std::int64_t both = n("unseen_to_unseen");
  if (group == "all") return of_target + of_source + both;
  if (group == "seen_to_unseen") return of_target;
  if (group == "unseen_to_seen") return of_source;
  if (group == "unseen_to_unseen") return both;
  if (std::ranges::find(kFactGroupNames, group) != kFactGroupNames.end()) return 0;
  return std::nullopt;
}

std::vector<AskedRelation> asked_relations(const ReportTable& table) {
  std::vector<AskedRelation> out;
  std::map<std::pair<std::string, std::string>, std::size_t> places;
  for (const EventScore& score : table.event_scores) {
    const auto [at, is_new] = places.try_emplace({score.dataset, score.relation}, out.size());
    if (is_new) out.push_back({score.dataset, score.relation, {}, {}, score.ends});
    if (score.metric != table.columns.front().measure.metric) continue;
    AskedRelation& asked = out[at->second];
    asked.questions[score.group] = score.questions;
    const auto group = std::ranges::find(kFactGroupNames, score.group);
    for (const auto& [split, n] : score.questions_of) {
      GroupCounts& cut = asked.cuts[split];
      if (group != kFactGroupNames.end())
        cut[static_cast<std::size_t>(group - kFactGroupNames.begin())] = n;
    }
  }
  return out;
}

Grid groups_grid(const ReportTable& table) {
  return grid_of(
      table, "relation and group", columns_of_training(), section_text,
      "Groups are by what training has seen: repeated, the fact itself; first time, both ends but "
      "not the fact; seen to unseen, unseen to seen and unseen to unseen, which of the ends. "
      "C_trans is first time to repeated, its share that of both; C_ind is facts with an unseen "
      "end to those without, its share that of all; of several cuts the mean ± the standard "
      "deviation over them. Answer unseen counts the questions whose answer stands in no fact of "
      "training; they are ranked like any other. Questions that a model could not rank, as it knew "
      "nothing of the answer, count among its scores and are shown as unranked.");
}

Grid staleness_grid(const ReportTable& table) {
  return grid_of(table, "staleness", columns_of_bins("staleness", kStalenessNames), relation_text,
                 "Staleness is how long the source of a fact had been silent, in the units of the "
                 "data; never: nothing was known of it.");
}

Grid horizon_grid(const ReportTable& table) {
  return grid_of(table, "horizon", columns_of_bins("step", kHorizonNames), relation_text,
                 "Horizon is how many steps of time a fact is after the last that was known.");
}

}  // namespace cupel::report
