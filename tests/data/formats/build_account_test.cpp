#include "cupel/data/formats/build_account.h"

#include <gtest/gtest.h>

#include "data/formats/made_files.h"

namespace cupel {
namespace {

BuildAccount account_of(const std::string& content) {
  const made::Folder folder;
  made::write_file(folder / "provenance.json", content);
  return read_build_account(folder.path());
}

TEST(BuildAccount, SaysWhatWasBuiltOfWhat) {
  const BuildAccount account = account_of(
      R"({"recipe": "expert", "settings": {"years": "1965-2021", "most-authors": 10000, "x": {}},)"
      R"( "inputs": [{"input": "acl", "file": "P18.xml"}, {"input": "acl", "file": "P19.xml"},)"
      R"( {"input": "wos", "file": "a.txt"}]})");
  EXPECT_EQ(account.recipe, "expert");
  EXPECT_EQ(account.settings, (std::map<std::string, std::string>{{"most-authors", "10000"},
                                                                  {"years", "1965-2021"}}));
  EXPECT_EQ(account.files.at("acl"), (std::vector<std::string>{"P18.xml", "P19.xml"}));
  EXPECT_EQ(account.files.at("wos"), std::vector<std::string>{"a.txt"});
  EXPECT_EQ(account.last_year, 2021);
  EXPECT_EQ(account_of(R"({"settings": {"years": "2018"}})").last_year, 2018);
  EXPECT_EQ(account_of(R"({"settings": {"years": "1965-2021"},
                           "counts": {"facts of the last year, 2010": 4}})")
                .last_year,
            2010);
  EXPECT_FALSE(account.facts);
  EXPECT_EQ(account_of(R"({"counts": {"collaborations": 5, "partnerships": 0, "papers read": 9,)"
                       R"( "facts of expertise": 2}})")
                .facts,
            7);
}

// What was resolved twice was built of what its source's source was.
TEST(BuildAccount, OfWhatWasResolved) {
  const auto resolved = [](const std::string& counts, const std::string& source) {
    return R"({"command": "resolve", "settings": {"threshold": 0.9, "years": "2030"}, "counts": {)" +
           counts + R"(}, "source": {"provenance": )" + source + "}}";
  };
  const std::string built =
      R"({"recipe": "expert", "settings": {"pairs": "year", "years": "1965-2021"},)"
      R"( "inputs": [{"input": "acl", "file": "P18.xml"}],)"
      R"( "counts": {"collaborations": 5, "partnerships": 0, "facts of expertise": 2}})";
  const BuildAccount account = account_of(
      resolved(R"("facts: collaboration": 3, "facts: expertise": 1, "facts before: expertise": 2)",
               resolved(R"("facts: collaboration": 4, "facts: expertise": 2)", built)));
  EXPECT_EQ(account.recipe, "");
  EXPECT_EQ(account.settings,
            (std::map<std::string, std::string>{{"pairs", "year"}, {"years", "1965-2021"}}));
  EXPECT_EQ(account.files.at("acl"), std::vector<std::string>{"P18.xml"});
  EXPECT_EQ(account.last_year, 2021);
  EXPECT_EQ(account.facts, 4);
  const BuildAccount unknown = account_of(resolved(R"("facts: x": -1)", "[1]"));
  EXPECT_TRUE(unknown.settings.empty());
  EXPECT_FALSE(unknown.last_year);
  EXPECT_FALSE(unknown.facts);
}

TEST(BuildAccount, WhatIsNoneIsEmpty) {
  std::string deep(200'000, '[');
  for (const std::string& content :
       {std::string(), std::string("{"), std::string("[]"), std::string("\xff\xfe"), deep,
        "{\"settings\":{\"x\":" + deep + std::string(200'000, ']') + "}}",
        std::string(R"({"recipe":1,"settings":[2],"inputs":[null,{"input":[]}]})"),
        std::string(R"({"settings":{"years":"soon-2021x"}})"),
        std::string(R"({"counts":{"collaborations":5,"partnerships":0}})"),
        std::string(R"({"counts":{"collaborations":5,"partnerships":-1,"facts of expertise":2}})"),
        std::string(R"({"counts":{"collaborations":9223372036854775807,"partnerships":1,)"
                    R"("facts of expertise":2}})")}) {
    const BuildAccount account = account_of(content);
    EXPECT_EQ(account.damaged, !content.starts_with("{\"")) << content.substr(0, 40);
    EXPECT_TRUE(account.recipe.empty());
    EXPECT_FALSE(account.last_year);
    EXPECT_FALSE(account.facts);
  }
  EXPECT_TRUE(read_build_account("/nowhere").files.empty());
  EXPECT_FALSE(read_build_account("/nowhere").damaged);
}

}  // namespace
}  // namespace cupel
