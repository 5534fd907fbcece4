// How RE-Net is trained.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "cupel/base/checkpoint.h"
#include "cupel/base/error.h"
#include "cupel/base/shuffle.h"
#include "cupel/data/facts/chosen_facts.h"
#include "cupel/engine/program/bound_program.h"
#include "cupel/learn/events/re_net/re_net.h"
#include "cupel/learn/events/row_names.h"
#include "cupel/learn/events/step_end.h"

namespace cupel {
namespace {

constexpr std::uint32_t kDrawnForValidation = 0x72656e76u, kDrawnForOrder = 0x72656e6fu;

void add_answer(HistoryQuery& query, Index answer) {
  const auto at = std::ranges::find(query.answers, answer);
  query.total += 1;
  if (at != query.answers.end()) {
    query.counts[static_cast<std::size_t>(at - query.answers.begin())] += 1;
    return;
  }
  query.answers.push_back(answer);
  query.counts.push_back(1);
}

}  // namespace

// Of batch_, by `facts` facts.
double ReNet::step_loss(double facts, std::uint32_t step) {
  if (gradients_.count() == 0) gradients_ = ParameterSet(program_.parameters);
  batch_.finish(global_.states(past_));
  BoundProgram bound(training_,
                     {.constants = batch_.constants(),
                      .rows = all_rows(static_cast<Index>(batch_.queries().size())),
                      .prune = false,
                      .values = &values_,
                      .gradients = &gradients_,
                      .memory = &training_memory_},
                     threads_);
  bound.forward(key_, step);
  const double value = head_.loss(values_, gradients_, batch_.queries(), bound.output(), facts,
                                  key_, step, bound.output_gradient());
  bound.backward();
  head_.add_rows(gradients_);
  if (!std::isfinite(value))
    fail("re-net: the loss is not finite in step {} of training; take a smaller learning rate",
         step);
  return value;
}

double ReNet::loss(const FactColumns& facts, std::uint32_t step) {
  batch_.clear();
  for (Offset i = 0; i < facts.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    for (const bool source_asked : {false, true}) {
      const Index given = source_asked ? facts.target[at] : facts.source[at];
      const Index query =
          batch_.add(past_, facts.time[at], given, kind_of(facts.relation_of(i), source_asked));
      add_answer(batch_.queries()[static_cast<std::size_t>(query)],
                 source_asked ? facts.source[at] : facts.target[at]);
    }
  }
  return step_loss(static_cast<double>(facts.size()), step);
}

void ReNet::train_global(const FactColumns& train, const RunLimits& limits) {
  forget();
  past_.add(train);
  global_.fit(past_, limits);
  (void)global_.states(past_);
  forget();
}

double ReNet::train_epoch(const FactColumns& train, const RunLimits& limits) {
  forget();
  // What a query may see is told by its time, so that the past may have all of it.
  learn(train);
  return go_through(train, limits);
}

void ReNet::begin_adam() {
  adam_.emplace(program_.parameters, settings_.lr, Adam::Epsilon{1e-8, true});
  adam_->clip(1);
}

double ReNet::go_through(const FactColumns& train, const RunLimits& limits) {
  if (!adam_) begin_adam();
  std::vector<Offset> order;
  if (settings_.drawn_order) order = order_of_epoch(train.size());
  ChosenFacts chosen;
  double sum = 0;
  for (Offset begin = 0; begin < train.size(); begin += settings_.batch) {
    limits.check();
    limits.tell(static_cast<double>(begin), static_cast<double>(train.size()));
    const Offset end = std::min(begin + settings_.batch, train.size());
    FactColumns facts = train.part(begin, end);
    if (settings_.drawn_order) {
      const auto now = std::span(order).subspan(static_cast<std::size_t>(begin),
                                                static_cast<std::size_t>(end - begin));
      std::ranges::sort(now);  // loss() wants the order of time
      facts = chosen.choose(train, now);
    }
    sum += loss(facts, steps_++) * static_cast<double>(end - begin);
    (void)adam_->step(values_, gradients_, threads_);
  }
  return train.size() == 0 ? 0 : sum / static_cast<double>(train.size());
}

std::vector<Offset> ReNet::order_of_epoch(Offset facts) const {
  std::vector<Offset> order(static_cast<std::size_t>(facts));
  std::iota(order.begin(), order.end(), Offset{0});
  Stream draw(key_, kDrawnForOrder, steps_);
  shuffle(order, draw);
  return order;
}

double ReNet::validate(const FactColumns& valid, const RunLimits& limits) {
  double sum = 0, count = 0;
  const double share = static_cast<double>(settings_.valid_facts) /
                       static_cast<double>(std::max<Offset>(1, valid.size()));
  for (Offset begin = 0; begin < valid.size();) {
    const Offset end = end_of_step(valid.time, begin);
    batch_.clear();
    const auto each = [&](const auto& f) {
      for (Offset i = begin; i < end; ++i)
        for (const bool source_asked : {false, true}) {
          const auto at = static_cast<std::size_t>(i);
          f(i, source_asked ? valid.target[at] : valid.source[at],
            kind_of(valid.relation_of(i), source_asked),
            source_asked ? valid.source[at] : valid.target[at]);
        }
    };
    each([&](Offset fact, Index given, Index kind, Index answer) {
      Stream draw(key_, kDrawnForValidation, static_cast<std::uint32_t>(fact >> 32),
                  static_cast<std::uint32_t>(fact));
      if (draw.next_unit() >= share) return;
      const Index query =
          batch_.add(past_, valid.time[static_cast<std::size_t>(begin)], given, kind);
      add_answer(batch_.queries()[static_cast<std::size_t>(query)], answer);
    });
    const auto asked = static_cast<Index>(batch_.queries().size());
    // All that is true, of the queries that are asked.
    std::vector<std::pair<std::pair<Index, Index>, Index>> truths;
    each([&](Offset, Index given, Index kind, Index answer) {
      truths.push_back({{given, kind}, answer});
    });
    std::ranges::sort(truths);
    truths.erase(std::unique(truths.begin(), truths.end()), truths.end());
    for (Index q = 0; q < asked; ++q) {
      HistoryQuery& query = batch_.queries()[static_cast<std::size_t>(q)];
      const std::pair key{query.given, query.kind};
      for (auto at = std::ranges::lower_bound(truths, std::pair{key, Index{-1}});
           at != truths.end() && at->first == key; ++at)
        query.other_answers.push_back(at->second);
    }
    ask(limits, [&](std::size_t q, const float* logits) {
      const HistoryQuery& query = batch_.queries()[q];
      const auto score_of = [&](Index e) {
        return seen_[static_cast<std::size_t>(e)] != 0 ? logits[e]
                                                       : -std::numeric_limits<float>::infinity();
      };
      for (std::size_t a = 0; a < query.answers.size(); ++a) {
        const float score = score_of(query.answers[a]);
        if (std::isnan(score))
          fail("re-net: a score of validation is not a number; take a smaller learning rate");
        const auto place = [&](Index e) {
          return score_of(e) > score ? 1.0 : score_of(e) == score ? 0.5 : 0.0;
        };
        double above = 0;
        for (Index e = 0; e < world_.entities; ++e) above += place(e);
        for (const Index other : query.other_answers) above -= place(other);
        sum += query.counts[a] / (1 + above);
        count += query.counts[a];
      }
    });
    learn(valid.part(begin, end));
    begin = end;
  }
  return count == 0 ? 0 : sum / count;
}

void ReNet::fit(const FactColumns& train, const FactColumns& valid, const EventRules& rules,
                const RunLimits& limits) {
  multi_step_ = !rules.single_step;
  initialise(program_.parameters, key_, values_);
  begin_adam();
  forget();
  learn(train);
  // An epoch of the graph's state, and reading it off, take about 1/80 of an epoch of the rest
  // (YAGO; less on ICEWS18).
  const double state = (settings_.global_epochs + 1.0) / 80;
  const double parts = settings_.epochs + state;
  Index epoch = 0;
  steps_ = 0;
  double best = -1;
  ParameterSet kept = values_;
  State now;
  now.add(epoch), now.add(steps_), now.add(best);
  for (ParameterSet* set : {&values_, &global_.values(), &kept}) now.add(set->block());
  adam_->add_to(now);
  if (!now.take_up(limits.checkpoint)) global_.fit(past_, limits.part(0, state, parts));
  const Index steps = past_.steps();
  while (epoch < settings_.epochs) {
    (void)go_through(train, limits.part(state + epoch, state + epoch + 1, parts));
    ++epoch;
    if (valid.size() > 0 && 2 * epoch >= settings_.epochs) {
      const double score = validate(valid, limits);
      past_.keep(steps);
      global_.forget(std::max<Index>(0, steps - 1));
      std::ranges::fill(seen_, 0);
      see(train);
      if (score > best) best = score, kept.block() = values_.block();
    }
    now.put_down(limits.checkpoint);
  }
  if (best >= 0) values_ = kept;
  adam_.reset();
  gradients_ = ParameterSet(std::vector<Parameter>{});
  training_memory_ = {};
  forget();
}

std::size_t re_net_bytes(const EventWorld& world, const ReNetSettings& settings, Offset facts) {
  const auto entities = static_cast<std::size_t>(world.entities),
             relations = static_cast<std::size_t>(world.relations),
             d = static_cast<std::size_t>(settings.width),
             history = static_cast<std::size_t>(settings.history),
             known = static_cast<std::size_t>(facts);
  const std::size_t local = 4 * entities * d + (10 + 2) * relations * d + 24 * d * d,
                    global = 3 * entities * d + 8 * relations * d + 9 * d * d;
  const std::size_t parameters = 4 * (5 * local + global);
  const std::size_t of_past = known * 100 + entities * 80;
  const std::size_t pairs =
      32 * relations * std::min(entities, static_cast<std::size_t>(settings.foretold));
  // Receivers of a batch, who sends to them, and who to those.
  const std::size_t queries = std::min<std::size_t>(
                        std::max<std::size_t>(2 * static_cast<std::size_t>(settings.batch), 2048),
                        2 * known + 1),
                    receivers = std::min(queries * history, 4 * known + 1),
                    nodes = std::min(receivers * 4, 4 * known + 1);
  const std::size_t of_batch = 4 * d * (receivers * 26 + nodes * 14 + queries * 24);
  const std::size_t windows = std::min(
      (static_cast<std::size_t>(settings.global_batch) + history) * entities, 2 * known + 1);
  const std::size_t of_global =
      4 * (14 * windows * d + 2 * static_cast<std::size_t>(settings.global_batch) * entities);
  const std::size_t of_answers =
      4 * (3 * std::max<std::size_t>(static_cast<std::size_t>(settings.logits), 4 * entities) +
           2 * entities * d);
  return parameters + of_past + pairs + std::max(of_batch + of_answers, of_global) +
         (std::size_t{1} << 20);
}

}  // namespace cupel
