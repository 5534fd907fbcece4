#include "cupel/base/checkpoint.h"

#include <cstring>

namespace cupel {

void State::put_down(Checkpoint* checkpoint) const {
  if (checkpoint != nullptr && checkpoint->due()) checkpoint->put_down(parts_);
}

bool State::take_up(Checkpoint* checkpoint) const {
  if (checkpoint == nullptr) return false;
  const std::string bytes = checkpoint->take_up();
  std::size_t size = 0;
  for (const StateBytes part : parts_) size += part.size();
  if (bytes.empty() || size != bytes.size()) return false;
  const char* at = bytes.data();
  for (const StateBytes part : parts_) {
    if (!part.empty()) std::memcpy(part.data(), at, part.size());
    at += part.size();
  }
  return true;
}

}  // namespace cupel
