// The one file that scripts/package makes.
#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "programs.h"

namespace cupel::test {
namespace {

namespace fs = std::filesystem;

class PackageTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = made::needs_program("patchelf"); !why.empty()) GTEST_SKIP() << why;
    const std::string make = std::string(CUPEL_SOURCE_DIR) + "/scripts/package --program " +
                             CUPEL_PROGRAM + " --out '" + place_.path("p.tar").string() + "'";
    ASSERT_EQ(shell(make), 0) << said();
    ASSERT_EQ(shell("mkdir bin && tar -xf p.tar -C bin"), 0) << said();
  }

  int shell(const std::string& command) const {
    return std::system(
        fmt::format("cd '{0}' && exec >said 2>&1 && {{ {1}; }}", place_.path("").string(), command)
            .c_str());
  }
  std::string said() const { return place_.read("said"); }

  // Where it has unpacked itself, in `parent`.
  static std::vector<fs::path> unpacked(const fs::path& parent) {
    std::vector<fs::path> out;
    for (const auto& entry : fs::directory_iterator(parent))
      if (entry.path().filename().string().starts_with(".cupel-")) out.push_back(entry.path());
    return out;
  }

  const Workplace place_;
};

TEST_F(PackageTest, RunsOnItsOwnLibraries) {
  const Outcome usual = place_.run({"--version"});
  ASSERT_EQ(shell("bin/cupel --version"), 0) << said();
  EXPECT_EQ(said(), usual.out);
  const std::vector<fs::path> at = unpacked(place_.path("bin"));
  ASSERT_EQ(at.size(), 1u);
  // What the loader finds: a line "libz.so.1 => PATH (0x...)" for each library.
  ASSERT_EQ(shell(fmt::format("LD_TRACE_LOADED_OBJECTS=1 '{}/bin/cupel'", at[0].string())), 0);
  std::istringstream lines(said());
  int libraries = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("=>") == std::string::npos) continue;
    ++libraries;
    EXPECT_NE(line.find("=> " + at[0].string()), std::string::npos) << line;
  }
  EXPECT_GT(libraries, 10);
  // The loader, too: the program names the one that lies there.
  ASSERT_EQ(shell(fmt::format("readelf -lW '{}/bin/cupel'", at[0].string())), 0);
  EXPECT_NE(said().find(at[0].string() + "/lib/ld-linux"), std::string::npos) << said();
}

TEST_F(PackageTest, ItsModelsAreWatchedAsEver) {
  place_.write("own.toml", std::string(kSmallProtocol) +
                               "[models.own]\ncommand = [\"sh\", \"-c\", \"exit 3\"]\n"
                               "isolation = \"none\"\n");
  EXPECT_NE(shell("bin/cupel run own.toml --models own --splits 1 --inits 1 --store s.sqlite"), 0);
  ASSERT_EQ(shell("bin/cupel show s.sqlite"), 0);
  EXPECT_NE(said().find("exit code 3"), std::string::npos) << said();
}

TEST_F(PackageTest, TwoAtOnceUnpackOnce) {
  ASSERT_EQ(shell("bin/cupel --version & bin/cupel --version & wait"), 0);
  EXPECT_EQ(unpacked(place_.path("bin")).size(), 1u);
  const std::string version = place_.run({"--version"}).out;
  EXPECT_EQ(said(), version + version);
}

// A program's loader has a path of at most 1023 characters here, so beside the file it cannot be.
TEST_F(PackageTest, WhereItCannotUnpackBesideItTakesTheCache) {
  const std::string deep(240, 'x');
  ASSERT_EQ(shell("mkdir cache && export XDG_CACHE_HOME=$PWD/cache && top=$PWD && "
                  "for i in 1 2 3 4; do mkdir " +
                  deep + " && cd -P " + deep +
                  "; done && mv $top/bin/cupel . && ./cupel --version && ./cupel --version"),
            0)
      << said();
  EXPECT_EQ(unpacked(place_.path("cache")).size(), 1u);
  const std::string version = place_.run({"--version"}).out;
  EXPECT_EQ(said(), version + version);
  ASSERT_NE(shell("cd */*/*/* && XDG_CACHE_HOME=/dev/null ./cupel --version"), 0);
  EXPECT_NE(said().find("cannot unpack into"), std::string::npos) << said();
}

}  // namespace
}  // namespace cupel::test
