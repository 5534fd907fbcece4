// A current folder that is no longer there.
#pragma once

#include <filesystem>

#include "temp_folder.h"

namespace cupel {

// While it lives, the current folder is one that was removed.
class GoneFolder {
 public:
  GoneFolder() : before_(std::filesystem::current_path()) {
    const TempFolder gone;
    std::filesystem::current_path(gone.path());
  }
  ~GoneFolder() {
    std::error_code ignored;
    std::filesystem::current_path(before_, ignored);
  }
  GoneFolder(const GoneFolder&) = delete;
  GoneFolder& operator=(const GoneFolder&) = delete;

 private:
  std::filesystem::path before_;
};

}  // namespace cupel
