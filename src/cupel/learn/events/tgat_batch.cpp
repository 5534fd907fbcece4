#include "cupel/learn/events/tgat_batch.h"

#include "cupel/learn/events/row_names.h"

namespace cupel {
namespace {

constexpr std::uint32_t kSamples = 0x74676174u;  // purpose of what is drawn

}  // namespace

TgatBatch::TgatBatch(const TgatSampling& sampling, Index kinds)
    : sampling_(sampling), kinds_(kinds), levels_(static_cast<std::size_t>(sampling.layers)) {}

void TgatBatch::take_roots(std::span<const TimedEntity> roots, const MeetingHistory& history,
                           const BlockMeetings& block, StreamKey key, std::uint32_t step) {
  levels_.back().rows.assign(roots.begin(), roots.end());
  for (std::size_t l = levels_.size(); l-- > 0;) {
    AttentionLevel& level = levels_[l];
    level.meet(kinds_, [&](const TimedEntity& row, std::vector<Meeting>& out) {
      sample_meetings(
          history, block, row, sampling_.neighbours, sampling_.sample,
          {key, kSamples, step, static_cast<std::uint32_t>(AttentionLevel::hash_of(row))}, out);
    });
    if (l > 0)
      level.go_below([](const TimedEntity&, const Meeting& met) { return met.time; },
                     levels_[l - 1].rows);
  }
}

void TgatBatch::take_pairs(std::span<const std::pair<Index, Index>> pairs,
                           std::span<const Index> kinds) {
  for (Csr* m : {&pair_sources_, &pair_targets_, &pair_kinds_}) take_rows_out(*m);
  pair_sources_.cols = pair_targets_.cols = roots(), pair_kinds_.cols = kinds_;
  for (const auto& [source, target] : pairs)
    end_row(pair_sources_, source), end_row(pair_targets_, target);
  for (const Index kind : kinds) end_row(pair_kinds_, kind);
}

std::vector<ConstantMatrix> TgatBatch::constants() const {
  std::vector<ConstantMatrix> out;
  for (const AttentionLevel& level : levels_) level.add_constants(out);
  for (const Csr* m : {&pair_sources_, &pair_targets_, &pair_kinds_}) out.push_back({m, nullptr});
  return out;
}

}  // namespace cupel
