// Recurrency on ICEWS18 and YAGO, where they are there: against published values.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "cupel/learn/events/recurrency.h"
#include "data/facts/real_facts.h"

namespace cupel {
namespace {

using made::MadeFacts;

// Mean reciprocal rank and Hits@10 in percent, counted from the answers directly.
struct Percent final : EventAnswers {
  Index entities = 0;
  std::vector<std::pair<Index, const std::vector<Index>*>> asked;  // the answer, all answers
  std::vector<bool> is_answer;
  std::size_t next = 0;
  double mrr = 0, hits = 0, count = 0;

  void all(std::span<const float>) override { FAIL() << "recurrency names what it knows"; }
  void some(std::span<const EntityScore> named, float rest) override {
    const auto& [answer, answers] = asked[next++];
    is_answer.resize(static_cast<std::size_t>(entities));
    for (const Index one : *answers) is_answer[static_cast<std::size_t>(one)] = true;
    float x = rest;
    for (const auto& [entity, score] : named) x = entity == answer ? score : x;
    double above = 0, ties = 0, unnamed = entities - static_cast<double>(answers->size());
    for (const auto& [entity, score] : named) {
      if (is_answer[static_cast<std::size_t>(entity)]) continue;
      above += score > x, ties += score == x, unnamed -= 1;
    }
    above += rest > x ? unnamed : 0, ties += rest == x ? unnamed : 0;
    for (const Index one : *answers) is_answer[static_cast<std::size_t>(one)] = false;
    const double rank = 1 + above + ties / 2;
    mrr += 1 / rank, hits += rank <= 10 ? 1 : 0, count += 1;
  }
};

void expect_published(const std::string& name, const RecurrencySettings& settings, bool single_step,
                      double mrr, double hits) {
  MadeFacts parts[3];
  const char* const files[] = {"/train.txt", "/valid.txt", "/test.txt"};
  for (int i = 0; i < 3; ++i)
    if (!made::read_real(name + files[i], true, parts[i]))
      GTEST_SKIP() << "needs CUPEL_DATA with temporal/" << name;
  Percent percent;
  Index relations = 0;
  for (const MadeFacts& part : parts) {
    percent.entities = std::max(percent.entities, part.nodes);
    relations = std::max(relations, part.relations);
  }
  Recurrency model({percent.entities, relations, {}}, settings);
  model.fit(parts[0].columns(), parts[1].columns(), {single_step}, {});
  model.learn(parts[0].columns());
  model.learn(parts[1].columns());
  const FactColumns test = parts[2].columns();
  for (Offset begin = 0, end = 0; begin < test.size(); begin = end) {
    const std::int64_t time = test.time[static_cast<std::size_t>(begin)];
    std::map<std::tuple<Index, Index, bool>, std::vector<Index>> answers;
    for (; end < test.size() && test.time[static_cast<std::size_t>(end)] == time; ++end) {
      const auto [s, r, o] = parts[2].triple(end);
      answers[{s, r, false}].push_back(o);
      answers[{o, r, true}].push_back(s);
    }
    std::vector<EventQuery> queries;
    percent.asked.clear(), percent.next = 0;
    for (const auto& [query, objects] : answers)
      for (const Index object : objects) {
        queries.push_back({std::get<0>(query), std::get<1>(query), std::get<2>(query)});
        percent.asked.emplace_back(object, &objects);
      }
    model.rank(time, queries, percent, {});
    if (single_step) model.learn(test.part(begin, end));
  }
  EXPECT_EQ(percent.count, 2 * static_cast<double>(test.size()));
  EXPECT_NEAR(100 * percent.mrr / percent.count, mrr, 0.11);
  EXPECT_NEAR(100 * percent.hits / percent.count, hits, 0.11);
}

// Table 2 of the paper as its authors corrected it in 2025. Psi alone on YAGO stays 0.1 below in
// MRR: many of its scores tie, and they broke ties at random, where the mean of 1 / rank is more
// than 1 / the mean rank.
TEST(RecurrencyPublished, Yago) { expect_published("YAGO", {}, true, 90.9, 93.0); }
TEST(RecurrencyPublished, YagoPsi) { expect_published("YAGO", {.alpha = 1}, true, 90.7, 92.7); }
TEST(RecurrencyPublished, YagoMultiStep) { expect_published("YAGO", {}, false, 81.7, 84.6); }
TEST(RecurrencyPublished, Icews18) { expect_published("ICEWS18", {}, true, 28.7, 43.6); }
TEST(RecurrencyPublished, Icews18Psi) {
  expect_published("ICEWS18", {.alpha = 1}, true, 27.3, 40.7);
}
TEST(RecurrencyPublished, Icews18MultiStep) { expect_published("ICEWS18", {}, false, 24.6, 38.6); }

}  // namespace
}  // namespace cupel
