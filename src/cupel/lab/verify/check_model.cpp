#include "cupel/lab/verify/check_model.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "cupel/base/error.h"
#include "cupel/base/random.h"
#include "cupel/data/facts/facts.h"
#include "cupel/lab/plan/plan.h"
#include "cupel/lab/plan/program.h"
#include "cupel/lab/run/worker.h"
#include "cupel/learn/score/metrics.h"

namespace cupel {
namespace {

using Outcome = ModelCheck::Outcome;

constexpr double kLongestWait = 1e8;  // seconds; clocks end at a hundred times that

// Small data of each kind of task, with a split of them: `size` of what `unit` says.
struct Ground {
  const char* task;
  int size;
  const char* unit;
  // {size} and {classes} are replaced.
  const char* protocol;
  // Whether more of it may be needed, for as many negatives as are asked for.
  bool grows = false;
};
constexpr std::array<Ground, 4> kGrounds = {{
    {"node-classification", 200, "nodes",
     "[data]\ndatasets = ['csbm:nodes={size},classes={classes},features=40']\nprepare = []\n"
     "[split]\nscheme = 'per-class'\ntrain = 10\nvalid = 10\ncount = 2\n"},
    {"graph-classification", 60, "graphs",
     "[data]\ndatasets = ['syn-degree:graphs={size}']\nprepare = []\n"
     "[split]\nscheme = 'stratified-kfold'\nfolds = 3\nvalid = 10\ncount = 2\n"},
    {"links", 200, "nodes",
     "[data]\ndatasets = ['csbm:nodes={size},classes={classes},features=40']\nprepare = []\n"
     "[split]\nscheme = 'links'\ntrain = 80\nvalid = 10\ntest = 10\ncount = 2\n",
     true},
    {"events", 360, "facts",
     "[data]\ndatasets = ['made-facts']\nprepare = []\n[split]\nscheme = 'time'\ncount = 1\n"},
}};

// Twelve facts in each of thirty steps, which often come again.
TemporalFacts made_facts() {
  constexpr std::uint32_t kEntities = 40, kSteps = 30, kFactsOfStep = 12;
  TemporalFacts out;
  out.name = "made-facts";
  out.types = {"entity"};
  out.entity_types.assign(kEntities, 0);
  out.relations = {{"visits", 0, 0, false}, {"meets", 0, 0, true}};
  for (std::uint32_t step = 0; step < kSteps; ++step) {
    for (std::uint32_t i = 0; i < kFactsOfStep; ++i) {
      Stream draw(stream_key("check-model/facts"), 0, step, i);
      const std::uint32_t source = draw.next_below(kEntities), relation = draw.next_below(2);
      const std::uint32_t target = (source + 1 + draw.next_below(3)) % kEntities;
      out.push(static_cast<Index>(source), static_cast<Index>(relation), static_cast<Index>(target),
               step);
    }
  }
  return out;
}

PlanSources with_made_facts(PlanSources out) {
  out.load_facts = [](const std::string&) {
    return dataset_of(std::make_shared<const TemporalFacts>(made_facts()));
  };
  out.absent = {};  // nothing that is made
  return out;
}

const Ground& ground_of(const Protocol& protocol) {
  for (const Ground& ground : kGrounds)
    if (protocol.task == ground.task) return ground;
  fail("no data can be made for task '{}', so that its programs can only be run", protocol.task);
}

// The row alone, under the question of the protocol's first table, on data that are made here. It
// is told of the time that it has here, as of that in its protocol elsewhere.
Protocol on_made_data(const Protocol& protocol, const ModelRow& row, const Ground& ground,
                      double seconds) {
  const TableSpec& first = protocol.tables.front();
  const std::string& metric = first.metric.empty() ? protocol.metric : first.metric;
  const auto known = find_metric(metric);
  const std::string data =
      fmt::format(fmt::runtime(ground.protocol), fmt::arg("size", ground.size),
                  fmt::arg("classes", known && known->entry->two_classes ? 2 : 3));
  Protocol out = parse_protocol(
      "check", "check.toml",
      fmt::format("task = '{}'\n{}[train]\ninits = 2\n[models.majority]\n", ground.task, data));
  out.models = {row};
  if (row.external) out.models[0].external->timeout_seconds = seconds;
  out.metric = metric;
  out.tables[0].models = {row.name};
  out.tables[0].task_settings = first.task_settings;
  return out;
}

// The plan, and the ground with as much as it took: of few nodes there are not always as many
// negatives as are asked for.
std::pair<Plan, Ground> plan_on_made_data(const Protocol& protocol, const ModelRow& row,
                                          const PlanSources& sources, double seconds) {
  constexpr int kMost = 6400;
  for (Ground ground = ground_of(protocol);; ground.size *= 2) {
    try {
      return {make_plan(on_made_data(protocol, row, ground, seconds), {}, sources), ground};
    } catch (const Error&) {
      if (!ground.grows || ground.size >= kMost) throw;
    }
  }
}

double seconds_of(const ModelRow& row, const std::optional<double>& asked) {
  const double own = row.external ? row.external->timeout_seconds : kCheckSeconds;
  return asked.value_or(std::min(own, kCheckSeconds));
}

std::string score_text(const std::optional<double>& score) {
  return score ? fmt::format("{:.1f}", 100 * *score) : "none";
}

constexpr int kRepeats = 3;
constexpr double kQuick = 1;  // seconds

bool same(const RunRecord& a, const RunRecord& b) {
  return a.test_score == b.test_score && a.valid_score == b.valid_score;
}

bool went_well(const RunRecord& record) { return record.status == RunStatus::kOk; }

class Checking {
 public:
  Checking(const Executor& executor, std::shared_ptr<const Family> family, int split,
           const RunLimits& limits, std::string size)
      : executor_(executor),
        family_(std::move(family)),
        split_(split),
        session_(open(family_)),
        limits_(limits),
        size_(std::move(size)) {}

  std::vector<ModelCheck> all() {
    const RunRecord first = run(0);
    if (!went_well(first)) return bad("the run " + trouble_of(first));
    good(fmt::format("a run ends well, after {:.2f} s; its scores were read: {} {}", seconds_,
                     first.metric, score_text(first.test_score)));
    RunRecord again;
    // Two scores may be equal by chance: what is quick is asked again.
    for (int times = 0; times == 0 || (times < kRepeats && seconds_ < kQuick && same(again, first));
         ++times) {
      again = run(0);
      if (!went_well(again)) return bad("the same run again " + trouble_of(again));
    }
    if (same(again, first))
      good(fmt::format("the same seed gives the same scores; another run took {:.2f} s", seconds_));
    else
      warn(fmt::format(
          "the same seed gave {} and then {}: its randomness is not all from `seed`{}, so that its "
          "results cannot be repeated",
          score_text(first.test_score), score_text(again.test_score),
          is_worker() ? ", or something of one run is left in the next" : ""));
    const RunRecord other = run(1);
    if (!went_well(other)) return bad("a run of another seed " + trouble_of(other));
    // What a worker leaves running shows after some runs.
    for (int more = 3; is_worker() && more <= kGrowingRuns; ++more) {
      const RunRecord next = run(1);
      if (!went_well(next)) return bad(fmt::format("run {} {}", more + 1, trouble_of(next)));
    }
    if (first.valid_score)
      try_a_search();
    else
      warn(
          "it gives no validation scores (a program writes valid_scores.npy), so that it cannot be "
          "tuned");
    if (first.isolation == "none")
      warn("it is not kept apart from labels and results here; reports say `not isolated`");
    else
      good(fmt::format("it is kept apart from labels and results ({})", first.isolation));
    if (family_->may_change_unnoticed()) warn(kNoFiles);
    return std::move(out_);
  }

 private:
  bool is_worker() const { return family_->external && family_->external->worker; }

  // One run as cupel tune does them.
  void try_a_search() {
    auto search = std::make_shared<Family>(*family_);
    search->scores_test = false;
    seal(*search);
    family_ = search;
    session_.reset();  // so that a worker goes on
    session_ = open(search);
    const RunRecord record = run(0);
    if (went_well(record))
      good("it has validation scores, and a run of a search ends well, so that it can be tuned");
    else
      warn(
          "it has validation scores, but cannot be tuned: a run of a search, which asks nothing of "
          "test, " +
          trouble_of(record));
  }
  std::unique_ptr<RunSession> open(std::shared_ptr<const Family> family) const {
    return executor_.open({std::move(family), split_, {0, 1}, {}}, {});
  }

  RunRecord run(int init) {
    const auto begin = std::chrono::steady_clock::now();
    RunLimits limits = limits_;
    limits.deadline =
        begin +
        std::chrono::duration_cast<std::chrono::steady_clock::duration>(
            std::chrono::duration<double>(std::min(family_->timeout_seconds, kLongestWait)));
    RunRecord out = session_->run(init, run_key(*family_, 0, init), limits);
    seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    out.metric = family_->metric;
    return out;
  }
  std::string trouble_of(const RunRecord& record) const {
    if (record.status != RunStatus::kTimeout) return "failed: " + record.message;
    return fmt::format(
        "gave no answer in {:.3g} s on {}; `--timeout SECONDS` waits longer for one that is slow "
        "to start: {}",
        family_->timeout_seconds, size_, record.message);
  }
  void good(std::string text) { out_.push_back({Outcome::kGood, std::move(text)}); }
  void warn(std::string text) { out_.push_back({Outcome::kWarning, std::move(text)}); }
  std::vector<ModelCheck> bad(std::string text) {
    out_.push_back({Outcome::kBad, std::move(text)});
    return std::move(out_);
  }

  const Executor& executor_;
  std::shared_ptr<const Family> family_;
  const int split_;
  std::unique_ptr<RunSession> session_;
  const RunLimits limits_;
  const std::string size_;  // of its data
  double seconds_ = 0;      // of the last run
  std::vector<ModelCheck> out_;
};

}  // namespace

const char* word_of(ModelCheck::Outcome outcome) {
  switch (outcome) {
    case ModelCheck::Outcome::kGood:
      return "good";
    case ModelCheck::Outcome::kWarning:
      return "warning";
    case ModelCheck::Outcome::kBad:
      break;
  }
  return "bad";
}

nlohmann::ordered_json checks_json(const std::vector<ModelCheck>& checks) {
  auto out = nlohmann::ordered_json::array();
  for (const ModelCheck& check : checks)
    out.push_back({{"outcome", word_of(check.outcome)}, {"text", check.text}});
  return out;
}

std::vector<ModelCheck> check_model(const Protocol& protocol, const ModelRow& row,
                                    const PlanSources& sources, const Executor& executor,
                                    const RunLimits& limits, const std::optional<double>& seconds) {
  const auto [plan, ground] =
      plan_on_made_data(protocol, row, with_made_facts(sources), seconds_of(row, seconds));
  const PlannedCell& cell = plan.cells.at(0);
  return Checking(executor, cell.family, cell.first_split, limits,
                  fmt::format("{} {}", ground.size, ground.unit))
      .all();
}

}  // namespace cupel
