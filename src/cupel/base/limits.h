// When long work is to be given up.
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <optional>

namespace cupel {

// Thrown by work that was given up because somebody wants to stop. It is no failure of the work,
// which can be done again: nothing of it is kept.
class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

// Thrown by work that is past its deadline. It is an outcome of the work: it took too long.
class TimedOut : public std::exception {
 public:
  const char* what() const noexcept override { return "out of time"; }
};

// What one run is given to look at between its steps. Cheap to copy.
struct RunLimits {
  std::optional<std::chrono::steady_clock::time_point> deadline;
  const std::atomic<bool>* interrupt = nullptr;  // set: the user wants to stop

  [[nodiscard]] bool interrupted() const { return interrupt != nullptr && *interrupt; }
  void throw_if_interrupted() const {
    if (interrupted()) throw Interrupted();
  }
  // Both limits, the interrupt first. Takes some 20 ns where there is a deadline.
  void check() const {
    throw_if_interrupted();
    if (deadline && std::chrono::steady_clock::now() >= *deadline) throw TimedOut();
  }
};

}  // namespace cupel
