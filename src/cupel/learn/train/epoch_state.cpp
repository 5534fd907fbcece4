#include "cupel/learn/train/epoch_state.h"

#include <cstring>
#include <vector>

namespace cupel {
namespace {

// What does not depend on shapes. No padding: its bytes are written.
struct Head {
  std::int64_t epochs, steps, waited, kept, adam_steps;
  double best;
};

StateBytes bytes_of(ParameterSet& set) { return std::as_writable_bytes(std::span(set.block())); }

// After the head, in the order of the file.
std::vector<StateBytes> parts_of(EpochState& state, std::span<ParameterSet* const> values,
                                 Adam& adam) {
  std::vector<StateBytes> out;
  for (ParameterSet* set : values) out.push_back(bytes_of(*set));
  out.push_back(bytes_of(adam.first_moments()));
  out.push_back(bytes_of(adam.second_moments()));
  if (state.kept) out.push_back(bytes_of(*state.kept));
  return out;
}

}  // namespace

void put_down(Checkpoint* checkpoint, EpochState& state, std::span<ParameterSet* const> values,
              Adam& adam) {
  if (checkpoint == nullptr || !checkpoint->due()) return;
  Head head{state.epochs,           state.steps,  state.waited,
            state.kept.has_value(), adam.steps(), state.best};
  std::vector<StateBytes> parts = parts_of(state, values, adam);
  parts.insert(parts.begin(), std::as_writable_bytes(std::span(&head, 1)));
  checkpoint->put_down(parts);
}

bool take_up(Checkpoint* checkpoint, EpochState& state, std::span<ParameterSet* const> values,
             Adam& adam) {
  if (checkpoint == nullptr) return false;
  const std::string bytes = checkpoint->take_up();
  Head head{};
  if (bytes.size() < sizeof head) return false;
  std::memcpy(&head, bytes.data(), sizeof head);
  EpochState found{head.epochs, head.steps, head.waited, head.best, {}};
  if (head.kept != 0) found.kept = *values.front();
  const std::vector<StateBytes> parts = parts_of(found, values, adam);
  std::size_t size = sizeof head;
  for (const StateBytes part : parts) size += part.size();
  if (size != bytes.size()) return false;
  const char* at = bytes.data() + sizeof head;
  for (const StateBytes part : parts) {
    std::memcpy(part.data(), at, part.size());
    at += part.size();
  }
  adam.set_steps(static_cast<int>(head.adam_steps));
  state = std::move(found);
  return true;
}

}  // namespace cupel
