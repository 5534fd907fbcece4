#include "cupel/base/paths.h"

#include <system_error>

#include "cupel/base/error.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

}  // namespace

bool is_there(const fs::path& path) {
  std::error_code problem;
  const bool there = fs::exists(path, problem);
  if (problem) {
    fail("{}: cannot be looked for ({}); check the path and its permissions", path.string(),
         problem.message());
  }
  return there;
}

std::int64_t size_of_file(const fs::path& path) {
  std::error_code problem;
  const auto size = fs::file_size(path, problem);
  if (problem) {
    fail("{}: cannot be measured ({}); check the path and its permissions", path.string(),
         problem.message());
  }
  return static_cast<std::int64_t>(size);
}

fs::path current_folder() {
  std::error_code problem;
  const fs::path folder = fs::current_path(problem);
  if (problem) {
    fail("the current folder cannot be told ({}); it may have been removed, go to another one",
         problem.message());
  }
  return folder;
}

fs::path absolute_path(const fs::path& path) {
  if (path.is_absolute()) return path;
  return path.empty() ? current_folder() : current_folder() / path;
}

bool same_place(const fs::path& a, const fs::path& b) {
  std::error_code problem;
  if (fs::equivalent(plain_path(a), plain_path(b), problem) && !problem) return true;
  const fs::path one = fs::weakly_canonical(absolute_path(plain_path(a)), problem);
  if (problem) return false;
  const fs::path other = fs::weakly_canonical(absolute_path(plain_path(b)), problem);
  return !problem && one == other;
}

void check_not_input(const std::string& command, const fs::path& out,
                     const std::vector<fs::path>& inputs) {
  std::error_code ignored;
  for (const fs::path& input : inputs)
    if (fs::exists(plain_path(input), ignored) && same_place(input, out))
      fail("{}: {} is what is read; write to another path", command, out.string());
}

std::filesystem::path plain_path(const std::filesystem::path& path) {
  return path.has_filename() || path.empty() ? path : path.parent_path();
}

}  // namespace cupel
