#include "cupel/lab/run/free_memory.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

namespace cupel {
namespace {

namespace fs = std::filesystem;

// Nothing where it says "max", or is not there.
std::optional<std::size_t> read_number(const fs::path& path) {
  std::ifstream in(path);
  std::size_t value = 0;
  return in >> value ? std::optional(value) : std::nullopt;
}

// The number behind a name that begins a line.
std::optional<std::size_t> read_entry(const fs::path& path, const std::string& name) {
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    std::istringstream fields(line);
    std::string first;
    std::size_t value = 0;
    if (fields >> first >> value && first == name) return value;
  }
  return {};
}

// Of a control group. Its use counts files that were read or written; those of the inactive list
// are dropped first where memory is wanted.
std::optional<std::size_t> left_in_group(const fs::path& limit_file, const fs::path& use_file,
                                         const char* cache) {
  const auto limit = read_number(limit_file), use = read_number(use_file);
  if (!limit || !use) return {};
  const std::size_t files = read_entry(limit_file.parent_path() / "memory.stat", cache).value_or(0);
  const std::size_t held = *use - std::min(*use, files);
  return *limit - std::min(*limit, held);
}

}  // namespace

std::size_t free_memory(const fs::path& root) {
  std::optional<std::size_t> free;
  const auto at_most = [&](const std::optional<std::size_t>& left) {
    if (left) free = std::min(free.value_or(*left), *left);
  };
  if (const auto kilobytes = read_entry(root / "proc/meminfo", "MemAvailable:"))
    at_most(*kilobytes * 1024);
  const fs::path group = root / "sys/fs/cgroup";
  at_most(left_in_group(group / "memory.max", group / "memory.current", "inactive_file"));
  at_most(left_in_group(group / "memory/memory.limit_in_bytes",
                        group / "memory/memory.usage_in_bytes", "total_inactive_file"));
  // Where nothing can be learned, assume a small machine.
  return free.value_or(std::size_t{2} << 30);
}

std::size_t memory_for_runs(std::size_t wanted) {
  return wanted > 0 ? wanted : free_memory() / 5 * 4;
}

}  // namespace cupel
