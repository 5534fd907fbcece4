#include "cupel/base/paths.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "error_of.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

// In a folder of its own, which is the current one.
class Paths : public testing::Test {
 protected:
  Paths() : before_(fs::current_path()) {
    std::string name = (fs::temp_directory_path() / "cupel-paths-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = fs::canonical(name);
    fs::current_path(folder_);
  }
  ~Paths() override {
    fs::current_path(before_);
    fs::remove_all(folder_);
  }

  fs::path before_, folder_;
};

TEST_F(Paths, WhatIsThereAndHowLargeItIs) {
  std::ofstream("file") << "abc";
  fs::create_symlink("file", "link");
  fs::create_symlink("none", "dangling");
  for (const char* there : {"file", "link", "."}) EXPECT_TRUE(is_there(there)) << there;
  for (const char* missing : {"none", "dangling", "file/below", ""})
    EXPECT_FALSE(is_there(missing)) << missing;
  EXPECT_EQ(size_of_file("file"), 3);
  EXPECT_EQ(size_of_file("link"), 3);
}

TEST_F(Paths, WhatCannotBeToldIsAnError) {
  fs::create_symlink("circle", "circle");
  const std::string longest(300, 'x');
  for (const std::string& path : {std::string("circle"), longest}) {
    EXPECT_EQ(error_of([&] { (void)is_there(path); }).find(path + ": cannot be looked for ("), 0u);
    EXPECT_EQ(error_of([&] { (void)size_of_file(path); }).find(path + ": cannot be measured ("),
              0u);
  }
  EXPECT_NE(error_of([] { (void)size_of_file("none"); }).find("No such file"), std::string::npos);
  EXPECT_NE(error_of([] { (void)size_of_file("."); }).find("directory"), std::string::npos);
}

TEST_F(Paths, AreMadeAbsolute) {
  EXPECT_EQ(current_folder(), folder_);
  EXPECT_EQ(absolute_path("a/b"), folder_ / "a" / "b");
  EXPECT_EQ(absolute_path("/a"), "/a");
  EXPECT_EQ(absolute_path(""), folder_);
}

TEST_F(Paths, ACurrentFolderThatIsGoneIsAnError) {
  fs::create_directory("gone");
  fs::current_path("gone");
  fs::remove(folder_ / "gone");
  EXPECT_NE(error_of([] { (void)current_folder(); }).find("removed"), std::string::npos);
  EXPECT_NE(error_of([] { (void)absolute_path("a"); }).find("removed"), std::string::npos);
  EXPECT_EQ(absolute_path("/a"), "/a");
}

TEST_F(Paths, OnePlaceByManyPaths) {
  fs::create_directory("folder");
  std::ofstream("folder/file") << "";
  fs::create_symlink("folder", "link");
  fs::create_hard_link("folder/file", "hard");
  for (const char* same : {"folder/file", "./folder/../folder/file", "link/file", "hard"}) {
    EXPECT_TRUE(same_place("folder/file", same)) << same;
    EXPECT_TRUE(same_place(folder_ / same, "folder/file")) << same;
  }
  EXPECT_TRUE(same_place("folder", "link/"));
  EXPECT_FALSE(same_place("folder/file", "folder"));
  // What is not there yet.
  EXPECT_TRUE(same_place("new.npz", "./folder/../new.npz"));
  EXPECT_TRUE(same_place("folder/new/", "link/new"));
  EXPECT_FALSE(same_place("new.npz", "folder/new.npz"));

  EXPECT_NE(error_of([] {
              check_not_input("stats", "hard", {"other", "folder/file"});
            }).find("stats: hard is what is read"),
            std::string::npos);
  check_not_input("stats", "cora", {"cora"});  // a name of the catalog
}

}  // namespace
}  // namespace cupel
