#include "cupel/lab/run/free_memory.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

namespace cupel {
namespace {

std::size_t read_number(const char* path) {
  std::ifstream in(path);
  std::size_t value = 0;
  // "max" is no limit.
  return in >> value ? value : std::numeric_limits<std::size_t>::max();
}

}  // namespace

std::size_t free_memory() {
  std::size_t free = std::numeric_limits<std::size_t>::max();
  std::ifstream in("/proc/meminfo");
  for (std::string line; std::getline(in, line);) {
    std::istringstream fields(line);
    std::string name;
    std::size_t kilobytes = 0;
    if (fields >> name >> kilobytes && name == "MemAvailable:") free = kilobytes * 1024;
  }
  const auto group = [&](const char* limit_file, const char* use_file) {
    const std::size_t limit = read_number(limit_file), use = read_number(use_file);
    if (limit == std::numeric_limits<std::size_t>::max() || limit < use) return;
    free = std::min(free, limit - use);
  };
  group("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current");
  group("/sys/fs/cgroup/memory/memory.limit_in_bytes",
        "/sys/fs/cgroup/memory/memory.usage_in_bytes");
  // Where nothing can be learned, assume a small machine.
  return free == std::numeric_limits<std::size_t>::max() ? std::size_t{2} << 30 : free;
}

std::size_t memory_for_runs(std::size_t wanted) {
  return wanted > 0 ? wanted : free_memory() / 5 * 4;
}

}  // namespace cupel
