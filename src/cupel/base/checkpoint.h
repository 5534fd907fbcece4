// Where work that takes hours puts down how far it is, so that who is stopped goes on from there.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace cupel {

// A part of a state, as bytes of this machine.
using StateBytes = std::span<std::byte>;

// Belongs to one piece of work, whose outcome is the same whether it was stopped or not. Used by
// one thread.
class Checkpoint {
 public:
  virtual ~Checkpoint() = default;
  // What was put down last, the parts one after another; empty where nothing was, or nothing whole.
  [[nodiscard]] virtual std::string take_up() = 0;
  // Whether so much was done since that it is worth the writing.
  [[nodiscard]] virtual bool due() const = 0;
  // In place of what was put down before, which stays where this cannot be written: work does not
  // fail for it.
  virtual void put_down(std::span<const StateBytes> parts) = 0;
};

}  // namespace cupel
