#include "cupel/learn/events/tgn.h"

#include <algorithm>

#include "cupel/base/error.h"
#include "cupel/engine/program/passes.h"
#include "cupel/learn/events/row_names.h"
#include "cupel/learn/events/setting_range.h"

namespace cupel {
namespace {

const char* name_of(const TgnSettings& settings) {
  return settings.form == TgnForm::kPyg ? "tgn-pyg" : "tgn";
}

TgnShape shape_of(const EventWorld& world, const TgnSettings& settings) {
  return {settings.width,         kinds_of(world), settings.dropout,
          settings.trained_times, settings.form,   settings.layers};
}

}  // namespace

Tgn::Tgn(const EventWorld& world, const TgnSettings& settings, StreamKey key, Threads threads)
    : Tgn(
          world, settings,
          [&] {
            const char* const name = name_of(settings);
            require_range(name, "width", settings.width, 1, 1024);
            require_range(name, "layers", settings.layers, 1,
                          settings.form == TgnForm::kPyg ? 1 : 3);
            require_range(name, "neighbours", settings.neighbours, 1, 1000);
            if (settings.layers > 1 && settings.neighbours > 100)
              fail("{}: neighbours is {}; with {} layers it is from 1 to 100", name,
                   settings.neighbours, settings.layers);
            require_range(name, "dropout", settings.dropout, 0, 0.99);
            if (settings.form == TgnForm::kPyg && settings.width % 2 != 0)
              fail("{}: width is {}; it is even, as two heads share it", name, settings.width);
            return TgnPrograms(shape_of(world, settings));
          }(),
          key, threads) {}

Tgn::Tgn(const EventWorld& world, const TgnSettings& settings, TgnPrograms programs, StreamKey key,
         Threads threads)
    : TemporalNet(name_of(settings), world,
                  {settings.batch, settings.lr, settings.epochs, settings.patience},
                  programs.logits.parameters, programs.scorer, settings.width,
                  roots_together(settings.layers, settings.neighbours), key, threads),
      settings_(settings),
      programs_(std::move(programs)),
      training_(compile(programs_.logits, true)),
      embedding_(compile(programs_.embed, false)),
      updating_(compile(programs_.update, false)),
      memory_(world.entities, settings.width),
      neighbours_(world.entities, settings.neighbours),
      blocks_(settings.batch),
      of_block_(static_cast<std::size_t>(world.entities)),
      fresh_(world.entities, settings.width),
      fresh_version_(static_cast<std::size_t>(world.entities)),
      batch_(world.entities, shape_of(world, settings)),
      update_batch_(world.entities, shape_of(world, settings)) {}

void Tgn::forget() {
  TemporalNet::forget();
  memory_.clear(0);
  neighbours_.clear();
  blocks_ = EventBlocks(settings_.batch);
  waiting_source_.clear(), waiting_relation_.clear(), waiting_target_.clear();
  waiting_time_.clear();
  any_ = false, block_ = 0;
  std::ranges::fill(of_block_, 0);
}

// States with messages of those of `nodes` for which they are out of date.
void Tgn::refresh(std::span<const Index> nodes) {
  stale_.clear();
  for (const Index entity : nodes) {
    std::int64_t& version = fresh_version_[static_cast<std::size_t>(entity)];
    if (!memory_.has_message(entity) || version == version_) continue;
    version = version_;
    stale_.push_back(entity);
  }
  if (stale_.empty()) return;
  update_batch_.take_nodes(stale_, memory_);
  BoundProgram bound(updating_,
                     {.constants = update_batch_.constants(),
                      .rows = all_rows(static_cast<Index>(stale_.size())),
                      .prune = false,
                      .values = &values_,
                      .memory = &updating_memory_},
                     threads_);
  bound.forward(key_, 0);
  const ConstDenseView out = bound.output();
  for (Index r = 0; r < out.rows; ++r)
    std::copy_n(out.row(r), out.cols, fresh_.row(stale_[static_cast<std::size_t>(r)]));
}

// Messages of facts of one block.
void Tgn::absorb(const FactColumns& facts) {
  std::vector<Index> ends;
  for (Offset i = 0; i < facts.size(); ++i)
    for (const Index entity :
         {facts.source[static_cast<std::size_t>(i)], facts.target[static_cast<std::size_t>(i)]}) {
      std::int64_t& block = of_block_[static_cast<std::size_t>(entity)];
      if (block == block_) continue;
      block = block_;
      if (memory_.has_message(entity)) ends.push_back(entity);
    }
  refresh(ends);
  for (const Index entity : ends) memory_.update(entity, fresh_.row(entity));
  for (Offset i = 0; i < facts.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const Index s = facts.source[at], o = facts.target[at], r = facts.relation_of(i);
    memory_.post(s, o, kind_of(world_, r, true), facts.time[at]);
    memory_.post(o, s, kind_of(world_, r, false), facts.time[at]);
    for (const Index entity : {s, o}) fresh_version_[static_cast<std::size_t>(entity)] = 0;
  }
}

void Tgn::absorb_waiting() {
  ++block_;
  const FactColumns over = {waiting_source_, waiting_relation_, waiting_target_,
                            waiting_time_,   world_.entities,   world_.relations};
  absorb(over);
  if (settings_.form == TgnForm::kPyg) see(over);
  waiting_source_.clear(), waiting_relation_.clear(), waiting_target_.clear();
  waiting_time_.clear();
}

void Tgn::settle(std::int64_t time) {
  if (!waiting_time_.empty() && blocks_.begins(time)) absorb_waiting();
}

void Tgn::learn(const FactColumns& facts) {
  if (facts.size() == 0) return;
  if (!any_) memory_.clear(facts.time.front());
  any_ = true;
  const bool wait = rules_.all_before();
  Offset begin = 0;
  for (Offset i = 0; i < facts.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (wait) settle(facts.time[at]);
    if (blocks_.next(facts.time[at]) && !wait) {
      if (i > begin) absorb(facts.part(begin, i));
      begin = i;
      ++block_;
    }
    if (!wait) continue;
    waiting_source_.push_back(facts.source[at]), waiting_target_.push_back(facts.target[at]);
    waiting_relation_.push_back(facts.relation_of(i)), waiting_time_.push_back(facts.time[at]);
  }
  if (!wait) absorb(facts.part(begin, facts.size()));
  if (!wait || settings_.form == TgnForm::kReleased) see(facts);
}

std::vector<float> Tgn::state(Index entity) {
  const Index nodes[] = {entity};
  refresh(nodes);
  const float* from = memory_.has_message(entity) ? fresh_.row(entity) : memory_.state(entity);
  return {from, from + settings_.width};
}

BoundProgram Tgn::bind_embeddings(std::span<const TimedEntity> roots) {
  batch_.take_roots(roots, neighbours_, block_meetings_, memory_);
  refresh(batch_.nodes());
  for (std::size_t r = 0; r < batch_.nodes().size(); ++r)
    std::copy_n(fresh_.row(batch_.nodes()[r]), settings_.width,
                batch_.own().row(static_cast<Index>(r)));
  return BoundProgram(embedding_,
                      {.constants = batch_.constants(),
                       .rows = all_rows(batch_.roots()),
                       .prune = false,
                       .values = &values_,
                       .memory = &embedding_memory_},
                      threads_);
}

BoundProgram Tgn::bind_logits(std::span<const TimedEntity> roots,
                              std::span<const std::pair<Index, Index>> pairs,
                              std::span<const Index> kinds, std::uint32_t) {
  batch_.take_roots(roots, neighbours_, block_meetings_, memory_);
  batch_.take_messages(memory_);
  batch_.take_pairs(pairs, kinds);
  return BoundProgram(training_,
                      {.constants = batch_.constants(),
                       .rows = all_rows(static_cast<Index>(pairs.size())),
                       .prune = false,
                       .values = &values_,
                       .gradients = &gradients_,
                       .memory = &training_memory_},
                      threads_);
}

std::size_t tgn_bytes(const EventWorld& world, const TgnSettings& settings, Offset facts) {
  const auto entities = static_cast<std::size_t>(world.entities),
             width = static_cast<std::size_t>(settings.width),
             neighbours = static_cast<std::size_t>(settings.neighbours),
             layers = static_cast<std::size_t>(settings.layers),
             relations = static_cast<std::size_t>(world.relations);
  // Of roots that are trained with gradients, and of those that are asked.
  const std::size_t of_root = 1 + slots_of_root(settings.layers, settings.neighbours),
                    trained = 3 * static_cast<std::size_t>(settings.batch) * of_root,
                    asked = roots_together(settings.layers, settings.neighbours) * of_root;
  // States, of which there are three, meetings, embeddings of all for ranking.
  const std::size_t of_entity = 12 * width + 24 * neighbours + 80 + 20 * width;
  const std::size_t parameters = 40 * width * width * layers + (2 * relations + 100) * width;
  // Where all facts are of one step: they wait, are met by each other, and are drawn from.
  const std::size_t of_facts = 100 * static_cast<std::size_t>(facts);
  return of_facts + entities * of_entity + 20 * parameters +
         (trained * (20 * width + 64) + asked * (6 * width + 64)) * 4;
}

}  // namespace cupel
