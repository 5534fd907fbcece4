// What the programs of temporal graph attention are bound to: entities at times, and whom they had
// met before, layer below layer.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "cupel/engine/program/bound_program.h"
#include "cupel/learn/events/attention_level.h"
#include "cupel/learn/events/meeting_history.h"
#include "cupel/learn/events/tgat_program.h"

namespace cupel {

struct TgatSampling {
  Index layers = 2;
  Index neighbours = 20;
  MeetingSample sample = MeetingSample::kRecent;
};

// An entity at a time is computed once, and has one sample, however often it is met in a layer.
// Made once, filled again and again. Not thread-safe.
class TgatBatch {
 public:
  // kinds: TgatShape::kinds.
  TgatBatch(const TgatSampling& sampling, Index kinds);

  // Samples follow from (key, step).
  void take_roots(std::span<const TimedEntity> roots, const MeetingHistory& history,
                  const BlockMeetings& block, StreamKey key, std::uint32_t step);
  // Of pairs of roots, and a kind each (empty without kinds).
  void take_pairs(std::span<const std::pair<Index, Index>> pairs, std::span<const Index> kinds);

  // By TgatConstants; of this batch until it is filled again.
  std::vector<ConstantMatrix> constants() const;
  Index roots() const { return levels_.back().slots.rows; }

 private:
  TgatSampling sampling_;
  Index kinds_;
  std::vector<AttentionLevel> levels_;  // of layers from 1 on
  Csr pair_sources_, pair_targets_, pair_kinds_;
};

}  // namespace cupel
