// What the machine can do: the peak that a training step is measured against.
#pragma once

#include <string>
#include <vector>

#include "cupel/base/matrix.h"
#include "cupel/base/parallel.h"

namespace cupel::bench {

enum class Clock { kWall, kProcessor };

// Seconds of wall time; or of processor time of all threads, divided by `threads`: what the wall
// would show on a machine that does nothing else, as long as the threads are busy all the time.
[[nodiscard]] double seconds(Clock clock, Threads threads);

// GFLOP/s of float32. Each takes the best of what was ever measured.
class Yardstick {
 public:
  Yardstick(Threads threads, Clock clock);
  ~Yardstick();
  Yardstick(const Yardstick&) = delete;
  // Some hundred milliseconds for each core; to be called several times in a run.
  void measure();

  double multiply_adds() const { return multiply_adds_; }  // no memory is touched
  double own_product() const { return own_; }              // our kernel, 512 wide or square
  double other_product() const { return other_; }          // oneDNN's; 0 where it is not installed
  // The best product of two matrices by any of the kernels.
  double product() const { return own_ > other_ ? own_ : other_; }
  // GB/s of a walk over arrays of so many numbers, the best of many: the sum of two arrays, or that
  // of the numbers of one.
  [[nodiscard]] double walk(Index numbers) const;

 private:
  struct Library;
  Threads threads_;
  Clock clock_;
  double multiply_adds_ = 0, own_ = 0, other_ = 0;
  Library* library_ = nullptr;
};

}  // namespace cupel::bench
