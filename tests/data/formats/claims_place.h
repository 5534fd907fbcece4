// A folder of files that claim much, and what memory reading them takes: what is measured is what
// the system says this process held.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "cupel/data/formats/format.h"
#include "data/formats/made_files.h"
#include "data/formats/mutation.h"

namespace cupel {

class ClaimsPlace : public testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, const std::string& text) {
    const std::filesystem::path path = folder_ / name;
    std::filesystem::create_directories(path.parent_path());
    made::write_file(path, text);
    return path;
  }
  std::filesystem::path write_arrays(const std::string& name, const made::Members& members,
                                     bool deflate = true) {
    const std::filesystem::path path = folder_ / name;
    std::filesystem::create_directories(path.parent_path());
    write_npz(path, members, deflate);
    return path;
  }

  // More than `more` megabytes are too much for what is tried here.
  void within_memory(const std::function<void()>& body, long more = 0) {
    made::reset_peak();
    const long before = made::peak_kilobytes();
    body();
    EXPECT_LT(made::peak_kilobytes() - before, made::kMostKilobytes + more * 1024);
  }
  void expect_refused(const std::filesystem::path& path, const std::vector<std::string>& pieces,
                      ReadMode mode = ReadMode::kForUse, long more = 0) {
    within_memory([&] { made::expect_error([&] { (void)read_dataset(path, mode); }, pieces); },
                  more);
  }

  const made::Folder folder_;
};

}  // namespace cupel
