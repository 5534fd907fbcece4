#include "cupel/judge/audit/store_audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "cupel/data/audit/wording.h"
#include "cupel/judge/report/verdict.h"
#include "cupel/judge/stats/descriptive.h"
#include "cupel/judge/stats/equivalence.h"
#include "cupel/judge/stats/tests.h"
#include "cupel/learn/score/metrics.h"

namespace cupel {
namespace {

using Json = nlohmann::ordered_json;

// A graph model that is better by less than this, in points or ranks, adds nothing: the delta of a
// protocol that does not say its own.
constexpr double kDelta = 1;

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
    if (run.record.status != RunStatus::kOk || !run.record.test_score) continue;
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

struct Comparison {
  std::string model;
  Difference difference;  // graph model minus the other, points
  double mean = 0, corrected = 1;
  int splits = 0;
  // The upper end of its 90 % interval is below delta: a one-sided test at 5 %.
  bool no_better(const MetricScale& scale) const {
    const Interval interval = equivalence_interval(difference, kAlpha);
    return (scale.larger_is_better ? interval.high : -interval.low) < kDelta;
  }
};

int common_splits(const Scores& a, const Scores& b) {
  return static_cast<int>(std::count_if(a.test.begin(), a.test.end(), [&](const auto& entry) {
    return b.test.contains(entry.first);
  }));
}

std::optional<Comparison> compare(const std::string& model, const Scores& graph,
                                  const Scores& without) {
  std::vector<double> a, b;
  for (const auto& [split, score] : graph.test) {
    const auto other = without.test.find(split);
    if (other == without.test.end()) continue;
    a.push_back(score);
    b.push_back(other->second);
  }
  if (a.size() < kFewestDraws) return std::nullopt;
  return Comparison{model, paired_t(a, b), mean_of(a), 1, static_cast<int>(a.size())};
}

void judge(const Models& models, const std::string& metric, StoreAudit& out) {
  const MetricScale scale = scale_of_metric(metric);
  const Scores* best_without = nullptr;
  std::string without;
  for (const auto& [name, scores] : models) {
    if (scores.sees_graph) continue;
    if (best_without && !scale.is_better(scores.valid, best_without->valid)) continue;
    best_without = &scores;
    without = name;
  }
  std::vector<Comparison> compared;
  int most_common = 0;
  for (const auto& [name, scores] : models) {
    if (!scores.sees_graph || !best_without) continue;
    most_common = std::max(most_common, common_splits(scores, *best_without));
    if (auto one = compare(name, scores, *best_without)) compared.push_back(std::move(*one));
  }
  if (compared.empty()) {
    const std::string why =
        !best_without
            ? "the store lacks a model without the graph (mlp, resnet, logreg or majority)"
        : most_common == 0
            ? fmt::format("the store lacks a graph model with splits in common with {}", without)
            : fmt::format(
                  "no graph model has more than {} in common with {}, and below {} common "
                  "splits nothing is concluded",
                  audit_text::count(most_common, "split"), without, kFewestDraws);
    out.notes.push_back(fmt::format("Whether the graph helps is open ({}): {}.", metric, why));
    return;
  }
  std::vector<double> p;
  for (const Comparison& one : compared) p.push_back(one.difference.p);
  const std::vector<double> corrected = holm(p);
  for (std::size_t i = 0; i < compared.size(); ++i) compared[i].corrected = corrected[i];
  std::stable_sort(compared.begin(), compared.end(), [&](const Comparison& a, const Comparison& b) {
    return scale.is_better(a.difference.value, b.difference.value);
  });
  const auto helps = [&](const Comparison& one) {
    return one.corrected <= kAlpha && scale.is_better(one.difference.value, 0);
  };
  const auto better = std::count_if(compared.begin(), compared.end(), helps);
  const Comparison& best = compared.front();
  const auto sentence = [&](const Comparison& one) {
    return fmt::format(
        "{} {:.2f} against {} {:.2f} ({}, {} splits): {:+.2f} +- {:.2f} {}, p {}", one.model,
        one.mean, without, one.mean - one.difference.value, metric, one.splits,
        one.difference.value, one.difference.margin(kAlpha), scale.difference_unit(),
        one.corrected < 1e-3 ? std::string("< 0.001") : fmt::format("= {:.3f}", one.corrected));
  };
  if (better > 0) {
    const auto first = std::find_if(compared.begin(), compared.end(), helps);
    out.notes.push_back(
        fmt::format("The graph helps: {} of {} better than {}; {}.", better,
                    audit_text::count(static_cast<Offset>(compared.size()), "graph model") +
                        (better == 1 ? " is" : " are"),
                    without, sentence(*first)));
    return;
  }
  const bool none = std::all_of(compared.begin(), compared.end(),
                                [&](const Comparison& one) { return one.no_better(scale); });
  Finding finding;
  finding.id = none ? "graph-does-not-help" : "graph-not-shown-to-help";
  finding.severity = none ? Severity::kWarning : Severity::kInfo;
  finding.count = static_cast<Offset>(compared.size());
  finding.title = (none ? "no graph model is better than "
                        : "it is not shown whether a graph model is better than ") +
                  without + ", which does not see the graph";
  finding.evidence = fmt::format(
      "The best of {}: {} (paired t test, Holm's correction, interval 95 %). {}",
      audit_text::count(static_cast<Offset>(compared.size()), "graph model"), sentence(best),
      fmt::format(none ? fmt::runtime("None is better by {} or more (one-sided, 5 %).")
                       : fmt::runtime("That one is better by {} or more is not ruled out."),
                  scale.in_percent() ? "a point" : "a rank"));
  Json list = Json::array();
  for (const Comparison& one : compared)
    list.push_back({{"model", one.model},
                    {"mean", one.mean},
                    {"difference", one.difference.value},
                    {"margin_95", one.difference.margin(kAlpha)},
                    {"p_corrected", one.corrected},
                    {"no_better", one.no_better(scale)},
                    {"splits", one.splits}});
  finding.details = {
      {"metric", metric}, {"without_graph", without}, {"delta", kDelta}, {"graph_models", list}};
  finding.advice =
      none ? "Do not rank graph models on this data set: what they add is not seen here. Try a "
             "tuned graph model before concluding that the graph holds nothing."
           : "Say neither that the graph helps nor that it does not: run more splits, which make "
             "the interval narrower.";
  out.findings.push_back(std::move(finding));
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
    judge(models, nlohmann::json::parse(conditions.metric).get<std::string>(), out);
  return out;
}

}  // namespace cupel
