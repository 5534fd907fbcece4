// Files of splits of pairs.
#include <gtest/gtest.h>

#include "cupel/data/formats/split_json.h"
#include "cupel/data/graph/graph.h"
#include "cupel/data/split/link_split.h"
#include "data/formats/made_files.h"

namespace cupel {
namespace {

using made::expect_error;
using Ids = std::vector<Index>;

// Links {0, 1}, {0, 2}, {1, 2}, {2, 3}, {3, 4}, in this order.
Dataset kite(bool directed = false) {
  Dataset out;
  out.name = "KITE";
  std::vector<Edge> arcs = {{0, 1}, {0, 2}, {1, 2}, {2, 3}, {3, 4}};
  if (!directed)
    for (const Edge& arc : std::vector(arcs)) arcs.push_back({arc.target, arc.source});
  out.adjacency = from_edges(5, arcs);
  out.features = Matrix(5, 1);
  out.labels().assign(5, 0);
  out.class_names() = {"c"};
  return out;
}

class SplitJsonPairs : public ::testing::Test {
 protected:
  // `head` as "\"directed\": true, ".
  std::string write(const std::string& splits, const std::string& head = "") {
    made::write_file(folder_ / "KITE.json",
                     "{\"unit\": \"pair\", " + head + "\"splits\": " + splits + "}");
    return (folder_ / "KITE.json").string();
  }
  SplitScheme scheme(const std::string& splits, const std::string& head = "") {
    (void)write(splits, head);
    return {"file", {{"file", (folder_ / "{dataset}.json").string()}}};
  }
  std::string content(const std::string& splits, const std::string& head = "") {
    return read_split_json(write(splits, head)).content;
  }
  std::function<void()> reading(const std::string& splits, const std::string& head = "") {
    return [this, splits, head] { (void)read_split_json(write(splits, head)); };
  }
  std::function<void()> splitting(const Dataset& data, const std::string& splits,
                                  const std::string& head = "") {
    return [this, data, splits, head] { (void)make_split(data, scheme(splits, head), 0); };
  }
  made::Folder folder_;
};

const char* const kPlain =
    R"([{"train": [[3, 4], [0, 1], [2, 0]], "valid": [[1, 2]], "test": [[3, 2]]}])";

TEST_F(SplitJsonPairs, PairsBecomePlacesAmongTheLinks) {
  const Dataset data = kite();
  const SplitScheme asked = scheme(kPlain), resolved = resolved_scheme(asked, data);
  EXPECT_EQ(split_unit(resolved, data), Unit::kPair);
  EXPECT_EQ(family_size(resolved, data), 1);
  const Split split = make_split(data, asked, 0);
  EXPECT_EQ(split.train, (Ids{0, 1, 4}));
  EXPECT_EQ(split.valid, (Ids{2}));
  EXPECT_EQ(split.test, (Ids{3}));
  EXPECT_EQ(make_split(data, links_of(data, resolved), resolved, 0).train, split.train);
  expect_error([&] { (void)make_split(data, asked, 1); }, {"split 1", "holds 1"});
}

TEST_F(SplitJsonPairs, IdentityIsOfThePairs) {
  // Neither the order nor, without direction, the way round tells two families apart.
  const std::string same =
      R"([{"test": [[2, 3]], "val": [[2, 1]], "train": [[1, 0], [0, 2], [4, 3]]}])";
  EXPECT_EQ(content(kPlain), content(same));
  EXPECT_NE(content(kPlain), content(kPlain, "\"new_links\": true, "));
  EXPECT_NE(content(kPlain), content(kPlain, "\"directed\": true, "));
  EXPECT_NE(content(kPlain, "\"directed\": true, "), content(same, "\"directed\": true, "));
  EXPECT_NE(content(kPlain), content(R"([{"train": [[3, 4], [0, 1]], "valid": [[1, 2], [2, 0]],
                                          "test": [[3, 2]]}])"));
  SplitScheme resolved = resolved_scheme(scheme(kPlain), kite());
  EXPECT_EQ(resolved.identity(), "file splits=" + content(kPlain));
  resolved.settings["message"] = "train+valid";
  EXPECT_EQ(resolved.identity(), "file splits=" + content(kPlain) + " message=train+valid");
}

TEST_F(SplitJsonPairs, DirectionIsSaidByTheFile) {
  const std::string arcs =
      R"([{"train": [[3, 4], [0, 1], [0, 2]], "valid": [[1, 2]], "test": [[2, 3]]}])";
  EXPECT_EQ(make_split(kite(true), scheme(arcs, "\"directed\": true, "), 0).test, (Ids{3}));
  expect_error(splitting(kite(true), arcs), {"5 arcs without a way back", "\"directed\" = true"});
  expect_error(splitting(kite(), arcs, "\"directed\": true, "), {"every arc has its way back"});
  // Against the direction is another arc.
  expect_error(splitting(kite(true), kPlain, "\"directed\": true, "),
               {"KITE.json: split 0 names [2, 0], which is no link of data set 'KITE'"});
}

TEST_F(SplitJsonPairs, LinksMayBeNewWhereTheFileSaysSo) {
  const std::string beyond =
      R"([{"train": [[0, 1], [0, 2]], "valid": [[4, 0]], "test": [[1, 4]]}])";
  const Dataset data = kite();
  expect_error(splitting(data, beyond), {"names [0, 4]", "no link", "\"new_links\""});
  const SplitScheme resolved = resolved_scheme(scheme(beyond, "\"new_links\": true, "), data);
  const PairList links = links_of(data, resolved);
  EXPECT_EQ(links.pairs,
            (std::vector<Pair>{{0, 1}, {0, 2}, {0, 4}, {1, 2}, {1, 4}, {2, 3}, {3, 4}}));
  const Split split = make_split(data, links, resolved, 0);
  EXPECT_EQ(split.train, (Ids{0, 1}));
  EXPECT_EQ(split.valid, (Ids{2}));
  EXPECT_EQ(split.test, (Ids{4}));
  // Nodes are never new.
  expect_error(splitting(data, R"([{"train": [[0, 5]], "valid": [[0, 2]], "test": [[1, 2]]}])",
                         "\"new_links\": true, "),
               {"split 0 names node 5", "'KITE' has 5 nodes", "drops"});
}

TEST_F(SplitJsonPairs, WhatIsWrittenIsReadAsItWas) {
  const Dataset data = kite();
  const PairList links = pairs_of(data.adjacency, false);
  const std::vector<Split> splits = {{{0, 4}, {1}, {2, 3}}, {{1, 2, 3}, {0}, {4}}};
  const auto path = folder_ / "written.json";
  made::write_file(path, split_json(splits, links, false));
  const SplitScheme written{"file", {{"file", path.string()}}};
  for (int i = 0; i < 2; ++i) {
    const Split split = make_split(data, written, i);
    EXPECT_EQ(split.train, splits[static_cast<std::size_t>(i)].train);
    EXPECT_EQ(split.valid, splits[static_cast<std::size_t>(i)].valid);
    EXPECT_EQ(split.test, splits[static_cast<std::size_t>(i)].test);
  }
  EXPECT_EQ(split_json({{{0}, {1}, {2}}}, links, true),
            R"({"unit":"pair","directed":false,"new_links":true,"splits":[{"train":[[0,1]],)"
            R"("valid":[[0,2]],"test":[[1,2]]}]})"
            "\n");
  EXPECT_EQ(split_json({{{0}, {1}, {2}}}), R"([{"train":[0],"valid":[1],"test":[2]}])"
                                           "\n");
}

TEST_F(SplitJsonPairs, MistakesNameFoldPartAndPair) {
  const auto parts = [](const std::string& train, const std::string& test = "[[1, 2]]") {
    return "[{\"train\": " + train + ", \"valid\": [[0, 2]], \"test\": " + test + "}]";
  };
  expect_error(reading(parts("[[3, 3]]")), {"fold 0: 'train'", "entry 0", "node 3 with itself"});
  expect_error(reading(parts("[[0, 1], 4]")), {"'train'", "entry 1 is '4'", "[source, target]"});
  expect_error(reading(parts("[[0, 1, 2]]")), {"entry 0 is '[0,1,2]', no pair"});
  expect_error(reading(parts("[[0, -1]]")), {"entry 0 is '[0,-1]', no pair"});
  expect_error(reading(parts("[[0, 2147483648]]")), {"entry 0 is '[0,2147483648]', no pair"});
  expect_error(reading(parts("[[0, 1.5]]")), {"entry 0 is '[0,1.5]', no pair"});
  expect_error(reading(parts("[]")), {"'train': is empty"});
  expect_error(reading(parts("3")), {"'train'", "list of pairs"});
  expect_error(reading(parts("[[2, 1]]")),
               {"fold 0: the link [1, 2] is in it twice, maybe as its way back"});
  expect_error(reading(parts("[[1, 2]]"), "\"directed\": true, "),
               {"fold 0: the arc [1, 2] is in it twice;"});
  reading(parts("[[2, 1]]"), "\"directed\": true, ")();  // two arcs
  expect_error(reading(parts("[[0, 1], [0, 1]]")), {"[0, 1] is in it twice"});
  expect_error(reading("[]"), {"holds no split"});
  expect_error(reading(R"([{"test": [[0, 1]], "model_selection": []}])"), {"'model_selection'"});
  expect_error(reading(parts("[[0, 1]]"), "\"directed\": 1, "), {"'directed' is '1', not true"});
  expect_error(splitting(kite(), parts("[[0, 4]]")), {"names [0, 4]"});
  expect_error(splitting(kite(), parts("[[0, 9]]")), {"names node 9"});
}

TEST_F(SplitJsonPairs, AFileMayNameTheUnitOfExamples) {
  const auto split = [&](const std::string& head, const SplitScheme& more = {}) {
    return [this, head, more] {
      made::write_file(
          folder_ / "x.json",
          "{" + head + "\"splits\": [{\"train\": [0], \"valid\": [1], \"test\": [2]}]}");
      SplitScheme scheme{"file", {{"file", (folder_ / "x.json").string()}}};
      scheme.settings.insert(more.settings.begin(), more.settings.end());
      (void)make_split(kite(), scheme, 0);
    };
  };
  split("\"unit\": \"node\", ")();
  split("")();
  expect_error(split("\"unit\": \"graph\", "), {"its splits are of graphs", "'KITE'", "by node"});
  expect_error(split("\"unit\": \"edge\", "), {"'unit' is '\"edge\"'", "node, graph, pair"});
  expect_error(split("\"unit\": \"pair\", "), {"entry 0 is '0', no pair"});
  expect_error(split("\"directed\": true, "), {"'directed' is of pairs"});
  expect_error(split("\"new_links\": true, "), {"'new_links' is of pairs"});
  expect_error(split("", {"file", {{"message", "train+valid"}}}),
               {"of nodes", "'message' is of splits of pairs"});
}

}  // namespace
}  // namespace cupel
