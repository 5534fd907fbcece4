// RE-Net as PyTorch Geometric has it, as a model of facts over time: recurrences over whom an
// entity met by a relation. re_net_pyg_program.h has the source and the equations.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cupel/learn/events/re_net/history_model.h"
#include "cupel/learn/events/re_net/history_settings.h"
#include "cupel/learn/events/re_net/pair_histories.h"
#include "cupel/learn/events/re_net/pair_query_batch.h"

namespace cupel {

inline constexpr HistoryForm kReNetPygForm = {
    .name = "re-net-pyg", .least_width = 1, .clip = 0, .drawn_order = true};

// Histories are what the given entity met at its end by the asked relation, in each of the last
// steps of the data's time; facts of a relation without direction count from both ends. Where
// nothing of a part is known while it is asked, steps of it that were asked about are steps in
// which nothing was met. history_model.h says what else it does.
//
// Memory: see re_net_pyg_bytes().
class ReNetPyg final : public HistoryModel {
 public:
  // Throws Error for settings out of range.
  ReNetPyg(const EventWorld& world, const HistorySettings& settings, StreamKey key,
           Threads threads);

 private:
  PairQueryBatch& batch() { return batches_[filled()]; }
  void clear_batch() override { batch().clear(); }
  Index add_query(std::int64_t time, Index given, Index kind) override {
    return batch().add(past_, time, given, kind, unknown_before(time));
  }
  std::vector<HistoryQuery>& batch_queries() override { return batch().queries(); }
  std::vector<ConstantMatrix> constants() override { return batch().constants(); }
  void remember(const FactColumns& facts) override;
  void forget_past() override;
  Index past_steps() override { return past_.steps(); }
  void go_back(Index steps) override { past_.keep(steps); }
  void come_to(std::int64_t time, const RunLimits& limits) override;
  // Steps before `time` that were asked about, and of which nothing is known.
  Index unknown_before(std::int64_t time) const;

  PairHistories past_;
  std::array<PairQueryBatch, 2> batches_;
  std::vector<std::int64_t> unknown_;  // ascending, later than what was learnt
};

// Upper estimate of what a ReNetPyg holds with so many facts: five copies of the parameters, the
// past, and a batch with its logits, were all of its queries and what they met different.
[[nodiscard]] std::size_t re_net_pyg_bytes(const EventWorld& world, const HistorySettings& settings,
                                           Offset facts);

}  // namespace cupel
