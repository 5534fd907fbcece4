// Models that say "as before" are ranked as by all their scores.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

#include "cupel/learn/events/popularity.h"
#include "cupel/learn/events/preferential_attachment.h"
#include "learn/events/made_events.h"

namespace cupel {
namespace {

// Takes scores alone.
class Scores final : public EventAnswers {
 public:
  explicit Scores(EventAnswers& to) : to_(to) {}
  void all(std::span<const float> scores) override { to_.all(scores); }
  void some(std::span<const EntityScore> named, float rest) override {
    ++given;
    to_.some(named, rest);
  }
  int given = 0;

 private:
  EventAnswers& to_;
};

// Passes everything on, and counts.
class Counted final : public EventAnswers {
 public:
  explicit Counted(EventAnswers& to) : to_(to) {}
  void all(std::span<const float> scores) override { to_.all(scores); }
  void some(std::span<const EntityScore> named, float rest) override {
    ++given;
    to_.some(named, rest);
  }
  bool as_before() override { return to_.as_before(); }
  int given = 0;

 private:
  EventAnswers& to_;
};

template <class Answers>
std::pair<int, std::vector<std::pair<std::string, double>>> outcome(
    const Task& task, const std::function<std::unique_ptr<EventModel>(const EventWorld&)>& make) {
  const auto& view = dynamic_cast<const EventView&>(*task.view);
  const auto model = make(view.world());
  model->learn(view.train());
  model->learn(view.valid());
  const auto marking = task.answers->open();
  auto& exam = dynamic_cast<EventExam&>(*marking);
  int given = 0;
  while (exam.next()) {
    Answers answers(exam.answers());
    model->rank(exam.time(), exam.queries(), answers, {});
    model->learn(exam.revealed());
    given += answers.given;
  }
  return {given, exam.other_scores("mrr")};
}

TEST(SameOrder, IsThatOfAllScores) {
  for (const char* candidates : {"all", "type"})
    for (const std::int64_t sampled : {0, 4})
      for (const char* filter : {"raw", "time", "static"}) {
        SCOPED_TRACE(fmt::format("{} {} {}", candidates, sampled, filter));
        const Task task = made::event_task(
            made::small_facts(2, 16, 40),
            {{"candidates", candidates}, {"sampled", sampled}, {"filter", filter}});
        const auto compare = [&](const char* name, const auto& make) {
          SCOPED_TRACE(name);
          const auto [all, expected] = outcome<Scores>(task, make);
          const auto [few, got] = outcome<Counted>(task, make);
          EXPECT_EQ(got, expected);
          EXPECT_LT(2 * few, all) << "of a step nearly all are as before";
        };
        for (const Offset steps : {0, 3})
          compare("popularity", [&](const EventWorld& w) { return make_popularity(w, {steps}); });
        for (const bool typed : {false, true})
          compare("preferential attachment",
                  [&](const EventWorld& w) { return make_preferential_attachment(w, {typed}); });
      }
}

// Counts beyond what floats tell apart: then nothing is said to be as before.
TEST(SameOrder, LargeCountsAreGivenInFull) {
  const EventWorld world = {5000, 1, {}};
  const auto model = make_preferential_attachment(world, {.typed = true});
  // Two sources of 4,500 and 4,400 targets; targets 0 and 1 have 4,000 and 4,001 sources.
  std::vector<Index> source, target;
  for (Index i = 0; i < 4500; ++i) source.push_back(0), target.push_back(i);
  for (Index i = 0; i < 4400; ++i) source.push_back(1), target.push_back(i);
  for (Index i = 2; i < 4000; ++i) source.push_back(i), target.push_back(0);
  for (Index i = 2; i < 4001; ++i) source.push_back(i), target.push_back(1);
  const std::vector<std::int64_t> time(source.size(), 0);
  model->learn({source, {}, target, time, 5000, 1});
  class Kept final : public EventAnswers {
   public:
    void all(std::span<const float>) override {}
    void some(std::span<const EntityScore>, float) override { ++given; }
    bool as_before() override { return ++before, true; }
    int given = 0, before = 0;
  } kept;
  const std::vector<EventQuery> large = {{0, 0, false}, {1, 0, false}, {1, 0, false}};
  model->rank(1, large, kept, {});
  EXPECT_EQ(kept.given, 2) << "4,500 x 4,001 is beyond 2^24";
  EXPECT_EQ(kept.before, 1) << "the same once more";
  const std::vector<EventQuery> small = {{2, 0, false}, {3, 0, false}, {4600, 0, false}};
  model->rank(1, small, kept, {});
  EXPECT_EQ(kept.given, 4) << "once, and for one that nothing is known of";
  EXPECT_EQ(kept.before, 2);
}

}  // namespace
}  // namespace cupel
