#include "cupel/lab/verify/check_model.h"

#include <array>
#include <chrono>

#include "cupel/base/error.h"
#include "cupel/lab/plan/plan.h"

namespace cupel {
namespace {

using Outcome = ModelCheck::Outcome;

// Small data of each kind of task, with a split of them.
struct Ground {
  const char* task;
  const char* protocol;
};
constexpr std::array<Ground, 3> kGrounds = {{
    {"node-classification",
     "[data]\ndatasets = ['csbm:nodes=200,classes=3,features=40']\nprepare = []\n"
     "[split]\nscheme = 'per-class'\ntrain = 10\nvalid = 10\ncount = 2\n"},
    {"graph-classification",
     "[data]\ndatasets = ['syn-degree:graphs=60']\nprepare = []\n"
     "[split]\nscheme = 'stratified-kfold'\nfolds = 3\nvalid = 10\ncount = 2\n"},
    {"links",
     "[data]\ndatasets = ['csbm:nodes=200,classes=3,features=40']\nprepare = []\n"
     "[split]\nscheme = 'links'\ntrain = 80\nvalid = 10\ntest = 10\ncount = 2\n"},
}};

// The row alone, under the question of its protocol, on data that are made here.
Protocol on_made_data(const Protocol& protocol, const ModelRow& row) {
  for (const Ground& ground : kGrounds) {
    if (protocol.task != ground.task) continue;
    Protocol out =
        parse_protocol("check", "check.toml",
                       fmt::format("task = '{}'\n{}[train]\ninits = 2\n[models.majority]\n",
                                   ground.task, ground.protocol));
    out.models = {row};
    out.task_settings = protocol.task_settings;
    out.metric = protocol.metric;
    for (TableSpec& table : out.tables) {
      table.models = {row.name};
      table.task_settings =
          protocol.tables.empty() ? table.task_settings : protocol.tables.front().task_settings;
    }
    return out;
  }
  fail("no data can be made for task '{}', so that its programs can only be run", protocol.task);
}

std::string score_text(const std::optional<double>& score) {
  return score ? fmt::format("{:.1f}", 100 * *score) : "none";
}

bool went_well(const RunRecord& record) { return record.status == RunStatus::kOk; }

class Checking {
 public:
  Checking(const Family& family, RunSession& session, const RunLimits& limits)
      : family_(family), session_(session), limits_(limits) {}

  std::vector<ModelCheck> all() {
    const RunRecord first = run(0);
    if (!went_well(first)) return bad(fmt::format("the run failed: {}", first.message));
    good(fmt::format("a run ends well, after {:.2f} s; its scores were read: {} {}", seconds_,
                     first.metric, score_text(first.test_score)));
    const RunRecord again = run(0);
    if (!went_well(again)) return bad(fmt::format("the same run again failed: {}", again.message));
    if (again.test_score == first.test_score && again.valid_score == first.valid_score)
      good(fmt::format("the same seed gives the same scores; the second run took {:.2f} s",
                       seconds_));
    else
      warn(fmt::format(
          "the same seed gave {} and then {}: its randomness is not all from `seed`, so that its "
          "results cannot be repeated",
          score_text(first.test_score), score_text(again.test_score)));
    const RunRecord other = run(1);
    if (!went_well(other)) return bad(fmt::format("another seed failed: {}", other.message));
    if (first.valid_score)
      good("it has validation scores, so that it can be tuned");
    else
      warn("it writes no validation scores (valid_scores.npy), so that it cannot be tuned");
    if (first.isolation == "none")
      warn("it is not kept apart from labels and results here; reports say `not isolated`");
    else
      good(fmt::format("it is kept apart from labels and results ({})", first.isolation));
    return std::move(out_);
  }

 private:
  RunRecord run(int init) {
    const auto begin = std::chrono::steady_clock::now();
    RunLimits limits = limits_;
    limits.deadline = begin + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                  std::chrono::duration<double>(family_.timeout_seconds));
    RunRecord out = session_.run(init, run_key(family_, 0, init), limits);
    seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    out.metric = family_.metric;
    return out;
  }
  void good(std::string text) { out_.push_back({Outcome::kGood, std::move(text)}); }
  void warn(std::string text) { out_.push_back({Outcome::kWarning, std::move(text)}); }
  std::vector<ModelCheck> bad(std::string text) {
    out_.push_back({Outcome::kBad, std::move(text)});
    return std::move(out_);
  }

  const Family& family_;
  RunSession& session_;
  const RunLimits limits_;
  double seconds_ = 0;  // of the last run
  std::vector<ModelCheck> out_;
};

}  // namespace

std::vector<ModelCheck> check_model(const Protocol& protocol, const ModelRow& row,
                                    const PlanSources& sources, const Executor& executor,
                                    const RunLimits& limits) {
  const Plan plan = make_plan(on_made_data(protocol, row), {}, sources);
  const auto family = plan.cells.at(0).family;
  const RunGroup group{family, plan.cells[0].first_split, {0, 1}, {}};
  const std::unique_ptr<RunSession> session = executor.open(group, {});
  return Checking(*family, *session, limits).all();
}

}  // namespace cupel
