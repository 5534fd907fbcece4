// Small facts over time as a task, and a model whose scores are known beforehand.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "cupel/data/facts/columns_of.h"
#include "cupel/data/facts/facts.h"
#include "cupel/data/split/split.h"
#include "cupel/learn/events/event_view.h"
#include "cupel/learn/model.h"
#include "cupel/learn/train/rule.h"

namespace cupel::made {

using FactTuple = std::tuple<Index, Index, Index, std::int64_t>;  // s, r, o, t

// Nine people and five places. Relation 0 is of people, either way round; 1 from people to places;
// 2 of people, with a direction. Facts repeat within a step and between steps, some are loops.
inline TemporalFacts small_facts(std::uint32_t seed, int steps = 16, int per_step = 9,
                                 int other_from = 1 << 30) {
  TemporalFacts out;
  out.name = "small";
  out.types = {"person", "place"};
  for (int e = 0; e < 14; ++e) out.entity_types.push_back(e < 9 ? 0 : 1);
  out.relations = {{"met", 0, 0, true}, {"at", 0, 1, false}, {"wrote, to", 0, 0, false}};
  for (int step = 0; step < steps; ++step)
    for (int i = 0; i < per_step; ++i) {
      // From `other_from` on by another stream, so that only what is later differs.
      Stream draw(StreamKey{seed, step < other_from ? 77u : 78u}, 1,
                  static_cast<std::uint32_t>(step), static_cast<std::uint32_t>(i));
      // Later steps know more entities.
      const auto people = static_cast<std::uint32_t>(step < 11 ? 7 : 9);
      const auto s = static_cast<Index>(draw.next_below(people));
      const auto r = static_cast<Index>(draw.next_below(3));
      const auto o = static_cast<Index>(r == 1 ? 9 + draw.next_below(step < 11 ? 3 : 5)
                                               : draw.next_below(people));
      const std::int64_t time = 100 + 2 * step + (step > 12 ? 7 : 0);
      out.push(s, r, o, time);
      if (draw.next_below(6) == 0) out.push(s, r, o, time);
    }
  return out;
}
// Cuts of it: 11 steps, 2 and 3.
inline constexpr const char* kSmallCuts = "120,124,200";

using Settings = std::map<std::string, OptionValue>;

inline Task event_task(TemporalFacts facts, const Settings& settings,
                       const std::string& cuts = kSmallCuts, bool scored = true,
                       const std::vector<std::string>& metrics = {}) {
  const auto data = std::make_shared<const Dataset>(
      dataset_of(std::make_shared<const TemporalFacts>(std::move(facts))));
  const SplitScheme scheme = {"time", {{"cuts", cuts}}};
  return make_event_task({.data = std::make_shared<const TaskData>(data),
                          .scheme = scheme,
                          .split = make_split(*data, scheme, 0),
                          .settings = Options("events", event_options(), settings),
                          .key = stream_key("events"),
                          .metrics = metrics,
                          .scored = scored});
}

// What a scripted model says of a fact: few levels, so that there are ties.
inline float scripted(std::int64_t time, Index given, Index relation, bool source_asked,
                      Index entity) {
  const auto bits = philox({static_cast<std::uint32_t>(time), 9}, static_cast<std::uint32_t>(given),
                           static_cast<std::uint32_t>(relation), source_asked ? 1 : 0,
                           static_cast<std::uint32_t>(entity));
  return static_cast<float>(bits[0] % 5) - 1;
}

struct Asked {
  std::int64_t time;
  std::size_t known;  // facts learnt before
  std::vector<EventQuery> queries;
  std::vector<FactTuple> facts;  // whether
};

// Answers by `scripted`, in turn in either form, and keeps what it was told and asked.
class ScriptedModel final : public EventModel {
 public:
  ScriptedModel(Index entities, std::vector<FactTuple>& learnt, std::vector<Asked>& asked)
      : entities_(entities), learnt_(learnt), asked_(asked) {}

  void learn(const FactColumns& facts) override {
    for (Offset i = 0; i < facts.size(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      learnt_.emplace_back(facts.source[at], facts.relation_of(i), facts.target[at],
                           facts.time[at]);
    }
  }
  void rank(std::int64_t time, std::span<const EventQuery> queries, EventAnswers& out,
            const RunLimits&) override {
    asked_.push_back({time, learnt_.size(), {queries.begin(), queries.end()}, {}});
    for (const EventQuery& q : queries) {
      std::vector<float> scores;
      std::vector<EntityScore> named;
      for (Index e = 0; e < entities_; ++e) {
        scores.push_back(scripted(time, q.given, q.relation, q.source_asked, e));
        if (scores.back() != 0) named.push_back({e, scores.back()});
      }
      if (++answers_ % 2 == 0)
        out.all(scores);
      else
        out.some(named, 0);
    }
  }
  void score(const FactColumns& facts, std::span<float> scores, const RunLimits&) override {
    asked_.push_back({facts.time.front(), learnt_.size(), {}, {}});
    for (Offset i = 0; i < facts.size(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      scores[at] =
          scripted(facts.time[at], facts.source[at], facts.relation_of(i), false, facts.target[at]);
      asked_.back().facts.emplace_back(facts.source[at], facts.relation_of(i), facts.target[at],
                                       facts.time[at]);
    }
  }

 private:
  Index entities_;
  std::vector<FactTuple>& learnt_;
  std::vector<Asked>& asked_;
  int answers_ = 0;
};

// One run of the scripted model through the task itself.
struct ScriptedRun {
  std::vector<FactTuple> learnt;
  std::vector<Asked> asked;
  TrialOutcome outcome;
  std::unique_ptr<Marking> test;

  ScriptedRun(const Task& task, const std::string& metric) {
    current() = this;
    ModelEntry entry;
    entry.name = "scripted", entry.unit = Unit::kFact;
    entry.events = [](const EventWorld& world, const Options&, StreamKey,
                      Threads) -> std::unique_ptr<EventModel> {
      return std::make_unique<ScriptedModel>(world.entities, current()->learnt, current()->asked);
    };
    entry.event_bytes = [](const EventWorld&, const Options&, Offset) -> std::size_t { return 0; };
    const Options settings("scripted", {}, {});
    const TrainRule rule;
    const auto trial =
        find_task_kind("events")->direct(task.view, {entry, settings, rule, metric, {}});
    struct Nowhere final : ScoreSink {
      void take(ConstDenseView) override { ADD_FAILURE() << "scores of a part that is not asked"; }
    } nowhere;
    if (task.answers) test = task.answers->open();
    outcome = trial->run(stream_key("run"), {}, test ? static_cast<ScoreSink&>(*test) : nowhere);
  }

 private:
  static ScriptedRun*& current() {
    static ScriptedRun* run = nullptr;
    return run;
  }
};

inline std::vector<FactTuple> tuples_of(const TemporalFacts& facts) {
  std::vector<FactTuple> out;
  for (std::size_t i = 0; i < facts.time.size(); ++i)
    out.emplace_back(facts.source[i], facts.relation[i], facts.target[i], facts.time[i]);
  return out;
}

}  // namespace cupel::made
