#include "cupel/base/leftovers.h"
#include "temp_folder.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <memory>
#include <vector>

namespace cupel {
namespace {

namespace fs = std::filesystem;

class Leftovers : public testing::Test {
 protected:
  fs::path make(const std::string& name) const {
    std::ofstream(folder_ / name) << "x";
    return folder_ / name;
  }

  const TempFolder folder_;
};

TEST_F(Leftovers, GoWithTheSignalAndNothingElseDoes) {
  const fs::path half = make("half"), done = make("done"), other = make("other");
  fs::create_directories(folder_ / "set" / "inner");
  for (int i = 0; i < 200; ++i) make("set/inner/file-" + std::to_string(i));
  fs::create_directory(folder_ / "kept");
  make("kept/file");
  fs::create_directory_symlink(folder_ / "kept", folder_ / "set" / "link");
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGTERM, [](int) {
      const int count = remove_leftovers();
      ::_exit(count);
    });
    const Leftover file(half), set(folder_ / "set"), absent(folder_ / "absent");
    { const Leftover over(done); }
    std::raise(SIGTERM);
    ::_exit(99);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 3);
  EXPECT_FALSE(fs::exists(half));
  EXPECT_FALSE(fs::exists(folder_ / "set"));
  EXPECT_TRUE(fs::exists(done)) << "its writer was done with it";
  EXPECT_TRUE(fs::exists(other));
  EXPECT_TRUE(fs::exists(folder_ / "kept" / "file")) << "links are not followed";
}

TEST_F(Leftovers, MoreThanThereIsRoomForAreNotKnown) {
  std::vector<std::unique_ptr<Leftover>> all;
  for (int i = 0; i < 80; ++i)
    all.push_back(std::make_unique<Leftover>(make("file-" + std::to_string(i))));
  all.clear();
  EXPECT_EQ(remove_leftovers(), 0);
  EXPECT_TRUE(fs::exists(folder_ / "file-0"));
}

}  // namespace
}  // namespace cupel
