#include "cupel/base/parallel.h"

#include <sched.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <map>

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace cupel {
namespace {

// The thread sanitizer, which sees nothing of what TBB orders, is told: a block begins after what
// was before its loop, and ends before what follows. Blocks among themselves have no order.
struct Order {
#ifdef __SANITIZE_THREAD__
  char begin = 0, end = 0;
  void loop_begins() { __tsan_release(&begin); }
  void block_begins() { __tsan_acquire(&begin); }
  void block_ends() { __tsan_release(&end); }
  void loop_ends() { __tsan_acquire(&end); }
#else
  void loop_begins() {}
  void block_begins() {}
  void block_ends() {}
  void loop_ends() {}
#endif
};

}  // namespace

void parallel_blocks(Threads threads, std::int64_t size, std::int64_t grain,
                     const std::function<void(std::int64_t, std::int64_t)>& body) {
  const std::int64_t blocks = (size + grain - 1) / grain;
  const auto run_block = [&](std::int64_t block) {
    body(block * grain, std::min(size, (block + 1) * grain));
  };
  // TBB has no more workers than processors, and warns on standard error if asked for more. An
  // arena has a place for each, so that a slip of the keyboard must not ask for millions.
  const int count = threads.count <= 1 ? 1 : std::min(threads.count, available_processors());
  if (count <= 1 || blocks <= 1) {
    for (std::int64_t block = 0; block < blocks; ++block) run_block(block);
    return;
  }
  // Kept: to make an arena takes longer than many a loop. By size, since loops may be nested.
  thread_local std::map<int, tbb::task_arena> arenas;
  Order order;
  const auto ordered_block = [&](std::int64_t block) {
    order.block_begins();
    run_block(block);
    order.block_ends();
  };
  order.loop_begins();
  arenas.try_emplace(count, count).first->second.execute([&] {
    tbb::parallel_for(std::int64_t{0}, blocks, ordered_block, tbb::simple_partitioner{});
  });
  order.loop_ends();
}

int available_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return std::max(1, CPU_COUNT(&set));
}

}  // namespace cupel
