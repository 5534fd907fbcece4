// When long work is to be given up, and how far it is.
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <optional>

namespace cupel {

class Checkpoint;  // base/checkpoint.h

// Thrown by work that was given up because somebody wants to stop. It is no failure of the work,
// which can be done again: nothing of it is kept but what it put down in a checkpoint.
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
  // Where work tells how much of it is done, from 0 to 1; null: nobody asks.
  std::atomic<double>* done = nullptr;
  double begin = 0, end = 1;         // of *done: the part of the work that these limits are for
  Checkpoint* checkpoint = nullptr;  // where long work puts down how far it is; null: nowhere

  [[nodiscard]] bool interrupted() const { return interrupt != nullptr && *interrupt; }
  void throw_if_interrupted() const {
    if (interrupted()) throw Interrupted();
  }
  // Both limits, the interrupt first. Takes some 20 ns where there is a deadline.
  void check() const {
    throw_if_interrupted();
    if (deadline && std::chrono::steady_clock::now() >= *deadline) throw TimedOut();
  }
  // So much is done of `all`.
  void tell(double so_much, double all) const {
    if (done != nullptr && all > 0)
      done->store(begin + (end - begin) * so_much / all, std::memory_order_relaxed);
  }
  // For the part of the work from `first` to `last` of `all`.
  [[nodiscard]] RunLimits part(double first, double last, double all) const {
    RunLimits out = *this;
    if (all > 0) {
      out.begin = begin + (end - begin) * first / all;
      out.end = begin + (end - begin) * last / all;
    }
    return out;
  }
};

}  // namespace cupel
