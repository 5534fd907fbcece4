// How RE-Net's forms are trained.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "cupel/base/checkpoint.h"
#include "cupel/base/error.h"
#include "cupel/base/parallel.h"
#include "cupel/base/shuffle.h"
#include "cupel/data/facts/chosen_facts.h"
#include "cupel/engine/program/bound_program.h"
#include "cupel/learn/events/re_net/history_model.h"
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

HistoryModel::FilledBatch HistoryModel::take_batch() {
  FilledBatch out{constants(), &batch_queries()};
  filled_ = 1 - filled_;
  return out;
}

// By `facts` facts.
double HistoryModel::step_loss(FilledBatch batch, double facts, std::uint32_t step) {
  if (gradients_.count() == 0) gradients_ = ParameterSet(program_.parameters);
  const std::vector<HistoryQuery>& asked = *batch.queries;
  BoundProgram bound(training_program_,
                     {.constants = std::move(batch.constants),
                      .rows = all_rows(static_cast<Index>(asked.size())),
                      .prune = false,
                      .values = &values_,
                      .gradients = &gradients_,
                      .memory = &training_memory_},
                     threads_);
  bound.forward(key_, step);
  const double value = heads_.loss(values_, gradients_, asked, bound.output(), facts, key_, step,
                                   bound.output_gradient());
  bound.backward();
  heads_.add_rows(gradients_);
  if (!std::isfinite(value))
    fail("{}: the loss is not finite in step {} of training; take a smaller lr", form_.name, step);
  return value;
}

void HistoryModel::fill_batch(const FactColumns& facts) {
  clear_batch();
  for (Offset i = 0; i < facts.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    for (const bool source_asked : {false, true}) {
      const Index given = source_asked ? facts.target[at] : facts.source[at];
      const Index query =
          add_query(facts.time[at], given, kind_of(facts.relation_of(i), source_asked));
      add_answer(batch_queries()[static_cast<std::size_t>(query)],
                 source_asked ? facts.source[at] : facts.target[at]);
    }
  }
}

double HistoryModel::loss(const FactColumns& facts, std::uint32_t step) {
  fill_batch(facts);
  return step_loss(take_batch(), static_cast<double>(facts.size()), step);
}

double HistoryModel::train_epoch(const FactColumns& train, const RunLimits& limits) {
  forget();
  // What a query may see is told by its time, so that the past may have all of it.
  learn(train);
  return go_through(train, limits);
}

void HistoryModel::begin_adam() {
  adam_.emplace(program_.parameters, training_.lr, Adam::Epsilon{1e-8, true});
  adam_->clip(form_.clip);
}

double HistoryModel::go_through(const FactColumns& train, const RunLimits& limits) {
  if (!adam_) begin_adam();
  std::vector<Offset> order;
  if (training_.drawn_order) order = order_of_epoch(train.size());
  ChosenFacts chosen;
  const auto end_from = [&](Offset begin) {
    return std::min(begin + training_.batch, train.size());
  };
  const auto fill_from = [&](Offset begin) {
    FactColumns facts = train.part(begin, end_from(begin));
    if (training_.drawn_order) {
      const auto now = std::span(order).subspan(static_cast<std::size_t>(begin),
                                                static_cast<std::size_t>(facts.size()));
      std::ranges::sort(now);  // a batch is filled in the order of time
      facts = chosen.choose(train, now);
    }
    fill_batch(facts);
  };
  double sum = 0;
  fill_from(0);
  for (Offset begin = 0; begin < train.size();) {
    limits.check();
    limits.tell(static_cast<double>(begin), static_cast<double>(train.size()));
    FilledBatch batch = take_batch();
    const Offset end = end_from(begin);
    // To look up histories and who stood around them takes a seventh of a step.
    Aside next(threads_, [&] {
      if (end < train.size()) fill_from(end);
    });
    const auto facts = static_cast<double>(end - begin);
    sum += step_loss(std::move(batch), facts, steps_++) * facts;
    (void)adam_->step(values_, gradients_, threads_);
    next.wait();
    begin = end;
  }
  return train.size() == 0 ? 0 : sum / static_cast<double>(train.size());
}

std::vector<Offset> HistoryModel::order_of_epoch(Offset facts) const {
  std::vector<Offset> order(static_cast<std::size_t>(facts));
  std::iota(order.begin(), order.end(), Offset{0});
  Stream draw(key_, kDrawnForOrder, steps_);
  shuffle(order, draw);
  return order;
}

double HistoryModel::validate(const FactColumns& valid, const RunLimits& limits) {
  double sum = 0, count = 0;
  const double share = static_cast<double>(training_.valid_facts) /
                       static_cast<double>(std::max<Offset>(1, valid.size()));
  for (Offset begin = 0; begin < valid.size();) {
    const Offset end = end_of_step(valid.time, begin);
    clear_batch();
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
      const Index query = add_query(valid.time[static_cast<std::size_t>(begin)], given, kind);
      add_answer(batch_queries()[static_cast<std::size_t>(query)], answer);
    });
    const auto asked = static_cast<Index>(batch_queries().size());
    // All that is true, of the queries that are asked.
    std::vector<std::pair<std::pair<Index, Index>, Index>> truths;
    each([&](Offset, Index given, Index kind, Index answer) {
      truths.push_back({{given, kind}, answer});
    });
    std::ranges::sort(truths);
    truths.erase(std::unique(truths.begin(), truths.end()), truths.end());
    for (Index q = 0; q < asked; ++q) {
      HistoryQuery& query = batch_queries()[static_cast<std::size_t>(q)];
      const std::pair key{query.given, query.kind};
      for (auto at = std::ranges::lower_bound(truths, std::pair{key, Index{-1}});
           at != truths.end() && at->first == key; ++at)
        query.other_answers.push_back(at->second);
    }
    ask(limits, [&](std::size_t q, const float* logits) {
      const HistoryQuery& query = batch_queries()[q];
      const auto score_of = [&](Index e) {
        return seen_[static_cast<std::size_t>(e)] != 0 ? logits[e]
                                                       : -std::numeric_limits<float>::infinity();
      };
      for (std::size_t a = 0; a < query.answers.size(); ++a) {
        const float score = score_of(query.answers[a]);
        if (std::isnan(score))
          fail("{}: a score of validation is not a number; take a smaller lr", form_.name);
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

void HistoryModel::fit(const FactColumns& train, const FactColumns& valid, const EventRules& rules,
                       const RunLimits& limits) {
  multi_step_ = !rules.single_step;
  initialise(program_.parameters, key_, values_);
  begin_adam();
  forget();
  learn(train);
  const double first = share_of_first();
  const double parts = training_.epochs + first;
  Index epoch = 0;
  steps_ = 0;
  double best = -1;
  ParameterSet kept = values_;
  State now;
  now.add(epoch), now.add(steps_), now.add(best);
  for (ParameterSet* set : {&values_, fitted_first(), &kept})
    if (set != nullptr) now.add(set->block());
  adam_->add_to(now);
  if (!now.take_up(limits.checkpoint)) fit_first(limits.part(0, first, parts));
  const Index steps = past_steps();
  while (epoch < training_.epochs) {
    (void)go_through(train, limits.part(first + epoch, first + epoch + 1, parts));
    ++epoch;
    if (valid.size() > 0 && 2 * epoch >= training_.epochs) {
      const double score = validate(valid, limits);
      go_back(steps);
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

}  // namespace cupel
