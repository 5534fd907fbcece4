// Tables derived from a score table: relative score and average rank (Shchur et al. 2018, 2a).
#include <algorithm>
#include <set>

#include "cupel/base/error.h"
#include "cupel/judge/report/build.h"

namespace cupel::report {
namespace {

std::string join(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, ", "));
}

bool has(const std::vector<std::string>& list, const std::string& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

// What the published values of the table are made of, so that like is compared with like.
struct Coverage {
  std::vector<std::string> models;  // with a published value; empty: none has
  std::set<std::pair<std::string, std::string>> left_out;  // (data set, model): printed as N/A
  std::set<std::string> datasets;                          // of the published source table

  [[nodiscard]] bool competes(const std::string& model) const {
    return models.empty() || has(models, model);
  }
};

Coverage coverage_of(const Published& own, const Published& of_source, const TableResults& source) {
  Coverage coverage;
  for (const PublishedValue& value : own.values()) {
    if (value.mean && !has(coverage.models, value.model)) coverage.models.push_back(value.model);
  }
  if (coverage.models.empty()) return coverage;
  for (const PublishedValue& value : of_source.values()) {
    coverage.datasets.insert(value.dataset);
    // Metrics beside that of the table are not compared.
    if (!value.mean && value.measure == measure_on(source, value.dataset))
      coverage.left_out.insert({value.dataset, value.model});
  }
  return coverage;
}

struct Design {
  std::vector<std::string> datasets, models;     // models: rows, then competitors without a row
  std::vector<MetricScale> scales;               // by data set
  std::vector<Contestant> contestants;           // one per model
  std::vector<std::vector<ScoresBySplit>> runs;  // by model and data set
  std::vector<std::int64_t> expected;            // planned runs, one per model

  // Runs behind a model's standing: those on the splits that it uses.
  [[nodiscard]] int runs_behind(std::size_t model, const Standing& standing) const {
    std::size_t count = 0;
    for (std::size_t d = 0; d < datasets.size(); ++d) {
      for (const int split : standing.splits[d]) count += runs[model][d].at(split).size();
    }
    return static_cast<int>(count);
  }
};

// "accuracy", or "score" where the data sets have several metrics.
std::string metric_of(const TableResults& source) {
  std::set<std::string> words;
  for (const std::string& dataset : source.datasets)
    words.insert(measure_on(source, dataset).word());
  return words.empty() ? "accuracy" : words.size() > 1 ? "score" : *words.begin();
}

Design design_of_table(const TableResults& table, const TableResults& source,
                       const Coverage& coverage) {
  Design design;
  design.datasets = table.datasets.empty() ? source.datasets : table.datasets;
  design.models = table.models.empty() ? source.models : table.models;
  for (const std::string& dataset : design.datasets)
    design.scales.push_back(scale_of(measure_on(source, dataset)));
  for (const std::string& model : coverage.models) {
    if (!has(design.models, model)) design.models.push_back(model);
  }
  for (const std::string& model : design.models) {
    Contestant contestant{.competitor = coverage.competes(model), .scores = {}};
    std::vector<ScoresBySplit> runs;
    std::int64_t expected = 0;
    for (const std::string& dataset : design.datasets) {
      const CellResults* cell = find_cell(source, {dataset, measure_on(source, dataset)}, model);
      ScoresBySplit scores;
      if (cell != nullptr && !coverage.left_out.contains({dataset, model})) {
        scores = scores_of(*cell);
        expected += cell->expected_n;
      }
      contestant.scores.push_back(split_means(scores));
      runs.push_back(std::move(scores));
    }
    design.contestants.push_back(std::move(contestant));
    design.runs.push_back(std::move(runs));
    design.expected.push_back(expected);
  }
  return design;
}

// What the published values cover and our runs do not: whole data sets, then whole models, then the
// single cells that are left.
std::vector<std::string> missing_from(const Design& design, const Coverage& coverage) {
  std::vector<std::string> missing;
  std::vector<std::size_t> covered;  // data sets on which some competitor has scores
  for (const std::string& dataset : coverage.datasets) {
    const auto at = std::find(design.datasets.begin(), design.datasets.end(), dataset);
    const auto d = static_cast<std::size_t>(at - design.datasets.begin());
    const bool any =
        at != design.datasets.end() &&
        std::any_of(design.contestants.begin(), design.contestants.end(),
                    [&](const Contestant& c) { return c.competitor && !c.scores[d].empty(); });
    if (any) {
      covered.push_back(d);
    } else {
      missing.push_back(dataset);
    }
  }
  std::vector<std::string> cells;
  for (std::size_t m = 0; m < design.models.size(); ++m) {
    if (!design.contestants[m].competitor) continue;
    std::vector<std::string> here;
    std::size_t expected = 0;
    for (const std::size_t d : covered) {
      if (coverage.left_out.contains({design.datasets[d], design.models[m]})) continue;
      ++expected;
      if (!design.contestants[m].scores[d].empty()) continue;
      here.push_back(fmt::format("{} on {}", design.models[m], design.datasets[d]));
    }
    if (!here.empty() && here.size() == expected) {
      missing.push_back(design.models[m]);
    } else {
      cells.insert(cells.end(), here.begin(), here.end());
    }
  }
  missing.insert(missing.end(), cells.begin(), cells.end());
  return missing;
}

// What our runs cover and the published values do not.
std::vector<std::string> extra_in(const Design& design, const Coverage& coverage) {
  std::vector<std::string> extra;
  if (coverage.models.empty()) return extra;
  for (std::size_t d = 0; d < design.datasets.size(); ++d) {
    const bool any =
        std::any_of(design.contestants.begin(), design.contestants.end(),
                    [&](const Contestant& c) { return c.competitor && !c.scores[d].empty(); });
    if (any && !coverage.datasets.contains(design.datasets[d])) extra.push_back(design.datasets[d]);
  }
  return extra;
}

// Friedman over the data sets on which the competitors with complete rows have scores: of the means
// over the splits that their standings are of.
std::optional<FieldTest> field_test_of(const Design& design,
                                       const std::vector<Standing>& standing) {
  const auto has_standing = [&](std::size_t model, std::size_t dataset) {
    return design.contestants[model].competitor && !standing[model].splits[dataset].empty();
  };
  std::vector<std::size_t> used;
  for (std::size_t d = 0; d < design.datasets.size(); ++d) {
    bool any = false;
    for (std::size_t m = 0; m < design.models.size(); ++m) any = any || has_standing(m, d);
    if (any) used.push_back(d);
  }
  std::vector<std::vector<double>> blocks(used.size());
  for (std::size_t m = 0; m < design.models.size(); ++m) {
    const bool complete =
        std::all_of(used.begin(), used.end(), [&](std::size_t d) { return has_standing(m, d); });
    if (!complete) continue;
    for (std::size_t i = 0; i < used.size(); ++i) {
      std::vector<double> means;
      for (const int split : standing[m].splits[used[i]])
        means.push_back(design.contestants[m].scores[used[i]].at(split));
      const double sign = design.scales[used[i]].larger_is_better ? 1 : -1;
      blocks[i].push_back(sign * mean_of(means));
    }
  }
  if (blocks.size() < 2 || blocks.front().size() < 3) return std::nullopt;
  return field_test(blocks);
}

void describe(ReportTable& report, const Design& design, const Coverage& coverage,
              const std::vector<Standing>& standing, const std::vector<std::string>& missing,
              const std::vector<std::string>& extra) {
  std::vector<std::string> covered;
  std::set<std::string> names;
  for (std::size_t d = 0; d < design.datasets.size(); ++d) {
    std::size_t splits = 0;
    for (std::size_t m = 0; m < standing.size(); ++m) {
      if (design.contestants[m].competitor) splits = std::max(splits, standing[m].splits[d].size());
    }
    if (splits == 0) continue;
    names.insert(design.datasets[d]);
    covered.push_back(fmt::format("{} ({})", design.datasets[d], splits));
  }
  if (covered.empty()) return;
  report.notes.push_back("Data sets, and the splits on which all models compared have a score: " +
                         join(covered) + ".");
  std::vector<std::string> guests, partial;
  for (std::size_t m = 0; m < standing.size(); ++m) {
    if (!standing[m].rank) continue;
    const auto datasets = std::count_if(standing[m].splits.begin(), standing[m].splits.end(),
                                        [](const auto& splits) { return !splits.empty(); });
    if (datasets < static_cast<long>(covered.size())) {
      partial.push_back(fmt::format("{} ({} of {})", design.models[m], datasets, covered.size()));
    }
    if (!design.contestants[m].competitor) guests.push_back(design.models[m]);
  }
  if (!partial.empty()) {
    report.notes.push_back("Averaged over the data sets that they have: " + join(partial) + ".");
  }
  std::vector<std::string> left_out;
  for (const auto& [dataset, model] : coverage.left_out) {
    if (names.contains(dataset)) left_out.push_back(fmt::format("{} on {}", model, dataset));
  }
  if (!left_out.empty()) {
    report.notes.push_back("Left out, as the publication has no value there: " + join(left_out) +
                           ".");
  }
  if (!guests.empty()) {
    report.notes.push_back(
        "Not in the published table, placed among its models without moving "
        "them: " +
        join(guests) + ".");
  }
  if (!extra.empty()) {
    report.notes.push_back("The published values do not cover: " + join(extra) + ".");
  }
  if (!missing.empty()) {
    report.notes.push_back(
        "The published values also cover what has no runs here: " + join(missing) + ".");
  }
}

}  // namespace

FieldTest field_test(const std::vector<std::vector<double>>& blocks) {
  FieldTest out{.friedman = friedman(blocks), .datasets = static_cast<int>(blocks.size())};
  out.critical_difference = nemenyi_difference(out.models(), out.datasets, kAlpha);
  return out;
}

ReportTable relative_table(const Results& results, const TableResults& table) {
  const TableResults& source = source_of(results, table);
  const Published published(results, table.id);
  const Coverage coverage = coverage_of(published, Published(results, source.id), source);
  const Design design = design_of_table(table, source, coverage);
  const std::vector<Standing> standing = standings(design.contestants, design.scales);
  const std::vector<std::string> missing = missing_from(design, coverage);
  const std::vector<std::string> extra = extra_in(design, coverage);

  ReportTable report;
  report.id = table.id;
  report.title = table.title;
  report.kind = table.kind;
  report.source = table.source;
  report.delta = table.delta;
  report.models = table.models.empty() ? source.models : table.models;
  report.columns = {{"all", {kRelative + metric_of(source)}}, {"all", kAverageRank}};
  std::vector<CellEvidence> measured;
  for (std::size_t m = 0; m < report.models.size(); ++m) {
    for (std::size_t c = 0; c < 2; ++c) {
      Cell cell;
      cell.model = report.models[m];
      cell.column = report.columns[c];
      std::optional<Estimate> value = c == 0 ? standing[m].relative : standing[m].rank;
      cell.sd = c == 0 ? standing[m].relative_sd : standing[m].rank_sd;
      cell.expected_n = design.expected[m];
      if (value) {
        const double unit = scale_of(cell.column.measure).unit;
        value->mean *= unit;
        if (value->standard_error) *value->standard_error *= unit;
        if (cell.sd) *cell.sd *= unit;
        cell.mean = value->mean;
        cell.spread_kind = "sd_over_splits";
        cell.splits = value->draws;
        cell.n = design.runs_behind(m, standing[m]);
      }
      measured.push_back({{.estimate = value, .sd = cell.sd, .runs = cell.n}, std::nullopt});
      report.cells.push_back(std::move(cell));
    }
  }
  judge_cells(report, measured, published, missing.empty() && extra.empty());
  report.field = field_test_of(design, standing);
  describe(report, design, coverage, standing, missing, extra);
  return report;
}

}  // namespace cupel::report
