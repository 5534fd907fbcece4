#include "cupel/judge/report/frames.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "cupel/judge/report/csv.h"
#include "cupel/learn/score/group_names.h"

namespace cupel {
namespace {

using Texts = FrameColumn::Texts;
using Whole = FrameColumn::Whole;
using Reals = FrameColumn::Reals;

// Columns from rows of one type, each from a function of a row.
template <class Row>
class Maker {
 public:
  explicit Maker(std::vector<Row> rows) : rows_(std::move(rows)) {}
  void text(const char* name, const std::function<std::string(const Row&)>& of) {
    add<Texts>(name, of);
  }
  void whole(const char* name, const std::function<std::optional<std::int64_t>(const Row&)>& of) {
    add<Whole>(name, of);
  }
  void real(const char* name, const std::function<std::optional<double>(const Row&)>& of) {
    add<Reals>(name, of);
  }
  Frame frame;

 private:
  template <class Values, class Of>
  void add(const char* name, const Of& of) {
    Values values;
    values.reserve(rows_.size());
    for (const Row& row : rows_) values.push_back(of(row));
    frame.columns.push_back({name, std::move(values)});
  }
  std::vector<Row> rows_;
};

struct CellRow {
  const ReportTable* table;
  const Cell* cell;
};
struct GroupScore {
  std::string relation, group;
  double score = 0;
  std::optional<std::int64_t> questions;
};
struct ScoreRow {
  const ReportTable* table;
  const EventScore* score;
};
// One of the two.
struct RunRow {
  const TableResults* table;
  const CellResults* cell;
  const PlacedRun* run;
  const RunInConflict* conflict;
  std::optional<GroupScore> group = {};  // instead of the whole run
};

// Of facts over time: what a run scored on a relation and group of facts.
std::vector<GroupScore> group_scores(const RunRecord& record, const std::string& metric) {
  std::vector<GroupScore> out;
  std::map<std::pair<std::string, std::string>, std::int64_t> questions;
  for (const auto& [name, score] : record.other_scores) {
    const auto group = parse_group_name(name);
    if (!group) continue;
    if (group->metric == "n") questions[{group->relation, group->group}] = std::llround(score);
    if (group->metric == metric) out.push_back({group->relation, group->group, score, {}});
  }
  for (GroupScore& one : out) {
    const auto found = questions.find({one.relation, one.group});
    if (found != questions.end()) one.questions = found->second;
  }
  return out;
}

std::pair<int, int> place_of(const RunRow& row) {
  if (row.run != nullptr) return {row.run->split, row.run->init};
  return {row.conflict->split, row.conflict->init};
}

// Of a table of readings: which of the two the published value is.
std::string printed_of(const CellRow& row) {
  for (const Reading& reading : row.table->readings) {
    if (reading.column == row.cell->column &&
        (reading.designed == row.cell->model || reading.released == row.cell->model))
      return reading.printed;
  }
  return "";
}

bool has_choices(const Report& report) {
  return std::ranges::any_of(report.tables, [](const ReportTable& table) {
    return !table.readings.empty() ||
           std::ranges::any_of(table.cells, [](const Cell& c) { return c.choice.has_value(); });
  });
}

// Whether a column of counts of cells has anything to say.
bool has_any(const Report& report, int Cell::*count) {
  return std::ranges::any_of(report.tables, [&](const ReportTable& table) {
    return std::ranges::any_of(table.cells, [&](const Cell& c) { return c.*count > 0; });
  });
}

Frame events_frame(const Report& report) {
  std::vector<ScoreRow> rows;
  for (const ReportTable& table : report.tables)
    for (const EventScore& score : table.event_scores) rows.push_back({&table, &score});
  Maker<ScoreRow> out(std::move(rows));
  out.text("dataset", [](const auto& r) { return r.score->dataset; });
  out.text("model", [](const auto& r) { return r.score->model; });
  out.text("setting", [](const auto& r) { return r.score->setting; });
  out.text("filter", [](const auto& r) { return r.score->filter; });
  out.text("relation", [](const auto& r) { return r.score->relation; });
  out.text("group", [](const auto& r) { return r.score->group; });
  out.text("metric", [](const auto& r) { return r.score->metric; });
  out.real("value", [](const auto& r) { return r.score->value; });
  out.whole("n", [](const auto& r) { return r.score->questions; });
  // Tables may ask the same model about other candidates, or at other cuts.
  out.text("table", [](const auto& r) { return r.table->id; });
  return std::move(out.frame);
}

void add_choices(Maker<CellRow>& out) {
  out.text("configuration",
           [](const auto& r) { return r.cell->choice ? r.cell->choice->chosen : ""; });
  out.text("chosen_by", [](const auto& r) { return r.cell->choice ? r.cell->choice->by : ""; });
  const auto count = [&](const char* name, auto of) {
    out.whole(name, [of](const CellRow& r) -> std::optional<std::int64_t> {
      if (!r.cell->choice) return std::nullopt;
      return of(*r.cell->choice);
    });
  };
  count("complete_configurations", [](const CellChoice& c) { return std::int64_t{c.complete}; });
  count("asked_configurations", [](const CellChoice& c) { return std::ssize(c.configurations); });
  count("protocol_configurations", [](const CellChoice& c) { return std::int64_t{c.grid}; });
  out.text("printed", printed_of);
}

Frame frame_of_runs(const Results& results, bool with_groups) {
  std::vector<RunRow> rows;
  bool isolation = false, groups = false;
  for (const TableResults& table : results.tables) {
    for (const CellResults& cell : table.cells) {
      const auto first = static_cast<std::ptrdiff_t>(rows.size());
      for (const PlacedRun& run : cell.runs) {
        rows.push_back({&table, &cell, &run, nullptr});
        isolation = isolation || !run.record.isolation.empty();
        if (!with_groups) continue;
        for (GroupScore& group : group_scores(run.record, cell.measure.metric)) {
          rows.push_back({&table, &cell, &run, nullptr, std::move(group)});
          groups = true;
        }
      }
      if (cell.conflicts.empty()) continue;
      for (const RunInConflict& run : cell.conflicts)
        rows.push_back({&table, &cell, nullptr, &run});
      std::stable_sort(rows.begin() + first, rows.end(),
                       [](const RunRow& a, const RunRow& b) { return place_of(a) < place_of(b); });
    }
  }
  Maker<RunRow> out(std::move(rows));
  out.text("protocol", [&](const auto&) { return results.protocol; });
  out.text("table", [](const auto& r) { return r.table->id; });
  out.text("dataset", [](const auto& r) { return r.cell->dataset; });
  out.text("model", [](const auto& r) { return r.cell->model; });
  out.text("configuration", [](const auto& r) {
    return r.run != nullptr ? r.run->configuration : r.conflict->configuration;
  });
  out.text("metric", [](const auto& r) { return r.cell->measure.word(); });
  out.whole("split", [](const auto& r) { return place_of(r).first; });
  out.whole("init", [](const auto& r) { return place_of(r).second; });
  out.text("status", [](const auto& r) {
    return std::string(r.run != nullptr ? to_text(r.run->record.status) : "in conflict");
  });
  const auto real = [&](const char* name, const auto& of) {
    out.real(name, [of](const RunRow& r) -> std::optional<double> {
      return r.run != nullptr ? of(r) : std::nullopt;
    });
  };
  using Real = std::optional<double>;
  real("test_score",
       [](const RunRow& r) { return r.group ? Real(r.group->score) : r.run->record.test_score; });
  // A run is validated by its own metric alone, and not by what is shown beside it.
  real("valid_score", [](const RunRow& r) {
    const RunRecord& record = r.run->record;
    return r.cell->measure.word() == record.metric && !r.group ? record.valid_score : Real();
  });
  out.whole("epochs", [](const RunRow& r) -> std::optional<std::int64_t> {
    if (r.run == nullptr || r.group) return std::nullopt;
    return r.run->record.epochs;
  });
  real("seconds", [](const RunRow& r) { return r.group ? Real() : r.run->record.seconds; });
  out.text("id",
           [](const auto& r) { return r.run != nullptr ? r.run->record.id : r.conflict->id; });
  if (groups) {
    out.text("relation", [](const auto& r) { return r.group ? r.group->relation : ""; });
    out.text("group", [](const auto& r) { return r.group ? r.group->group : ""; });
    out.whole("n", [](const RunRow& r) -> std::optional<std::int64_t> {
      if (!r.group) return std::nullopt;
      return r.group->questions;
    });
  }
  if (isolation)
    out.text("isolation", [](const auto& r) {
      return r.run != nullptr ? r.run->record.isolation : std::string();
    });
  out.whole("memory_bytes", [](const RunRow& r) -> std::optional<std::int64_t> {
    if (r.run == nullptr || r.group || r.run->record.memory_bytes == 0) return std::nullopt;
    return r.run->record.memory_bytes;
  });
  return std::move(out.frame);
}

}  // namespace

std::size_t Frame::rows() const {
  if (columns.empty()) return 0;
  return std::visit([](const auto& values) { return values.size(); }, columns.front().values);
}

bool is_of_events(const Report& report) {
  return std::ranges::any_of(report.tables,
                             [](const ReportTable& t) { return !t.event_scores.empty(); });
}

Frame cells_frame(const Report& report) {
  if (is_of_events(report)) return events_frame(report);
  std::vector<CellRow> rows;
  for (const ReportTable& table : report.tables)
    for (const Cell& cell : table.cells) rows.push_back({&table, &cell});
  Maker<CellRow> out(std::move(rows));
  out.text("protocol", [&](const auto&) { return report.protocol; });
  out.text("table", [](const auto& r) { return r.table->id; });
  out.text("dataset", [](const auto& r) { return r.cell->column.dataset; });
  out.text("model", [](const auto& r) { return r.cell->model; });
  out.text("metric", [](const auto& r) { return r.cell->column.measure.word(); });
  out.real("mean", [](const auto& r) { return r.cell->mean; });
  out.real("sd", [](const auto& r) { return r.cell->sd; });
  out.whole("n", [](const auto& r) { return r.cell->n; });
  out.whole("expected_n", [](const auto& r) { return r.cell->expected_n; });
  out.real("published_mean", [](const auto& r) { return r.cell->published_mean; });
  out.real("published_spread", [](const auto& r) { return r.cell->published_spread; });
  out.text("spread_kind", [](const auto& r) {
    return r.cell->spread_kind.empty() ? r.cell->published_spread_kind : r.cell->spread_kind;
  });
  out.real("gap", [](const auto& r) { return r.cell->gap; });
  out.text("verdict", [](const auto& r) { return std::string(to_text(r.cell->verdict)); });
  if (has_choices(report)) add_choices(out);
  const auto end = [&](const char* name, double Interval::*side) {
    out.real(name, [side](const CellRow& r) -> std::optional<double> {
      if (!r.cell->gap_interval) return std::nullopt;
      return (*r.cell->gap_interval).*side;
    });
  };
  end("gap_low", &Interval::low);
  end("gap_high", &Interval::high);
  out.real("smallest_delta", [](const auto& r) { return r.cell->smallest_delta; });
  out.real("detectable_gap", [](const auto& r) { return r.cell->detectable_gap; });
  const auto look = [&](const char* name, int Cell::*number) {
    out.whole(name, [number](const CellRow& r) -> std::optional<std::int64_t> {
      if (r.cell->looks == 0) return std::nullopt;
      return r.cell->*number;
    });
  };
  look("look", &Cell::look);
  look("looks", &Cell::looks);
  out.real("p", [](const auto& r) { return r.cell->p; });
  out.real("p_corrected", [](const auto& r) { return r.cell->p_corrected; });
  if (has_any(report, &Cell::not_isolated))
    out.whole("not_isolated", [](const auto& r) { return r.cell->not_isolated; });
  if (has_any(report, &Cell::conflicts))
    out.whole("conflicts", [](const auto& r) { return r.cell->conflicts; });
  out.real("seconds_per_run", [](const auto& r) { return r.cell->seconds_per_run; });
  out.whole("memory_bytes", [](const auto& r) { return r.cell->memory_bytes; });
  return std::move(out.frame);
}

Frame runs_frame(const Results& results) { return frame_of_runs(results, false); }

Frame runs_and_groups_frame(const Results& results) { return frame_of_runs(results, true); }

std::string csv_header(const Frame& frame) {
  std::string text;
  for (const FrameColumn& column : frame.columns) text += (text.empty() ? "" : ",") + column.name;
  return text + "\n";
}

std::string csv_line(const Frame& frame, std::size_t row) {
  std::string text;
  for (std::size_t c = 0; c < frame.columns.size(); ++c) {
    if (c > 0) text += ',';
    const auto& values = frame.columns[c].values;
    if (const auto* texts = std::get_if<Texts>(&values))
      text += csv_field((*texts)[row]);
    else if (const auto* reals = std::get_if<Reals>(&values))
      text += csv_number((*reals)[row]);
    else if (const auto& number = std::get<Whole>(values)[row])
      text += std::to_string(*number);
  }
  return text + '\n';
}

std::string csv_text(const Frame& frame) {
  std::string text = csv_header(frame);
  for (std::size_t row = 0; row < frame.rows(); ++row) text += csv_line(frame, row);
  return text;
}

}  // namespace cupel
