// What scripts/check_layers holds, tried on folders that break it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "build_paths.h"
#include "temp_folder.h"

namespace cupel::test {
namespace {

namespace fs = std::filesystem;

class Layers : public ::testing::Test {
 protected:
  void add(const std::string& file, const std::string& included) {
    fs::create_directories((source_ / file).parent_path());
    std::ofstream(source_ / file) << "#include \"cupel/" << included << "\"\n";
  }

  // Whether the script is content, and what it says.
  std::pair<bool, std::string> check() {
    const fs::path said = source_ / "said";
    const std::string command =
        fmt::format("'{}/scripts/check_layers' '{}' >'{}'", CUPEL_SOURCE_DIR,
                    source_.path().string(), said.string());
    const bool content = std::system(command.c_str()) == 0;
    std::ostringstream text;
    text << std::ifstream(said).rdbuf();
    return {content, text.str()};
  }

  TempFolder source_;
};

TEST_F(Layers, AWingKnowsThoseBelowIt) {
  add("data/a.cpp", "base/error.h");
  EXPECT_TRUE(check().first);
  add("data/b.cpp", "learn/task.h");
  const auto [content, said] = check();
  EXPECT_FALSE(content);
  EXPECT_NE(said.find("b.cpp:1: data must not include learn/task.h"), std::string::npos) << said;
}

TEST_F(Layers, FoldersFormNoCircle) {
  add("lab/plan/plan.cpp", "lab/protocol/protocol.h");
  add("lab/run/run.cpp", "lab/plan/plan.h");
  EXPECT_TRUE(check().first);
  add("lab/protocol/protocol.h", "lab/run/run.h");
  const auto [content, said] = check();
  EXPECT_FALSE(content);
  EXPECT_NE(said.find("protocol.h:1: lab/protocol must not include lab/run/run.h"),
            std::string::npos)
      << said;
}

TEST_F(Layers, AFolderAndOneInsideItMayKnowEachOther) {
  add("engine/program/op.cpp", "engine/program/ops/select.h");
  add("engine/program/ops/select.cpp", "engine/program/op.h");
  EXPECT_TRUE(check().first);
}

TEST_F(Layers, OneNameOfATypeIsDefinedOnce) {
  const auto define = [&](const std::string& file, const std::string& text) {
    fs::create_directories((source_ / file).parent_path());
    std::ofstream(source_ / file) << text;
  };
  const std::string inner = "namespace {\nstruct Row {\n};\n}  // namespace\n";
  define("data/a.h",
         "namespace cupel {\nclass Row final : public Base {\n};\n}  // namespace cupel\n");
  define("data/b.h", "namespace cupel::tu {\nstruct Row {\n};\n}  // namespace cupel::tu\n");
  define("data/c.cpp", "namespace cupel {\n" + inner + "}  // namespace cupel\n");
  EXPECT_TRUE(check().first) << check().second;
  define("judge/d.h", "namespace cupel {\nstruct Row {\n};\n}  // namespace cupel\n");
  const auto [content, said] = check();
  EXPECT_FALSE(content);
  EXPECT_NE(said.find("d.h:2: cupel::Row is defined in "), std::string::npos) << said;
}

}  // namespace
}  // namespace cupel::test
