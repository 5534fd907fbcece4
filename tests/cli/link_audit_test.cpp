// `cupel audit DATASET --split ...`: splits of links without fault, and with one leak each.
#include <fmt/format.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/program.h"
#include "cupel/data/formats/heterophilous_writer.h"
#include "cupel/data/formats/split_json.h"
#include "data/links/made.h"
#include "real_data.h"

namespace cupel::test {
namespace {

using nlohmann::json;

// A data set as the program reads it, with a class that says nothing.
void write_graph(Dataset data, const std::filesystem::path& path) {
  for (Index i = 0; i < data.nodes(); ++i) data.labels().push_back(i % 2);
  data.class_names() = {"0", "1"};
  Split halves;
  for (Index i = 0; i < data.nodes(); ++i)
    (i % 4 == 0 ? halves.test : i % 4 == 1 ? halves.valid : halves.train).push_back(i);
  data.stored_splits = {halves};
  write_heterophilous_npz(data, path);
}

// 1,500 random links between 400 nodes, a fifth each for validation and test.
class LinkAudit : public ::testing::Test {
 protected:
  explicit LinkAudit(bool directed = false) : made(made::link_data(400, 1500, 1, directed)) {
    write_graph(made.data, place.path("graph.npz"));
    file = json::parse(split_json({made.split}, made.links, false));
  }
  json& split() { return file["splits"][0]; }

  Outcome run(std::vector<std::string> more) const {
    more.insert(more.begin(), {"audit", "./graph.npz"});
    return place.run(more);
  }
  // The findings on the file as it is now, by id.
  std::map<std::string, json> findings(std::vector<std::string> more = {}) const {
    place.write("s.json", file.dump());
    more.insert(more.end(), {"--split", "s.json", "--json"});
    const Outcome outcome = run(more);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    std::map<std::string, json> out;
    const json report = json::parse(outcome.code == 0 ? outcome.out : "{\"findings\": []}");
    for (const json& one : report.at("findings")) out[one.at("id")] = one;
    return out;
  }
  // The one finding that there is.
  json only(const std::string& id, std::vector<std::string> more = {}) const {
    const auto all = findings(std::move(more));
    EXPECT_EQ(all.size(), 1u) << json(all).dump(2);
    return all.contains(id) ? all.at(id) : json();
  }
  void refuses(std::vector<std::string> more, const std::string& part) const {
    const Outcome outcome = run(std::move(more));
    EXPECT_EQ(outcome.code, 2) << part;
    EXPECT_TRUE(contains(outcome.err, part)) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }

  Workplace place;
  made::LinkData made;
  json file;
};

class DirectedLinkAudit : public LinkAudit {
 protected:
  DirectedLinkAudit() : LinkAudit(true) {}
};

TEST_F(LinkAudit, CleanSplitsHaveNoFinding) {
  EXPECT_TRUE(findings().empty()) << json(findings()).dump(2);
  for (const char* negatives : {"uniform", "corrupt:count=20", "all"}) {
    const Outcome outcome = run({"--split", "links:train=70;valid=10;test=20", "--members", "2",
                                 "--negatives", negatives, "--fail-on", "info"});
    EXPECT_EQ(outcome.code, 0) << outcome.err << outcome.out;
    EXPECT_TRUE(outcome.out.starts_with("graph, 2 splits of links: nothing found\n"))
        << outcome.out;
    EXPECT_TRUE(contains(outcome.out, "70 % training")) << outcome.out;
    EXPECT_TRUE(contains(outcome.out, negatives)) << outcome.out;
  }
}

TEST_F(LinkAudit, LinksInTwoPartsAreFound) {
  json way_back = split()["test"][3];
  std::swap(way_back[0], way_back[1]);
  split()["valid"].push_back(way_back);
  const json finding = only("link-overlap");
  EXPECT_EQ(finding["severity"], "error");
  EXPECT_EQ(finding["count"], 1);
  EXPECT_EQ(finding["evidence"]["validation_and_test"], 1);
}

TEST_F(LinkAudit, TrainingLinksThatAreTestedAreFoundTwice) {
  split()["train"].push_back(split()["test"][0]);
  const auto all = findings();
  EXPECT_EQ(all.at("link-overlap")["evidence"]["training_and_test"], 1);
  EXPECT_EQ(all.at("link-messages")["count"], 1) << "training links carry messages";
  EXPECT_EQ(all.size(), 2u);
}

TEST_F(LinkAudit, MessagesOverAnswersAreFound) {
  split()["messages"] = split()["train"];
  EXPECT_TRUE(findings().empty());
  split()["messages"].push_back(split()["test"][1]);
  json finding = only("link-messages");
  EXPECT_EQ(finding["severity"], "error");
  EXPECT_EQ(finding["evidence"]["test_in_test_messages"], 1);
  EXPECT_EQ(finding["evidence"]["test_in_validation_messages"], 1);
  // Validation links may carry messages when test is asked, and not before.
  const json with_valid = [&] {
    json out = split()["train"];
    for (const json& pair : split()["valid"]) out.push_back(pair);
    return out;
  }();
  split()["messages"] = {{"test", with_valid}};
  EXPECT_TRUE(findings().empty());
  split()["messages"] = {{"valid", with_valid}};
  finding = only("link-messages");
  EXPECT_EQ(finding["count"], split()["valid"].size());
}

TEST_F(LinkAudit, NegativesThatAreLinksAreFound) {
  const auto drawn = [&](LinkPart part) {
    const Candidates candidates = made.draw("uniform", part);
    json out = json::array();
    for (const Pair& pair : std::get<CandidatePool>(candidates).pairs)
      out.push_back({pair.source, pair.target});
    return out;
  };
  split()["negatives"] = {{"valid", drawn(LinkPart::kValid)}, {"test", drawn(LinkPart::kTest)}};
  EXPECT_TRUE(findings().empty());
  place.write("s.json", file.dump());
  EXPECT_TRUE(contains(run({"--split", "s.json"}).out, "Negatives are those of the file."));
  refuses({"--split", "s.json", "--negatives", "uniform"}, "negatives of its own");
  split()["negatives"]["test"].push_back(split()["train"][7]);
  const json finding = only("link-negatives");
  EXPECT_EQ(finding["severity"], "error");
  EXPECT_EQ(finding["evidence"]["test"]["training_links"], 1);
  EXPECT_EQ(finding["evidence"]["validation"]["training_links"], 0);
}

TEST_F(DirectedLinkAudit, TheWayBackInTrainingIsFound) {
  const auto way_back = [](json pair) {
    std::swap(pair[0], pair[1]);
    return pair;
  };
  // A directed graph drawn evenly has some ways back; the file is made without.
  const auto without = [&](const char* part) {
    std::set<json> known(split()["train"].begin(), split()["train"].end());
    json out = json::array();
    for (const json& pair : split()[part])
      if (!known.contains(way_back(pair))) out.push_back(pair);
    split()[part] = out;
  };
  without("test");
  EXPECT_TRUE(findings().empty()) << json(findings()).dump(2);
  for (int i = 0; i < 40; ++i) split()["train"].push_back(way_back(split()["test"][i]));
  const json finding = only("link-reversed");
  EXPECT_EQ(finding["severity"], "warning") << "a tenth of the test links";
  EXPECT_EQ(finding["count"], 40);
}

TEST_F(LinkAudit, TooFewCandidatesAndLinksAreFound) {
  EXPECT_TRUE(findings({"--hits", "10"}).empty());
  json finding = only("link-few", {"--hits", "10,100000"});
  EXPECT_EQ(finding["severity"], "error");
  EXPECT_EQ(finding["evidence"]["k_beyond_candidates"], json::array({100000}));
  while (split()["test"].size() > 99) split()["test"].erase(0);
  finding = only("link-few");
  EXPECT_EQ(finding["severity"], "info");
  EXPECT_EQ(finding["evidence"]["test_links"], 99);
}

// What degrees and features alone reach, against the scores of models that are just these, which
// runs of a protocol have from the same split and the same negatives.
TEST(LinkAuditShortcuts, AreWhatModelsScore) {
  constexpr Index kHubs = 20, kNodes = 300;
  const Workplace place;
  Dataset data;
  std::vector<Edge> edges;
  Matrix features(kNodes, kHubs);
  for (Index h = 0; h < kHubs; ++h) features(h, h) = 1;
  for (Index i = kHubs; i < kNodes; ++i) {
    for (Index k = 0; k < 4; ++k) {
      const Index hub = (i + k * (1 + i / kHubs % 4)) % kHubs;
      edges.push_back({i, hub});
      features(i, hub) = 1;
    }
  }
  data.adjacency = symmetrise(from_edges(kNodes, edges));
  data.features = features;
  write_graph(data, place.path("hubs.npz"));
  place.write("p.toml",
              "task = 'links'\nmetric = 'roc-auc'\n[data]\ndatasets = ['./hubs.npz']\n"
              "[split]\nscheme = 'links'\ntrain = 60\nvalid = 10\ntest = 30\n"
              "message = 'train+valid'\ncount = 2\n[links]\nnegatives = 'uniform:ratio=3'\n"
              "[models.preferential-attachment]\n[models.feature-cosine]\n");
  const Outcome made = place.run({"run", "p.toml", "--no-report"});
  ASSERT_EQ(made.code, 0) << made.err;
  std::map<std::string, std::vector<double>> scores;  // by model, then split
  const json dump = json::parse(place.run({"show", "p.sqlite", "--json"}).out);
  for (const json& cell : dump.at("protocols").at(0).at("cells")) {
    std::vector<double>& all = scores[cell.at("model")];
    all.resize(2);
    for (const json& one : cell.at("runs"))
      all.at(one.at("split").get<std::size_t>()) = one.at("test_score").get<double>();
  }
  const Outcome outcome = place.run({"audit", "./hubs.npz", "--split",
                                     "links:train=60;valid=10;test=30;message=train+valid",
                                     "--negatives", "uniform:ratio=3", "--members", "2", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json report = json::parse(outcome.out);
  std::map<std::string, json> found;
  for (const json& finding : report.at("findings")) found[finding.at("id")] = finding;
  ASSERT_TRUE(found.contains("link-degree") && found.contains("link-features")) << outcome.out;
  for (const auto& [id, model] : {std::pair{"link-degree", "preferential-attachment"},
                                  std::pair{"link-features", "feature-cosine"}}) {
    const json& evidence = found.at(id)["evidence"];
    const double score = scores.at(model).at(evidence["split"].get<std::size_t>());
    EXPECT_NEAR(evidence["area"].get<double>(), score, 1e-9) << id;
    EXPECT_NE(scores.at(model)[0], scores.at(model)[1]) << "so that the split shows";
  }
}

TEST_F(LinkAudit, SeveralSplitsAreToldAsOne) {
  file["splits"].push_back(split());
  file["splits"].push_back(split());
  file["splits"][1]["valid"].push_back(split()["test"][0]);
  const json finding = only("link-overlap");
  EXPECT_EQ(finding["evidence"]["splits"], json::array({1}));
  EXPECT_TRUE(contains(finding["evidence"]["text"], "split 1, of 3 splits"));
  EXPECT_TRUE(findings({"--members", "1"}).empty());
  const Outcome outcome = run({"--split", "s.json", "--json"});
  const json report = json::parse(outcome.out);
  EXPECT_EQ(report["dataset"], "graph");
  EXPECT_EQ(report["negatives"], "uniform");
  ASSERT_EQ(report["splits"].size(), 3u);
  EXPECT_EQ(report["splits"][1]["test"], made.split.test.size());
  EXPECT_EQ(report["splits"][1]["validation"], made.split.valid.size() + 1);
  refuses({"--split", "s.json", "--members", "4"}, "more than the 3 splits");
}

TEST_F(LinkAudit, ExitCodesGoBySeverity) {
  split()["valid"].push_back(split()["test"][3]);
  place.write("s.json", file.dump());
  EXPECT_EQ(run({"--split", "s.json"}).code, 0);
  EXPECT_EQ(run({"--split", "s.json", "--fail-on", "error"}).code, 1);
  while (split()["test"].size() > 90) split()["test"].erase(0);
  split()["valid"].erase(split()["valid"].size() - 1);
  place.write("s.json", file.dump());
  EXPECT_EQ(run({"--split", "s.json", "--fail-on", "warning"}).code, 0);
  EXPECT_EQ(run({"--split", "s.json", "--fail-on", "info"}).code, 1);
}

TEST_F(LinkAudit, LinksOfAFileThatTheGraphLacksAreTold) {
  const std::set<Pair> known(made.links.pairs.begin(), made.links.pairs.end());
  Index other = 1;
  while (known.contains({0, other})) ++other;
  split()["train"].push_back({other, 0});
  EXPECT_TRUE(findings().empty());
  EXPECT_TRUE(
      contains(run({"--split", "s.json"}).out, "The graph does not have 1 link of the split."));
}

TEST_F(LinkAudit, ArgumentsThatMeanNothingAreRefused) {
  place.write("s.json", file.dump());
  for (const char* option : {"--negatives", "--prepare"})
    refuses({option, "x"}, fmt::format("{} goes with --split", option));
  refuses({"--members", "2"}, "--members goes with --split");
  refuses({"--split", "links", "--fix", "--out", "x.npz"}, "--fix is of the data set");
  refuses({"--split", "links", "--store", "x.sqlite"}, "--store is of the data set");
  refuses({"--split", "link"}, "did you mean 'links'");
  refuses({"--split", "random"}, "splits nodes");
  refuses({"--split", "links:train=80"}, "they must be 100");
  refuses({"--split", "links:trains=80"}, "train");
  refuses({"--split", "links", "--negatives", "hart"}, "heart");
  refuses({"--split", "links", "--negatives", "heart:counts=5"}, "count");
  refuses({"--split", "links", "--hits", "ten"}, "'ten'");
  refuses({"--split", "links", "--prepare", "symetrise"}, "symmetrise");
  refuses({"--split", "none.json"}, "none.json");
  // The scheme of runs takes no leaks.
  split()["valid"].push_back(split()["test"][3]);
  place.write("s.json", file.dump());
  refuses({"--split", "file:file=s.json"}, "is in it twice");
}

// Which splits there are depends on what is audited, so that an unknown name is told first.
TEST(LinkAuditOfNothing, IsToldBeforeItsSplit) {
  const Workplace place;
  const Outcome outcome = place.run({"audit", "papers", "--split", "2018,2019,2021"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.err, "'papers' is neither a data set of the catalog nor a path"))
      << outcome.err;
}

TEST(LinkAuditOfRealData, UniformNegativesOfCoraAreToldByItsFeatures) {
  if (const std::string why = made::needs_data({"cora-planetoid"}); !why.empty())
    GTEST_SKIP() << why;
  Workplace place;
  place.set("CUPEL_DATA", std::getenv("CUPEL_DATA"));
  const Outcome outcome =
      place.run({"audit", "cora-planetoid", "--split", "links", "--members", "3", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json report = json::parse(outcome.out);
  // 5,278 links: 5 and 10 percent, rounded down.
  EXPECT_EQ(report["splits"].size(), 3u);
  EXPECT_EQ(report["splits"][2], (json{{"training", 4488}, {"validation", 263}, {"test", 527}}));
  for (const json& finding : report["findings"]) EXPECT_NE(finding["severity"], "error");
}

}  // namespace
}  // namespace cupel::test
