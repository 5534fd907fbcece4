// Folders of pnnl/EXPERT: nodes and links in JSON Lines.
#include "cupel/data/records/expert_json_lines.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "data/formats/made_files.h"

namespace cupel {
namespace {

class ExpertJsonLines : public testing::Test {
 protected:
  void file(const std::string& name, const std::string& content) {
    made::write_file(folder_ / name, content);
  }
  std::vector<std::string> read() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
      files.push_back(entry.path());
    std::ranges::sort(files);
    ExpertReader reader(files);
    std::vector<std::string> out;
    for (Publication one; reader.next(one);) {
      std::string text = one.id + "|" + (one.year ? std::to_string(*one.year) : "-") + "|" +
                         one.title + "|" + one.abstract + "|";
      for (const std::string& keyword : one.keywords) text += "(" + keyword + ")";
      for (const Author& author : one.authors) {
        text += "[" + author.name + "#" + author.id;
        for (const std::string& place : author.affiliations) text += "@" + place;
        text += "]";
      }
      out.push_back(text);
    }
    counts_ = reader.counts();
    files_ = reader.files().size();
    return out;
  }
  void says(const std::string& what) {
    const std::string message = error_of([&] { read(); });
    EXPECT_NE(message.find(what), std::string::npos) << message;
  }
  made::Folder folder_;
  std::map<std::string, std::int64_t> counts_;
  std::size_t files_ = 0;
};

std::string link(const std::string& type, const std::string& from, const std::string& to,
                 const std::string& date = "") {
  return R"({"from": ")" + from + R"(", "to": ")" + to + R"(", "edgeType": ")" + type + "\"" +
         (date.empty() ? "" : ", \"date\": " + date) + "}\n";
}

TEST_F(ExpertJsonLines, LinksMakeThePapers) {
  file(
      "X_Nodes_Paper.jsonl",
      R"({"nodeType": "Paper", "nodeID": "X1", "displayName": "X1", "title": "One", "abstract": "Ab."}
{"nodeType": "Paper", "nodeID": "X2", "displayName": "X2", "date": "2018-03-01"}
{"nodeType": "Paper", "nodeID": "X1", "title": "Again"}
)");
  file("X_Nodes_Scientist.jsonl",
       R"({"nodeType": "Scientist", "nodeID": "s1", "displayName": "Ann Lee"}
{"nodeType": "Scientist", "nodeID": "s2", "displayName": "Bo Li"}
)");
  file(
      "X_Nodes_Institution.jsonl",
      R"({"nodeType": "Institution", "nodeID": "MITCambridge, MA", "displayName": "MIT", "address": "Cambridge, MA"}
{"nodeType": "Institution", "nodeID": "ETHZurich", "displayName": "ETH", "address": "Zurich"}
)");
  file("X_Nodes_Topic.jsonl", R"({"nodeType": "Topic", "nodeID": "t", "displayName": "Graphs"})");
  file("X_Links_Author Of.jsonl",
       link("Author Of", "s2", "X1", "\"2017-01-01\"") + link("Author Of", "s1", "X1") +
           link("Author Of", "s1", "X2", "1999") + link("Authored", "s9", "X3", "1514764800000") +
           link("Author Of", "s1", "X1"));
  // Targets: a name, as in the published files; an id; neither. Dates: of a year, or of all.
  file("X_Links_Belongs To.jsonl", link("Belongs To", "s1", "MIT") +
                                       link("Belongs To", "s1", "ETHZurich", "2018") +
                                       link("Belongs To", "s2", "Nowhere Lab"));
  file("X_Links_Related To.jsonl", link("Related To", "X1", "t") + link("Related To", "X1", "new"));
  file("X_Links_Published In.jsonl", link("Published In", "X1", "J"));
  EXPECT_EQ(read(), (std::vector<std::string>{
                        "X1|2017|One|Ab.|(Graphs)(new)[Bo Li#s2@Nowhere Lab][Ann Lee#s1@MIT]",
                        "X2|2018|X2||[Ann Lee#s1@MIT@ETH]", "X3|2018|||[s9#s9]"}));
  EXPECT_EQ(files_, 8U);
  EXPECT_EQ(counts_, (std::map<std::string, std::int64_t>{
                         {"affiliations to institutions without a node, named as the link says", 1},
                         {"authors that a paper has twice, taken once", 1},
                         {"authors without a node, named by their id", 1},
                         {"dates in milliseconds since 1970", 1},
                         {"links 'Published In', not used", 1},
                         {"nodes whose id came before, left out", 1},
                         {"papers without a node, known by their links alone", 1}}));
}

TEST_F(ExpertJsonLines, EtAlIsNobody) {
  file("X_Links_A.jsonl", link("Author Of", "Kim D.", "p") + link("Author Of", "et al.", "p"));
  EXPECT_EQ(read(), std::vector<std::string>{"p|-|||[Kim D.#Kim D.]"});
  EXPECT_EQ(counts_.at("papers whose list of authors is cut short by 'et al.' or 'others'"), 1);
}

TEST_F(ExpertJsonLines, AffiliationsAreCleanedAndCounted) {
  file("X_Links_A.jsonl", link("Author Of", "s", "p") + link("Belongs To", "s", "-") +
                              link("Belongs To", "s", "Texas A&amp;M") +
                              link("Belongs To", "s", "None"));
  EXPECT_EQ(read(), std::vector<std::string>{"p|-|||[s#s@Texas A&M@None]"});
  EXPECT_EQ(counts_.at("affiliations without a letter, left out"), 1);
  EXPECT_EQ(counts_.at("affiliations with HTML entities, decoded"), 1);
  EXPECT_EQ(counts_.at("affiliations that say there is none, as 'N/A', left as they are"), 1);
}

TEST_F(ExpertJsonLines, AffiliationsOfOtherYearsAreCounted) {
  file("X_Links_A.jsonl",
       link("Author Of", "s", "p", "2017") + link("Author Of", "t", "q") +
           link("Belongs To", "s", "MIT", "2017") + link("Belongs To", "s", "ETH", "2018") +
           link("Belongs To", "s", "X") + link("Belongs To", "t", "ETH", "2018"));
  EXPECT_EQ(read(), (std::vector<std::string>{"p|2017|||[s#s@MIT@X]", "q|-|||[t#t@ETH]"}));
  EXPECT_EQ(counts_.at("affiliations of a year in which their author has no paper, left out"), 1);
}

TEST_F(ExpertJsonLines, FaultsAreSentencesWithFileAndLine) {
  file("X_Nodes_Topic.jsonl", R"({"nodeType": "Topic", "nodeID": "t"})");
  says("X_Nodes_Topic.jsonl: no link is of type 'Author Of'");
  file("X_Links_A.jsonl", link("Author Of", "s", "p", "\"soon\""));
  says("X_Links_A.jsonl: line 1: 'date' holds 'soon', which is no date");
  file("X_Links_A.jsonl", "\n{\"from\": \"s\"}");
  says("X_Links_A.jsonl: line 2: an object has neither 'nodeID'");
  file("X_Links_A.jsonl", R"({"from": "s", "to": "p"})");
  says("a link has no 'edgeType'");
  file("X_Links_A.jsonl", R"({"from": ["s"], "to": "p", "edgeType": "Author Of"})");
  says("'from' holds a list");
  file("X_Links_A.jsonl", link("Author Of", "s", "p", "1e300"));
  says("which is no date");
}

TEST(ExpertOnRealData, TopicsAreAllThere) {
  const char* data = std::getenv("CUPEL_DATA");
  std::filesystem::path file;
  for (const char* place : {"EXPERT-examples", "expert/EXPERT-examples"})
    if (data != nullptr && std::filesystem::exists(std::filesystem::path(data) / place))
      file = std::filesystem::path(data) / place / "Arxiv_Nodes_Topic.jsonl";
  if (file.empty()) GTEST_SKIP() << "CUPEL_DATA has no EXPERT-examples";
  made::Folder folder;
  std::string links = link("Author Of", "s", "p");
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);)
    links += nlohmann::json({{"edgeType", "Related To"},
                             {"from", "p"},
                             {"to", nlohmann::json::parse(line).at("nodeID")}})
                 .dump() +
             "\n";
  made::write_file(folder / "Arxiv_Links.jsonl", links);
  ExpertReader reader({folder / "Arxiv_Links.jsonl", file});
  Publication one;
  ASSERT_TRUE(reader.next(one));
  // As the notebook's output says, and wc -l.
  EXPECT_EQ(one.keywords.size(), 1466U);
  EXPECT_EQ(std::ranges::count(one.keywords, "Physics - Fluid Dynamics"), 1);
}

}  // namespace
}  // namespace cupel
