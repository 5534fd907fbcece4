#include "cupel/engine/kernels/dropout.h"

namespace cupel::kernels {

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

std::size_t DrawPlan::draws_capacity() const {
  return (8 * slot_rows.size() + 8 + 511) / 512 * 512;
}

}  // namespace cupel::kernels
