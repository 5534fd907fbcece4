// Results made by hand, for the tests of reports.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cupel/lab/results/results.h"

namespace cupel::made {

inline PlacedRun run(int split, int init, double score) {
  PlacedRun run;
  run.split = split;
  run.init = init;
  run.record.id = "run-" + std::to_string(split) + "-" + std::to_string(init);
  run.record.metric = "accuracy";
  run.record.test_score = score;
  return run;
}

inline PlacedRun bad_run(int split, int init, RunStatus status) {
  PlacedRun bad = run(split, init, 0);
  bad.record.status = status;
  bad.record.test_score.reset();
  return bad;
}

// One run per split.
inline CellResults cell(const std::string& dataset, const std::string& model,
                        const std::vector<double>& scores) {
  CellResults cell;
  cell.dataset = dataset;
  cell.model = model;
  cell.measure = {"accuracy"};
  cell.expected_n = static_cast<int>(scores.size());
  for (std::size_t i = 0; i < scores.size(); ++i) {
    cell.runs.push_back(run(static_cast<int>(i), 0, scores[i]));
  }
  return cell;
}

inline PublishedValue published(const std::string& table, const std::string& dataset,
                                const std::string& model, std::optional<double> mean,
                                std::optional<double> spread) {
  PublishedValue value;
  value.table = table;
  value.dataset = dataset;
  value.model = model;
  value.measure = {"accuracy"};
  value.mean = mean;
  value.spread = spread;
  value.spread_kind = spread ? "sd_ddof1_pooled_runs" : "none";
  value.n_runs = "2000";
  value.effective_n = 100;
  return value;
}

inline TableResults scores_table(std::vector<CellResults> cells) {
  TableResults table;
  table.id = "1";
  table.title = "Test accuracy";
  for (const CellResults& cell : cells) {
    const auto add = [](std::vector<std::string>& list, const std::string& name) {
      for (const std::string& known : list) {
        if (known == name) return;
      }
      list.push_back(name);
    };
    add(table.datasets, cell.dataset);
    add(table.models, cell.model);
  }
  table.cells = std::move(cells);
  return table;
}

// Twelve splits from four scores, as nothing is concluded from fewer than ten.
inline std::vector<double> thrice(const std::vector<double>& scores) {
  std::vector<double> all;
  for (int i = 0; i < 3; ++i) all.insert(all.end(), scores.begin(), scores.end());
  return all;
}

// Two data sets, three models; one published value higher, one missing, one cell without runs and
// one with runs that failed; and the derived table.
inline Results small_results() {
  Results results;
  results.protocol = "tiny";
  results.title = "A tiny protocol";
  std::vector<CellResults> cells = {
      cell("cora", "gcn", thrice({0.81, 0.82, 0.80, 0.83})),
      cell("citeseer", "gcn", thrice({0.70, 0.71, 0.72, 0.71})),
      cell("cora", "mlp", thrice({0.58, 0.60, 0.57, 0.59})),
      cell("citeseer", "mlp", {}),
      cell("cora", "mine", thrice({0.81, 0.82, 0.81, 0})),
      cell("citeseer", "mine", thrice({0.74, 0.75, 0.76, 0.75})),
  };
  for (const std::size_t split : {3u, 7u, 11u})
    cells[4].runs[split] = bad_run(static_cast<int>(split), 0, RunStatus::kFailed);
  cells[3].expected_n = 12;
  cells[0].runs[1].record.status = RunStatus::kDiverged;  // with the score it restored
  results.tables = {scores_table(std::move(cells))};
  TableResults derived;
  derived.id = "2a";
  derived.title = "Relative accuracy and average rank";
  derived.kind = "relative";
  derived.source = "1";
  derived.datasets = results.tables[0].datasets;
  derived.models = results.tables[0].models;
  results.tables.push_back(derived);
  results.published = {
      published("1", "cora", "gcn", 81.5, 1.3), published("1", "citeseer", "gcn", 68.0, 0.5),
      published("1", "cora", "mlp", 58.2, 2.1), published("1", "citeseer", "mlp", 59.1, 2.3)};
  return results;
}

inline CellChoice choice(const std::string& by, const std::vector<std::string>& names,
                         const std::string& chosen) {
  CellChoice choice;
  choice.by = by;
  choice.chosen = chosen;
  for (const std::string& name : names) {
    choice.configurations.push_back({name, 4, true, name == chosen ? 0.9 : 0.5});
    ++choice.complete;
  }
  choice.grid = choice.complete;
  choice.compared = 4;
  return choice;
}

// Models as designed and as released on two data sets with different metrics, their ranks, and
// scores by group of nodes.
inline Results released_results() {
  Results results;
  results.protocol = "readings";
  results.title = "Two readings";
  std::vector<CellResults> cells = {
      cell("mines", "plain", thrice({0.50, 0.51, 0.52, 0.51})),
      cell("mines", "deep", thrice({0.90, 0.91, 0.92, 0.91})),
      cell("mines", "deep-released", thrice({0.80, 0.81, 0.82, 0.81})),
      cell("mines", "wide", thrice({0.70, 0.71, 0.72, 0.71})),
      cell("mines", "wide-released", thrice({0.70, 0.71, 0.72, 0.71})),
      cell("words", "plain", thrice({0.60, 0.61, 0.62, 0.61})),
      cell("words", "deep", thrice({0.65, 0.66, 0.67, 0.66})),
      cell("words", "deep-released", thrice({0.55, 0.56, 0.57, 0.56})),
      cell("words", "wide", thrice({0.40, 0.41, 0.42, 0.41})),
      cell("words", "wide-released", thrice({0.40, 0.41})),
  };
  for (CellResults& cell : cells) {
    if (cell.dataset == "mines") cell.measure = {"roc-auc"};
    if (cell.model == "plain") continue;
    const bool released = cell.model.ends_with("-released");
    cell.choice = choice(released ? "test-score" : "valid-score", {"lr=0.1", "lr=0.2, l2=0"},
                         released ? "lr=0.1" : "lr=0.2, l2=0");
  }
  cells[9].expected_n = 12;
  cells[8].choice->complete = 1;  // of two
  cells[3].choice->grid = 5;
  results.tables = {scores_table(std::move(cells))};
  results.tables[0].id = "2";
  TableResults derived = results.tables[0];
  derived.cells.clear();
  derived.source = "2";
  derived.kind = "ranks";
  derived.id = "2-ranks";
  derived.title = "Ranks";
  derived.models = {"plain", "deep", "wide"};
  results.tables.push_back(derived);
  derived.kind = "readings";
  derived.id = "2-readings";
  derived.title = "What the cells would have been";
  derived.models = {"deep", "wide"};
  results.tables.push_back(derived);
  results.reading_of = {{"deep-released", "deep"}, {"wide-released", "wide"}};
  const auto value = [](const char* dataset, const char* model, const char* metric, double mean,
                        std::optional<double> spread) {
    PublishedValue out = published("2", dataset, model, mean, spread);
    out.measure = {metric};
    out.spread_kind = spread ? "sd_ddof0_over_splits" : "none";
    out.n_runs = "10";
    out.effective_n = 10;
    return out;
  };
  results.published = {value("mines", "deep", "roc-auc", 80.95, 0.81),
                       value("mines", "wide", "roc-auc", 71.02, 0.9),
                       value("words", "plain", "accuracy", 61.0, 0.7),
                       value("words", "deep", "accuracy", 75.33, 0.7),
                       value("mines", "plain", "rank", 3, {}),
                       value("mines", "deep", "rank", 2, {}),
                       value("mines", "wide", "rank", 1, {})};
  return results;
}

// Everything that a format must escape.
inline std::string hostile_name() {
  return "a,\"b\"|<i>&amp;_$%#{}~^\\x\\input{/etc/"
         "passwd}\\write18{id}\n\x1b[31m\x1b]0;title\x07\x01\xff"
         "\xc2\x9b*é\u202E\u2066\u200F\uFEFF</script></pre></noscript><script>window.hacked = 1"
         "</script><img src=x onerror=window.hacked=1><!-- end ]]> [link](javascript:hacked=1) `'";
}

// small_results() with that as the name of a data set, a model and the protocol's title.
inline Results hostile_results() {
  Results results = small_results();
  const std::string name = hostile_name();
  for (TableResults& table : results.tables) {
    for (std::string& dataset : table.datasets)
      if (dataset == "cora") dataset = name;
    for (CellResults& cell : table.cells) {
      if (cell.dataset == "cora") cell.dataset = name;
      if (cell.model == "mine") cell.model = name;
    }
    for (std::string& model : table.models)
      if (model == "mine") model = name;
  }
  results.title = name;
  return results;
}

// The same runs with what a store says of them: identities, epochs, seconds and reasons.
inline Results with_identities(Results results) {
  for (TableResults& table : results.tables) {
    for (CellResults& cell : table.cells) {
      for (PlacedRun& run : cell.runs) {
        RunRecord& record = run.record;
        const nlohmann::json family = {
            {"dataset", {{"content", "hash of " + cell.dataset}, {"preparation", {"unweight"}}}},
            {"model", {{"name", cell.model}, {"settings", {{"lr", 0.01}}}}},
            {"metric", "accuracy"},
            {"split", "per-class train=20"}};
        record.identity =
            nlohmann::json{{"family", family}, {"init", run.init}, {"split", run.split}}.dump(
                -1, ' ', false, nlohmann::json::error_handler_t::replace);
        record.epochs = 100 + run.split;
        record.seconds = cell.model == "gcn" ? 0.5 : cell.model == "mlp" ? 0.25 : 2;
        record.memory_bytes = 5'000'000;
        if (record.status == RunStatus::kFailed) record.message = "ended with <b>status 1</b>";
      }
    }
  }
  return results;
}

}  // namespace cupel::made
