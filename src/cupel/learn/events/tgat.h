// Temporal graph attention as a model of facts over time: attention over who was met before, and
// over whom these had met before that; no memory. tgat_program.h has the source and the equations.
#pragma once

#include "cupel/learn/events/temporal_net.h"
#include "cupel/learn/events/tgat_batch.h"

namespace cupel {

struct TgatSettings {
  Index width = 100;      // of the encoding of times, and of embeddings; 1 to 1024
  Index layers = 2;       // 1 to 3
  Index neighbours = 20;  // of each entity in each layer; 1 to 100
  MeetingSample sample = MeetingSample::kRecent;
  Index batch = 200;           // facts that are scored and learnt together; 1 to 10^6
  double dropout = 0.1;        // of weights of attention; 0 to below 1
  double lr = 1e-4;            // Adam's
  bool trained_times = false;  // as TgnSettings has it
  bool residual = false;       // AttentionShape::residual
  Index epochs = 50;           // at most
  Index patience = 5;          // epochs without a better validation score, after which it stops
};

// TemporalNet has the training. Memory: see tgat_bytes().
class Tgat final : public TemporalNet {
 public:
  // Throws Error for settings out of range.
  Tgat(const EventWorld& world, const TgatSettings& settings, StreamKey key, Threads threads);

  void learn(const FactColumns& facts) override { see(facts); }
  void forget() override;

  const TgatPrograms& programs() const { return programs_; }

 private:
  Tgat(const EventWorld& world, const TgatSettings& settings, TgatPrograms programs, StreamKey key,
       Threads threads);
  BoundProgram bind_embeddings(std::span<const TimedEntity> roots) override;
  BoundProgram bind_logits(std::span<const TimedEntity> roots,
                           std::span<const std::pair<Index, Index>> pairs,
                           std::span<const Index> kinds, std::uint32_t step) override;
  void remember(Index entity, const Meeting& meeting) override { history_.add(entity, meeting); }

  TgatPrograms programs_;
  Program training_, embedding_;  // compiled
  MeetingHistory history_;
  TgatBatch batch_;
  AlignedVector<float> training_memory_, embedding_memory_;
};

// Upper estimate of what a Tgat holds that learns so many facts.
[[nodiscard]] std::size_t tgat_bytes(const EventWorld& world, const TgatSettings& settings,
                                     Offset facts);

}  // namespace cupel
