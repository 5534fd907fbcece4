// Parallel loops whose result does not depend on the number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace cupel {

// How many threads a piece of work may use. Cheap to copy.
struct Threads {
  int count = 1;
};

// Calls body(begin, end) over consecutive blocks of `grain` items (the last may be shorter) that
// cover [0, size). The blocks depend on size and grain alone, never on the thread count, so a body
// that writes only what its block owns gives the same bits on any number of threads.
// The first exception of a body is rethrown. Runs inline when one thread is enough.
void parallel_blocks(Threads threads, std::int64_t size, std::int64_t grain,
                     const std::function<void(std::int64_t, std::int64_t)>& body);

// Work that another of `threads` may take while the caller goes on with something else; with one
// thread, the caller's own by wait().
class Aside {
 public:
  Aside(Threads threads, std::function<void()> work);
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;
  // Waits, if the work has been begun; otherwise it is not done.
  ~Aside();
  // Returns once the work is done: by the caller, if nobody has begun it. Rethrows its exception.
  void wait();

 private:
  struct Work;
  std::shared_ptr<Work> work_;
};

// Processors this process may use.
[[nodiscard]] int available_processors();

}  // namespace cupel
