// Real data, for tests that do not run without them.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <string>

namespace cupel::made {

// Why a test of these files or folders of CUPEL_DATA does not run; "" if all are there.
//   if (const std::string why = needs_data({"cora/cora.npz"}); !why.empty()) GTEST_SKIP() << why;
inline std::string needs_data(std::initializer_list<const char*> paths) {
  const char* const folder = std::getenv("CUPEL_DATA");
  std::error_code ignored;
  for (const char* const path : paths)
    if (folder == nullptr ||
        !std::filesystem::exists(std::filesystem::path(folder) / path, ignored))
      return std::string("needs CUPEL_DATA with ") + path;
  return "";
}

}  // namespace cupel::made
