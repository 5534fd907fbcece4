#include "cupel/learn/events/node_memory.h"

#include <algorithm>

namespace cupel {

NodeMemory::NodeMemory(Index entities, Index width)
    : state_(entities, width),
      partner_(entities, width),
      updated_(static_cast<std::size_t>(entities)),
      message_time_(static_cast<std::size_t>(entities)),
      kind_(static_cast<std::size_t>(entities), kNone) {}

void NodeMemory::clear(std::int64_t origin) {
  std::ranges::fill(state_.values, 0.0f);
  std::ranges::fill(updated_, origin);
  std::ranges::fill(message_time_, origin);
  std::ranges::fill(kind_, kNone);
}

void NodeMemory::update(Index entity, const float* state) {
  const auto at = static_cast<std::size_t>(entity);
  std::copy_n(state, state_.cols, state_.row(entity));
  updated_[at] = message_time_[at];
  kind_[at] = kNone;
}

void NodeMemory::post(Index entity, Index partner, Index kind, std::int64_t time) {
  const auto at = static_cast<std::size_t>(entity);
  std::copy_n(state_.row(partner), state_.cols, partner_.row(entity));
  message_time_[at] = time;
  kind_[at] = kind;
}

}  // namespace cupel
