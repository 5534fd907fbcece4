// Records of publications in CUPEL_DATA.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace cupel::test {

// A file or folder of expert data there, by itself or in `expert`; empty if there is none.
inline std::string expert_data(const std::string& name) {
  const char* const data = std::getenv("CUPEL_DATA");
  std::error_code ignored;
  if (data != nullptr)
    for (const char* folder : {"", "expert"})
      if (const auto path = std::filesystem::path(data) / folder / name;
          std::filesystem::exists(path, ignored))
        return path.string();
  return "";
}

}  // namespace cupel::test
