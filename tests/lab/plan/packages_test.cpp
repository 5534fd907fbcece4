#include "cupel/lab/plan/packages.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "cupel/lab/plan/plan.h"
#include "cupel/lab/plan/program.h"
#include "error_of.h"
#include "lab/fake.h"
#include "programs.h"
#include "temp_folder.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

// A program whose folder has a package, which breaks when it is imported.
class Packages : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = made::needs_program("python3"); !why.empty()) GTEST_SKIP() << why;
    fs::create_directories(folder_ / "mine_lib");
    std::ofstream(folder_ / "mine_lib/__init__.py") << "raise RuntimeError('imported')\n";
    install("1.5");
    program_.command = {"python3", "model.py", "{task}"};
    program_.folder = folder_.path();
    program_.packages = {"mine-lib"};
  }
  void install(const std::string& version) const {
    fs::create_directories(folder_ / "mine_lib.dist-info");
    std::ofstream(folder_ / "mine_lib.dist-info/METADATA")
        << "Metadata-Version: 2.1\nName: mine-lib\nVersion: " << version << "\n";
  }
  std::string version() const { return package_versions("row", program_).at("mine-lib"); }
  std::string refusal() const {
    return error_of([&] { (void)package_versions("[models.mine]", program_); });
  }

  const TempFolder folder_;
  ExternalCommand program_;
};

TEST_F(Packages, HaveTheVersionsThatTheInterpreterTells) {
  for (const char* isolation : {"none", "auto"}) {
    program_.isolation = isolation;
    install("1.5");
    EXPECT_EQ(version(), "1.5") << isolation;
    install("2.0.post1");
    EXPECT_EQ(version(), "2.0.post1") << isolation;
  }
  program_.packages.clear();
  program_.command = {"no-such-program"};
  EXPECT_TRUE(package_versions("row", program_).empty()) << "nothing is started";
}

// -I: without the folder that it is started in.
TEST_F(Packages, AreLookedForAsTheOptionsOfTheCommandSay) {
  using Words = std::vector<std::string>;
  for (const Words& command :
       {Words{"python3", "-W", "ignore", "model.py"}, Words{"python3", "-m", "mine_lib"},
        Words{"python3", "-Bmmine_lib"}, Words{"python3", "-BX", "dev", "-u", "-c", "exit(3)"},
        Words{"python3", "-Wignore", "-", "-I"}, Words{"python3"}}) {
    program_.command = command;
    EXPECT_EQ(version(), "1.5") << command.back();
  }
  for (const Words& command :
       {Words{"python3", "-I", "model.py"}, Words{"python3", "-Im", "mine_lib"},
        Words{"python3", "-W", "ignore", "-I", "model.py"}, Words{"python3", "-IX", "dev"}}) {
    program_.command = command;
    EXPECT_NE(refusal().find("no such package"), std::string::npos) << command[1];
  }
}

TEST_F(Packages, WhatCannotBeAskedIsOneSentence) {
  const auto expect_told = [&](const char* what) {
    const std::string said = refusal();
    EXPECT_EQ(said.find("[models.mine]: "), 0u) << said;
    EXPECT_NE(said.find(what), std::string::npos) << said;
  };
  program_.packages = {"mine-lib", "no-such-package"};
  expect_told("'packages' names 'no-such-package', and python3 has no such package");
  program_.command[0] = "sh";
  expect_told("and 'sh' is none");
  program_.command[0] = "./python-of-nobody";
  expect_told("cannot be started");
  program_.command[0] = "./python-that-fails";
  std::ofstream(folder_ / "python-that-fails") << "#!/bin/sh\necho no library; exit 3\n";
  fs::permissions(folder_ / "python-that-fails", fs::perms::owner_all);
  expect_told("it does not answer; it said: no library");
}

TEST_F(Packages, AnotherVersionIsAnotherModel) {
  const auto id = [&](const std::string& more) {
    const Protocol protocol = parse_protocol(
        "x", "x.toml",
        "[data]\ndatasets=['ring']\n[split]\ntrain=2\nvalid=3\ncount=1\n[models.mine]\n"
        "isolation='none'\ncommand=['python3', '-c', 'exit(3)', '{task}']\n" +
            more,
        {}, folder_.path());
    PlanSources sources = made::fake_sources();
    sources.load = [](const std::string& name) { return made::ring(name, 34); };
    return make_plan(protocol, {}, sources).cells.at(0).family->id;
  };
  const std::string without = id(""), before = id("packages=['mine-lib']\n");
  EXPECT_EQ(id("packages=[]\n"), without);
  EXPECT_NE(before, without);
  EXPECT_EQ(id("packages=['mine-lib']\nworker=false\n"), before);
  install("1.6");
  EXPECT_NE(id("packages=['mine-lib']\n"), before);
  EXPECT_EQ(id(""), without);
  // Any text may be told by a setting.
  EXPECT_NE(id("version='1'\n"), without);
  EXPECT_NE(id("version='1'\n"), id("version='2'\n"));
}

// What runs that are kept have.
TEST_F(Packages, WhereNoneAreNamedTheIdentityIsWhatItWas) {
  std::ofstream(folder_ / "model.py") << "";
  using Identity = std::map<std::string, std::string>;
  const Identity was = {
      {"command", R"(["python3","model.py","{task}"])"},
      {"file:model.py", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"memory_mb", "2048"},
      {"timeout_seconds", "600"}};
  EXPECT_EQ(program_identity(program_, program_files(program_)), was);
  Identity now = was;
  now["package:mine-lib"] = "1.5";
  EXPECT_EQ(program_identity(program_, program_files(program_), {{"mine-lib", "1.5"}}), now);
}

TEST(PackagesOfARow, AreAListOfTexts) {
  const auto said = [](const char* value) {
    return error_of([&] {
      (void)parse_protocol("x", "x.toml",
                           std::string("[data]\ndatasets=['ring']\n[models.mine]\n"
                                       "command=['python3']\npackages=") +
                               value);
    });
  };
  for (const char* wrong : {"'torch'", "[1]", "true", "{torch = '2'}"})
    EXPECT_NE(said(wrong).find("'packages' must be a list of texts"), std::string::npos)
        << said(wrong);
  EXPECT_NE(said("['']").find("'packages' has an empty text"), std::string::npos);
  EXPECT_NE(said("['torch', 'torch']").find("'packages' names 'torch' twice"), std::string::npos);
}

}  // namespace
}  // namespace cupel
