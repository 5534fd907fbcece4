// A folder that takes the place of another.
#include "cupel/data/formats/beside.h"

#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <thread>

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

}  // namespace
}  // namespace cupel
