// How a temporal graph network is trained.
#include <algorithm>
#include <functional>

#include "cupel/base/error.h"
#include "cupel/engine/kernels/pair_loss.h"
#include "cupel/learn/events/tgn.h"
#include "cupel/learn/score/pool.h"

namespace cupel {
namespace {

enum Purpose : std::uint32_t { kTrainTargets = 0x74670001u, kValidTargets };

// Where blocks begin, and the end.
std::vector<Offset> blocks_of(const FactColumns& facts, Index size) {
  EventBlocks blocks(size);
  std::vector<Offset> out;
  for (Offset i = 0; i < facts.size(); ++i)
    if (blocks.next(facts.time[static_cast<std::size_t>(i)])) out.push_back(i);
  out.push_back(facts.size());
  return out;
}

}  // namespace

void Tgn::collect_targets(const FactColumns& train) {
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
Index Tgn::draw_target(Index relation, Stream& stream) const {
  const std::vector<Index>& of = targets_[static_cast<std::size_t>(relation)];
  if (of.empty())
    return static_cast<Index>(stream.next_below(static_cast<std::uint32_t>(world_.entities)));
  return of[stream.next_below(static_cast<std::uint32_t>(of.size()))];
}

double Tgn::loss(const FactColumns& facts, std::span<const Index> others, std::uint32_t step) {
  const auto count = static_cast<Index>(facts.size());
  std::vector<TgnRoot> roots;
  std::vector<std::pair<Index, Index>> pairs;
  std::vector<Index> kinds;
  for (Index i = 0; i < count; ++i)
    roots.push_back(
        {facts.source[static_cast<std::size_t>(i)], facts.time[static_cast<std::size_t>(i)]});
  for (const std::span<const Index> targets : {facts.target, others})
    for (Index i = 0; i < count; ++i) {
      pairs.emplace_back(i, static_cast<Index>(roots.size()));
      roots.push_back(
          {targets[static_cast<std::size_t>(i)], facts.time[static_cast<std::size_t>(i)]});
      if (world_.relations > 1) kinds.push_back(kind_of(facts.relation_of(i), true));
    }
  batch_.take_roots(roots, neighbours_, memory_);
  batch_.take_messages(memory_);
  batch_.take_pairs(pairs, kinds);
  std::vector<Index> rows(pairs.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<Index>(i);
  std::vector<float> answers(pairs.size(), 0.0f);
  std::fill_n(answers.begin(), count, 1.0f);
  std::ranges::fill(gradients_.block(), 0.0f);
  BoundProgram bound(training_,
                     {.constants = batch_.constants(),
                      .rows = std::move(rows),
                      .prune = false,
                      .values = &values_,
                      .gradients = &gradients_,
                      .memory = &training_memory_},
                     threads_);
  bound.forward(key_, step);
  // Twice the mean over all pairs: the mean of the facts plus that of the others.
  const auto value = kernels::pair_loss(threads_, kernels::PairLossForm::kMean,
                                        {bound.output().data, pairs.size()}, answers,
                                        {bound.output_gradient().data, pairs.size()});
  for (std::size_t i = 0; i < pairs.size(); ++i) bound.output_gradient().data[i] *= 2;
  if (!value.finite)
    fail("tgn: scores are not finite in step {} of training; take a smaller learning rate", step);
  bound.backward();
  return 2 * value.loss;
}

double Tgn::train_epoch(const FactColumns& train, int epoch, const RunLimits& limits) {
  if (targets_.empty()) collect_targets(train);
  forget();
  const std::vector<Offset> blocks = blocks_of(train, settings_.batch);
  double sum = 0;
  std::vector<Index> others;
  for (std::size_t b = 0; b + 1 < blocks.size(); ++b) {
    for (Offset begin = blocks[b]; begin < blocks[b + 1]; begin += settings_.batch) {
      limits.check();
      const Offset end = std::min(begin + settings_.batch, blocks[b + 1]);
      const FactColumns some = train.part(begin, end);
      Stream stream(key_, kTrainTargets, static_cast<std::uint32_t>(epoch),
                    static_cast<std::uint32_t>(begin));
      others.clear();
      for (Offset i = 0; i < some.size(); ++i)
        others.push_back(draw_target(some.relation_of(i), stream));
      sum += loss(some, others, steps_++) * static_cast<double>(some.size());
      // States are updated by the parameters that scored the block.
      if (end == blocks[b + 1]) learn(train.part(blocks[b], end));
      (void)adam_.step(values_, gradients_, threads_);
      parameters_changed();
    }
  }
  return train.size() == 0 ? 0 : sum / static_cast<double>(train.size());
}

double Tgn::validate(const FactColumns& valid, const EventRules& rules, const RunLimits& limits) {
  const std::vector<Offset> blocks = blocks_of(valid, settings_.batch);
  if (targets_.empty()) collect_targets(valid);
  std::vector<Index> others;
  double sum = 0;
  int batches = 0;
  for (std::size_t b = 0; b + 1 < blocks.size(); ++b) {
    for (Offset begin = blocks[b]; begin < blocks[b + 1]; begin += settings_.batch) {
      const Offset end = std::min(begin + settings_.batch, blocks[b + 1]);
      const FactColumns some = valid.part(begin, end);
      Stream stream(key_, kValidTargets, 0, static_cast<std::uint32_t>(begin));
      others.clear();
      for (Offset i = 0; i < some.size(); ++i)
        others.push_back(draw_target(some.relation_of(i), stream));
      FactColumns wrong = some;
      wrong.target = others;
      Pool pool;
      pool.positives.resize(others.size()), pool.negatives.resize(others.size());
      score(some, pool.positives, limits);
      score(wrong, pool.negatives, limits);
      for (std::vector<float>* scores : {&pool.positives, &pool.negatives})
        std::ranges::sort(*scores, std::greater<>());
      sum += average_precision(pool);
      ++batches;
    }
    if (rules.single_step) learn(valid.part(blocks[b], blocks[b + 1]));
  }
  return batches == 0 ? 0 : sum / batches;
}

void Tgn::fit(const FactColumns& train, const FactColumns& valid, const EventRules& rules,
              const RunLimits& limits) {
  initialise(programs_.logits.parameters, key_, values_);
  adam_.reset();
  parameters_changed();
  steps_ = 0;
  targets_.clear();
  collect_targets(train);
  double best = -1;
  Index waited = 0;
  std::optional<ParameterSet> kept;
  for (Index epoch = 0; epoch < settings_.epochs && waited < settings_.patience; ++epoch) {
    (void)train_epoch(train, epoch, limits);
    if (valid.size() == 0) continue;
    const double score = validate(valid, rules, limits);
    if (!kept || score - best > 1e-10 * best) {
      best = score, waited = 0;
      kept = values_;
    } else {
      ++waited;
    }
  }
  if (kept) values_ = *kept;
  parameters_changed();
  forget();
}

std::size_t tgn_bytes(const EventWorld& world, const TgnSettings& settings) {
  const auto entities = static_cast<std::size_t>(world.entities),
             width = static_cast<std::size_t>(settings.width),
             neighbours = static_cast<std::size_t>(settings.neighbours),
             relations = static_cast<std::size_t>(world.relations);
  const std::size_t roots = 3 * static_cast<std::size_t>(settings.batch),
                    rows = roots * (neighbours + 1);
  // States, of which there are three, meetings, embeddings of all for ranking.
  const std::size_t of_entity = 12 * width + 24 * neighbours + 80 + 20 * width;
  const std::size_t parameters = 40 * width * width + (2 * relations + 100) * width;
  return entities * of_entity + 20 * parameters + rows * (20 * width + 64) * 4;
}

}  // namespace cupel
