// What the README tells a reader to type.
#include "cli/program.h"

namespace cupel::test {
namespace {

namespace fs = std::filesystem;

std::string section(const std::string& text, const std::string& title) {
  const std::size_t begin = text.find("\n## " + title + "\n");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find("\n## ", begin + 1) - begin);
}

// What stands between "```KIND\n" and "```", the first after `from`.
std::string block(const std::string& text, const std::string& kind, std::size_t from = 0) {
  const std::string fence = "\n```" + kind + "\n";
  const std::size_t begin = text.find(fence, from) + fence.size();
  return text.substr(begin, text.find("```", begin) - begin);
}

TEST(Readme, TheModelOfOnesOwnRunsAsPrinted) {
  Workplace place;
  const fs::path source = CUPEL_SOURCE_DIR;
  const std::string text = section(read_file(source / "README.md"), "Your own model");
  ASSERT_FALSE(text.empty());
  const std::string toml = block(text, "toml");
  const std::string command = block(text, "", text.find(toml) + toml.size() + 3);
  std::vector<std::string> words;
  std::istringstream in(command);
  for (std::string word; in >> word;) words.push_back(word);
  ASSERT_EQ(words.size(), 3u) << command;
  ASSERT_EQ(words[0], "cupel");
  EXPECT_TRUE(contains(read_file(source / words[2]), toml)) << "README and file differ:\n" << toml;

  fs::create_directory_symlink(source / "examples", place.path("examples"));
  std::vector<std::string> arguments(words.begin() + 1, words.end());
  // One split will do, and other data where Cora is not to be had.
  arguments.insert(arguments.end(), {"--splits", "1"});
  const char* data = std::getenv("CUPEL_DATA");
  if (data != nullptr && fs::exists(fs::path(data) / "cora/cora.npz")) {
    place.set("CUPEL_DATA", data);
  } else {
    arguments.insert(arguments.end(), {"--datasets", "csbm:nodes=600"});
  }
  const Outcome outcome = place.run(arguments);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "class-mean")) << outcome.out;
  EXPECT_FALSE(contains(outcome.out, "No runs yet")) << outcome.out;
}

}  // namespace
}  // namespace cupel::test
