#include "cupel/learn/events/re_net/history_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "cupel/engine/program/bound_program.h"
#include "cupel/engine/program/passes.h"
#include "cupel/learn/events/row_names.h"

namespace cupel {

HistoryModel::HistoryModel(const EventWorld& world, const HistoryForm& form,
                           const HistorySettings& training, TracedHistories traced, StreamKey key,
                           Threads threads)
    : world_(world),
      key_(key),
      threads_(threads),
      form_(form),
      training_(training),
      program_(std::move(traced.program)),
      training_program_(compile(program_, true)),
      asking_program_(compile(program_, false)),
      values_(program_.parameters),
      gradients_(std::vector<Parameter>{}),
      heads_(history_shape(world, training), traced.answers, training.logits, threads),
      seen_(static_cast<std::size_t>(world.entities)) {
  initialise(program_.parameters, key_, values_);
}

void HistoryModel::forget() {
  forget_past();
  std::ranges::fill(seen_, 0);
}

Index HistoryModel::kind_of(Index relation, bool source_asked) const {
  return source_asked && !is_undirected(world_.undirected, relation) ? world_.relations + relation
                                                                     : relation;
}

void HistoryModel::learn(const FactColumns& facts) {
  if (facts.size() == 0) return;
  remember(facts);
  see(facts);
}

void HistoryModel::see(const FactColumns& facts) {
  for (const auto& ends : {facts.source, facts.target})
    for (const Index entity : ends) seen_[static_cast<std::size_t>(entity)] = 1;
}

BoundProgram HistoryModel::states_of(std::vector<ConstantMatrix> constants, Index queries) {
  BoundProgram bound(asking_program_,
                     {.constants = std::move(constants),
                      .rows = all_rows(queries),
                      .prune = false,
                      .values = &values_,
                      .memory = &asking_memory_},
                     threads_);
  bound.forward(key_, 0);
  return bound;
}

void HistoryModel::ask(const RunLimits& limits,
                       const std::function<void(std::size_t, const float*)>& take) {
  std::vector<ConstantMatrix> of_batch = constants();
  const std::vector<HistoryQuery>& asked = batch_queries();
  if (asked.empty()) return;
  const BoundProgram bound = states_of(std::move(of_batch), static_cast<Index>(asked.size()));
  heads_.each(values_, asked, bound.output(), limits, take);
}

void HistoryModel::rank(std::int64_t time, std::span<const EventQuery> queries, EventAnswers& out,
                        const RunLimits& limits) {
  if (queries.empty()) return;
  come_to(time, limits);
  std::vector<float> scores(static_cast<std::size_t>(world_.entities));
  for (std::size_t begin = 0; begin < queries.size(); begin += kQueriesTogether) {
    const auto some = queries.subspan(begin, std::min(kQueriesTogether, queries.size() - begin));
    clear_batch();
    std::vector<std::size_t> of, asks;  // two forms of a query may be one
    for (const EventQuery& query : some) {
      of.push_back(static_cast<std::size_t>(
          add_query(time, query.given, kind_of(query.relation, query.source_asked))));
      asks.resize(batch_queries().size());
      ++asks[of.back()];
    }
    std::unordered_map<std::size_t, std::vector<float>> kept;
    std::size_t next = 0;
    ask(limits, [&](std::size_t number, const float* logits) {
      for (std::size_t e = 0; e < scores.size(); ++e)
        scores[e] = seen_[e] != 0 ? logits[e] : -std::numeric_limits<float>::infinity();
      if (asks[number] > 1) kept[number] = scores;
      // This one is next, and then perhaps others that were answered before.
      out.all(scores);
      for (++next; next < of.size() && kept.contains(of[next]); ++next) out.all(kept[of[next]]);
    });
  }
}

void HistoryModel::score(const FactColumns& asked, std::span<float> scores,
                         const RunLimits& limits) {
  constexpr Offset kFactsTogether = kQueriesTogether / 2;  // from both ends
  const auto n = static_cast<std::size_t>(world_.entities);
  for (Offset begin = 0; begin < asked.size();) {
    const std::int64_t time = asked.time[static_cast<std::size_t>(begin)];
    come_to(time, limits);
    clear_batch();
    Offset end = begin;
    std::vector<std::vector<Offset>> facts_of;  // by query, behind each answer
    for (; end < asked.size() && end < begin + kFactsTogether; ++end) {
      const auto at = static_cast<std::size_t>(end);
      if (asked.time[at] != time) break;
      const Index r = asked.relation_of(end);
      for (const bool source_asked : {false, true}) {
        const Index given = source_asked ? asked.target[at] : asked.source[at],
                    answer = source_asked ? asked.source[at] : asked.target[at];
        const Index query = add_query(time, given, kind_of(r, source_asked));
        facts_of.resize(batch_queries().size());
        batch_queries()[static_cast<std::size_t>(query)].answers.push_back(answer);
        facts_of[static_cast<std::size_t>(query)].push_back(end);
      }
      scores[at] = 0;
    }
    ask(limits, [&](std::size_t query, const float* logits) {
      const float most = *std::max_element(logits, logits + n);
      double sum = 0;
      for (std::size_t e = 0; e < n; ++e) sum += std::exp(double{logits[e]} - most);
      const double scale = most + std::log(sum);
      const HistoryQuery& of = batch_queries()[query];
      for (std::size_t a = 0; a < of.answers.size(); ++a)
        scores[static_cast<std::size_t>(facts_of[query][a])] +=
            static_cast<float>(0.5 * (logits[of.answers[a]] - scale));
    });
    for (Offset i = begin; i < end; ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (seen_[static_cast<std::size_t>(asked.source[at])] == 0 ||
          seen_[static_cast<std::size_t>(asked.target[at])] == 0)
        scores[at] = std::numeric_limits<float>::lowest();
    }
    begin = end;
  }
}

}  // namespace cupel
