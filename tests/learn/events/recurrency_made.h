// Facts and questions for Recurrency, and its answers as rows.
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "cupel/learn/events/event_model.h"
#include "data/facts/made.h"

namespace cupel::made {

// Every answer as a row of scores.
struct Rows final : EventAnswers {
  explicit Rows(Index n) : entities(n) {}
  Index entities;
  std::vector<std::vector<float>> rows;

  void all(std::span<const float> scores) override {
    rows.emplace_back(scores.begin(), scores.end());
  }
  void some(std::span<const EntityScore> named, float rest) override {
    std::vector<float> row(static_cast<std::size_t>(entities), rest);
    std::set<Index> once;
    for (const auto& [entity, score] : named) {
      EXPECT_TRUE(once.insert(entity).second) << "named twice: " << entity;
      row[static_cast<std::size_t>(entity)] = score;
    }
    rows.push_back(row);
  }
};

inline std::vector<EventQuery> all_queries(Index entities, Index relations) {
  std::vector<EventQuery> out;
  for (Index r = 0; r < relations; ++r)
    for (Index e = 0; e < entities; ++e)
      for (const bool source_asked : {false, true}) out.push_back({e, r, source_asked});
  return out;
}

inline std::vector<std::vector<float>> rows_of(EventModel& model, std::int64_t time,
                                               std::span<const EventQuery> queries,
                                               Index entities) {
  Rows rows(entities);
  model.rank(time, queries, rows, {});
  return rows.rows;
}

// Facts that repeat, within steps and over them, with steps that are left out.
inline MadeFacts facts_with_gaps(std::uint32_t seed, Offset size, std::int64_t gap) {
  MadeFacts out = random_facts(seed, size, 9, 2, 14, -40, gap);
  for (std::int64_t& t : out.time) t += t > -40 + 5 * gap ? 3 * gap : 0;
  return out;
}

}  // namespace cupel::made
