#include "cupel/lab/run/free_memory.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "temp_folder.h"

namespace cupel {
namespace {

// A machine by what its kernel says of it.
class Machine {
 public:
  Machine() { says("proc/meminfo", "MemTotal: 64000000 kB\nMemAvailable: 30000000 kB\n"); }
  Machine& says(const std::string& file, const std::string& text) {
    std::filesystem::create_directories((folder_ / file).parent_path());
    std::ofstream(folder_ / file) << text;
    return *this;
  }
  Machine& group(const std::string& limit, const std::string& use, const std::string& stat) {
    says("sys/fs/cgroup/memory.max", limit);
    says("sys/fs/cgroup/memory.current", use);
    return says("sys/fs/cgroup/memory.stat", stat);
  }
  std::size_t free() const { return free_memory(folder_ / ""); }

 private:
  TempFolder folder_;
};

constexpr std::size_t kAvailable = std::size_t{30000000} * 1024;

TEST(FreeMemory, IsWhatTheKernelHas) {
  EXPECT_EQ(Machine().free(), kAvailable);
  EXPECT_EQ(Machine().group("max\n", "13600000000\n", "inactive_file 1\n").free(), kAvailable);
  EXPECT_EQ(Machine().says("proc/meminfo", "").free(), std::size_t{2} << 30);
}

// 13.6 GB of 16 are in use, 11 of them files that nobody is at.
TEST(FreeMemory, FilesInMemoryAreFree) {
  const std::string stat = "anon 1500000000\nfile 12000000000\nactive_file 1000000000\n";
  EXPECT_EQ(Machine().group("16000000000\n", "13600000000\n", stat).free(), 2400000000u);
  EXPECT_EQ(Machine()
                .group("16000000000\n", "13600000000\n", stat + "inactive_file 11000000000\n")
                .free(),
            13400000000u);
  const std::string old = "sys/fs/cgroup/memory/memory.";
  EXPECT_EQ(Machine()
                .says(old + "limit_in_bytes", "16000000000\n")
                .says(old + "usage_in_bytes", "13600000000\n")
                .says(old + "stat", "inactive_file 5\ntotal_inactive_file 11000000000\n")
                .free(),
            13400000000u);
}

TEST(FreeMemory, NothingIsLeftBeyondALimit) {
  EXPECT_EQ(Machine().group("1000\n", "2000\n", "inactive_file 500\n").free(), 0u);
  EXPECT_EQ(Machine().group("1000\n", "2000\n", "inactive_file 9999\n").free(), 1000u);
}

}  // namespace
}  // namespace cupel
