// Blocks that are unpacked on other threads before they are asked for.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "cupel/base/parallel.h"
#include "cupel/data/formats/bzip2_block.h"

namespace cupel {

// Takes offers of places at which a block may begin, in ascending order, and gives the block at a
// place, offered or not. What was offered before a place that is asked for was no block, and its
// work is lost: where that happens often, offers are no longer wanted, so that all work is at most
// about twice that of the blocks. For one caller; threads are started when there is work for them.
class Bzip2Ahead {
 public:
  Bzip2Ahead(const InputFile& file, Threads threads);
  ~Bzip2Ahead();
  Bzip2Ahead(const Bzip2Ahead&) = delete;
  Bzip2Ahead& operator=(const Bzip2Ahead&) = delete;

  bool alone() const { return threads_ <= 1; }  // and nothing is wanted
  bool wants_more() const;
  // Blocks after which more will be wanted, at most.
  std::size_t most() const { return 2 * static_cast<std::size_t>(threads_); }
  void offer(std::uint64_t bit, int level);
  // Decoded. While another thread is at it, the caller's decodes others.
  std::shared_ptr<Bzip2Block> take(std::uint64_t bit, int level);

 private:
  enum class State { kWaiting, kRunning, kDone };
  struct Job {
    Bzip2Block block;
    State state = State::kWaiting;
    Job(const InputFile& file, std::uint64_t bit, int level) : block(file, bit, level) {}
  };

  void work();
  void start_worker();
  void drop_first();
  bool run_one(std::unique_lock<std::mutex>& lock);
  void run(Job& job, std::unique_lock<std::mutex>& lock);

  const InputFile& file_;
  const int threads_;
  std::uint64_t right_ = 0, wrong_ = 0;  // offers that were and were not taken

  std::mutex mutex_;
  std::condition_variable changed_;
  bool closed_ = false;
  std::deque<std::shared_ptr<Job>> jobs_;  // ascending; changed by the caller alone
  std::vector<std::jthread> workers_;
};

}  // namespace cupel
