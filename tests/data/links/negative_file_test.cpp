// Negatives from files: both forms, and everything that is refused.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "data/links/made.h"
#include "error_of.h"

namespace cupel {
namespace {

// Links 0-1, 1-2 training; 2-3, 4-5 validation; 3-4, 0-5 test, and 0-3 in no part. The others of
// the 15 pairs are no links.
class NegativeFiles : public testing::Test {
 protected:
  NegativeFiles() {
    made_.data.name = "made";
    const std::vector<Edge> edges = {{0, 1}, {1, 2}, {2, 3}, {4, 5}, {3, 4}, {0, 5}, {0, 3}};
    made_.data.adjacency = symmetrise(from_edges(6, edges));
    made_.links = pairs_of(made_.data.adjacency, false);
    const auto id = [&](Pair pair) {
      return static_cast<Index>(
          std::find(made_.links.pairs.begin(), made_.links.pairs.end(), pair) -
          made_.links.pairs.begin());
    };
    made_.split = {{id({0, 1}), id({1, 2})}, {id({2, 3}), id({4, 5})}, {id({3, 4}), id({0, 5})}};
    path_ = testing::TempDir() + fmt::format("negatives_{}.csv", ::getpid());
  }
  ~NegativeFiles() override { std::remove(path_.c_str()); }

  Candidates read(const std::string& text, LinkPart part = LinkPart::kTest,
                  const std::string& links = "all") {
    std::ofstream(path_) << text;
    return made_.draw("file", part, {"test=" + path_, "valid=" + path_, "links=" + links});
  }
  std::string error(const std::string& text, LinkPart part = LinkPart::kTest,
                    const std::string& links = "all") {
    const std::string all = error_of([&] { (void)read(text, part, links); });
    EXPECT_EQ(all.rfind(path_ + ": ", 0), 0u) << all;
    return all.substr(std::min(all.size(), path_.size() + 2));
  }

  made::LinkData made_;
  std::string path_;
};

// A file of lists with these lines.
std::string lists_of(const std::string& lines) {
  return fmt::format("question_source,question_target,source,target\n{}", lines);
}

TEST_F(NegativeFiles, APoolIsReadInAnyOrder) {
  EXPECT_EQ(std::get<CandidatePool>(read("target,source\n2,0\n1,3\n2,5\n")).pairs,
            (std::vector<Pair>{{0, 2}, {1, 3}, {2, 5}}));
}

TEST_F(NegativeFiles, ListsFollowTheirPositives) {
  const auto lists =
      std::get<CandidateLists>(read(lists_of("5,0,0,2\n3,4,3,5\n0,5,5,1\n4,3,1,4\n3,4,3,1\n")));
  EXPECT_EQ(lists.start, (std::vector<Offset>{0, 3, 5}));
  EXPECT_EQ(lists.pairs, (std::vector<Pair>{{1, 3}, {1, 4}, {3, 5}, {0, 2}, {1, 5}}));
}

TEST_F(NegativeFiles, BadLinesAreNamed) {
  EXPECT_EQ(error("source,target\n0,2\n0,6\n"),
            "line 3: column 'target': '6' is no node of the graph, which has 6 (0 to 5)");
  EXPECT_EQ(error("source,target\n0,x\n"),
            "line 2: column 'target': 'x' is no node of the graph, which has 6 (0 to 5)");
  EXPECT_EQ(error("source,target\n2,2\n"),
            "line 2: pairs node 2 with itself; loops are no links, take the line out");
  EXPECT_EQ(error("source,target\n0,2\n1,3\n2,0\n"),
            "line 4: the pair (0, 2) stands in line 2 already; give each negative once");
  EXPECT_EQ(error("source,target\n"), "holds no negative");
  EXPECT_EQ(error("a,b\n1,2\n"),
            "the columns are a,b; a file of negatives has source,target for one pool, or "
            "question_source,question_target,source,target for lists");
}

TEST_F(NegativeFiles, LinksAreNoNegatives) {
  EXPECT_EQ(error("source,target\n0,2\n1,0\n"),
            "line 3: the negative (0, 1) is a link of the training part; take it out");
  EXPECT_EQ(error("source,target\n0,5\n"),
            "line 2: the negative (0, 5) is a link of the test part; take it out");
  EXPECT_EQ(error("source,target\n3,2\n"),
            "line 2: the negative (2, 3) is a link of the validation part; take it out");
  EXPECT_EQ(error("source,target\n3,0\n"),
            "line 2: the negative (0, 3) is a link of the graph; take it out");
  EXPECT_EQ(error("source,target\n0,5\n", LinkPart::kValid),
            "line 2: the negative (0, 5) is a link of the test part; take it out, or refuse known "
            "links alone with links = \"known\"");
}

TEST_F(NegativeFiles, LinksThatAreNotKnownYetMayBe) {
  EXPECT_EQ(std::get<CandidatePool>(read("source,target\n0,5\n", LinkPart::kValid, "known")).pairs,
            (std::vector<Pair>{{0, 5}}));
  const std::string lists = lists_of("3,4,0,5\n0,5,0,2\n");
  // Positives in the order of the split: (3, 4), then (0, 5).
  EXPECT_EQ(std::get<CandidateLists>(read(lists, LinkPart::kTest, "known")).pairs,
            (std::vector<Pair>{{0, 5}, {0, 2}}));
  EXPECT_EQ(error("source,target\n0,5\n", LinkPart::kTest, "known"),
            "line 2: the negative (0, 5) is a link of the test part; take it out");
  EXPECT_EQ(error(lists_of("3,4,3,4\n0,5,0,2\n"), LinkPart::kTest, "known"),
            "line 2: the negative (3, 4) is a link of the test part; take it out");
  EXPECT_EQ(error("source,target\n2,3\n", LinkPart::kTest, "known"),
            "line 2: the negative (2, 3) is a link of the validation part; take it out");
}

TEST_F(NegativeFiles, EveryPositiveHasAListAndNothingElse) {
  EXPECT_EQ(error(lists_of("3,4,3,5\n")),
            "1 of 2 test links have no negative, the first is (0, 5); give each one a list");
  EXPECT_EQ(error(lists_of("3,4,3,5\n0,5,0,2\n2,3,2,4\n")),
            "line 4: (2, 3) is no test link, and negatives are for those alone");
}

TEST_F(NegativeFiles, IdentityIsOfTheContent) {
  const NegativeKind& kind = find_negative_kind("file");
  const auto identity = [&](const std::string& text) {
    std::ofstream(path_) << text;
    return negatives_identity(
        kind, made_.data,
        parse_options("test", kind.settings, {"test=" + path_, "valid=" + path_}));
  };
  const std::string one = identity("source,target\n0,2\n");
  EXPECT_EQ(one.find(path_), std::string::npos);
  EXPECT_NE(one, identity("source,target\n1,3\n"));
  EXPECT_EQ(one, identity("source,target\n0,2\n"));
}

TEST_F(NegativeFiles, APathMustBeGivenAndNamesTheDataSet) {
  EXPECT_EQ(error_of([&] { (void)made_.draw("file", LinkPart::kTest, {"valid=x.csv"}); }),
            "made: negatives 'file' need test, the csv file of test negatives");
  const std::string message = error_of(
      [&] { (void)made_.draw("file", LinkPart::kTest, {"test=/nowhere/{dataset}/n.csv"}); });
  EXPECT_NE(message.find("/nowhere/made/n.csv"), std::string::npos) << message;
}

}  // namespace
}  // namespace cupel
