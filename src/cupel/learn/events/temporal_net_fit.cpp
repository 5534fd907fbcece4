// How a temporal graph network is trained.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "cupel/base/checkpoint.h"
#include "cupel/base/error.h"
#include "cupel/engine/kernels/pair_loss.h"
#include "cupel/learn/events/temporal_net.h"
#include "cupel/learn/score/pool.h"

namespace cupel {
namespace {

enum Purpose : std::uint32_t { kTrainTargets = 0x74670001u, kValidTargets };

// Where facts begin that are scored together, and the end; `blocks` goes on to them.
std::vector<Offset> starts_of(const FactColumns& facts, EventBlocks blocks) {
  std::vector<Offset> out;
  for (Offset i = 0; i < facts.size(); ++i)
    if (blocks.next(facts.time[static_cast<std::size_t>(i)]) || i == 0) out.push_back(i);
  out.push_back(facts.size());
  return out;
}

}  // namespace

void TemporalNet::collect_targets(const FactColumns& train) {
  targets_.assign(static_cast<std::size_t>(world_.relations), {});
  for (Offset i = 0; i < train.size(); ++i) {
    const Index r = train.relation_of(i);
    std::vector<Index>& of = targets_[static_cast<std::size_t>(r)];
    of.push_back(train.target[static_cast<std::size_t>(i)]);
    if (is_undirected(world_.undirected, r))
      of.push_back(train.source[static_cast<std::size_t>(i)]);
  }
  for (std::vector<Index>& of : targets_) {
    std::ranges::sort(of);
    of.erase(std::unique(of.begin(), of.end()), of.end());
  }
}

// Of a relation that training does not have, any entity.
void TemporalNet::draw_targets(const FactColumns& facts, Stream stream,
                               std::vector<Index>& out) const {
  out.clear();
  for (Offset i = 0; i < facts.size(); ++i) {
    const std::vector<Index>& of = targets_[static_cast<std::size_t>(facts.relation_of(i))];
    const auto choices = static_cast<std::uint32_t>(
        of.empty() ? static_cast<std::size_t>(world_.entities) : of.size());
    const std::uint32_t drawn = stream.next_below(choices);
    out.push_back(of.empty() ? static_cast<Index>(drawn) : of[drawn]);
  }
}

double TemporalNet::loss(const FactColumns& facts, std::span<const Index> others,
                         std::uint32_t step) {
  const auto count = static_cast<Index>(facts.size());
  if (count == 0) return 0;
  settle(facts.time.front());
  std::vector<TimedEntity> roots;
  std::vector<std::pair<Index, Index>> pairs;
  std::vector<Index> kinds;
  for (std::size_t i = 0; i < facts.source.size(); ++i)
    roots.push_back({facts.source[i], facts.time[i]});
  for (const std::span<const Index> targets : {facts.target, others})
    for (Index i = 0; i < count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      pairs.emplace_back(i, static_cast<Index>(roots.size()));
      roots.push_back({targets[at], facts.time[at]});
      if (kinds_of(world_) > 0) kinds.push_back(kind_of(world_, facts.relation_of(i), true));
    }
  std::vector<float> answers(pairs.size(), 0.0f);
  std::fill_n(answers.begin(), count, 1.0f);
  std::ranges::fill(gradients_.block(), 0.0f);
  BoundProgram bound = bind_logits(roots, pairs, kinds, step);
  bound.forward(key_, step);
  // Twice the mean over all pairs: the mean of the facts plus that of the others.
  const auto value = kernels::pair_loss(threads_, kernels::PairLossForm::kMean,
                                        {bound.output().data, pairs.size()}, answers,
                                        {bound.output_gradient().data, pairs.size()});
  for (std::size_t i = 0; i < pairs.size(); ++i) bound.output_gradient().data[i] *= 2;
  if (!value.finite)
    fail("{}: scores are not finite in step {} of training; take a smaller lr", name_, step);
  bound.backward();
  return 2 * value.loss;
}

double TemporalNet::train_epoch(const FactColumns& train, int epoch, const RunLimits& limits) {
  if (targets_.empty()) collect_targets(train);
  forget();
  const std::vector<Offset> starts = starts_of(train, EventBlocks(training_.batch));
  double sum = 0;
  std::vector<Index> others;
  for (std::size_t b = 0; b + 1 < starts.size(); ++b) {
    const FactColumns block = train.part(starts[b], starts[b + 1]);
    meet(block);
    for (Offset begin = 0; begin < block.size(); begin += training_.batch) {
      limits.check();
      limits.tell(static_cast<double>(starts[b] + begin), static_cast<double>(train.size()));
      const Offset end = std::min(begin + training_.batch, block.size());
      const FactColumns some = block.part(begin, end);
      draw_targets(some,
                   {key_, kTrainTargets, static_cast<std::uint32_t>(epoch),
                    static_cast<std::uint32_t>(starts[b] + begin)},
                   others);
      sum += loss(some, others, steps_++) * static_cast<double>(some.size());
      if (end == block.size()) {
        // By the parameters that scored the block.
        learn(block);
        if (b + 2 < starts.size()) settle(train.time[static_cast<std::size_t>(starts[b + 1])]);
      }
      (void)adam_.step(values_, gradients_, threads_);
      parameters_changed();
    }
  }
  return train.size() == 0 ? 0 : sum / static_cast<double>(train.size());
}

double TemporalNet::validate(const FactColumns& valid, const RunLimits& limits) {
  const EventBlocks* going_on = rules_.all_before() ? blocks() : nullptr;
  const std::vector<Offset> starts =
      starts_of(valid, going_on != nullptr ? *going_on : EventBlocks(training_.batch));
  if (targets_.empty()) collect_targets(valid);
  std::vector<Index> others;
  std::vector<float> scores;
  std::vector<std::uint8_t> answers;
  double sum = 0;
  int batches = 0;
  for (std::size_t b = 0; b + 1 < starts.size(); ++b) {
    const FactColumns block = valid.part(starts[b], starts[b + 1]);
    meet(block);
    for (Offset begin = 0; begin < block.size(); begin += training_.batch) {
      const FactColumns some = block.part(begin, std::min(begin + training_.batch, block.size()));
      draw_targets(some, {key_, kValidTargets, 0, static_cast<std::uint32_t>(starts[b] + begin)},
                   others);
      FactColumns wrong = some;
      wrong.target = others;
      scores.resize(2 * others.size());
      score(some, std::span(scores).first(others.size()), limits);
      score(wrong, std::span(scores).subspan(others.size()), limits);
      if (!std::ranges::all_of(scores, [](float one) { return std::isfinite(one); }))
        fail("{}: scores of validation are not finite; take a smaller lr", name_);
      answers.assign(scores.size(), 0);
      std::fill_n(answers.begin(), others.size(), std::uint8_t{1});
      sum += average_precision(make_pool(scores, answers));
      ++batches;
    }
    if (rules_.single_step) learn(block);
  }
  block_meetings_.clear();
  return batches == 0 ? 0 : sum / batches;
}

void TemporalNet::fit(const FactColumns& train, const FactColumns& valid, const EventRules& rules,
                      const RunLimits& limits) {
  follow(rules);
  initialise(parameters_, key_, values_);
  adam_.reset();
  parameters_changed();
  targets_.clear();
  collect_targets(train);
  Index epoch = 0, waited = 0;
  steps_ = 0;
  double best = -1;
  ParameterSet kept = values_;
  State now;
  now.add(epoch), now.add(waited), now.add(steps_), now.add(best);
  now.add(values_.block()), now.add(kept.block());
  adam_.add_to(now);
  if (now.take_up(limits.checkpoint)) parameters_changed();
  while (epoch < training_.epochs && waited < training_.patience) {
    (void)train_epoch(train, epoch, limits.part(epoch, epoch + 1, training_.epochs));
    ++epoch;
    if (valid.size() > 0) {
      const double score = validate(valid, limits);
      if (best < 0 || score - best > 1e-10 * best) {
        best = score, waited = 0;
        kept.block() = values_.block();
      } else {
        ++waited;
      }
    }
    now.put_down(limits.checkpoint);
  }
  if (best >= 0) values_ = kept;
  parameters_changed();
  forget();
}

}  // namespace cupel
