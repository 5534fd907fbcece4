#include "cupel/learn/events/event_program.h"

#include <gtest/gtest.h>

#include "learn/events/made_events.h"

namespace cupel {
namespace {

// Of so many entities two queries fill a file. What happened comes with the first file of the next
// step alone, and no file is read twice.
TEST(EventProgram, QueriesOfAStepComeInSeveralFiles) {
  TemporalFacts facts = made::small_facts(3, 13, 4);
  const auto entities = static_cast<std::size_t>(kMostScores / 2);
  facts.entity_types.resize(entities, 0);
  const Task task = made::event_task(std::move(facts), {}, "120,122,124");
  const auto& view = dynamic_cast<const EventView&>(*task.view);
  const auto valid = view.examine_valid(), other = view.examine_valid();
  const auto test = task.answers->open();
  const auto questions = event_questions(view, *valid, &dynamic_cast<EventExam&>(*test));
  const std::vector<float> scores(2 * entities, 1.0f);
  std::vector<std::vector<std::int64_t>> asked;  // of validation
  std::int64_t known = 0, time = 0, files = 0;
  while (const auto question = questions->next()) {
    EXPECT_LE(question->rows, 2);
    EXPECT_EQ(question->columns, std::ssize(scores) / 2);
    ASSERT_EQ(question->arrays.size(), 2u);
    ASSERT_EQ(question->arrays[0].first, "known");
    ASSERT_EQ(question->arrays[1].first, "queries");
    const std::int64_t now = std::get<std::int64_t>(question->facts.at("time"));
    const std::int64_t told = question->arrays[0].second.shape.at(0);
    EXPECT_EQ(told > 0, now != time && time > 0) << now;
    known += told, time = now, ++files;
    if (question->part == "valid") {
      const auto values = to_integers(question->arrays[1].second);
      for (std::size_t i = 0; i < values.size(); i += 3)
        asked.push_back({now, values[i], values[i + 1], values[i + 2]});
    }
    questions->answer({scores.data(), static_cast<Index>(question->rows),
                       static_cast<Index>(question->columns),
                       static_cast<Index>(question->columns)});
  }
  EXPECT_GT(files, 4);
  // The queries of the exam itself, in its order.
  std::vector<std::vector<std::int64_t>> right;
  const std::vector<EntityScore> none;
  while (other->next()) {
    for (const EventQuery& q : other->queries())
      right.push_back({other->time(), q.given, q.relation, q.source_asked ? 1 : 0});
    for (std::size_t i = 0; i < other->queries().size(); ++i) other->answers().some(none, 0);
  }
  EXPECT_EQ(asked, right);
  EXPECT_DOUBLE_EQ(valid->score("mrr"), other->score("mrr"));
  EXPECT_GT(test->score("mrr"), 0);
}

}  // namespace
}  // namespace cupel
