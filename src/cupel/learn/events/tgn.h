// Temporal graph networks as a model of facts over time: memory, and attention over who was met
// last. tgn_program.h has the source and the equations.
#pragma once

#include <vector>

#include "cupel/learn/events/temporal_net.h"
#include "cupel/learn/events/tgn_batch.h"
#include "cupel/learn/events/tgn_program.h"

namespace cupel {

struct TgnSettings {
  Index width = 100;      // of states, of the encoding of times, and of embeddings; 1 to 1024
  Index layers = 1;       // of attention, 1 to 3; one in PyTorch Geometric's form
  Index neighbours = 10;  // of each entity in each layer, the last ones; 1 to 1000, or 100 where
                          // there are several layers
  Index batch = 200;      // facts that are scored and learnt together; 1 to 10^6
  double dropout = 0.1;   // of weights of attention; 0 to below 1
  double lr = 1e-4;       // Adam's
  // Whether frequencies and phases of the encoding of times are trained, as in the released code.
  // One step of Adam then moves the low ones, of 1e-9 and so on, to about lr.
  bool trained_times = false;
  // What an embedding is. In PyTorch Geometric's form it depends on no time, and its neighbours are
  // as old as its states.
  TgnForm form = TgnForm::kReleased;
  Index epochs = 50;   // at most
  Index patience = 5;  // epochs without a better validation score, after which it stops
};

// A state takes in the last message of a block. Where all before an asked time is known, neighbours
// are those before that time, and states those after the last block that is over (its messages come
// together): as training has it, and as the code was released. In PyTorch Geometric's form meetings
// come with the messages, so that none is later than the last message of who was met. Elsewhere all
// that was learnt is known, messages of a block that has begun among it.
//
// Memory: see tgn_bytes(). TemporalNet has the training.
class Tgn final : public TemporalNet {
 public:
  // Throws Error for settings out of range.
  Tgn(const EventWorld& world, const TgnSettings& settings, StreamKey key, Threads threads);

  void learn(const FactColumns& facts) override;
  void forget() override;

  const TgnPrograms& programs() const { return programs_; }
  // Of an entity by now: zeros if nothing has happened to it.
  std::vector<float> state(Index entity);

 private:
  Tgn(const EventWorld& world, const TgnSettings& settings, TgnPrograms programs, StreamKey key,
      Threads threads);
  BoundProgram bind_embeddings(std::span<const TimedEntity> roots) override;
  BoundProgram bind_logits(std::span<const TimedEntity> roots,
                           std::span<const std::pair<Index, Index>> pairs,
                           std::span<const Index> kinds, std::uint32_t step) override;
  void remember(Index entity, const Meeting& meeting) override { neighbours_.add(entity, meeting); }
  void settle(std::int64_t time) override;
  const EventBlocks* blocks() const override { return &blocks_; }
  void refresh(std::span<const Index> nodes);
  void absorb(const FactColumns& facts);
  void absorb_waiting();

  TgnSettings settings_;
  TgnPrograms programs_;
  Program training_, embedding_, updating_;  // compiled

  NodeMemory memory_;
  RecentNeighbours neighbours_;
  EventBlocks blocks_;
  // Facts of the last block, whose messages have not been sent yet, where blocks are to be over.
  std::vector<Index> waiting_source_, waiting_relation_, waiting_target_;
  std::vector<std::int64_t> waiting_time_;
  bool any_ = false;                    // anything was learnt
  std::int64_t block_ = 0;              // number of the block of the last message, from 1
  std::vector<std::int64_t> of_block_;  // by entity: the block in which its state was last updated
  // States with messages, as of parameters `version_`: 0, or the version at which they were made.
  Matrix fresh_;
  std::vector<std::int64_t> fresh_version_;

  TgnBatch batch_, update_batch_;
  AlignedVector<float> training_memory_, embedding_memory_, updating_memory_;
  std::vector<Index> stale_;
};

// Upper estimate of what a Tgn holds that learns so many facts.
[[nodiscard]] std::size_t tgn_bytes(const EventWorld& world, const TgnSettings& settings,
                                    Offset facts);

}  // namespace cupel
