// What becomes of a file that is written over.
#include "cupel/base/write_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "temp_folder.h"

namespace cupel::test {
namespace {

namespace fs = std::filesystem;

mode_t mode_of(const fs::path& path) {
  struct stat found = {};
  return ::stat(path.c_str(), &found) == 0 ? found.st_mode & 07777 : 0;
}

TEST(WriteFile, WhoMayReadWhatWasThereMayReadTheNewFile) {
  const TempFolder folder;
  const mode_t before = ::umask(022);
  for (const mode_t mode : {0600U, 0640U, 0664U}) {
    const fs::path path = folder / "report.html";
    std::ofstream(path) << "old";
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    write_file(path, "new");
    EXPECT_EQ(mode_of(path), mode);
    const std::string_view part = "newer";
    write_file(path, folder / "beside", std::span(&part, 1));
    EXPECT_EQ(mode_of(path), mode);
    EXPECT_EQ(fs::file_size(path), 5u);
  }
  write_file(folder / "first", "new");
  EXPECT_EQ(mode_of(folder / "first"), 0644U) << "what replaces nothing is as the mask has it";
  ::umask(before);
}

}  // namespace
}  // namespace cupel::test
