#include "cupel/learn/events/tgat.h"

#include "cupel/engine/program/passes.h"
#include "cupel/learn/events/row_names.h"
#include "cupel/learn/events/setting_range.h"

namespace cupel {
namespace {

constexpr std::uint32_t kNoStep = 0xffffffffu;  // of training: samples for what is asked

const TgatSettings& checked(const TgatSettings& s) {
  const auto require = [](const char* what, double value, double low, double high) {
    require_range("tgat", what, value, low, high);
  };
  require("width", s.width, 1, 1024);
  require("layers", s.layers, 1, 3);
  require("neighbours", s.neighbours, 1, 100);
  require("dropout", s.dropout, 0, 0.99);
  return s;
}

}  // namespace

Tgat::Tgat(const EventWorld& world, const TgatSettings& settings, StreamKey key, Threads threads)
    : Tgat(world, settings,
           TgatPrograms({checked(settings).width, settings.layers, kinds_of(world),
                         settings.dropout, settings.trained_times, settings.residual}),
           key, threads) {}

Tgat::Tgat(const EventWorld& world, const TgatSettings& settings, TgatPrograms programs,
           StreamKey key, Threads threads)
    : TemporalNet("tgat", world, {settings.batch, settings.lr, settings.epochs, settings.patience},
                  programs.logits.parameters, programs.scorer, settings.width,
                  roots_together(settings.layers, settings.neighbours), key, threads),
      programs_(std::move(programs)),
      training_(compile(programs_.logits, true)),
      embedding_(compile(programs_.embed, false)),
      history_(world.entities),
      batch_({settings.layers, settings.neighbours, settings.sample}, kinds_of(world)) {}

void Tgat::forget() {
  TemporalNet::forget();
  history_.clear();
}

BoundProgram Tgat::bind_embeddings(std::span<const TimedEntity> roots) {
  batch_.take_roots(roots, history_, block_meetings_, key_, kNoStep);
  batch_.take_pairs({}, {});
  return BoundProgram(embedding_,
                      {.constants = batch_.constants(),
                       .rows = all_rows(batch_.roots()),
                       .prune = false,
                       .values = &values_,
                       .memory = &embedding_memory_},
                      threads_);
}

BoundProgram Tgat::bind_logits(std::span<const TimedEntity> roots,
                               std::span<const std::pair<Index, Index>> pairs,
                               std::span<const Index> kinds, std::uint32_t step) {
  batch_.take_roots(roots, history_, block_meetings_, key_, step);
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

std::size_t tgat_bytes(const EventWorld& world, const TgatSettings& settings, Offset facts) {
  const auto entities = static_cast<std::size_t>(world.entities),
             width = static_cast<std::size_t>(settings.width),
             relations = static_cast<std::size_t>(world.relations);
  const std::size_t roots = 3 * static_cast<std::size_t>(settings.batch),
                    slots = (roots + roots_together(settings.layers, settings.neighbours)) *
                            slots_of_root(settings.layers, settings.neighbours);
  const std::size_t parameters = 40 * width * width * static_cast<std::size_t>(settings.layers) +
                                 (2 * relations + 100) * width;
  // Meetings while they grow; embeddings of all for ranking.
  return 96 * static_cast<std::size_t>(facts) + entities * (24 + 20 * width) + 20 * parameters +
         slots * (8 * width + 64) * 4;
}

}  // namespace cupel
