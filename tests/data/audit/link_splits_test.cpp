// Splits of schemes and of files as subjects of an audit, and findings of several splits as one.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "cupel/data/audit/link_splits.h"
#include "cupel/data/split/link_split.h"
#include "data/audit/made.h"
#include "data/formats/made_files.h"
#include "data/formats/mutation.h"
#include "data/links/made.h"

namespace cupel {
namespace {

using made::expect_error;

const Options kNoSettings;
const std::vector<Offset> kNoHits;

// A graph whose negatives are drawn evenly.
struct Source {
  explicit Source(bool directed = false) : made(made::link_data(60, 200, 5, directed)) {}
  LinkAuditSource source() const { return {made.data, &kind, settings, kNoHits, {}}; }

  made::LinkData made;
  const NegativeKind& kind = find_negative_kind("uniform");
  const Options settings = parse_options("", kind.settings, {"ratio=2"});
};

TEST(LinkSplits, AMemberHasPartsMessagesAndNegativesOfTheScheme) {
  const Source from;
  const PairList links = pairs_of(from.made.data.adjacency, false);
  for (const char* message : {"train", "train+valid"}) {
    const SplitScheme scheme{"links",
                             {{"train", std::int64_t{60}},
                              {"valid", std::int64_t{20}},
                              {"test", std::int64_t{20}},
                              {"message", std::string(message)}},
                             3};
    const Split split = make_split(from.made.data, scheme, 2);
    const StreamKey key = stream_key("a key");
    const LinkSubject subject = link_subject(from.source(), scheme, links, 2, key);
    const std::vector<Index>* ids[] = {&split.train, &split.valid, &split.test};
    std::set<Pair> carried;
    for (std::size_t part = 0; part < 3; ++part) {
      ASSERT_EQ(subject.parts[part].size(), ids[part]->size());
      for (std::size_t i = 0; i < ids[part]->size(); ++i) {
        const Pair pair = links.pairs[static_cast<std::size_t>((*ids[part])[i])];
        EXPECT_EQ(subject.parts[part][i], pair);
        if (part == 0 || (part == 1 && std::string(message) != "train")) {
          carried.insert(pair);
          carried.insert({pair.target, pair.source});
        }
      }
    }
    EXPECT_EQ(subject.messages[0].entries(), 2 * std::ssize(split.train));
    EXPECT_EQ(subject.messages[1].entries(), std::ssize(carried));
    for (const Pair& pair : carried) EXPECT_TRUE(has_arc(subject.messages[1], pair));
    made::LinkData same = from.made;
    same.links = links;
    same.split = split;
    const auto drawn = same.draw("uniform", LinkPart::kTest, {"ratio=2"}, 1, "a key");
    EXPECT_EQ(std::get<CandidatePool>(*subject.candidates[1]).pairs,
              std::get<CandidatePool>(drawn).pairs);
    EXPECT_EQ(std::get<CandidatePool>(*subject.candidates[0]).pairs.size(), 2 * split.valid.size());
  }
}

class LinkFiles : public ::testing::Test {
 protected:
  LinkFile read(const std::string& splits, const std::string& head = "", Index nodes = 6) {
    made::write_file(folder_ / "s.json",
                     "{\"unit\": \"pair\"" + head + ", \"splits\": " + splits + "}");
    return read_link_file(folder_ / "s.json", nodes);
  }
  void refuses(const std::string& splits, const std::string& part, const std::string& head = "") {
    expect_error([&] { (void)read(splits, head); }, {part});
  }
  made::Folder folder_;
};

using Pairs = std::vector<Pair>;

TEST_F(LinkFiles, FaultsAreKeptAsTheyAre) {
  const LinkFile file = read(
      R"([{"train": [[3, 1], [1, 3], [2, 2]], "val": [[3, 1]], "test": [[0, 5], [0, 5]],
           "messages": [[0, 5]], "negatives": {"test": [[5, 4], [4, 5], [1, 1]]}},
          {"train": [[0, 1]], "valid": [[1, 2]], "test": [[2, 3]],
           "messages": {"test": [[0, 1], [1, 2]]}}])",
      R"(, "directed": true, "new_links": true)");
  EXPECT_TRUE(file.directed);
  ASSERT_EQ(file.splits.size(), 2u);
  const LinkFileSplit& one = file.splits[0];
  EXPECT_EQ(one.parts[0], (Pairs{{3, 1}, {1, 3}, {2, 2}}));
  EXPECT_EQ(one.parts[1], (Pairs{{3, 1}}));
  EXPECT_EQ(one.parts[2], (Pairs{{0, 5}, {0, 5}}));
  EXPECT_EQ(one.messages[0], (Pairs{{0, 5}}));
  EXPECT_EQ(one.messages[1], (Pairs{{0, 5}}));
  EXPECT_FALSE(one.negatives[0]);
  EXPECT_EQ(one.negatives[1], (Pairs{{5, 4}, {4, 5}, {1, 1}}));
  EXPECT_FALSE(file.splits[1].messages[0]);
  EXPECT_EQ(file.splits[1].messages[1]->size(), 2u);
}

TEST_F(LinkFiles, WhatIsNoSplitOfLinksIsRefused) {
  const std::string parts = R"("train": [[0, 1]], "valid": [[1, 2]], "test": [[2, 3]])";
  refuses("[]", "no list 'splits' with a split");
  refuses("[{" + parts + R"(, "message": []}])", "message");
  refuses(R"([{"train": [[0, 1]], "test": [[2, 3]]}])", "split 0: has no 'valid'");
  refuses("[{" + parts + R"(, "val": [[1, 2]]}])", "mean the same");
  refuses(R"([{"train": [[0, 1]], "valid": [], "test": [[2, 3]]}])", "'valid' is empty");
  refuses(R"([{"train": [[0, 6]], "valid": [[1, 2]], "test": [[2, 3]]}])",
          "'train': entry 0 names '6', and the 6 nodes");
  refuses(R"([{"train": [[0, -1]], "valid": [[1, 2]], "test": [[2, 3]]}])", "names '-1'");
  refuses(R"([{"train": [[0, 1, 2]], "valid": [[1, 2]], "test": [[2, 3]]}])", "no pair");
  refuses("[{" + parts + R"(, "negatives": {"test": []}}])", "'negatives' 'test' is empty");
  refuses("[{" + parts + R"(, "negatives": [[0, 2]]}])", "negatives");
  refuses("[{" + parts + "}]", "'directed' is '1'", R"(, "directed": 1)");
  made::write_file(folder_ / "s.json", R"([{"train": [0], "valid": [1], "test": [2]}])");
  EXPECT_THROW((void)read_link_file(folder_ / "s.json", 6), Error);
  made::write_file(folder_ / "s.json", R"({"unit": "node", "splits": []})");
  expect_error([&] { (void)read_link_file(folder_ / "s.json", 6); }, {"is no file of links"});
}

TEST_F(LinkFiles, WhatAFileDoesNotSayIsFilledIn) {
  const Source from;
  const auto& pairs = from.made.links.pairs;
  const auto text = [](std::span<const Pair> some) {
    std::string out;
    for (const Pair& pair : some)
      out += fmt::format("{}[{}, {}]", out.empty() ? "" : ", ", pair.target, pair.source);
    return "[" + out + "]";
  };
  const std::span<const Pair> all(pairs);
  const auto train = all.first(20), valid = all.subspan(20, 10), test = all.subspan(30, 10);
  const std::string parts =
      fmt::format(R"("train": {}, "valid": {}, "test": {})", text(train), text(valid), text(test));
  const StreamKey key = stream_key("key");
  const LinkFile file = read("[{" + parts + "}]", "", 60);
  const LinkSubject subject = link_subject(from.source(), file, 0, key);
  EXPECT_EQ(count_unknown(subject), 0);
  for (std::size_t asked = 0; asked < 2; ++asked) {
    EXPECT_EQ(subject.messages[asked].entries(), 40);
    for (const Pair& pair : train) EXPECT_TRUE(has_arc(subject.messages[asked], pair));
    const auto& pool = std::get<CandidatePool>(*subject.candidates[asked]).pairs;
    EXPECT_EQ(pool.size(), 20u);
    for (const Pair& pair : pool)
      EXPECT_FALSE(std::ranges::binary_search(pairs, pair)) << "is a link, of no part";
  }
  // Given negatives are a pool whatever order and direction they were written in; the other part's
  // are drawn.
  const LinkFile given =
      read("[{" + parts + R"(, "negatives": {"test": [[5, 4], [4, 5], [1, 1], [3, 0]]}}])", "", 60);
  const LinkSubject with_own = link_subject(from.source(), given, 0, key);
  EXPECT_EQ(std::get<CandidatePool>(*with_own.candidates[1]).pairs, (Pairs{{0, 3}, {4, 5}}));
  EXPECT_EQ(with_own.left_out[1].loops, 1);
  EXPECT_EQ(with_own.left_out[1].repeats, 1);
  EXPECT_EQ(with_own.left_out[0].loops + with_own.left_out[0].repeats, 0);
  EXPECT_EQ(std::get<CandidatePool>(*with_own.candidates[0]).pairs,
            std::get<CandidatePool>(*subject.candidates[0]).pairs);
}

// A kind of negatives with a list for each positive meets a part that names one twice.
TEST_F(LinkFiles, RepeatsHaveListsOfTheirOwn) {
  const Source from;
  const NegativeKind& kind = find_negative_kind("corrupt");
  const Options settings = parse_options("", kind.settings, {"count=3"});
  const LinkAuditSource source{from.made.data, &kind, settings, kNoHits, {}};
  const auto& pairs = from.made.links.pairs;
  const auto one = [&](std::size_t i) {
    return fmt::format("[{}, {}]", pairs[i].source, pairs[i].target);
  };
  const LinkFile file =
      read(fmt::format(R"([{{"train": [{}], "valid": [{}], "test": [{}, {}, {}]}}])", one(0),
                       one(1), one(2), one(3), one(2)),
           "", 60);
  const LinkSubject subject = link_subject(source, file, 0, stream_key("key"));
  EXPECT_EQ(std::get<CandidateLists>(*subject.candidates[1]).start.size(), 4u);
  const auto ranking = subject.ranking(1);
  ASSERT_TRUE(ranking);
  EXPECT_EQ(ranking->questions.size(), 3);
  EXPECT_TRUE(made::has(audit_links(subject), "link-overlap"));
}

TEST_F(LinkFiles, LinksThatTheGraphDoesNotHaveAreCounted) {
  Source from;
  std::vector<Edge> edges = {{0, 1}, {1, 0}, {1, 2}, {2, 1}};
  from.made.data.adjacency = from_edges(6, edges);
  from.made.data.features = Matrix(6, 0);
  const LinkFile file =
      read(R"([{"train": [[1, 0], [3, 4], [4, 3], [3, 3]], "valid": [[3, 4]], "test": [[2, 5]]}])");
  EXPECT_EQ(count_unknown(link_subject(from.source(), file, 0, stream_key("key"))), 2);
}

// Whatever a file holds is audited, or refused in one sentence that names it.
TEST_F(LinkFiles, MutantsAreAuditedOrRefused) {
  const Source from;
  const std::string text =
      R"({"unit": "pair", "directed": false, "splits": [{"train": [[0, 4], [2, 1], [5, 3]],
"valid": [[1, 4], [7, 8]], "test": [[0, 3], [9, 2]], "messages": {"valid": [[0, 4]], "test": []},
"negatives": {"valid": [[2, 3]], "test": [[2, 4], [0, 3]]}}]})";
  const std::vector<std::string> tokens = {"[",
                                           "]",
                                           "{",
                                           "}",
                                           ",",
                                           "0",
                                           "60",
                                           "true",
                                           "null",
                                           "-1",
                                           "1e9",
                                           "[0, 4]",
                                           "[]",
                                           "[[1, 1]]",
                                           "\"val\"",
                                           "\"test\"",
                                           "\"messages\"",
                                           "[2, 1], [1, 2]"};
  made::Mutator mutator(11);
  int audited = 0, refused = 0;
  for (int m = 0; m < 3000; ++m) {
    // Every other mutant is a file of the right form, whose pairs may be anything.
    std::string mutant = m % 2 == 0 ? text : mutator.mutate(text, tokens);
    for (char& c : mutant)
      if (m % 2 == 0 && c >= '0' && c <= '9' && mutator.below(4) == 0)
        c = static_cast<char>('0' + mutator.below(10));
    made::write_file(folder_ / "s.json", mutant);
    try {
      const LinkFile file = read_link_file(folder_ / "s.json", 60);
      for (std::size_t i = 0; i < file.splits.size(); ++i) {
        const LinkSubject subject = link_subject(from.source(), file, i, stream_key("key"));
        EXPECT_LE(count_unknown(subject), std::ssize(text));
        for (const Finding& finding : audit_links(subject)) EXPECT_FALSE(finding.title.empty());
      }
      ++audited;
    } catch (const Error& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find("s.json"), std::string::npos) << message;
      EXPECT_EQ(message.find('\n'), std::string::npos) << message;
      ++refused;
    }
  }
  EXPECT_GT(audited, 1000);
  EXPECT_GT(refused, 1000);
}

Finding finding(const char* id, Severity severity, Offset count) {
  Finding out;
  out.id = id;
  out.severity = severity;
  out.count = count;
  out.evidence = "E.";
  return out;
}

TEST(WorstOfSplits, ASingleSplitIsToldAsItIs) {
  const std::vector<Finding> one = {finding("a", Severity::kWarning, 1),
                                    finding("b", Severity::kError, 1)};
  const auto out = worst_of_splits({one});
  ASSERT_EQ(out.size(), 2u);
  EXPECT_EQ(out[0].id, "b") << "errors first";
  EXPECT_EQ(out[1].evidence, "E.");
  EXPECT_TRUE(out[1].details.empty());
  EXPECT_TRUE(worst_of_splits({{}, {}}).empty());
}

TEST(WorstOfSplits, EachIdIsToldOnceOfItsWorstSplit) {
  const auto out = worst_of_splits({{finding("a", Severity::kInfo, 9)},
                                    {finding("b", Severity::kInfo, 1)},
                                    {finding("a", Severity::kError, 2)},
                                    {finding("a", Severity::kError, 3)},
                                    {finding("a", Severity::kError, 3)}});
  ASSERT_EQ(out.size(), 2u);
  EXPECT_EQ(out[0].id, "a");
  EXPECT_EQ(out[0].severity, Severity::kError);
  EXPECT_EQ(out[0].count, 3);
  EXPECT_EQ(out[0].details["split"], 3);
  EXPECT_EQ(out[0].details["splits"], nlohmann::ordered_json::array({0, 2, 3, 4}));
  EXPECT_EQ(out[0].evidence,
            "E. The finding is in splits 0, 2, 3, 4, of 5 splits; the numbers are those of split "
            "3.");
  EXPECT_EQ(out[1].evidence,
            "E. The finding is in split 1, of 5 splits; the numbers are those of split 1.");
  // Where less is worse.
  Finding two = finding("a", Severity::kError, 2), four = finding("a", Severity::kError, 4);
  two.weight = -2, four.weight = -4;
  EXPECT_EQ(worst_of_splits({{four}, {two}, {four}})[0].details["split"], 1);
  const auto all =
      worst_of_splits({{finding("a", Severity::kInfo, 1)}, {finding("a", Severity::kInfo, 1)}});
  EXPECT_EQ(all[0].evidence,
            "E. The finding is in each of the 2 splits; the numbers are those of split 0.");
}

}  // namespace
}  // namespace cupel
