#include "cupel/judge/audit/store_audit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "cupel/data/audit/wording.h"
#include "cupel/judge/report/counted.h"
#include "cupel/judge/report/verdict.h"
#include "cupel/judge/stats/descriptive.h"
#include "cupel/judge/stats/equivalence.h"
#include "cupel/judge/stats/tests.h"
#include "cupel/lab/protocol/protocol.h"
#include "cupel/learn/score/metrics.h"

namespace cupel {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array kWithoutGraph = {"majority", "logreg", "mlp", "resnet"};

bool is_without_graph(const std::string& model) {
  return std::find(kWithoutGraph.begin(), kWithoutGraph.end(), model) != kWithoutGraph.end();
}

// One configuration of a model: scores by split, means over initialisations, in points.
struct Scores {
  bool sees_graph = true;
  std::map<int, double> test;
  double valid = 0;  // mean over all runs; without one, worse than any
  double mean() const {
    double sum = 0;
    for (const auto& [split, score] : test) sum += score;
    return sum / static_cast<double>(test.size());
  }
};

// What must be equal for scores to be compared.
struct Conditions {
  std::string preparation, split, metric;
  auto operator<=>(const Conditions&) const = default;
};

using Models = std::map<std::string, Scores>;  // by row name

std::optional<Scores> scores_of(const std::vector<StoredRun>& runs, const MetricScale& scale) {
  std::map<int, std::vector<double>> test;
  std::vector<double> valid;
  for (const StoredRun& run : runs) {
    if (!report::counts(run.record) || !run.record.test_score) continue;
    test[run.split].push_back(scale.unit * *run.record.test_score);
    if (run.record.valid_score) valid.push_back(*run.record.valid_score);
  }
  if (test.empty()) return std::nullopt;
  Scores out;
  for (const auto& [split, values] : test) out.test[split] = mean_of(values);
  constexpr double kWorst = std::numeric_limits<double>::infinity();
  out.valid = !valid.empty() ? mean_of(valid) : scale.larger_is_better ? -kWorst : kWorst;
  return out;
}

// Every model of facts over time sees them.
bool is_of_facts(const nlohmann::json& family) {
  const auto task = family.find("task");
  return task != family.end() && task->is_object() && task->value("kind", "") == "events";
}

struct Collected {
  std::map<Conditions, Models> scores;
  bool of_facts = false;
};

Collected collect(const Store& store, const std::string& content_hash) {
  Collected out;
  std::set<std::string> seen;
  for (const StoredProtocol& protocol : store.protocols()) {
    for (const StoredCell& cell : store.cells(protocol.version)) {
      if (!seen.insert(cell.family).second) continue;  // several rows may stand for the same runs
      const std::vector<StoredRun> runs = store.runs(cell.family);
      if (runs.empty()) continue;
      const auto family = nlohmann::json::parse(runs.front().record.identity).at("family");
      if (family.at("dataset").at("content") != content_hash) continue;
      if (is_of_facts(family)) {
        out.of_facts = true;
        continue;
      }
      const MetricScale scale = scale_of_metric(family.at("metric").get<std::string>());
      std::optional<Scores> scores = scores_of(runs, scale);
      if (!scores) continue;
      // A row may be called anything. A program of the user's is known by its row alone, and what
      // others look at is not known.
      const auto& model = family.at("model").at("name").get_ref<const std::string&>();
      const bool program = model == "external";
      scores->sees_graph = !is_without_graph(program ? cell.model : model);
      if (program && scores->sees_graph) continue;
      const Conditions conditions{family.at("dataset").at("preparation").dump(),
                                  family.at("split").dump(), family.at("metric").dump()};
      const auto [at, is_new] = out.scores[conditions].emplace(cell.model, *scores);
      // The better one by validation: test scores choose nothing.
      if (!is_new && scale.is_better(scores->valid, at->second.valid)) at->second = *scores;
    }
  }
  return out;
}

// A graph model against the best model without the graph.
struct Comparison {
  std::string model;
  int splits = 0;         // in common
  Difference difference;  // graph model minus the other, points
  double mean = 0, corrected = 1;
  // The upper end of its 90 % interval is below delta: a one-sided test at 5 %. A graph model that
  // is better by less than delta adds nothing.
  bool no_better(const MetricScale& scale) const {
    const Interval interval = equivalence_interval(difference, kAlpha);
    return (scale.larger_is_better ? interval.high : -interval.low) < kDefaultDelta;
  }
  bool helps(const MetricScale& scale) const {
    return corrected <= kAlpha && scale.is_better(difference.value, 0);
  }
};

// Below kFewestDraws common splits their number alone.
Comparison compare(const std::string& model, const Scores& graph, const Scores& without) {
  std::vector<double> a, b;
  for (const auto& [split, score] : graph.test) {
    const auto other = without.test.find(split);
    if (other == without.test.end()) continue;
    a.push_back(score);
    b.push_back(other->second);
  }
  Comparison out{.model = model, .splits = static_cast<int>(a.size()), .difference = {}};
  if (out.splits < kFewestDraws) return out;
  out.difference = paired_t(a, b);
  out.mean = mean_of(a);
  return out;
}

struct Comparisons {
  std::string without;  // the model without the graph that is to beat; empty: there is none
  std::vector<Comparison> judged;  // the best first
  std::vector<Comparison> few;     // of too few common splits
};

Comparisons compare_all(const Models& models, const MetricScale& scale) {
  Comparisons out;
  const Scores* best_without = nullptr;
  for (const auto& [name, scores] : models) {
    if (scores.sees_graph) continue;
    if (best_without && !scale.is_better(scores.valid, best_without->valid)) continue;
    best_without = &scores;
    out.without = name;
  }
  if (!best_without) return out;
  std::vector<double> p;
  for (const auto& [name, scores] : models) {
    if (!scores.sees_graph) continue;
    Comparison one = compare(name, scores, *best_without);
    if (one.splits < kFewestDraws) {
      out.few.push_back(std::move(one));
      continue;
    }
    p.push_back(one.difference.p);
    out.judged.push_back(std::move(one));
  }
  const std::vector<double> corrected = holm(p);
  for (std::size_t i = 0; i < p.size(); ++i) out.judged[i].corrected = corrected[i];
  std::ranges::stable_sort(out.judged, [&](const Comparison& a, const Comparison& b) {
    return scale.is_better(a.difference.value, b.difference.value);
  });
  return out;
}

std::string graph_models(std::size_t count) {
  return audit_text::count(static_cast<Offset>(count), "graph model");
}

// A sentence behind another one; empty where all are judged.
std::string not_judged(const Comparisons& all) {
  std::vector<std::string> few;
  for (const Comparison& one : all.few)
    few.push_back(fmt::format("{} ({})", one.model, audit_text::count(one.splits, "split")));
  if (few.empty()) return "";
  return fmt::format(" Not judged, for fewer than {} splits in common with {}: {}.", kFewestDraws,
                     all.without, fmt::join(few, ", "));
}

std::string sentence(const Comparison& one, const Comparisons& all, const std::string& metric) {
  return fmt::format(
      "{} {:.2f} against {} {:.2f} ({}, {} splits): {:+.2f} +- {:.2f} {}, p {}", one.model,
      one.mean, all.without, one.mean - one.difference.value, metric, one.splits,
      one.difference.value, one.difference.margin(kAlpha),
      scale_of_metric(metric).difference_unit(),
      one.corrected < 1e-3 ? std::string("< 0.001") : fmt::format("= {:.3f}", one.corrected));
}

// Why nothing is concluded where no graph model is judged.
std::string open_note(const Comparisons& all, const std::string& metric) {
  int most_common = 0;
  for (const Comparison& one : all.few) most_common = std::max(most_common, one.splits);
  const std::string why =
      all.without.empty()
          ? "the store lacks a model without the graph (mlp, resnet, logreg or majority)"
      : most_common == 0
          ? fmt::format("the store lacks a graph model with splits in common with {}", all.without)
          : fmt::format(
                "no graph model has more than {} in common with {}, and below {} common "
                "splits nothing is concluded",
                audit_text::count(most_common, "split"), all.without, kFewestDraws);
  return fmt::format("Whether the graph helps is open ({}): {}.", metric, why);
}

std::string helps_note(const Comparisons& all, const std::string& metric) {
  const MetricScale scale = scale_of_metric(metric);
  const auto helps = [&](const Comparison& one) { return one.helps(scale); };
  const auto better = std::ranges::count_if(all.judged, helps);
  return fmt::format("The graph helps: {} of {} {} better than {}; {}.{}", better,
                     graph_models(all.judged.size()), better == 1 ? "is" : "are", all.without,
                     sentence(*std::ranges::find_if(all.judged, helps), all, metric),
                     not_judged(all));
}

// Requires a graph model that is judged, and none that helps.
Finding finding_of(const Comparisons& all, const std::string& metric) {
  const MetricScale scale = scale_of_metric(metric);
  // Of a model that is not judged it is not shown that it is no better.
  const bool none = all.few.empty() && std::ranges::all_of(all.judged, [&](const Comparison& one) {
                      return one.no_better(scale);
                    });
  const std::string_view one_unit = scale.in_percent() ? "a point" : "a rank";
  Finding out;
  out.count = static_cast<Offset>(all.judged.size());
  out.evidence =
      fmt::format("The best of {}: {} (paired t test, Holm's correction, interval 95 %). ",
                  graph_models(all.judged.size()), sentence(all.judged.front(), all, metric));
  if (none) {
    out.id = "graph-does-not-help";
    out.severity = Severity::kWarning;
    out.title =
        fmt::format("no graph model is better than {}, which does not see the graph", all.without);
    out.evidence += fmt::format("None is better by {} or more (one-sided, 5 %).", one_unit);
    out.advice =
        "Do not rank graph models on this data set: what they add is not seen here. Try a tuned "
        "graph model before concluding that the graph holds nothing.";
  } else {
    out.id = "graph-not-shown-to-help";
    out.severity = Severity::kInfo;
    out.title = fmt::format(
        "it is not shown whether a graph model is better than {}, which does not see the graph",
        all.without);
    out.evidence += fmt::format("That one is better by {} or more is not ruled out.", one_unit);
    out.evidence += not_judged(all);
    out.advice =
        "Say neither that the graph helps nor that it does not: run more splits, which make the "
        "interval narrower.";
  }
  Json judged = Json::array(), few = Json::array();
  for (const Comparison& one : all.judged)
    judged.push_back({{"model", one.model},
                      {"mean", one.mean},
                      {"difference", one.difference.value},
                      {"margin_95", one.difference.margin(kAlpha)},
                      {"p_corrected", one.corrected},
                      {"no_better", one.no_better(scale)},
                      {"splits", one.splits}});
  for (const Comparison& one : all.few)
    few.push_back({{"model", one.model}, {"splits", one.splits}});
  out.details = {{"metric", metric},
                 {"without_graph", all.without},
                 {"delta", kDefaultDelta},
                 {"graph_models", judged},
                 {"not_judged", few}};
  return out;
}

void judge_models(const Models& models, const std::string& metric, StoreAudit& out) {
  const MetricScale scale = scale_of_metric(metric);
  const Comparisons all = compare_all(models, scale);
  if (all.judged.empty()) {
    out.notes.push_back(open_note(all, metric));
  } else if (std::ranges::any_of(all.judged, [&](const auto& one) { return one.helps(scale); })) {
    out.notes.push_back(helps_note(all, metric));
  } else {
    out.findings.push_back(finding_of(all, metric));
  }
}

}  // namespace

StoreAudit audit_store(const Store& store, const std::string& content_hash) {
  StoreAudit out;
  const auto all = collect(store, content_hash);
  if (all.scores.empty()) {
    if (all.of_facts) return out;
    out.notes.push_back(
        fmt::format("Whether the graph helps is open: {} has no finished run on this data set.",
                    store.path().string()));
    return out;
  }
  for (const auto& [conditions, models] : all.scores)
    judge_models(models, nlohmann::json::parse(conditions.metric).get<std::string>(), out);
  return out;
}

}  // namespace cupel
