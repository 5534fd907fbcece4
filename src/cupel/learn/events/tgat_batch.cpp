#include "cupel/learn/events/tgat_batch.h"

#include "cupel/learn/events/id_table.h"
#include "cupel/learn/events/row_names.h"
#include "cupel/learn/events/time_between.h"

namespace cupel {
namespace {

constexpr std::uint32_t kSamples = 0x74676174u;  // purpose of what is drawn

std::uint64_t hash_of(const TimedEntity& e) {
  return mixed(mixed(static_cast<std::uint64_t>(e.time)) ^ static_cast<std::uint32_t>(e.entity));
}

}  // namespace

TgatBatch::TgatBatch(const TgatSampling& sampling, Index kinds)
    : sampling_(sampling), kinds_(kinds), levels_(static_cast<std::size_t>(sampling.layers)) {}

void TgatBatch::take_roots(std::span<const TimedEntity> roots, const MeetingHistory& history,
                           const BlockMeetings& block, StreamKey key, std::uint32_t step) {
  levels_.back().rows.assign(roots.begin(), roots.end());
  for (std::size_t l = levels_.size(); l-- > 0;) {
    sample(levels_[l], history, block, key, step);
    if (l > 0) go_below(levels_[l], levels_[l - 1]);
  }
}

void TgatBatch::sample(Level& level, const MeetingHistory& history, const BlockMeetings& block,
                       StreamKey key, std::uint32_t step) {
  level.met.clear();
  for (Csr* m : {&level.slots, &level.kinds, &level.own, &level.with}) take_rows_out(*m);
  level.kinds.cols = kinds_;
  level.attends.values.clear(), level.elapsed.values.clear();
  for (const TimedEntity& row : level.rows) {
    const std::size_t first = level.met.size();
    sample_meetings(history, block, row, sampling_.neighbours, sampling_.sample,
                    {key, kSamples, step, static_cast<std::uint32_t>(hash_of(row))}, level.met);
    for (std::size_t slot = first; slot < level.met.size(); ++slot) {
      level.slots.columns.push_back(static_cast<Index>(slot));
      level.elapsed.values.push_back(elapsed_between(level.met[slot].time, row.time));
      if (kinds_ > 0) end_row(level.kinds, level.met[slot].kind);
    }
    end_row(level.slots);
    level.attends.values.push_back(level.met.size() > first ? 1.0f : 0.0f);
  }
  level.slots.cols = static_cast<Index>(level.met.size());
  resize(level.attends, static_cast<Index>(level.rows.size()), 1);
  resize(level.elapsed, level.slots.cols, 1);
}

// The rows themselves, and whom they met, at that time.
void TgatBatch::go_below(Level& level, Level& below) {
  below.rows.clear();
  IdTable places;
  const auto place = [&](const TimedEntity& e) {
    const Index found = places.find(hash_of(e), [&](Index number) {
      const TimedEntity& other = below.rows[static_cast<std::size_t>(number)];
      return other.entity == e.entity && other.time == e.time;
    });
    if (found >= 0) return found;
    below.rows.push_back(e);
    places.add([&](Index number) { return hash_of(below.rows[static_cast<std::size_t>(number)]); });
    return static_cast<Index>(below.rows.size()) - 1;
  };
  for (const TimedEntity& row : level.rows) end_row(level.own, place(row));
  for (const Meeting& met : level.met) end_row(level.with, place({met.with, met.time}));
  level.own.cols = level.with.cols = static_cast<Index>(below.rows.size());
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
  for (const Level& level : levels_)
    for (const ConstantMatrix& m : {ConstantMatrix{&level.slots, nullptr},
                                    {nullptr, &level.attends},
                                    {nullptr, &level.elapsed},
                                    {&level.kinds, nullptr},
                                    {&level.own, nullptr},
                                    {&level.with, nullptr}})
      out.push_back(m);
  for (const Csr* m : {&pair_sources_, &pair_targets_, &pair_kinds_}) out.push_back({m, nullptr});
  return out;
}

}  // namespace cupel
