#include "cupel/base/regular_file.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <fstream>

#include "cupel/base/hash.h"
#include "error_of.h"
#include "temp_folder.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

class RegularFile : public testing::Test {
 protected:
  const TempFolder temp_;
  const fs::path folder_ = temp_.path();
};

TEST_F(RegularFile, ReadsAFileAndThroughALink) {
  std::ofstream(folder_ / "a") << "abc\n";
  fs::create_symlink("a", folder_ / "link");
  EXPECT_EQ(read_small_file(folder_ / "a"), "abc\n");
  EXPECT_EQ(read_small_file(folder_ / "link"), "abc\n");
  EXPECT_EQ(read_small_file(folder_ / "a", 4), "abc\n");
  EXPECT_TRUE(file_starts_with(folder_ / "a", "ab"));
  EXPECT_FALSE(file_starts_with(folder_ / "a", "b"));
  EXPECT_FALSE(file_starts_with(folder_ / "a", "abc\nd"));
}

// None of these may be waited for, and none has an end.
TEST_F(RegularFile, RefusesWhatIsNone) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  fs::create_symlink("pipe", folder_ / "link");
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, (folder_ / "socket").c_str(), sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  const std::pair<fs::path, const char*> cases[] = {
      {folder_ / "pipe", "a pipe"},      {folder_ / "link", "a pipe"},
      {folder_ / "socket", "a socket"},  {"/dev/zero", "a device"},
      {"/dev/null", "a device"},         {folder_, "a folder"},
      {folder_ / "none", "no such file"}};
  for (const auto& [path, kind] : cases) {
    for (const std::string& said : {error_of([&] { (void)read_small_file(path); }),
                                    error_of([&] { (void)sha256_file(path); })}) {
      EXPECT_EQ(said.find(path.string()), 0u) << said;
      EXPECT_NE(said.find(kind), std::string::npos) << said;
    }
    EXPECT_FALSE(file_starts_with(path, "x"));
  }
  ::close(socket);
}

TEST_F(RegularFile, RefusesWhatIsTooLarge) {
  std::ofstream(folder_ / "a") << "abc\n";
  fs::resize_file(folder_ / "a", std::uintmax_t{1} << 40);  // a hole
  const std::string said = error_of([&] { (void)read_small_file(folder_ / "a"); });
  EXPECT_NE(said.find("1099511627776 bytes"), std::string::npos) << said;
}

TEST_F(RegularFile, SaysWhyItCannotBeOpened) {
  const std::string longest(300, 'x');
  EXPECT_NE(error_of([&] { (void)read_small_file(folder_ / longest); }).find("too long"),
            std::string::npos);
  std::ofstream(folder_ / "a") << "abc\n";
  EXPECT_NE(error_of([&] { (void)read_small_file(folder_ / "a" / "b"); }).find("Not a directory"),
            std::string::npos);
}

}  // namespace
}  // namespace cupel
