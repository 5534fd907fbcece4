#include "cupel/learn/events/re_net/re_net.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "cupel/base/error.h"
#include "cupel/engine/program/bound_program.h"
#include "cupel/engine/program/passes.h"
#include "cupel/learn/events/row_names.h"
#include "cupel/learn/events/setting_range.h"

namespace cupel {
namespace {

constexpr std::uint32_t kGlobalKey = 0x676c6f62u;  // its draws are its own

const ReNetSettings& checked(const ReNetSettings& s) {
  const auto require = [](const char* what, double value, double low, double high) {
    require_range("re-net", what, value, low, high);
  };
  require("width", s.width, 2, 1024);
  if (s.width % 2 != 0)
    fail("re-net: width is {}; it is even, as relations are blocks of two", s.width);
  require("history", s.history, 1, 1000);
  require("batch", s.batch, 1, 1e6);
  require("dropout", s.dropout, 0, 0.99);
  require("lr", s.lr, 1e-12, 1e3);
  require("decay", s.decay, 0, 1e3);
  require("epochs", s.epochs, 0, 1e6);
  require("global_epochs", s.global_epochs, 0, 1e6);
  require("global_batch", s.global_batch, 1, 1e6);
  require("global_lr", s.global_lr, 1e-12, 1e3);
  require("foretold", s.foretold, 0, 1e4);
  return s;
}

ReNetShape shape_of(const EventWorld& world, const ReNetSettings& s) {
  return {world.entities, world.relations, s.width, s.dropout, s.shared_masks, s.decay};
}

}  // namespace

ReNet::ReNet(const EventWorld& world, const ReNetSettings& settings, StreamKey key, Threads threads)
    : world_(world),
      settings_(checked(settings)),
      key_(key),
      threads_(threads),
      shape_(shape_of(world, settings)),
      program_(trace_re_net(shape_, at_)),
      training_(compile(program_, true)),
      asking_(compile(program_, false)),
      values_(program_.parameters),
      gradients_(std::vector<Parameter>{}),
      global_(world, shape_,
              {settings.history, settings.global_epochs, settings.global_batch, settings.global_lr,
               settings.released},
              {key.low ^ kGlobalKey, key.high}, threads),
      head_(shape_, at_, settings.logits, threads),
      batch_(world, settings.width, settings.history),
      past_(world),
      seen_(static_cast<std::size_t>(world.entities)) {
  initialise(program_.parameters, key_, values_);
}

void ReNet::forget() {
  past_.clear();
  global_.forget(0);
  std::ranges::fill(seen_, 0);
  any_foretold_ = false;
  asked_.reset();
}

Index ReNet::kind_of(Index relation, bool source_asked) const {
  return source_asked && !is_undirected(world_.undirected, relation) ? world_.relations + relation
                                                                     : relation;
}

void ReNet::learn(const FactColumns& facts) {
  if (facts.size() == 0) return;
  if (any_foretold_) past_.keep(known_steps_);
  any_foretold_ = false;
  asked_.reset();
  global_.forget(std::max<Index>(0, past_.settled() - 1));  // that step may get more facts
  past_.add(facts);
  see(facts);
}

void ReNet::see(const FactColumns& facts) {
  for (const auto& ends : {facts.source, facts.target})
    for (const Index entity : ends) seen_[static_cast<std::size_t>(entity)] = 1;
}

// Calls take(i, logits) for the i-th query of batch_, in order.
void ReNet::ask(const RunLimits& limits,
                const std::function<void(std::size_t, const float*)>& take) {
  batch_.finish(global_.states(past_));
  const std::vector<HistoryQuery>& queries = batch_.queries();
  if (queries.empty()) return;
  BoundProgram bound(asking_,
                     {.constants = batch_.constants(),
                      .rows = all_rows(static_cast<Index>(queries.size())),
                      .prune = false,
                      .values = &values_,
                      .memory = &asking_memory_},
                     threads_);
  bound.forward(key_, 0);
  const ConstDenseView states = bound.output();
  const auto block = static_cast<std::size_t>(head_.block());
  for (std::size_t begin = 0; begin < queries.size(); begin += block) {
    limits.check();
    const std::size_t count = std::min(block, queries.size() - begin);
    const ConstDenseView logits =
        head_.logits(values_, std::span(queries).subspan(begin, count),
                     {states.row(static_cast<Index>(begin)), static_cast<Index>(count), states.cols,
                      states.stride});
    for (std::size_t i = 0; i < count; ++i) take(begin + i, logits.row(static_cast<Index>(i)));
  }
}

void ReNet::rank(std::int64_t time, std::span<const EventQuery> queries, EventAnswers& out,
                 const RunLimits& limits) {
  if (queries.empty()) return;
  come_to(time, limits);
  constexpr std::size_t kTogether = 2048;
  std::vector<float> scores(static_cast<std::size_t>(world_.entities));
  for (std::size_t begin = 0; begin < queries.size(); begin += kTogether) {
    const auto some = queries.subspan(begin, std::min(kTogether, queries.size() - begin));
    batch_.clear();
    std::vector<std::size_t> of, asks;  // two forms of a query may be one
    for (const EventQuery& query : some) {
      of.push_back(static_cast<std::size_t>(
          batch_.add(past_, time, query.given, kind_of(query.relation, query.source_asked))));
      asks.resize(batch_.queries().size());
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

void ReNet::score(const FactColumns& asked, std::span<float> scores, const RunLimits& limits) {
  constexpr Offset kTogether = 1024;
  const auto n = static_cast<std::size_t>(world_.entities);
  for (Offset begin = 0; begin < asked.size();) {
    const std::int64_t time = asked.time[static_cast<std::size_t>(begin)];
    come_to(time, limits);
    batch_.clear();
    Offset end = begin;
    std::vector<std::vector<Offset>> facts_of;  // by query, behind each answer
    for (; end < asked.size() && end < begin + kTogether; ++end) {
      const auto at = static_cast<std::size_t>(end);
      if (asked.time[at] != time) break;
      const Index r = asked.relation_of(end);
      for (const bool source_asked : {false, true}) {
        const Index given = source_asked ? asked.target[at] : asked.source[at],
                    answer = source_asked ? asked.source[at] : asked.target[at];
        const Index query = batch_.add(past_, time, given, kind_of(r, source_asked));
        facts_of.resize(batch_.queries().size());
        batch_.queries()[static_cast<std::size_t>(query)].answers.push_back(answer);
        facts_of[static_cast<std::size_t>(query)].push_back(end);
      }
      scores[at] = 0;
    }
    ask(limits, [&](std::size_t query, const float* logits) {
      const float most = *std::max_element(logits, logits + n);
      double sum = 0;
      for (std::size_t e = 0; e < n; ++e) sum += std::exp(double{logits[e]} - most);
      const double scale = most + std::log(sum);
      const HistoryQuery& of = batch_.queries()[query];
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
