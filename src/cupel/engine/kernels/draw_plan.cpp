#include <algorithm>

#include "cupel/engine/kernels/dropout.h"

namespace cupel::kernels {
namespace {

std::size_t draws_of(std::size_t slots) { return (8 * slots + 8 + 511) / 512 * 512; }

std::size_t bytes_of(std::size_t slots) {
  return slots * 2 * sizeof(std::uint32_t) + draws_of(slots) * sizeof(std::uint16_t);
}

}  // namespace

DrawPlan DrawPlan::ragged(const Index* ids, Index rows, const Offset* row_ptr) {
  const auto blocks_of = [&](Index i) { return (row_ptr[i + 1] - row_ptr[i] + 7) / 8; };
  DrawPlan plan;
  plan.first_slot.resize(static_cast<std::size_t>(rows) + 1);
  Offset slots = 0;
  for (Index i = 0; i < rows; ++i) {
    plan.first_slot[static_cast<std::size_t>(i)] = slots;
    slots += blocks_of(i);
  }
  plan.first_slot.back() = slots;
  plan.slot_rows.reserve(static_cast<std::size_t>(slots));
  plan.slot_blocks.reserve(static_cast<std::size_t>(slots));
  for (Index i = 0; i < rows; ++i) {
    const auto id = static_cast<std::uint32_t>(ids != nullptr ? ids[i] : i);
    for (Offset b = 0; b < blocks_of(i); ++b) {
      plan.slot_rows.push_back(id);
      plan.slot_blocks.push_back(static_cast<std::uint32_t>(b));
    }
  }
  return plan;
}

DrawPlan DrawPlan::each_entry(const Index* ids, Index rows, const Offset* row_ptr) {
  DrawPlan plan;
  plan.slot_rows.reserve(static_cast<std::size_t>(row_ptr[rows]));
  plan.slot_blocks.reserve(static_cast<std::size_t>(row_ptr[rows]));
  for (Index i = 0; i < rows; ++i) {
    const auto id = static_cast<std::uint32_t>(ids != nullptr ? ids[i] : i);
    for (Offset e = row_ptr[i]; e < row_ptr[i + 1]; ++e) {
      plan.slot_rows.push_back(id);
      plan.slot_blocks.push_back(static_cast<std::uint32_t>(e - row_ptr[i]));
    }
  }
  return plan;
}

std::size_t DrawPlan::draws_capacity() const { return draws_of(slot_rows.size()); }

// A row's last slot may be of a single entry.
std::size_t DrawPlan::ragged_bytes(Index rows, Offset entries) {
  const Offset slots = std::min(entries, (entries + Offset{7} * rows) / 8);
  return bytes_of(static_cast<std::size_t>(slots)) +
         (static_cast<std::size_t>(rows) + 1) * sizeof(Offset);
}

std::size_t DrawPlan::each_entry_bytes(Offset entries) {
  return bytes_of(static_cast<std::size_t>(entries));
}

}  // namespace cupel::kernels
