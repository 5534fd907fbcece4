#include "cupel/learn/events/tgn_batch.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "cupel/learn/events/row_names.h"
#include "cupel/learn/events/time_between.h"

namespace cupel {

TgnBatch::TgnBatch(Index entities, const TgnShape& shape)
    : width_(shape.width),
      kinds_(shape.kinds),
      form_(shape.form),
      place_(static_cast<std::size_t>(entities), -1),
      receiver_of_(static_cast<std::size_t>(entities), -1),
      upper_(static_cast<std::size_t>(shape.layers - 1)) {
  clear();
}

void TgnBatch::clear() {
  for (const Index entity : nodes_) place_[static_cast<std::size_t>(entity)] = -1;
  for (const Index entity : receivers_) receiver_of_[static_cast<std::size_t>(entity)] = -1;
  nodes_.clear(), receivers_.clear(), met_.clear();
  for (Csr* m : {&receiver_nodes_, &root_receivers_, &slot_nodes_, &root_slots_, &pair_sources_,
                 &pair_targets_, &node_kinds_, &slot_kinds_, &pair_kinds_})
    take_rows_out(*m);
  for (AttentionLevel& level : upper_) level.clear(kinds_);
  node_kinds_.cols = slot_kinds_.cols = pair_kinds_.cols = kinds_;
  resize(slot_elapsed_, 0, 1), resize(attends_, 0, 1);
}

Index TgnBatch::place(Index entity) {
  Index& place = place_[static_cast<std::size_t>(entity)];
  if (place < 0) {
    place = static_cast<Index>(nodes_.size());
    nodes_.push_back(entity);
  }
  return place;
}

Index TgnBatch::add_receiver(Index entity, const NodeMemory& memory) {
  receivers_.push_back(entity);
  end_row(receiver_nodes_, memory.has_message(entity) ? place(entity) : -1);
  return receiver_of_[static_cast<std::size_t>(entity)] = receiver_nodes_.rows - 1;
}

template <class Elapsed>
void TgnBatch::end_slots(std::size_t first, const NodeMemory& memory, const Elapsed& elapsed) {
  for (std::size_t slot = first; slot < met_.size(); ++slot) {
    const Meeting& met = met_[slot];
    root_slots_.columns.push_back(static_cast<Index>(slot));
    end_row(slot_nodes_, memory.has_message(met.with) ? place(met.with) : -1);
    slot_elapsed_.values.push_back(elapsed(met));
    if (kinds_ > 0) end_row(slot_kinds_, met.kind);
  }
  end_row(root_slots_);
  attends_.values.push_back(met_.size() > first ? 1.0f : 0.0f);
}

void TgnBatch::take_roots(std::span<const TimedEntity> roots, const RecentNeighbours& neighbours,
                          const BlockMeetings& block, const NodeMemory& memory) {
  clear();
  const auto meetings = [&](const TimedEntity& row, std::vector<Meeting>& out) {
    (void)block.before(neighbours, row.entity, row.time, out);
  };
  std::span<const TimedEntity> rows = roots;
  for (std::size_t l = upper_.size(); l-- > 0;) {
    AttentionLevel& level = upper_[l];
    std::vector<TimedEntity>& below = l > 0 ? upper_[l - 1].rows : first_rows_;
    level.rows.assign(rows.begin(), rows.end());
    level.meet(kinds_, meetings);
    // As of the asked time, and not of the meeting as TGAT has it.
    level.go_below([](const TimedEntity& row, const Meeting&) { return row.time; }, below);
    rows = below;
  }
  const bool by_time = form_ == TgnForm::kReleased;
  for (const TimedEntity& root : rows) {
    const std::size_t first = met_.size();
    if (by_time) {
      meetings(root, met_);
      end_slots(first, memory,
                [&](const Meeting& met) { return elapsed_between(met.time, root.time); });
    }
    Index receiver = receiver_of_[static_cast<std::size_t>(root.entity)];
    if (receiver < 0) {
      receiver = add_receiver(root.entity, memory);
      if (!by_time) {
        (void)neighbours.before(root.entity, std::numeric_limits<std::int64_t>::max(),
                                neighbours.keep(), met_);
        end_slots(first, memory, [&](const Meeting& met) {
          return elapsed_between(met.time, memory.last(met.with));
        });
      }
    }
    end_row(root_receivers_, receiver);
  }
  slot_elapsed_.rows = static_cast<Index>(met_.size());
  attends_.rows = root_slots_.rows;
  root_slots_.cols = slot_nodes_.rows;
  root_receivers_.cols = receiver_nodes_.rows;
  receiver_nodes_.cols = slot_nodes_.cols = static_cast<Index>(nodes_.size());
  resize(own_, static_cast<Index>(nodes_.size()), width_);
}

void TgnBatch::take_nodes(std::span<const Index> nodes, const NodeMemory& memory) {
  clear();
  for (const Index entity : nodes) (void)place(entity);
  take_messages(memory);
}

void TgnBatch::take_messages(const NodeMemory& memory) {
  const auto rows = static_cast<Index>(nodes_.size());
  resize(own_, rows, width_), resize(partner_, rows, width_), resize(elapsed_, rows, 1);
  take_rows_out(node_kinds_);
  for (Index r = 0; r < rows; ++r) {
    const Index entity = nodes_[static_cast<std::size_t>(r)];
    if (!memory.has_message(entity)) throw std::logic_error("[tgn] an entity without message");
    std::copy_n(memory.state(entity), width_, own_.row(r));
    std::copy_n(memory.partner(entity), width_, partner_.row(r));
    elapsed_(r, 0) = memory.elapsed(entity);
    if (kinds_ > 0) end_row(node_kinds_, memory.kind(entity));
  }
}

void TgnBatch::take_pairs(std::span<const std::pair<Index, Index>> pairs,
                          std::span<const Index> kinds) {
  for (Csr* m : {&pair_sources_, &pair_targets_, &pair_kinds_}) take_rows_out(*m);
  pair_sources_.cols = pair_targets_.cols = upper_.empty() ? root_slots_.rows : roots();
  const auto embedded = [&](Index root) {
    return form_ == TgnForm::kReleased ? root
                                       : root_receivers_.columns[static_cast<std::size_t>(root)];
  };
  for (const auto& [source, target] : pairs) {
    end_row(pair_sources_, embedded(source));
    end_row(pair_targets_, embedded(target));
  }
  for (const Index kind : kinds) end_row(pair_kinds_, kind);
}

std::vector<ConstantMatrix> TgnBatch::constants() const {
  std::vector<ConstantMatrix> out(kinds_ > 0 ? TgnConstants::kCount : TgnConstants::kNodeKinds);
  const auto at = [&](int constant) -> ConstantMatrix& {
    return out[static_cast<std::size_t>(constant)];
  };
  at(TgnConstants::kOwn).dense = &own_;
  at(TgnConstants::kPartner).dense = &partner_;
  at(TgnConstants::kElapsed).dense = &elapsed_;
  at(TgnConstants::kReceiverNodes).sparse = &receiver_nodes_;
  at(TgnConstants::kRootReceivers).sparse = &root_receivers_;
  at(TgnConstants::kSlotNodes).sparse = &slot_nodes_;
  at(TgnConstants::kSlotElapsed).dense = &slot_elapsed_;
  at(TgnConstants::kRootSlots).sparse = &root_slots_;
  at(TgnConstants::kAttends).dense = &attends_;
  at(TgnConstants::kPairSources).sparse = &pair_sources_;
  at(TgnConstants::kPairTargets).sparse = &pair_targets_;
  if (kinds_ > 0) {
    at(TgnConstants::kNodeKinds).sparse = &node_kinds_;
    at(TgnConstants::kSlotKinds).sparse = &slot_kinds_;
    at(TgnConstants::kPairKinds).sparse = &pair_kinds_;
  }
  for (const AttentionLevel& level : upper_) level.add_constants(out);
  return out;
}

}  // namespace cupel
