// Models without gradients end at their deadline, as trained ones do.
#include <gtest/gtest.h>

#include <chrono>

#include "cupel/learn/graph_kernels/row_distances.h"
#include "cupel/learn/graph_kernels/shortest_path.h"
#include "cupel/learn/graph_kernels/subgraph_matching.h"
#include "cupel/learn/graph_kernels/svm.h"
#include "cupel/learn/graph_kernels/weisfeiler_lehman.h"
#include "cupel/learn/models/nodes/labelprop.h"
#include "cupel/learn/train/trainer.h"
#include "learn/graph_kernels/made_graphs.h"
#include "learn/links/made_link_task.h"
#include "learn/made_task.h"
#include "learn/models/traced_model.h"
#include "learn/train/rings_and_stars.h"

// What LIBSVM's solver leaves when it is left in the middle: see svm.cpp.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:svm_train\n"; }

namespace cupel {
namespace {

using std::chrono::milliseconds;

RunLimits within(milliseconds time) { return {Clock::now() + time, nullptr}; }
const RunLimits kPast = {Clock::time_point::min(), nullptr};

TEST(Deadline, EveryModelWithoutGradientsButTheMajorityObeysIt) {
  int met = 0;
  for (const ModelEntry* entry : models()) {
    if (entry->direct == nullptr || entry->name == "majority") continue;
    const ClassTask task = entry->unit == Unit::kGraph ? rings_and_stars_task(60) : made_task();
    Trainer trainer(task.view, *entry, configure(*entry), {});
    const TrialOutcome late = trainer.run({}, kPast);
    EXPECT_EQ(late.status, TrialStatus::kTimeout) << entry->name;
    EXPECT_EQ(late.message, "out of time") << entry->name;
    EXPECT_FALSE(late.test_scores) << entry->name;
    // The next run is as any other.
    const TrialOutcome whole = trainer.run({});
    EXPECT_EQ(whole.status, TrialStatus::kOk) << entry->name;
    EXPECT_EQ(whole.test_scores->values,
              Trainer(task.view, *entry, configure(*entry), {}).run({}).test_scores->values);
    ++met;
  }
  EXPECT_EQ(met, 7);
}

TEST(Deadline, EveryScoreOfPairsObeysIt) {
  int met = 0;
  const Task task = link_task(made_dataset());
  for (const ModelEntry* entry : models()) {
    if (entry->scorer == nullptr) continue;
    Trainer trainer(task.view, *entry, configure(*entry), {}, "roc-auc");
    const TrialOutcome late = trainer.run({}, kPast);
    EXPECT_EQ(late.status, TrialStatus::kTimeout) << entry->name;
    EXPECT_FALSE(late.test_scores) << entry->name;
    const std::atomic<bool> interrupt = true;
    EXPECT_THROW((void)trainer.run({}, {{}, &interrupt}), Interrupted) << entry->name;
    const TrialOutcome whole = trainer.run({});
    EXPECT_EQ(whole.status, TrialStatus::kOk) << entry->name;
    EXPECT_EQ(whole.test_scores->rows, task.view->test_rows()) << entry->name;
    ++met;
  }
  EXPECT_EQ(met, 9);
}

// A line through noise with a weight of errors that asks for millions of steps.
TEST(Deadline, ReachesLibsvmInTheMiddleOfItsSolver) {
  constexpr Index kExamples = 1500;
  std::vector<double> numbers;
  std::vector<Index> examples, labels;
  Stream random(stream_key("noise"), 0);
  for (Index i = 0; i < kExamples; ++i) {
    numbers.push_back(random.next_below(1000) / 10.0);
    examples.push_back(i);
    labels.push_back(static_cast<Index>(random.next_below(2)));
  }
  const SvmRows rows = SvmRows::of_numbers(numbers);
  const SvmRule rule = {.kernel = SvmKernel::kLinear, .c = 1e9};
  const auto start = Clock::now();
  EXPECT_THROW(Svm(rows, examples, labels, 2, rule, within(milliseconds(100))), TimedOut);
  EXPECT_GE(Clock::now() - start, milliseconds(100)) << "it was in the middle";
  EXPECT_LT(Clock::now() - start, milliseconds(1500));
  const std::atomic<bool> interrupt = true;
  EXPECT_THROW(Svm(rows, examples, labels, 2, rule, {{}, &interrupt}), Interrupted);
  // The limits of one machine are not those of the next.
  EXPECT_NO_THROW(Svm(rows, examples, labels, 2, {.kernel = SvmKernel::kLinear, .c = 1e-9}));
}

TEST(Deadline, ReachesEveryStepOfAKernel) {
  const MadeLabelledGraphs made = union_of(std::vector<MadeGraph>(40, cycle(8)));
  EXPECT_THROW((void)sm_histograms(made.plain(), 4, {2}, kPast), TimedOut);
  EXPECT_THROW((void)sp_histograms(made.plain(), {2}, kPast), TimedOut);
  EXPECT_THROW((void)wl_histograms(made.plain(), 2, kPast), TimedOut);
  EXPECT_THROW((void)inner_products(wl_histograms(made.plain(), 2), {2}, kPast), TimedOut);
  EXPECT_THROW((void)squared_row_distances({1, 0, 0, 1}, 2, 2, kPast), TimedOut);
}

// One root of many subgraphs: a star's centre, from which every set of leaves is one.
TEST(Deadline, IsSeenAmongTheSubgraphsOfOneNode) {
  const MadeLabelledGraphs made = union_of({star(400)});
  const auto start = Clock::now();
  EXPECT_THROW((void)sm_histograms(made.plain(), 5, {1}, within(milliseconds(50))), TimedOut);
  EXPECT_LT(Clock::now() - start, milliseconds(1500));
}

TEST(Deadline, LabelPropagationEndsWithTheIteration) {
  const ClassTask task = made_task();
  int steps = 0;
  PropagationStop stop(configure(*find_model("labelprop")));
  const auto step = [&](const Matrix& f, Matrix& next) {
    next = f;
    ++steps;
  };
  EXPECT_THROW((void)propagate_labels(task.view, kPast, stop, one_hot_train(task.view), step),
               TimedOut);
  EXPECT_EQ(steps, 0);
}

TEST(Deadline, ComesAfterAnInterrupt) {
  const std::atomic<bool> interrupt = true;
  const RunLimits both = {kPast.deadline, &interrupt};
  EXPECT_THROW(both.check(), Interrupted);
  EXPECT_NO_THROW(RunLimits().check());
}

}  // namespace
}  // namespace cupel
