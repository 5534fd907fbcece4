#include "cupel/judge/report/table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cupel/base/error.h"
#include "cupel/base/random.h"
#include "cupel/judge/report/print.h"
#include "cupel/judge/report/report.h"
#include "judge/report/make_results.h"

namespace cupel {
namespace {

using made::bad_run;
using made::cell;
using made::published;
using made::run;
using made::scores_table;
using made::small_results;
using made::thrice;

const Cell& find(const ReportTable& table, const std::string& dataset, const std::string& model) {
  for (const Cell& cell : table.cells) {
    if (cell.column.dataset == dataset && cell.model == model) return cell;
  }
  throw std::runtime_error("no such cell");
}

Results one_cell(CellResults cell, std::vector<PublishedValue> values = {}) {
  Results results;
  results.protocol = "p";
  results.tables = {scores_table({std::move(cell)})};
  results.published = std::move(values);
  return results;
}

Cell only_cell(const Results& results) { return make_report(results).tables[0].cells[0]; }

TEST(Table, SmallResultsByHand) {
  const Report report = make_report(small_results());
  const ReportTable& table = report.tables[0];
  ASSERT_EQ(table.cells.size(), 6u);
  const Cell& gcn = find(table, "cora", "gcn");
  EXPECT_NEAR(*gcn.mean, 81.5, 1e-12);
  EXPECT_NEAR(*gcn.sd, 1.1677484162422844, 1e-12);  // numpy.std([81, 82, 80, 83] * 3, ddof=1)
  EXPECT_EQ(gcn.n, 12);
  EXPECT_EQ(gcn.diverged, 1);  // and counted
  EXPECT_EQ(gcn.verdict, Verdict::kEquivalent);
  EXPECT_NEAR(*gcn.gap, 0, 1e-12);
  EXPECT_EQ(find(table, "citeseer", "gcn").verdict, Verdict::kDifferent);
  EXPECT_EQ(find(table, "citeseer", "mlp").verdict, Verdict::kNoRuns);
  EXPECT_FALSE(find(table, "citeseer", "mlp").mean.has_value());
  EXPECT_EQ(find(table, "citeseer", "mlp").expected_n, 12);
  const Cell& mine = find(table, "cora", "mine");
  EXPECT_EQ(mine.verdict, Verdict::kNotPublished);
  EXPECT_EQ(mine.n, 9);
  EXPECT_EQ(mine.expected_n, 12);
  EXPECT_EQ(mine.failed, 3);
}

// The whole of one cell by the slow way: 30 splits of 4 runs with a common part per split.
TEST(Table, CellAgreesWithPlainFormulas) {
  CellResults source = cell("cora", "gcn", {});
  source.expected_n = 120;
  double sum = 0, squares = 0, split_squares = 0;
  std::vector<double> split_mean;
  Stream stream(stream_key("plain"), 1);
  for (int s = 0; s < 30; ++s) {
    const double common = 0.02 * stream.next_normal();
    double in_split = 0;
    for (int i = 0; i < 4; ++i) {
      const double score = 0.8 + common + 0.01 * stream.next_normal();
      source.runs.push_back(run(s, i, score));
      sum += 100 * score;
      squares += 1e4 * score * score;
      in_split += 25 * score;
    }
    split_mean.push_back(in_split);
  }
  const double mean = sum / 120;
  for (const double m : split_mean) split_squares += (m - mean) * (m - mean);
  const double error = std::sqrt(split_squares / 29 / 30);
  const Cell result = only_cell(one_cell(source, {published("1", "cora", "gcn", 81.2, 2.5)}));
  EXPECT_NEAR(*result.mean, mean, 1e-9);
  EXPECT_NEAR(*result.sd, std::sqrt((squares - 120 * mean * mean) / 119), 1e-6);
  EXPECT_EQ(result.n, 120);
  EXPECT_EQ(result.splits, 30);
  EXPECT_NEAR(*result.gap, mean - 81.2, 1e-9);
  // Between the normal and the 29-degree critical value times the error of the gap.
  const double gap_error = std::sqrt(error * error + 2.5 * 2.5 / 100 + 0.01 / 12);
  EXPECT_GT(result.gap_interval->high - *result.gap, 1.6448 * gap_error);
  EXPECT_LT(result.gap_interval->high - *result.gap, 1.6992 * gap_error);
  EXPECT_NEAR(result.gap_interval->high + result.gap_interval->low, 2 * *result.gap, 1e-9);
  EXPECT_GT(result.interval->low, mean - 2.6 * error);
  EXPECT_LT(result.interval->high, mean + 2.6 * error);
  EXPECT_LT(result.interval->low, mean);
  EXPECT_GT(result.interval->high, mean);
}

TEST(Table, RunsOfOneSplitAreNotIndependent) {
  // Twenty initialisations on two splits: 40 runs, still too few draws.
  CellResults source = cell("cora", "gcn", {});
  for (int s = 0; s < 2; ++s) {
    for (int i = 0; i < 20; ++i) source.runs.push_back(run(s, i, 0.8 + 0.001 * i + 0.01 * s));
  }
  source.expected_n = 40;
  const Cell result = only_cell(one_cell(source, {published("1", "cora", "gcn", 60.0, 1.0)}));
  EXPECT_EQ(result.verdict, Verdict::kUndecided);
  EXPECT_TRUE(result.gap.has_value());
  EXPECT_NE(result.basis.find("fewer than 10 independent draws"), std::string::npos);
}

TEST(Table, OnAFixedSplitInitialisationsAreTheDraws) {
  CellResults source = cell("cora", "gcn", {});
  for (int i = 0; i < 20; ++i) source.runs.push_back(run(0, i, 0.80 + 0.001 * (i % 5)));
  source.expected_n = 20;
  PublishedValue value = published("1", "cora", "gcn", 80.2, 0.2);
  value.spread_kind = "sd_over_inits";
  value.n_runs = "20";
  value.effective_n.reset();
  const auto judged = [&] {
    Results results = one_cell(source, {value});
    results.tables[0].design.shared = true;
    return only_cell(results);
  };
  const Cell result = judged();
  EXPECT_EQ(result.spread_kind, "sd_over_inits");
  EXPECT_EQ(result.verdict, Verdict::kEquivalent);
  value.mean = 82.0;
  EXPECT_EQ(judged().verdict, Verdict::kDifferent);
  // A split that was drawn at random is one draw.
  EXPECT_EQ(only_cell(one_cell(source, {value})).verdict, Verdict::kUndecided);
}

TEST(Table, TheCaptionSaysWhatThePublishedSpreadIsOf) {
  CellResults source = cell("cora", "gae", {});
  for (int split = 0; split < 10; ++split)
    source.runs.push_back(run(split, 0, 0.91 + 0.002 * (split % 3)));
  source.expected_n = 10;
  PublishedValue value = published("1", "cora", "gae", 91.0, 0.02);
  const auto says = [&] {
    return report::caption(make_report(one_cell(source, {value})).tables[0]);
  };
  EXPECT_EQ(says().find("published"), std::string::npos) << "it is of the same as ours";
  value.spread_kind = "se_over_inits";
  EXPECT_TRUE(
      says().ends_with("The ± of published values is the standard error over initialisations."))
      << says();
  value.spread.reset();
  EXPECT_EQ(says().find("published"), std::string::npos);
}

// 91.0 ± 0.02 is not 91.0 ± 0.0.
TEST(Table, APublishedSpreadKeepsTheDecimalsThatItHas) {
  const auto text = [](double mean, double spread) {
    Cell cell;
    cell.published_mean = mean;
    cell.published_spread = spread;
    return report::published_text(cell);
  };
  EXPECT_EQ(text(91, 0.02), "91.0 ± 0.02");
  EXPECT_EQ(text(81.5, 1.3), "81.5 ± 1.3");
  EXPECT_EQ(text(81.5, 2), "81.5 ± 2.0");
  EXPECT_EQ(text(81.5, 1.4142135623730951), "81.5 ± 1.414");
}

// Splits differ by much more than their initialisations, and all hundred runs are resampled all the
// same, as publications do.
TEST(Table, ABootstrapOverRunsIsItsLargerSide) {
  CellResults source = cell("wiki-cs", "gcn", {});
  double squares = 0;
  for (int split = 0; split < 20; ++split)
    for (int i = 0; i < 5; ++i) {
      const double off = 0.01 * (split % 4) + 0.001 * i - 0.017;
      source.runs.push_back(run(split, i, 0.79 + off));
      squares += 1e4 * off * off;
    }
  source.expected_n = 100;
  PublishedValue value = published("1", "wiki-cs", "gcn", 79.0, 0.2);
  value.spread_kind = "ci95_bootstrap_pooled_runs";
  const Cell result = only_cell(one_cell(source, {value}));
  EXPECT_NEAR(*result.mean, 79, 1e-9);
  EXPECT_EQ(result.spread_kind, "ci95_bootstrap_pooled_runs");
  const double up = result.interval->high - *result.mean,
               down = *result.mean - result.interval->low;
  EXPECT_EQ(*result.sd, std::max(up, down));
  // The normal interval of a mean of 100 draws; quantiles of 1,000 resamples stray by a few
  // percent.
  const double normal = 1.959963984540054 * std::sqrt(squares / 100) / 10;
  EXPECT_NEAR(up, normal, 0.15 * normal);
  EXPECT_NEAR(down, normal, 0.15 * normal);
  EXPECT_EQ(result.verdict, Verdict::kEquivalent);

  CellResults few = cell("wiki-cs", "gcn", {0.79, 0.80, 0.78});
  const Cell none = only_cell(one_cell(few, {value}));
  EXPECT_FALSE(none.sd.has_value());
  EXPECT_FALSE(none.interval.has_value());
}

TEST(Table, OneRunHasAMeanAndNothingElse) {
  const Cell result =
      only_cell(one_cell(cell("cora", "gcn", {0.8}), {published("1", "cora", "gcn", 81.5, 1.3)}));
  EXPECT_NEAR(*result.mean, 80, 1e-12);
  EXPECT_FALSE(result.sd.has_value());
  EXPECT_FALSE(result.interval.has_value());
  EXPECT_FALSE(result.gap_interval.has_value());
  EXPECT_EQ(result.verdict, Verdict::kUndecided);
}

// One run of a model that draws nothing on the one split there is, beside a number for which
// nothing was drawn: the gap is known but for the rounding of the print, a tenth of a point here.
TEST(Table, WhereNothingIsDrawnAGapIsKnown) {
  const auto judged = [](double score, double delta, const char* kind, bool deterministic) {
    Results results = one_cell(cell("facts", "recurrency", {score}),
                               {published("1", "facts", "recurrency", 28.7, std::nullopt)});
    results.published[0].spread_kind = kind;
    results.tables[0].design.shared = true;
    results.tables[0].cells[0].deterministic = deterministic;
    results.tables[0].delta = delta;
    return only_cell(results);
  };
  const Cell near = judged(0.2878, 1, "deterministic", true);
  EXPECT_EQ(near.verdict, Verdict::kEquivalent);
  EXPECT_NEAR(near.gap_interval->low, 0.03, 1e-9);
  EXPECT_NEAR(near.gap_interval->high, 0.13, 1e-9);
  EXPECT_NEAR(*near.smallest_delta, 0.13, 1e-9);
  EXPECT_FALSE(near.p);
  EXPECT_FALSE(near.detectable_gap);
  EXPECT_EQ(judged(0.2872, 0.06, "deterministic", true).verdict, Verdict::kUndecided);
  EXPECT_EQ(judged(0.2870, 0.06, "deterministic", true).verdict, Verdict::kEquivalent);
  EXPECT_EQ(judged(0.2878, 0.1, "deterministic", true).verdict, Verdict::kDifferent);
  EXPECT_EQ(judged(0.30, 1, "deterministic", true).verdict, Verdict::kDifferent);
  EXPECT_EQ(judged(0.2878, 1, "none", true).verdict, Verdict::kUndecided);
  EXPECT_EQ(judged(0.2878, 1, "deterministic", false).verdict, Verdict::kUndecided);
}

TEST(Table, FailedRunsAreMissingAndCounted) {
  CellResults source = cell("cora", "gcn", std::vector<double>(97, 0.8));
  source.expected_n = 100;
  source.runs.push_back(bad_run(97, 0, RunStatus::kFailed));
  source.runs.push_back(bad_run(98, 0, RunStatus::kTimeout));
  source.runs.push_back(bad_run(99, 0, RunStatus::kDiverged));
  // A failed run's score, should it have one, does not count.
  source.runs[97].record.test_score = 0.1;
  const Cell result = only_cell(one_cell(source));
  EXPECT_EQ(result.n, 97);
  EXPECT_EQ(result.failed, 1);
  EXPECT_EQ(result.timed_out, 1);
  EXPECT_EQ(result.diverged, 1);
  EXPECT_EQ(*result.mean, 80);
  EXPECT_EQ(*result.sd, 0);
}

TEST(Table, AnEqualScoreEverywhereIsTestedAgainstThePublishedErrorAlone) {
  const Cell same = only_cell(one_cell(cell("cora", "majority", std::vector<double>(10, 0.3)),
                                       {published("1", "cora", "majority", 30.1, 0.8)}));
  EXPECT_EQ(same.verdict, Verdict::kEquivalent);
  const Cell other = only_cell(one_cell(cell("cora", "majority", std::vector<double>(10, 0.3)),
                                        {published("1", "cora", "majority", 35.0, 0.4)}));
  EXPECT_EQ(other.verdict, Verdict::kDifferent);
}

TEST(Table, AScoreThatIsNoNumberIsRefused) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    CellResults source = cell("cora", "gcn", {0.8, bad});
    try {
      (void)make_report(one_cell(source));
      FAIL() << "accepted " << bad;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("run-1-0 (gcn on cora"), std::string::npos)
          << error.what();
    }
  }
  CellResults source = cell("cora", "gcn", {0.8});
  source.runs[0].record.test_score.reset();
  EXPECT_THROW((void)make_report(one_cell(source)), Error);
}

TEST(Table, UnknownKindsAndSourcesAreRefused) {
  Results results = small_results();
  results.tables[1].source = "9";
  EXPECT_THROW((void)make_report(results), Error);
  results.tables[1].kind = "magic";
  EXPECT_THROW((void)make_report(results), Error);
}

TEST(Table, NoGapIsWithinNothing) {
  Results results = small_results();
  const double before = results.tables[0].delta;
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_THROW(set_delta(results, bad), Error) << bad;
  EXPECT_EQ(results.tables[0].delta, before);
  set_delta(results, 0.5);
  EXPECT_EQ(results.tables[0].delta, 0.5);
}

TEST(Table, ResultsWithoutTablesOrRunsAreAReport) {
  EXPECT_TRUE(make_report({}).tables.empty());
  Results results = small_results();
  for (CellResults& cell : results.tables[0].cells) cell.runs.clear();
  const Report report = make_report(results);
  EXPECT_FALSE(report.tables[0].has_runs());
  EXPECT_FALSE(report.tables[1].has_runs());
  EXPECT_TRUE(report.tables[0].comparisons.empty());
  for (const Cell& cell : report.tables[1].cells) EXPECT_EQ(cell.verdict, Verdict::kNoRuns);
}

// A cell is judged by itself: what else the store holds changes nothing.
// On stored splits and few folds more of the same decides nothing; another option does.
TEST(Open, NamesTheOptionThatGivesASmallerError) {
  Results results = one_cell(cell("one", "gcn", thrice({0.70, 0.74, 0.66, 0.72})),
                             {published("1", "one", "gcn", 70.0, 3.0)});
  results.published[0].effective_n = 10;
  results.tables[0].design.shared = true;
  const Cell stored = only_cell(results);
  EXPECT_EQ(stored.verdict, Verdict::kUndecided);
  EXPECT_FALSE(stored.runs_to_decide);
  EXPECT_EQ(stored.sharper, "--inits 2 or more");
  const std::string text = render(results, find_format("text"));
  EXPECT_NE(text.find("--inits 2 or more"), std::string::npos) << text;
  EXPECT_EQ(text.find("No number of runs"), std::string::npos) << text;
  results.tables[0].design = {};
  results.tables[0].design.folds = 6;
  EXPECT_EQ(only_cell(results).sharper, "--splits 60");
  results.tables[0].design = {};
  EXPECT_EQ(only_cell(results).sharper, "");
}

// A model that draws nothing has one run on each stored split, and no option makes more.
TEST(Open, PromisesNoRunsThatThereCannotBe) {
  Results results = one_cell(cell("one", "labelprop", thrice({0.70, 0.74, 0.66, 0.72})),
                             {published("1", "one", "labelprop", 70.0, 3.0)});
  results.published[0].effective_n = 10;
  results.tables[0].design.shared = true;
  results.tables[0].cells[0].deterministic = true;
  const Cell stored = only_cell(results);
  EXPECT_EQ(stored.verdict, Verdict::kUndecided);
  EXPECT_EQ(stored.sharper, "");
  EXPECT_FALSE(stored.runs_to_decide);
  EXPECT_NE(report::open_text(make_report(results).tables[0]).find("There are no more runs of it"),
            std::string::npos);
  // Folds may be drawn anew.
  results.tables[0].design = {};
  results.tables[0].design.folds = 6;
  EXPECT_EQ(only_cell(results).sharper, "--splits 60");
}

// The same runs have scores by two metrics, of which the one that needs more says how many.
TEST(Open, CountsRunsOnceForAllMetrics) {
  CellResults one = cell("one", "gcn", thrice({0.70, 0.74, 0.66, 0.72})), other = one;
  other.measure = {"macro-f1"};
  for (PlacedRun& run : other.runs) *run.record.test_score += 0.02;
  PublishedValue value = published("1", "one", "gcn", 70.2, 3.0), further = value;
  further.measure = other.measure;
  further.mean = 71.2;
  Results results = one_cell(one, {value, further});
  results.tables[0].cells.push_back(other);
  const ReportTable table = make_report(results).tables[0];
  ASSERT_TRUE(table.cells[0].runs_to_decide && table.cells[1].runs_to_decide);
  const double most = std::max(*table.cells[0].runs_to_decide, *table.cells[1].runs_to_decide);
  ASSERT_NE(*table.cells[0].runs_to_decide, *table.cells[1].runs_to_decide);
  const std::string text = report::open_text(table);
  EXPECT_NE(text.find(fmt::format("about {:.0f} more runs decide all of them", most)),
            std::string::npos)
      << text;
}

// Runs beyond the look are there already.
TEST(Open, RunsBeyondTheLookAreNotToCome) {
  const auto missing = [](int runs) {
    std::vector<double> scores;
    for (int s = 0; s < runs; ++s) scores.push_back(0.809 + (s % 2 == 0 ? 0.013 : -0.013));
    CellResults one = cell("one", "gcn", scores);
    one.looks = Looks{100, 1};
    std::vector<PublishedValue> values = {published("1", "one", "gcn", 80.1, 1.3)};
    for (int i = 1; i < 77; ++i)
      values.push_back(published("1", "one", "m" + std::to_string(i), 50, 1));
    const Cell judged = only_cell(one_cell(one, values));
    EXPECT_EQ(judged.look_size, 44);
    return judged.runs_to_decide.value_or(0);
  };
  EXPECT_GT(missing(50), 1);
  EXPECT_EQ(missing(44) - missing(50), 6);
}

TEST(Company, DoesNotChangeAVerdict) {
  Stream stream(stream_key("company"), 1);
  std::vector<CellResults> cells;
  std::vector<PublishedValue> values;
  for (int m = 0; m < 12; ++m) {
    std::vector<double> scores;
    for (int s = 0; s < 15; ++s) scores.push_back(0.8 + 0.012 * stream.next_normal());
    const std::string model = "m" + std::to_string(m);
    cells.push_back(cell("cora", model, scores));
    values.push_back(published("1", "cora", model, 80.0 + 0.25 * (m - 6), 1.2));
  }
  Results all;
  all.tables = {scores_table(cells)};
  all.published = values;
  const Report together = make_report(all);
  int verdicts[3] = {};
  for (std::size_t i = 0; i < cells.size(); ++i) {
    Results alone = all;
    alone.tables = {scores_table({cells[i]})};
    const Cell one = make_report(alone).tables[0].cells[0];
    const Cell& same = find(together.tables[0], "cora", cells[i].model);
    EXPECT_EQ(one.verdict, same.verdict) << cells[i].model;
    EXPECT_EQ(one.p_corrected, same.p_corrected);
    EXPECT_EQ(one.smallest_delta, same.smallest_delta);
    ++verdicts[static_cast<int>(one.verdict)];
  }
  for (const int count : verdicts) EXPECT_GT(count, 0);  // all three occur
}

TEST(Table, ProgramsThatWereNotIsolatedAreNamed) {
  CellResults open = cell("cora", "mine", {0.9, 0.9, 0.9}), kept = cell("cora", "gcn", {0.8, 0.8});
  CellResults other = cell("citeseer", "mine", {0.9});
  open.runs[1].record.isolation = "none";
  open.runs[2].record.isolation = "bubblewrap";
  other.runs[0].record.isolation = "bubblewrap";
  Results results = one_cell(open);
  results.tables = {scores_table({open, kept, other})};
  const Report report = make_report(results);
  EXPECT_EQ(find(report.tables[0], "cora", "mine").not_isolated, 1);
  EXPECT_EQ(find(report.tables[0], "cora", "gcn").not_isolated, 0);
  const std::string note =
      "These models were not isolated, so that nothing kept them from reading test labels: mine "
      "(cora).";
  EXPECT_EQ(std::count(report.tables[0].notes.begin(), report.tables[0].notes.end(), note), 1);
  // In every format, on lines of its own length.
  for (const Format* format : formats()) {
    std::string text = render(results, *format);
    std::replace(text.begin(), text.end(), '\n', ' ');
    const bool told = text.find("not isolated") != std::string::npos ||
                      text.find("not_isolated") != std::string::npos ||
                      text.find("isolation") != std::string::npos;
    EXPECT_TRUE(told || std::string(format->name) == "latex-fragment") << format->name;
  }
  results.tables = {scores_table({kept, other})};
  for (const Format* format : formats()) {
    const std::string text = render(results, *format);
    EXPECT_EQ(text.find("not isolated"), std::string::npos) << format->name;
    EXPECT_EQ(text.find("not_isolated"), std::string::npos) << format->name;
  }
}

TEST(Table, RunsInConflictAreToldInEveryFormat) {
  Results results = small_results();
  for (const bool any : {false, true}) {
    results.tables[0].cells[0].conflicts.resize(any ? 2 : 0);
    for (const Format* format : formats()) {
      std::string text = render(results, *format);
      std::replace(text.begin(), text.end(), '\n', ' ');
      if (std::string(format->name) == "html") text.resize(text.find("</script>"));  // the data
      const bool told = text.find("ended in different ways") != std::string::npos ||
                        text.find("conflict") != std::string::npos;
      EXPECT_EQ(told, any) << format->name;
    }
  }
  results.tables[0].cells[0].conflicts.resize(2);
  EXPECT_NE(render(results, find_format("hf")).find("        runs_in_conflict: 2\n"),
            std::string::npos);
  EXPECT_NE(render(results, find_format("csv")).find(",conflicts,seconds_per_run,memory_bytes\n"),
            std::string::npos);
}

// Nothing is left to show of it but that.
TEST(Table, ATableWhoseRunsAreAllInConflictSaysSo) {
  Results results = small_results();
  for (CellResults& cell : results.tables[0].cells) {
    cell.conflicts.resize(cell.runs.size());
    cell.runs.clear();
  }
  for (const char* format : {"text", "markdown", "latex", "latex-fragment"}) {
    std::string text = render(results, find_format(format));
    std::replace(text.begin(), text.end(), '\n', ' ');
    EXPECT_NE(text.find("ended in different ways"), std::string::npos) << format << text;
  }
}

}  // namespace
}  // namespace cupel
