// Facts over time whose training part lacks the facts of some nodes.
#include <gtest/gtest.h>

#include <set>

#include "learn/events/made_events.h"

namespace cupel {
namespace {

using made::FactTuple;

Task task_with(const Split& split, const made::Settings& settings) {
  const auto data = std::make_shared<const Dataset>(
      dataset_of(std::make_shared<const TemporalFacts>(made::small_facts(9))));
  return make_event_task({.data = std::make_shared<const TaskData>(data),
                          .scheme = {"time", {{"cuts", made::kSmallCuts}}},
                          .split = split,
                          .settings = Options("events", event_options(), settings),
                          .key = stream_key("events")});
}

// The same facts, without those that training lacks.
Task task_without(const std::set<Index>& left_out, const made::Settings& settings) {
  const TemporalFacts all = made::small_facts(9);
  TemporalFacts fewer = made::small_facts(9, 0);
  for (Index i = 0; i < static_cast<Index>(all.facts()); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (!left_out.contains(i))
      fewer.push(all.source[at], all.relation[at], all.target[at], all.time[at]);
  }
  return made::event_task(std::move(fewer), settings);
}

// A model is told what is left, and all scores and groups are those of data without the others.
TEST(EventHoldout, TrainingIsWhatIsLeft) {
  const auto data = std::make_shared<const TemporalFacts>(made::small_facts(9));
  const SplitScheme scheme = {
      "time", {{"cuts", made::kSmallCuts}, {"holdout", 0.15}, {"seed", std::int64_t{3}}}};
  const Split held = make_split(dataset_of(data), scheme, 0);
  std::set<Index> left_out;
  for (Index i = 0; i < held.valid.front(); ++i) left_out.insert(i);
  for (const Index i : held.train) left_out.erase(i);
  ASSERT_GT(left_out.size(), 5u);
  ASSERT_GT(held.train.size(), 20u);
  for (const char* setting : {"single-step", "multi-step"}) {
    const made::Settings settings = {{"setting", setting}};
    const made::ScriptedRun with(task_with(held, settings), "mrr");
    const made::ScriptedRun without(task_without(left_out, settings), "mrr");
    EXPECT_EQ(with.learnt, without.learnt);
    ASSERT_EQ(with.asked.size(), without.asked.size());
    for (std::size_t i = 0; i < with.asked.size(); ++i) {
      EXPECT_EQ(with.asked[i].known, without.asked[i].known);
      EXPECT_EQ(with.asked[i].queries.size(), without.asked[i].queries.size());
    }
    EXPECT_EQ(with.outcome.valid_score, without.outcome.valid_score);
    EXPECT_EQ(with.test->score("mrr"), without.test->score("mrr"));
    EXPECT_EQ(with.test->other_scores("mrr"), without.test->other_scores("mrr"));
  }
}

// What facts are told from is drawn from all of them, and so is a static filter.
TEST(EventHoldout, QuestionsStayTheSame) {
  const auto data = std::make_shared<const TemporalFacts>(made::small_facts(9));
  const Split held =
      make_split(dataset_of(data), {"time", {{"cuts", made::kSmallCuts}, {"holdout", 0.15}}}, 0);
  const Split whole = make_split(dataset_of(data), {"time", {{"cuts", made::kSmallCuts}}}, 0);
  for (const char* negatives : {"random", "historical", "inductive"}) {
    const made::Settings settings = {{"question", "whether"}, {"negatives", negatives}};
    const made::ScriptedRun a(task_with(held, settings), "roc-auc");
    const made::ScriptedRun b(task_with(whole, settings), "roc-auc");
    EXPECT_LT(a.learnt.size(), b.learnt.size());
    ASSERT_EQ(a.asked.size(), b.asked.size());
    for (std::size_t i = 0; i < a.asked.size(); ++i) EXPECT_EQ(a.asked[i].facts, b.asked[i].facts);
  }
  const made::Settings filtered = {{"filter", "static"}};
  EXPECT_EQ(made::ScriptedRun(task_with(held, filtered), "mrr").test->score("mrr"),
            made::ScriptedRun(task_with(whole, filtered), "mrr").test->score("mrr"));
}

}  // namespace
}  // namespace cupel
