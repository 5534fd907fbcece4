// RE-Net as a model of facts over time: recurrences over what happened around an entity, and over
// the whole graph. re_net_program.h has the source and the equations.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "cupel/learn/events/re_net/global_state.h"
#include "cupel/learn/events/re_net/history_model.h"
#include "cupel/learn/events/re_net/history_settings.h"
#include "cupel/learn/events/re_net/query_batch.h"

namespace cupel {

inline constexpr HistoryForm kReNetForm = {
    .name = "re-net", .least_width = 2, .clip = 1, .drawn_order = false};

// The width is even; `history` is of the last steps of an entity, and of the graph.
struct ReNetSettings : HistorySettings {
  Index global_epochs = 20;
  Index global_batch = 16;  // steps of time of a step of Adam
  double global_lr = 1e-3;
  // Where nothing is known of the steps between, how many facts of each are predicted, and taken as
  // history; 0: none, so that histories end with what is known.
  Index foretold = 1000;
  bool released = false;  // as the released code has it: see GlobalSettings and foretell()

  static constexpr SettingRange kGlobalEpochs = kEpochs, kGlobalBatch = {1, 1e6}, kGlobalLr = kLr,
                                kForetold = {0, 1e4};
};

// fit() trains the global state first, which then stays, and then the rest. Histories are the last
// steps at which the given entity was at its end of any fact; facts of a relation without direction
// count from both ends. history_model.h says what else it does.
//
// Memory: see re_net_bytes().
class ReNet final : public HistoryModel {
 public:
  // Throws Error for settings out of range.
  ReNet(const EventWorld& world, const ReNetSettings& settings, StreamKey key, Threads threads);

  // A part of fit(), for measurements and tests: the global state, on `train`, after which
  // everything is forgotten.
  void train_global(const FactColumns& train, const RunLimits& limits);

  GlobalState& global() { return global_; }
  Snapshots& past() { return past_; }
  // Of the step `time`, by what is before it: the most likely facts, and none twice. Subjects, and
  // then objects, are drawn `foretold` times by the global state, and each fact is as likely as its
  // subject, its relation and its object are together.
  FactColumns foretell(std::int64_t time, const RunLimits& limits);

 private:
  QueryBatch& batch() { return batches_[filled()]; }
  void clear_batch() override { batch().clear(); }
  Index add_query(std::int64_t time, Index given, Index kind) override {
    return batch().add(past_, time, given, kind);
  }
  std::vector<HistoryQuery>& batch_queries() override { return batch().queries(); }
  std::vector<ConstantMatrix> constants() override;
  void remember(const FactColumns& facts) override;
  void forget_past() override;
  Index past_steps() override { return past_.steps(); }
  void go_back(Index steps) override;
  void come_to(std::int64_t time, const RunLimits& limits) override;
  // An epoch of the graph's state, and reading it off, take about 1/80 of an epoch of the rest
  // (YAGO; less on ICEWS18).
  double share_of_first() const override { return (settings_.global_epochs + 1.0) / 80; }
  void fit_first(const RunLimits& limits) override { global_.fit(past_, limits); }
  ParameterSet* fitted_first() override { return &global_.values(); }
  void foretell_from(bool targets, std::int64_t time, const RunLimits& limits);

  ReNetSettings settings_;
  GlobalState global_;
  std::array<QueryBatch, 2> batches_;
  Snapshots past_;

  bool any_foretold_ = false;
  Index known_steps_ = 0;              // those behind are predicted, if any is
  std::optional<std::int64_t> asked_;  // the last time that was asked about since
  struct Foretold {
    double probability;
    Index source, relation, target;
  };
  std::vector<Foretold> foretold_;
  std::vector<Index> foretold_source_, foretold_relation_, foretold_target_;
  std::vector<std::int64_t> foretold_time_;
};

// Estimate of what a ReNet holds with so many facts: five copies of the parameters, the past, and
// what is larger of a batch (queries x history steps, with four entities around each on average)
// with its logits, and of the global model's snapshots, were every entity active in each.
[[nodiscard]] std::size_t re_net_bytes(const EventWorld& world, const ReNetSettings& settings,
                                       Offset facts);

}  // namespace cupel
