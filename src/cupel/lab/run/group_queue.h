// The groups of runs that wait for a worker, and what of memory those under way take.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <string>

#include "cupel/lab/run/claims.h"
#include "cupel/lab/run/pending.h"
#include "cupel/lab/run/tally.h"

namespace cupel {

// Not thread-safe: the scheduler's mutex guards it.
class GroupQueue {
 public:
  // A group on its way: workers take its inits one by one.
  class Work {
   public:
    Work(RunGroup of, std::size_t bytes) : group_(std::move(of)), memory_(bytes) {}
    [[nodiscard]] const RunGroup& group() const { return group_; }
    // The first init that nobody took; none if all are taken.
    std::optional<int> next_init();

   private:
    friend class GroupQueue;
    [[nodiscard]] std::size_t left() const { return group_.inits.size() - next_; }

    RunGroup group_;
    std::size_t next_ = 0;  // index of the first init that nobody took
    std::size_t memory_;    // of one session
    int sessions_ = 0;      // that are at it
  };
  enum class Found { kWork, kWait, kNothing };
  struct Taken {
    Found found;
    Work* work = nullptr;
  };

  // Sessions get `memory_limit` bytes together. What other processes did, and what does not start,
  // is told to `tally`. Store and tally must outlive the queue.
  GroupQueue(const Store& store, bool retry, std::size_t memory_limit, Tally& tally);

  // `memory`: of one session, in bytes.
  void add(const RunGroup& group, std::size_t memory);

  // The next group to open a session for: one that nobody works at, else a share of one that
  // another worker has begun. kWait: memory is wanting, or another process works at what is left
  // and may die. kNothing: nothing is left to take, or `stopped`. Throws Error if the store cannot
  // be read.
  [[nodiscard]] Taken take(const std::function<bool()>& stopped);
  // A session of a group that was taken is over.
  void end_session(Work& work);

  // What nobody has taken of a family that cannot start here.
  void give_up(const Family& family, const std::string& reason);

  // Whether a run of this program is to be done, or a session of it is open.
  [[nodiscard]] bool needs(const ExternalCommand& program) const;

  // Runs that another process is at.
  [[nodiscard]] int elsewhere() const;

 private:
  [[nodiscard]] bool fits(const Work& work) const { return used_ + work.memory_ <= limit_; }
  bool claim(std::deque<Work>::iterator work);
  void look_again();
  Taken start(Work& work);
  Work* largest_to_share();
  void give_up_first();

  const Store& store_;
  const bool retry_;
  const std::size_t limit_;
  Tally& tally_;
  Claims claims_;
  std::deque<Work> waiting_, begun_;                    // a deque keeps addresses at push_back
  std::deque<Work> elsewhere_;                          // that another process works at
  std::chrono::steady_clock::time_point look_again_{};  // at these
  std::size_t used_ = 0;
  int active_ = 0;  // sessions
};

}  // namespace cupel
