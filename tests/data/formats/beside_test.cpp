// A folder that takes the place of another.
#include "cupel/data/formats/beside.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "temp_folder.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

void make_site(const fs::path& folder, int number) {
  fs::create_directory(folder);
  std::ofstream(folder / "index.html") << number;
}

TEST(Beside, AFolderThatIsReplacedIsThereAllTheTime) {
  const TempFolder place;
  const fs::path site = place / "site";
  make_site(site, 0);
  std::atomic<bool> done = false;
  std::atomic<long> looks = 0, missing = 0;
  std::thread watcher([&] {
    for (std::error_code ignored; !done; ++looks) missing += !fs::exists(site, ignored);
  });
  constexpr int kTimes = 300;
  for (int i = 1; i <= kTimes; ++i) {
    const Beside beside(site);
    make_site(beside.path(), i);
    beside.replace();
  }
  done = true;
  watcher.join();
  EXPECT_GT(looks, 0);
  EXPECT_EQ(missing, 0);
  int last = 0;
  std::ifstream(site / "index.html") >> last;
  EXPECT_EQ(last, kTimes);
  EXPECT_EQ(std::distance(fs::directory_iterator(place.path()), {}), 1) << "the old ones are gone";
}

// Whoever is killed can remove nothing; the next one does.
TEST(Beside, WhatAKilledProgramLeftGoesWithTheNext) {
  const TempFolder place;
  const fs::path site = place / "site";
  const auto there = [&] {
    std::vector<std::string> out;
    for (const fs::directory_entry& entry : fs::directory_iterator(place.path()))
      out.push_back(entry.path().filename());
    return out;
  };
  const pid_t killed = ::fork();
  if (killed == 0) {
    const Beside beside(site);
    make_site(beside.path(), 1);
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(killed, &status, 0), killed);
  ASSERT_TRUE(WIFSIGNALED(status));
  ASSERT_EQ(there().size(), 1u);
  const std::string left = there().front();
  // What others may have there, of one name or the other.
  for (const char* name : {".cupel-0123456789abcdef", ".cupel-0123456789abcdef-old", ".cupel-x"})
    make_site(place / name, 2);
  const Beside living(site);
  EXPECT_FALSE(fs::exists(place / left));
  make_site(living.path(), 3);
  {
    const Beside another(place / "other");
    EXPECT_TRUE(fs::exists(living.path() / "index.html")) << "its maker lives";
  }
  EXPECT_EQ(there().size(), 4u);
  living.move();
  EXPECT_TRUE(fs::exists(site / "index.html"));
}

}  // namespace
}  // namespace cupel
