#include "cupel/judge/leaderboard/board.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "cupel/judge/report/print.h"
#include "cupel/judge/stats/tests.h"
#include "cupel/learn/score/metrics.h"

namespace cupel {
namespace {

// Ids of the runs behind each cell.
const CellResults* runs_of(const Results& results, const ReportTable& table, const Cell& cell) {
  for (const TableResults& one : results.tables) {
    if (one.id != table.id) continue;
    for (const CellResults& found : one.cells)
      if (found.dataset == cell.column.dataset && found.model == cell.model &&
          found.measure == cell.column.measure)
        return &found;
  }
  return nullptr;
}

// What the cell's runs were on; of a cell without runs, what those of its neighbours were.
std::optional<page::DatasetUse> data_of(const Results& results, const ReportTable& table,
                                        const Cell& cell) {
  const CellResults* own = runs_of(results, table, cell);
  if (own != nullptr && !own->runs.empty()) return page::use_of(*own);
  for (const TableResults& one : results.tables) {
    if (one.id != table.id) continue;
    for (const CellResults& found : one.cells)
      if (found.dataset == cell.column.dataset && !found.runs.empty()) return page::use_of(found);
  }
  return {};
}

// What each value of a row says, and who says it.
std::string said_by(const BoardRow& row, const std::vector<BoardSource>& sources) {
  const auto said = [&](const BoardValue& value) {
    const std::optional<std::size_t> teller = value.source ? value.source : value.told_by;
    const std::string name = teller ? sources[*teller].name : "publication";
    return value.text.empty() ? name : fmt::format("{} ({})", value.text, name);
  };
  std::vector<std::string> all = {said(row.value)};
  for (const BoardValue& value : row.others) all.push_back(said(value));
  return fmt::format("{}", fmt::join(all, ", "));
}

std::string dispute_of(const BoardRow& row, const std::vector<BoardSource>& sources) {
  if (row.unranked == Unranked::kConflict)
    return fmt::format(
        "runs of {} ended in different ways: {}; do them again, and take away the store that is "
        "wrong",
        row.value.model, said_by(row, sources));
  return fmt::format(
      "sources differ in what a publication reports of {}: {}; compare them with it, and take away "
      "what is wrong",
      row.value.model, said_by(row, sources));
}

// Of the runs behind a value of a source: how many were done again, and what that says.
void judge_evidence(BoardValue& value, const std::vector<std::string>& runs,
                    const BoardSource& source) {
  const auto in = [&](const std::set<std::string>& ids) {
    return std::ranges::count_if(runs, [&](const std::string& id) { return ids.contains(id); });
  };
  value.same = in(source.reproduced);
  value.redone = value.same + in(source.refuted);
  if (source.submission)
    value.tier = Tier::kRecomputed;
  else if (value.redone > value.same)
    value.tier = Tier::kRefuted;
  else
    value.tier = value.same > 0 ? Tier::kReproduced : Tier::kRecorded;
}

bool is_same_report(const BoardValue& a, const BoardValue& b) {
  return a.tier == Tier::kReported && b.tier == Tier::kReported && a.model == b.model &&
         a.mean == b.mean && a.spread == b.spread;
}

// Of values of one kind, at least one.
BoardRow row_of(Unranked kind, std::vector<BoardValue> values,
                const std::vector<BoardSource>& sources) {
  const auto date = [&](const BoardValue& value) {
    return value.source ? sources[*value.source].date : std::string();
  };
  const auto name = [&](const BoardValue& value) {
    return value.source ? sources[*value.source].name : std::string();
  };
  std::ranges::stable_sort(values, [&](const BoardValue& a, const BoardValue& b) {
    // No date says which of several that contradict each other is right.
    if (kind == Unranked::kConflict) return name(a) < name(b);
    return std::tuple(date(b), name(a)) < std::tuple(date(a), name(b));
  });
  auto first = values.begin();
  if (kind == Unranked::kNo)
    first = std::ranges::min_element(values, {}, [](const BoardValue& value) {
      return std::pair(!is_complete(value), value.tier);
    });
  BoardRow out;
  out.value = *first;
  values.erase(first);
  out.others = std::move(values);
  const bool complete = kind != Unranked::kNo || is_complete(out.value);
  out.unranked = complete ? kind : Unranked::kIncomplete;
  return out;
}

// Those of one version stand together, in the order in which versions were first met.
void sort_by_version(std::vector<BoardTable>& tables) {
  std::map<std::string, std::size_t> met;
  for (const BoardTable& table : tables) met.emplace(table.version, met.size());
  std::ranges::stable_sort(tables, {}, [&](const BoardTable& table) { return met[table.version]; });
}

void rank_rows(BoardTable& table) {
  const MetricScale scale = scale_of_metric(table.column.measure.metric);
  std::ranges::stable_sort(table.rows, [&](const BoardRow& a, const BoardRow& b) {
    if (a.unranked != b.unranked) return a.unranked < b.unranked;
    if (!a.value.mean || !b.value.mean) return a.value.mean.has_value() > b.value.mean.has_value();
    return scale.is_better(*a.value.mean, *b.value.mean);
  });
  std::map<std::string, int> named;
  for (const BoardRow& row : table.rows) ++named[row.value.model];
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    BoardRow& row = table.rows[i];
    row.shares_name = row.value.tier == Tier::kRecomputed && named[row.value.model] > 1;
    if (row.unranked != Unranked::kNo) continue;
    const std::optional<double> better = i > 0 ? table.rows[i - 1].value.mean : std::nullopt;
    const bool equal = better && row.value.mean && is_tie(*better, *row.value.mean);
    row.rank = equal ? table.rows[i - 1].rank : static_cast<int>(i) + 1;
  }
}

}  // namespace

const char* to_words(Tier tier) {
  switch (tier) {
    case Tier::kReproduced:
      return "reproduced here";
    case Tier::kRecomputed:
      return "recomputed from predictions";
    case Tier::kRecorded:
      return "recorded in a store";
    case Tier::kRefuted:
      return "did not come out again";
    case Tier::kReported:
      break;
  }
  return "reported";
}

const char* to_words(Unranked why) {
  switch (why) {
    case Unranked::kIncomplete:
      return "incomplete";
    case Unranked::kConflict:
      return "in conflict";
    case Unranked::kDisputed:
      return "disputed";
    case Unranked::kBroken:
      return "does not hold";
    case Unranked::kNo:
      break;
  }
  return "";
}

std::size_t BoardMaker::add(BoardSource source) {
  sources_.push_back(std::move(source));
  return sources_.size() - 1;
}

BoardMaker::Question& BoardMaker::question(const Results& results, const std::string& version,
                                           const ReportTable& table, const Column& column,
                                           const std::optional<page::DatasetUse>& data) {
  for (Question& known : questions_) {
    BoardTable& head = known.head;
    if (head.version != version || head.table != table.id || head.column != column) continue;
    // Published values alone say nothing of the data.
    if (head.data && data && !page::same_data(*head.data, *data)) continue;
    if (!head.data) head.data = data;
    head.protocol = std::min(head.protocol, results.protocol);
    return known;
  }
  questions_.push_back(
      {{results.protocol, version, results.title, table.id, table.title, column, data, {}, {}},
       {}});
  return questions_.back();
}

void BoardMaker::add_published(Question& question, const Results& results, int decimals,
                               std::optional<std::size_t> told_by) const {
  const BoardTable& head = question.head;
  for (const PublishedValue& published : results.published) {
    if (published.table != head.table || published.dataset != head.column.dataset ||
        published.measure != head.column.measure || !published.mean)
      continue;
    Cell cell;
    cell.published_mean = published.mean;
    cell.published_spread = published.spread;
    cell.decimals = decimals;
    BoardValue value{.model = published.model,
                     .tier = Tier::kReported,
                     .text = report::published_text(cell),
                     .mean = published.mean,
                     .spread = published.spread,
                     .told_by = told_by};
    const bool known = std::ranges::any_of(question.entries, [&](const Entry& entry) {
      return entry.value.told_by == told_by && is_same_report(entry.value, value);
    });
    if (!known) question.entries.push_back({std::move(value), {}, {}, false});
  }
}

void BoardMaker::add(const Results& results, const std::string& version, std::size_t source,
                     const std::vector<StoredCell>& cells, bool shipped) {
  std::optional<std::size_t> told_by;
  if (!shipped) told_by = source;
  for (const ReportTable& table : make_report(results).tables) {
    if (table.kind != "scores") continue;
    for (const Cell& cell : table.cells) {
      Question& asked =
          question(results, version, table, cell.column, data_of(results, table, cell));
      add_published(asked, results, cell.decimals, told_by);
      if (!cell.mean && cell.conflicts == 0) continue;
      Entry entry{{.model = cell.model,
                   .text = report::mean_text(cell),
                   .mean = cell.mean,
                   .n = cell.n,
                   .expected_n = cell.expected_n,
                   .source = source},
                  {},
                  {},
                  cell.conflicts > 0};
      if (const CellResults* own = runs_of(results, table, cell))
        for (const PlacedRun& run : own->runs) entry.runs.push_back(run.record.id);
      for (const StoredCell& stored : cells)
        if (stored.table == table.id && stored.dataset == cell.column.dataset &&
            stored.model == cell.model)
          entry.families.insert(stored.family);
      asked.entries.push_back(std::move(entry));
    }
  }
}

std::vector<BoardValue> BoardMaker::reported(const Question& question,
                                             const std::vector<BoardSource>& sources) {
  std::vector<BoardValue> out;
  for (const Entry& entry : question.entries) {
    const BoardValue& value = entry.value;
    if (value.source || (value.told_by && !holds(sources[*value.told_by]))) continue;
    const auto same = [&](const BoardValue& known) { return is_same_report(known, value); };
    if (std::ranges::none_of(out, same)) out.push_back(value);
  }
  return out;
}

BoardTable BoardMaker::table(const Question& question, const std::vector<BoardSource>& sources,
                             const std::set<KeptFamily>& contradicted) {
  // Of a submission, its source too: it is a row of its own.
  using RowKey = std::tuple<Unranked, std::string, std::optional<std::size_t>>;
  std::map<RowKey, std::vector<BoardValue>> rows;
  const std::vector<BoardValue> published = reported(question, sources);
  for (const BoardValue& value : published) {
    const bool disputed = std::ranges::count(published, value.model, &BoardValue::model) > 1;
    rows[{disputed ? Unranked::kDisputed : Unranked::kNo, value.model, {}}].push_back(value);
  }
  for (const Entry& entry : question.entries) {
    if (!entry.value.source) continue;
    const std::size_t from = *entry.value.source;
    BoardValue value = entry.value;
    judge_evidence(value, entry.runs, sources[from]);
    const bool in_conflict =
        entry.conflicts || std::ranges::any_of(entry.families, [&](const std::string& family) {
          return contradicted.contains({family, from});
        });
    const Unranked kind = !holds(sources[from]) ? Unranked::kBroken
                          : in_conflict         ? Unranked::kConflict
                                                : Unranked::kNo;
    std::optional<std::size_t> submission;
    if (sources[from].submission) submission = from;
    rows[{kind, value.model, submission}].push_back(std::move(value));
  }
  BoardTable out = question.head;
  for (auto& [key, values] : rows)
    out.rows.push_back(row_of(std::get<Unranked>(key), std::move(values), sources));
  rank_rows(out);
  for (const BoardRow& row : out.rows)
    if (row.unranked == Unranked::kConflict || row.unranked == Unranked::kDisputed)
      out.disputes.push_back(dispute_of(row, sources));
  return out;
}

Board BoardMaker::board() const {
  Board out;
  out.sources = sources_;
  kept_.refute(out.sources);
  const std::set<KeptFamily> contradicted = kept_.found(out.sources);
  for (const Question& question : questions_) {
    BoardTable one = table(question, out.sources, contradicted);
    if (!one.rows.empty()) out.tables.push_back(std::move(one));
  }
  sort_by_version(out.tables);
  return out;
}

}  // namespace cupel
