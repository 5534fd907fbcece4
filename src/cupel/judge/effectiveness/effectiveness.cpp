#include "cupel/judge/effectiveness/effectiveness.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "cupel/base/error.h"
#include "cupel/data/stats/correlation.h"
#include "cupel/judge/effectiveness/pairs.h"
#include "cupel/judge/report/build.h"
#include "cupel/judge/report/print.h"
#include "cupel/judge/report/verdict.h"
#include "cupel/lab/protocol/protocol.h"
#include "cupel/learn/score/metrics.h"

namespace cupel {
namespace {

bool is_read(const TableResults& table) { return table.kind == "scores" && table.strata.empty(); }

// The known name that a request means. Throws Error if there is none.
std::string known_name(const char* what, const std::string& name,
                       const std::vector<std::string>& known) {
  for (const std::string& one : known) {
    if (same_name(one, name)) return one;
  }
  fail("effectiveness: the results have no {} '{}'{}", what, name, near_or_all(name, known));
}

void add_new(std::vector<std::string>& list, const std::string& name) {
  if (!std::count(list.begin(), list.end(), name)) list.push_back(name);
}

std::vector<std::string> known_names(const char* what, const std::vector<std::string>& names,
                                     const std::vector<std::string>& known) {
  std::vector<std::string> out;
  for (const std::string& name : names) add_new(out, known_name(what, name, known));
  return out;
}

std::optional<EffectivenessRows> known_rows(const std::optional<EffectivenessRows>& rows,
                                            const std::vector<std::string>& known) {
  if (!rows) return std::nullopt;
  EffectivenessRows out{known_names("row", rows->gnn, known),
                        known_names("row", rows->baseline, known)};
  for (const std::string& name : out.gnn) {
    if (std::count(out.baseline.begin(), out.baseline.end(), name))
      fail("effectiveness: '{}' is compared with itself; name two different rows", name);
  }
  return out;
}

bool is_planned(const TableResults& table, const std::string& dataset, const std::string& model) {
  return std::any_of(table.cells.begin(), table.cells.end(), [&](const CellResults& cell) {
    return cell.dataset == dataset && cell.model == model;
  });
}

const CellResults* cell_of(const TableResults& table, const DatasetEffectiveness& of,
                           const std::string& model) {
  return report::find_cell(table, {of.dataset, of.measure}, model);
}

std::vector<std::string> all_rows(const EffectivenessRequest& request) {
  std::vector<std::string> out;
  for (const auto* rows : {&request.structure, &request.attributes}) {
    if (!*rows) continue;
    out.insert(out.end(), (*rows)->gnn.begin(), (*rows)->gnn.end());
    out.insert(out.end(), (*rows)->baseline.begin(), (*rows)->baseline.end());
  }
  return out;
}

// The table that a data set is read from: the first with runs of the rows, else the first with it.
const TableResults* table_for(const Results& results, const EffectivenessRequest& request,
                              const std::string& dataset) {
  const std::vector<std::string> rows = all_rows(request);
  const TableResults* first = nullptr;
  for (const TableResults& table : results.tables) {
    if (!is_read(table) || (!request.table.empty() && table.id != request.table)) continue;
    for (const CellResults& cell : table.cells) {
      if (cell.dataset != dataset) continue;
      if (first == nullptr) first = &table;
      if (!cell.runs.empty() && std::count(rows.begin(), rows.end(), cell.model)) return &table;
    }
  }
  return first;
}

// The rows of one side that have scores; what the others lack is noted.
std::vector<effectiveness::Row> rows_of(const std::vector<std::string>& names,
                                        const TableResults& table, DatasetEffectiveness& of) {
  std::vector<effectiveness::Row> out;
  for (const std::string& name : names) {
    const CellResults* cell = cell_of(table, of, name);
    if (cell == nullptr) {
      of.notes.push_back(is_planned(table, of.dataset, name)
                             ? fmt::format("{} has no {}", name, report::measure_words(of.measure))
                             : fmt::format("{} was not asked for", name));
      continue;
    }
    effectiveness::Row row{name, report::scores_of(*cell)};
    for (auto& [split, scores] : row.scores) {
      for (double& score : scores) score /= report::scale_of(of.measure).unit;
    }
    if (row.scores.empty()) {
      of.notes.push_back(
          fmt::format("{} has no {}", name, cell->runs.empty() ? "runs" : "run with a score"));
    } else {
      out.push_back(std::move(row));
    }
  }
  return out;
}

std::optional<effectiveness::Part> part_of(const char* name,
                                           const std::optional<EffectivenessRows>& rows,
                                           const TableResults& table, DatasetEffectiveness& of) {
  if (!rows) return std::nullopt;
  std::vector<effectiveness::Row> gnn = rows_of(rows->gnn, table, of),
                                  baseline = rows_of(rows->baseline, table, of);
  if (gnn.empty() || baseline.empty()) return std::nullopt;
  effectiveness::Part part =
      effectiveness::make_part(std::move(gnn), std::move(baseline), of.classes);
  if (part.splits.empty()) {
    of.notes.push_back(fmt::format("no split has scores of all rows for {}", name));
    return std::nullopt;
  }
  return part;
}

// The best of the rows that have a published mean.
std::optional<std::pair<std::string, double>> best_published(const std::vector<std::string>& rows,
                                                             const report::Published& published,
                                                             const DatasetEffectiveness& of) {
  std::optional<std::pair<std::string, double>> best;
  for (const std::string& row : rows) {
    const PublishedValue* value = published.find(row, {of.dataset, of.measure});
    if (value == nullptr || !value->mean) continue;
    const double score = *value->mean / report::scale_of(of.measure).unit;
    if (!best || score > best->second) best = {row, score};
  }
  return best;
}

std::optional<EffectivenessPart> published_part(const std::optional<EffectivenessRows>& rows,
                                                const report::Published& published,
                                                const DatasetEffectiveness& of) {
  if (!rows) return std::nullopt;
  const auto gnn = best_published(rows->gnn, published, of);
  const auto baseline = best_published(rows->baseline, published, of);
  if (!gnn || !baseline || gnn->second <= 0 || baseline->second <= 0) return std::nullopt;
  return EffectivenessPart{gnn->first, baseline->first, gnn->second, baseline->second,
                           pair_effectiveness(gnn->second, baseline->second, of.classes)};
}

std::optional<double> value_of(const std::optional<EffectivenessPart>& part) {
  return part ? std::optional(part->value.effectiveness) : std::nullopt;
}

void add_published(DatasetEffectiveness& of, const Results& results,
                   const EffectivenessRequest& request) {
  const report::Published published(results, of.table);
  of.published.structure = published_part(request.structure, published, of);
  of.published.attributes = published_part(request.attributes, published, of);
  const bool alike = of.published.structure.has_value() == of.structure.has_value() &&
                     of.published.attributes.has_value() == of.attributes.has_value();
  // Where ours has nothing yet, the published value stands alone.
  if (alike || (!of.structure && !of.attributes)) {
    of.published.effectiveness =
        dataset_effectiveness(value_of(of.published.structure), value_of(of.published.attributes));
  }
}

DatasetEffectiveness assess(const Results& results, const EffectivenessRequest& request,
                            const TableResults& table, const std::string& dataset) {
  DatasetEffectiveness out;
  out.dataset = dataset;
  out.table = table.id;
  out.measure = request.metric.empty() ? report::measure_on(table, dataset)
                                       : Measure::of_word(request.metric);
  for (const CellResults& cell : table.cells) {
    if (cell.dataset == dataset) out.classes = std::max(out.classes, cell.classes);
  }
  if (out.classes < 2) {
    fail(
        "effectiveness: the store does not know the number of classes of '{}'; run the protocol "
        "again with this store, which adds it (runs that are there are not done again)",
        dataset);
  }
  if (find_metric(out.measure.metric)->entry->two_classes && out.classes != 2) {
    out.notes.push_back(fmt::format("{} is for two classes, and it has {}; --metric names another",
                                    report::measure_words(out.measure), out.classes));
    return out;
  }
  std::optional<effectiveness::Part> structure =
      part_of("structure", request.structure, table, out);
  std::optional<effectiveness::Part> attributes =
      part_of("attributes", request.attributes, table, out);
  const auto named =
      [&](std::optional<effectiveness::Part>& part) -> std::optional<EffectivenessPart> {
    if (!part) return std::nullopt;
    const auto found = effectiveness::evaluate(*part, part->splits);
    if (!found) {
      out.notes.push_back(fmt::format("a mean {} is 0, by which equation 1 cannot divide",
                                      report::measure_words(out.measure)));
      part.reset();
    }
    return found;
  };
  out.structure = named(structure);
  out.attributes = named(attributes);
  out.effectiveness = dataset_effectiveness(value_of(out.structure), value_of(out.attributes));
  add_published(out, results, request);
  const std::vector<int> splits = effectiveness::splits_of(structure, attributes);
  out.splits = static_cast<int>(splits.size());
  const auto enough = [](const std::optional<effectiveness::Part>& part) {
    return !part || std::ssize(part->splits) >= kFewestDraws;
  };
  if (out.effectiveness && enough(structure) && enough(attributes)) {
    if (const auto evidence = effectiveness::weigh(structure, out.structure, attributes,
                                                   out.attributes, table.design)) {
      if (out.structure) out.structure->evidence = evidence->structure;
      if (out.attributes) out.attributes->evidence = evidence->attributes;
      out.interval = evidence->interval;
      out.p = evidence->p;
      out.scope = evidence->scope;
    }
  }
  return out;
}

GapCorrelations correlations_of(const std::vector<DatasetEffectiveness>& datasets) {
  constexpr std::size_t kFewest = 3;
  const auto correlation = [&](const auto& e, const auto& gap) -> std::optional<double> {
    std::vector<double> es, gaps;
    for (const DatasetEffectiveness& of : datasets) {
      if (!e(of)) continue;
      es.push_back(*e(of));
      gaps.push_back(gap(of));
    }
    return es.size() < kFewest ? std::nullopt : spearman(es, gaps);
  };
  const auto gap_of = [](const std::optional<EffectivenessPart>& part) {
    return part ? part->value.gap : 0;
  };
  GapCorrelations out;
  out.structure = correlation([](const DatasetEffectiveness& of) { return value_of(of.structure); },
                              [&](const DatasetEffectiveness& of) { return gap_of(of.structure); });
  out.attributes =
      correlation([](const DatasetEffectiveness& of) { return value_of(of.attributes); },
                  [&](const DatasetEffectiveness& of) { return gap_of(of.attributes); });
  out.both = correlation(
      [](const DatasetEffectiveness& of) { return of.effectiveness; },
      [&](const DatasetEffectiveness& of) { return gap_of(of.structure) + gap_of(of.attributes); });
  return out;
}

void check_metric(const std::string& metric, const Results& results) {
  std::vector<std::string> known, main;  // main: what the protocol goes by
  for (const TableResults& table : results.tables) {
    if (!is_read(table)) continue;
    for (const CellResults& cell : table.cells) {
      add_new(known, cell.measure.word());
      add_new(main, report::measure_on(table, cell.dataset).word());
    }
  }
  for (const std::string& one : metric.empty() ? main : std::vector{metric}) {
    const auto found = find_metric(one);
    if (!found || !found->entry->guess_is_one_of_classes) {
      fail("effectiveness: equation 1 is for {}, not for '{}'; name another with --metric",
           effectiveness_metrics("and"), one);
    }
  }
  if (!metric.empty() && !std::count(known.begin(), known.end(), metric)) {
    fail(
        "effectiveness: the tables have no scores by '{}', only by {}; name it in `also` of the "
        "protocol's table and give `cupel run` again, which takes it from the stored runs",
        metric, fmt::join(known, ", "));
  }
}

}  // namespace

std::string effectiveness_metrics(const std::string& conjunction) {
  std::vector<std::string> names;
  for (const MetricEntry* entry : metric_entries())
    if (entry->guess_is_one_of_classes) names.push_back(entry->name);
  const std::string last = names.back();
  names.pop_back();
  return fmt::format("{} {} {}", fmt::join(names, ", "), conjunction, last);
}

std::vector<std::string> effectiveness_rows(const Results& results) {
  std::vector<std::string> out;
  for (const TableResults& table : results.tables) {
    if (!is_read(table)) continue;
    for (const std::string& model : table.models) add_new(out, model);
  }
  return out;
}

EffectivenessReport assess_effectiveness(const Results& results,
                                         const EffectivenessRequest& request) {
  EffectivenessReport out{results.protocol, results.title, request, {}, {}};
  EffectivenessRequest& wanted = out.request;
  const std::vector<std::string> rows = effectiveness_rows(results);
  wanted.structure = known_rows(request.structure, rows);
  wanted.attributes = known_rows(request.attributes, rows);
  if (!wanted.structure && !wanted.attributes) {
    fail(
        "effectiveness is of a graph model over a baseline: name a pair with --structure or "
        "--attributes, such as --structure gin,mlp; the results have the rows: {}",
        fmt::join(rows, ", "));
  }
  std::vector<std::string> tables, datasets;
  for (const TableResults& table : results.tables) {
    if (!is_read(table)) continue;
    tables.push_back(table.id);
    if (!request.table.empty() && !same_name(table.id, request.table)) continue;
    for (const std::string& dataset : table.datasets) add_new(datasets, dataset);
  }
  if (!request.table.empty()) wanted.table = known_name("table", request.table, tables);
  check_metric(request.metric, results);
  if (!request.datasets.empty())
    wanted.datasets = known_names("data set", request.datasets, datasets);
  for (const std::string& dataset : request.datasets.empty() ? datasets : wanted.datasets) {
    if (const TableResults* table = table_for(results, wanted, dataset))
      out.datasets.push_back(assess(results, wanted, *table, dataset));
  }
  std::stable_sort(out.datasets.begin(), out.datasets.end(), [](const auto& a, const auto& b) {
    constexpr double kNone = -std::numeric_limits<double>::infinity();
    return a.effectiveness.value_or(kNone) > b.effectiveness.value_or(kNone);
  });
  out.correlations = correlations_of(out.datasets);
  return out;
}

}  // namespace cupel
