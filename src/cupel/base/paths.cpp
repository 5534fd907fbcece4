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

std::filesystem::path plain_path(const std::filesystem::path& path) {
  return path.has_filename() || path.empty() ? path : path.parent_path();
}

}  // namespace cupel
