#include "cupel/base/parallel.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <utility>

#ifdef __SANITIZE_THREAD__
#include <mutex>
#include <thread>
#include <vector>
#else
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace cupel {
namespace {

#ifdef __SANITIZE_THREAD__
// The thread sanitizer sees nothing of what TBB orders, and what hides TBB from it hides races
// between blocks as well. Under it, threads of our own take the blocks. Nothing but their beginning
// and end is ordered: the counter is relaxed, so that it orders no block after another.
void run_on_threads(int count, std::int64_t blocks, const std::function<void(std::int64_t)>& run) {
  std::atomic<std::int64_t> next = 0;
  std::mutex mutex;
  std::exception_ptr problem;
  const auto work = [&] {
    for (std::int64_t block; (block = next.fetch_add(1, std::memory_order_relaxed)) < blocks;) {
      try {
        run(block);
      } catch (...) {
        next.store(blocks, std::memory_order_relaxed);
        const std::lock_guard lock(mutex);
        if (!problem) problem = std::current_exception();
      }
    }
  };
  std::vector<std::thread> others;
  for (int i = 1; i < count; ++i) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
  if (problem) std::rethrow_exception(problem);
}

void run_aside(int, const std::function<void()>& run) { std::thread(run).detach(); }
#else
// Kept: to make an arena takes longer than many a loop. By size, since loops may be nested.
tbb::task_arena& arena_of(int count) {
  thread_local std::map<int, tbb::task_arena> arenas;
  return arenas.try_emplace(count, count).first->second;
}

template <class Run>
void run_on_threads(int count, std::int64_t blocks, const Run& run) {
  arena_of(count).execute(
      [&] { tbb::parallel_for(std::int64_t{0}, blocks, run, tbb::simple_partitioner{}); });
}

void run_aside(int count, const std::function<void()>& run) { arena_of(count).enqueue(run); }
#endif

// TBB has no more workers than processors, and warns on standard error if asked for more. An arena
// has a place for each, so that a slip of the keyboard must not ask for millions.
int usable(Threads threads) {
  return threads.count <= 1 ? 1 : std::min(threads.count, available_processors());
}

}  // namespace

struct Aside::Work {
  std::function<void()> body;
  std::atomic<bool> begun = false, done = false;
  std::exception_ptr problem;

  bool take() { return !begun.exchange(true); }
  void run() {
    if (!take()) return;
    try {
      body();
    } catch (...) {
      problem = std::current_exception();
    }
    done = true;
    done.notify_all();
  }
};

Aside::Aside(Threads threads, std::function<void()> work) : work_(std::make_shared<Work>()) {
  work_->body = std::move(work);
  if (const int count = usable(threads); count > 1) run_aside(count, [at = work_] { at->run(); });
}

Aside::~Aside() {
  if (!work_->take()) work_->done.wait(false);
}

void Aside::wait() {
  work_->run();
  work_->done.wait(false);
  if (work_->problem) std::rethrow_exception(std::exchange(work_->problem, nullptr));
}

void parallel_blocks(Threads threads, std::int64_t size, std::int64_t grain,
                     const std::function<void(std::int64_t, std::int64_t)>& body) {
  const std::int64_t blocks = (size + grain - 1) / grain;
  const auto run_block = [&](std::int64_t block) {
    body(block * grain, std::min(size, (block + 1) * grain));
  };
  const int count = usable(threads);
  if (count <= 1 || blocks <= 1) {
    for (std::int64_t block = 0; block < blocks; ++block) run_block(block);
    return;
  }
  run_on_threads(count, blocks, run_block);
}

int available_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return std::max(1, CPU_COUNT(&set));
}

}  // namespace cupel
