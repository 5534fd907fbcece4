// Asks models of facts over time, and checks that their two ways to answer say the same.
#pragma once

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "cupel/learn/events/event_model.h"

namespace cupel::made {

// Keeps each answer as a row of scores, one for each entity.
class KeptAnswers final : public EventAnswers {
 public:
  explicit KeptAnswers(Index entities) : entities_(static_cast<std::size_t>(entities)) {}
  void all(std::span<const float> scores) override {
    EXPECT_EQ(scores.size(), entities_);
    rows.emplace_back(scores.begin(), scores.end());
  }
  void some(std::span<const EntityScore> named, float rest) override {
    std::vector<float> row(entities_, rest);
    std::vector<int> times(entities_);
    for (const auto& [entity, score] : named) {
      row.at(static_cast<std::size_t>(entity)) = score;
      EXPECT_EQ(++times.at(static_cast<std::size_t>(entity)), 1) << "named twice: " << entity;
    }
    rows.push_back(row);
  }

  std::vector<std::vector<float>> rows;

 private:
  std::size_t entities_ = 0;
};

inline std::vector<float> scores_of(EventModel& model, const FactColumns& asked) {
  std::vector<float> scores(static_cast<std::size_t>(asked.size()),
                            std::numeric_limits<float>::quiet_NaN());
  model.score(asked, scores, {});
  return scores;
}

// Every (s, r, o) of a world at one time, in the order of (s, r, o).
struct AllFacts {
  explicit AllFacts(const EventWorld& world, std::int64_t at) {
    for (Index s = 0; s < world.entities; ++s)
      for (Index r = 0; r < world.relations; ++r)
        for (Index o = 0; o < world.entities; ++o)
          source.push_back(s), relation.push_back(r), target.push_back(o), time.push_back(at);
    entities = world.entities, relations = world.relations;
  }
  FactColumns columns() const { return {source, relation, target, time, entities, relations}; }

  std::vector<Index> source, relation, target;
  std::vector<std::int64_t> time;
  Index entities = 0, relations = 0;
};

// Every query of a world, answered: [target asked, then source asked][given][relation] of scores.
inline std::vector<std::vector<float>> all_answers(EventModel& model, const EventWorld& world,
                                                   std::int64_t time) {
  std::vector<EventQuery> queries;
  for (const bool source_asked : {false, true})
    for (Index given = 0; given < world.entities; ++given)
      for (Index r = 0; r < world.relations; ++r) queries.push_back({given, r, source_asked});
  KeptAnswers answers(world.entities);
  model.rank(time, queries, answers, {});
  EXPECT_EQ(answers.rows.size(), queries.size());
  return answers.rows;
}

// rank() gives each candidate the bits that score() gives the fact.
inline void expect_rank_is_score(EventModel& model, const EventWorld& world, std::int64_t time,
                                 bool also_sources = true) {
  const AllFacts asked(world, time);
  const std::vector<float> scores = scores_of(model, asked.columns());
  const auto rows = all_answers(model, world, time);
  const auto n = static_cast<std::size_t>(world.entities);
  const auto relations = static_cast<std::size_t>(world.relations);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const auto s = static_cast<std::size_t>(asked.source[i]),
               r = static_cast<std::size_t>(asked.relation[i]),
               o = static_cast<std::size_t>(asked.target[i]);
    ASSERT_EQ(rows[s * relations + r][o], scores[i]) << s << " " << r << " " << o;
    if (also_sources) {
      ASSERT_EQ(rows[(n + o) * relations + r][s], scores[i]) << s << " " << r << " " << o;
    }
  }
}

// Facts learnt in pieces: [0, ends[0]), [ends[0], ends[1]), ...
inline void learn_in_pieces(EventModel& model, const FactColumns& facts,
                            std::initializer_list<Offset> ends) {
  Offset begin = 0;
  for (const Offset end : ends) model.learn(facts.part(begin, end)), begin = end;
  model.learn(facts.part(begin, facts.size()));
}

}  // namespace cupel::made
