// Names that would steer a terminal come from files; none of it reaches the terminal.
#include <nlohmann/json.hpp>

#include "cli/program.h"

namespace cupel::test {
namespace {

using nlohmann::json;

// Clears a screen, sets a title, colours, a C1 control, and turns the order of letters.
constexpr const char* kHostile =
    "x\x1b[2J\x1b]0;owned\x07\xc2\x9b"
    "31m\u202Egnp.exe\u2066\x7f";
constexpr const char* kHostileToml = "x\\u001b[2J\\u001b]0;owned\\u0007\\u009b31m\\u202Egnp\\u2066";

void expect_harmless(const std::string& text, const std::string& what) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    ASSERT_TRUE((byte >= 0x20 && byte != 0x7F) || byte == '\n' || byte == '\t')
        << what << " has byte " << int{byte};
  }
  for (const char* unseen : {"\xc2\x9b", "\u202E", "\u2066"})
    ASSERT_EQ(text.find(unseen), std::string::npos) << what;
}

class Escapes : public testing::Test {
 protected:
  Escapes() {
    std::filesystem::create_directory(place_.path("graph"));
    std::string labels = "node,label\n", edges = "source,target\n";
    for (int i = 0; i < 60; ++i) {
      labels += std::to_string(i) + "," + (i % 2 ? kHostile : "plain") + "\n";
      edges += std::to_string(i) + "," + std::to_string((i + 1) % 60) + "\n";
    }
    place_.write("graph/labels.csv", labels);
    place_.write("graph/edges.csv", edges);
    place_.write("hostile.toml", std::string("title = \"") + kHostileToml +
                                     "\"\n[data]\ndatasets = [\"./graph\"]\n"
                                     "[split]\ntrain = 3\nvalid = 3\ncount = 2\n"
                                     "[train]\nmax_epochs = 3\ninits = 1\n[models.\"" +
                                     kHostileToml + "\"]\nmodel = \"majority\"\n[models.mlp]\n");
  }

  Outcome run(const std::vector<std::string>& arguments) const {
    const Outcome outcome = place_.run(arguments);
    std::string what;
    for (const std::string& argument : arguments) what += argument + " ";
    expect_harmless(outcome.out, what + "(out)");
    expect_harmless(outcome.err, what + "(err)");
    return outcome;
  }

  Workplace place_;
};

TEST_F(Escapes, DoNotComeFromNamesOfClasses) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"show", "./graph"}, {"audit", "./graph"}, {"stats", "./graph"}})
    EXPECT_NE(run(arguments).code, 3);
  EXPECT_TRUE(contains(run({"show", "./graph"}).out, "x\\x1b[2J"));
  // JSON keeps what is there.
  const json card = json::parse(run({"show", "./graph", "--json"}).out);
  EXPECT_EQ(card["found"]["classes"][1]["name"], kHostile);
}

TEST_F(Escapes, DoNotComeFromAProtocol) {
  EXPECT_EQ(run({"show", "hostile.toml"}).code, 0);
  EXPECT_EQ(run({"run", "hostile.toml", "--dry-run"}).code, 0);
  EXPECT_EQ(run({"run", "hostile.toml"}).code, 0);
  for (const char* format : {"text", "markdown", "html", "latex", "csv", "json"})
    EXPECT_EQ(run({"report", "hostile.toml", "--format", format}).code, 0) << format;
  for (const char* out : {"out.txt", "out.md", "out.html", "out.tex", "out.csv", "out.json"}) {
    EXPECT_EQ(run({"report", "hostile.toml", "--out", out}).code, 0) << out;
    expect_harmless(place_.read(out), out);
  }
  EXPECT_EQ(run({"show", "hostile.sqlite"}).code, 0);
  EXPECT_EQ(run({"run", "hostile.toml", "--models", "none"}).code, 2);
}

TEST_F(Escapes, DoNotComeFromNamesInMessages) {
  place_.write("keys.toml", std::string("\"") + kHostileToml + "\" = 1\n");
  EXPECT_EQ(run({"run", "keys.toml"}).code, 2);
  place_.write("graph/splits.json", std::string("{\"splits\": [], \"a\\u001b[2Jb\\u202E\": 1}"));
  EXPECT_EQ(run({"show", "./graph"}).code, 2);
  EXPECT_EQ(run({"show", std::string("./no") + "\u202E" + "such"}).code, 2);
  EXPECT_EQ(run({std::string("li\xc2\x9bst")}).code, 2);
}

}  // namespace
}  // namespace cupel::test
