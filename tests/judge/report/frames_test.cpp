// Columns of a report against the cells and runs that they are made of. The formats of CSV, which
// are made of them, have golden files.
#include "cupel/judge/report/frames.h"

#include <gtest/gtest.h>

#include "cupel/judge/report/report.h"
#include "judge/report/make_results.h"

namespace cupel {
namespace {

using made::small_results;

const FrameColumn& column(const Frame& frame, const std::string& name) {
  for (const FrameColumn& one : frame.columns)
    if (one.name == name) return one;
  throw std::out_of_range(name);
}

TEST(Frames, OfCellsHaveARowForEachCell) {
  const Report report = make_report(small_results());
  const Frame frame = cells_frame(report);
  std::vector<std::string> models;
  std::vector<std::optional<double>> means;
  for (const ReportTable& table : report.tables) {
    for (const Cell& cell : table.cells) {
      models.push_back(cell.model);
      means.push_back(cell.mean);
    }
  }
  EXPECT_EQ(std::get<FrameColumn::Texts>(column(frame, "model").values), models);
  EXPECT_EQ(std::get<FrameColumn::Reals>(column(frame, "mean").values), means);
}

TEST(Frames, OfRunsHaveARowForEachRun) {
  const Results results = small_results();
  const Frame frame = runs_frame(results);
  std::size_t runs = 0;
  std::vector<std::optional<double>> scores;
  for (const TableResults& table : results.tables) {
    for (const CellResults& cell : table.cells) {
      runs += cell.runs.size();
      for (const PlacedRun& run : cell.runs) scores.push_back(run.record.test_score);
    }
  }
  EXPECT_EQ(frame.rows(), runs);
  EXPECT_EQ(std::get<FrameColumn::Reals>(column(frame, "test_score").values), scores);
  for (const FrameColumn& one : frame.columns)
    EXPECT_EQ(std::visit([](const auto& v) { return v.size(); }, one.values), runs) << one.name;
}

TEST(Frames, OfRunsNameThoseInConflictInTheirPlaces) {
  Results results = small_results();
  CellResults& cell = results.tables[0].cells[0];
  results.tables.resize(1);
  results.tables[0].cells.resize(1);
  const PlacedRun taken = cell.runs.at(1);
  cell.runs.erase(cell.runs.begin() + 1);
  cell.conflicts = {{taken.split, taken.init, "0123", ""}};
  const Frame frame = runs_frame(results);
  EXPECT_EQ(frame.rows(), cell.runs.size() + 1);
  EXPECT_EQ(std::get<FrameColumn::Texts>(column(frame, "status").values).at(1), "in conflict");
  EXPECT_EQ(std::get<FrameColumn::Texts>(column(frame, "id").values).at(1), "0123");
  EXPECT_EQ(std::get<FrameColumn::Whole>(column(frame, "split").values).at(1), taken.split);
  EXPECT_EQ(std::get<FrameColumn::Whole>(column(frame, "init").values).at(1), taken.init);
  for (const char* number : {"test_score", "valid_score", "seconds"})
    EXPECT_EQ(std::get<FrameColumn::Reals>(column(frame, number).values).at(1), std::nullopt);
  EXPECT_EQ(std::get<FrameColumn::Whole>(column(frame, "epochs").values).at(1), std::nullopt);
}

// A run is validated by its own metric alone.
TEST(Frames, OfRunsHaveNoValidationOfWhatIsShownBesideIt) {
  Results results = small_results();
  CellResults& cell = results.tables[0].cells[0];
  cell.runs.resize(1);
  cell.runs[0].record.metric = cell.measure.word();
  cell.runs[0].record.valid_score = 0.25;
  CellResults beside = cell;
  beside.measure = Measure{"macro-f1"};
  results.tables[0].cells = {cell, beside};
  results.tables.resize(1);
  EXPECT_EQ(std::get<FrameColumn::Reals>(column(runs_frame(results), "valid_score").values),
            (std::vector<std::optional<double>>{0.25, std::nullopt}));
}

// Two runs with a score and one that was ended; a cell of which nothing is known; and a table that
// is derived from both.
TEST(Frames, CostStandsBesideTheScore) {
  Results results = small_results();
  CellResults& cell = results.tables[0].cells[0];
  cell.runs = {made::run(0, 0, 0.8), made::run(1, 0, 0.9),
               made::bad_run(2, 0, RunStatus::kTimeout)};
  const double seconds[] = {1, 2, 600};
  const std::int64_t bytes[] = {3000, 5000, 7000};
  for (std::size_t i = 0; i < 3; ++i) {
    cell.runs[i].record.seconds = seconds[i];
    cell.runs[i].record.memory_bytes = bytes[i];
  }
  results.tables[0].cells[1].runs.resize(1);
  const Frame cells = cells_frame(make_report(results));
  EXPECT_EQ(cells.columns.end()[-2].name, "seconds_per_run");
  EXPECT_EQ(cells.columns.back().name, "memory_bytes");
  const auto& means = std::get<FrameColumn::Reals>(cells.columns.end()[-2].values);
  const auto& most = std::get<FrameColumn::Whole>(cells.columns.back().values);
  EXPECT_EQ(means[0], 1.5);
  EXPECT_EQ(most[0], 7000);
  for (std::size_t i = 1; i < means.size(); ++i) {
    EXPECT_EQ(means[i], std::nullopt) << i;
    EXPECT_EQ(most[i], std::nullopt) << i;
  }
  const auto json = nlohmann::json::parse(render(results, find_format("json")))["tables"];
  EXPECT_EQ(json[0]["cells"][0]["seconds_per_run"], 1.5);
  EXPECT_EQ(json[0]["cells"][0]["memory_bytes"], 7000);
  EXPECT_TRUE(json[0]["cells"][1]["seconds_per_run"].is_null());
  EXPECT_TRUE(json[1]["cells"][0].at("memory_bytes").is_null());
  const Frame runs = runs_frame(results);
  EXPECT_EQ(runs.columns.back().name, "memory_bytes");
  const auto& own = std::get<FrameColumn::Whole>(runs.columns.back().values);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(own[i], bytes[i]);
  EXPECT_EQ(own[3], std::nullopt);
}

TEST(Frames, QuoteWhatCsvNeedsQuoted) {
  const Frame frame{{{"a", FrameColumn::Texts{"x,\"y\"", ""}},
                     {"b", FrameColumn::Whole{3, std::nullopt}},
                     {"c", FrameColumn::Reals{std::nullopt, 0.1}}}};
  EXPECT_EQ(csv_text(frame), "a,b,c\n\"x,\"\"y\"\"\",3,\n,,0.1\n");
  EXPECT_EQ(Frame{}.rows(), 0u);
}

}  // namespace
}  // namespace cupel
