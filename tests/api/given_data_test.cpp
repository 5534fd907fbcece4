// Graphs from arrays and as columns of protocols, families of splits, and how runs are done.
#include "cupel/api/given_data.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "cupel/api/how.h"
#include "cupel/api/report_file.h"
#include "cupel/api/splits.h"
#include "cupel/data/facts/temporal_edges.h"
#include "cupel/data/generate/generator.h"
#include "error_of.h"
#include "temp_folder.h"

namespace cupel {
namespace {

GivenGraph path_of_three() {
  GivenGraph graph;
  graph.arrays.name = "path";
  const std::vector<std::int64_t> edges = {0, 1, 1, 2, 1, 0, 2, 1}, labels = {5, 7, 5};
  const std::vector<float> x = {1, 0, 0, 1, 1, 1};
  graph.arrays.edge_index = make_npy(std::span<const std::int64_t>(edges), {2, 4});
  graph.arrays.x = make_npy(std::span<const float>(x), {3, 2});
  graph.arrays.y = make_npy(std::span<const std::int64_t>(labels));
  return graph;
}

TEST(GivenData, MakesGraphsOfArrays) {
  const Dataset made = dataset_of(path_of_three());
  EXPECT_EQ(made.nodes(), 3);
  EXPECT_EQ(made.adjacency.columns, (std::vector<Index>{1, 0, 2, 1}));
  EXPECT_EQ(made.labels(), (std::vector<Index>{0, 1, 0}));
  EXPECT_EQ(made.class_names(), (std::vector<std::string>{"5", "7"}));
  GivenGraph named = path_of_three();
  named.class_names = {"five", "seven"};
  EXPECT_EQ(dataset_of(named).class_names().at(1), "seven");
  named.class_names = {"five"};
  EXPECT_NE(error_of([&] { (void)dataset_of(named); }).find("1 names for 2 classes"),
            std::string::npos);
}

TEST(GivenData, DoesWithoutLabelsAndFeatures) {
  GivenGraph bare = path_of_three();
  bare.arrays.x.reset();
  EXPECT_EQ(feature_count(dataset_of(bare).features), 0);
  bare.arrays.y.reset();
  EXPECT_NE(error_of([&] { (void)dataset_of(bare); }).find("num_nodes"), std::string::npos);
  bare.nodes = 4;
  const Dataset made = dataset_of(bare);
  EXPECT_EQ(made.nodes(), 4);
  EXPECT_TRUE(made.labels().empty());
  EXPECT_EQ(made.classes(), 0);
}

// Two graphs, of two nodes and of three: an edge that is given in one direction, and a loop.
GivenSet two_graphs() {
  GivenSet set;
  set.name = "pair";
  set.start = {0, 2, 5}, set.edge_start = {0, 1, 3};
  const std::vector<std::int64_t> edges = {0, 4, 3, 1, 3, 3};
  const std::vector<float> attributes = {1, 2, 3};
  set.edge_index = make_npy(std::span<const std::int64_t>(edges), {2, 3});
  set.edge_attr = make_npy(std::span<const float>(attributes), {3, 1});
  set.classes = {4, 2};
  return set;
}

TEST(GivenData, MakesSetsOfGraphsSimpleAndSymmetric) {
  const Dataset made = dataset_of(two_graphs());
  EXPECT_EQ(made.graphs->start, (std::vector<Index>{0, 2, 5}));
  EXPECT_EQ(made.adjacency.row_ptr, (std::vector<Offset>{0, 1, 2, 2, 3, 4}));
  EXPECT_EQ(made.adjacency.columns, (std::vector<Index>{1, 0, 4, 3}));
  const Matrix& attributes = made.graphs->arc_attributes;
  EXPECT_EQ(std::vector<float>(attributes.values.begin(), attributes.values.end()),
            (std::vector<float>{1, 1, 2, 2}));
  EXPECT_EQ(made.graphs->dropped_loops, 1);
  EXPECT_EQ(made.labels(), (std::vector<Index>{1, 0}));
  GivenSet wrong = two_graphs();
  wrong.start = {0, 3, 5}, wrong.edge_start = {0, 2, 3};
  EXPECT_NE(error_of([&] { (void)dataset_of(wrong); }).find("graph 0 has 3 nodes"),
            std::string::npos);
}

GivenFacts three_facts() {
  GivenFacts facts;
  facts.name = "three";
  const auto array = [](std::vector<std::int64_t> values, const char* where) {
    NpyArray out = make_npy(std::span<const std::int64_t>(values));
    out.where = where;
    return out;
  };
  facts.source = array({7, 3, 7}, "sources"), facts.target = array({3, 900, 900}, "targets");
  facts.time = array({20, -5, 20}, "times");
  facts.relation_names = {"edge"};
  return facts;
}

TEST(GivenData, MakesFactsAsAListOfEdgesIsRead) {
  const TempFolder folder;
  std::ofstream(folder / "edges.txt") << "7 3 20\n3 900 -5\n7 900 20\n";
  const Dataset made = dataset_of(three_facts());
  check_invariants(*made.facts);
  EXPECT_EQ(content_hash(*made.facts), content_hash(read_temporal_edges(folder / "edges.txt")));
  EXPECT_EQ(made.facts->entity_name(2), "900");
  GivenFacts named = three_facts();
  named.entity_names.resize(901, "some\none");
  named.relation_names = {"a", "b"};
  named.relation = three_facts().source;
  named.time_unit = "day";
  const auto refused = [&](const char* told) {
    EXPECT_NE(error_of([&] { (void)dataset_of(named); }).find(told), std::string::npos) << told;
  };
  refused("sources[0] is 7, where numbers from 0 to 1");  // of the relation, an array of this name
  named.relation = make_npy(std::span<const std::int64_t>(std::vector<std::int64_t>{1, 0, 1}));
  const Dataset other = dataset_of(named);
  check_invariants(*other.facts);
  EXPECT_EQ(other.facts->entities(), 901);
  EXPECT_EQ(other.facts->entity_name(7), "some one");
  EXPECT_EQ(other.facts->relation[0], 0) << "the earliest is first";
  EXPECT_EQ(other.facts->time_unit, "day");
  named.entity_names.resize(900);
  refused("targets[1] is 900, where numbers from 0 to 899");
  named.time = make_npy(std::span<const std::int64_t>(std::vector<std::int64_t>{1, 2}));
  named.entity_names.clear();
  refused("has 2 entries where there are 3 facts");
  named.time = make_npy(std::span<const std::int64_t>(std::vector<std::int64_t>{1, 2, 3}), {3, 1});
  refused("has 2 axes where one is needed");
  named.source = make_npy(std::span<const std::int64_t>());
  refused("three: 0 facts are not possible");
}

TEST(GivenData, StandsBesideOtherSources) {
  auto data = std::make_shared<const Dataset>(dataset_of(path_of_three()));
  const PlanSources sources =
      with_given(plan_sources("/nowhere"), {{given_reference("path"), data}});
  EXPECT_EQ(content_hash(sources.load(given_reference("path"))), content_hash(*data));
  EXPECT_EQ(sources.load("csbm:nodes=300").nodes(), 300);
  EXPECT_NE(error_of([&] { (void)sources.load_facts(given_reference("path")); }).find("is a graph"),
            std::string::npos);
  for (const Unit unit : {Unit::kNode, Unit::kFact}) {
    EXPECT_FALSE(sources.absent(given_reference("path"), unit));
    EXPECT_TRUE(sources.absent(given_reference("other"), unit));
    EXPECT_TRUE(sources.absent("college-msg", unit) || unit == Unit::kNode);
  }
  EXPECT_EQ(sources.prepare(given_reference("path"), *data, {"symmetrise"}).history.size(), 1u);
}

TEST(SplitFamily, HasTheMembersOfItsScheme) {
  const Dataset data = generate(known_generator("csbm", {"nodes=120", "classes=3"}));
  const SplitScheme scheme =
      read_split_scheme("test", "per-class", {{"train", 5}, {"valid", 5}, {"count", 3}});
  const SplitFamily family(data, scheme);
  ASSERT_EQ(family.size(), 3);
  std::set<std::string> hashes;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(family.member(i).train, make_split(data, scheme, i).train);
    hashes.insert(split_hash(family.member(i)));
  }
  EXPECT_EQ(hashes.size(), 3u);
  Split moved = family.member(0);
  std::swap(moved.train, moved.valid);
  EXPECT_NE(split_hash(moved), split_hash(family.member(0)));
  EXPECT_EQ(family.links(), nullptr);
  const SplitFamily links(data, read_split_scheme("test", "links", {{"count", 1}}));
  ASSERT_NE(links.links(), nullptr);
  EXPECT_EQ(links.unit(), Unit::kPair);
  EXPECT_NE(error_of([&] {
              (void)read_split_scheme("test", "per-class", {{"trian", 5}});
            }).find("trian"),
            std::string::npos);
}

TEST(SplitFamily, ReadsValuesAsProtocolsSpellThem) {
  EXPECT_EQ(option_value_of("20"), OptionValue(std::int64_t{20}));
  EXPECT_EQ(option_value_of("true"), OptionValue(true));
  EXPECT_EQ(option_value_of("20x"), OptionValue(std::string("20x")));
}

TEST(How, ReadsSizesAndShards) {
  EXPECT_EQ(parse_size("--memory", "1.5 KiB"), 1536u);
  EXPECT_EQ(parse_size("--memory", "2G"), std::size_t{2} << 30);
  EXPECT_EQ(parse_shard("3/4").index, 2);
  EXPECT_EQ(parse_shard("").count, 1);
  for (const char* bad : {"0/4", "5/4", "x", "1/", "1/99999999"})
    EXPECT_NE(error_of([&] { (void)parse_shard(bad); }).find("--shard"), std::string::npos) << bad;
  for (const char* bad : {"", "G", "-1G", "0", "2X"})
    EXPECT_NE(error_of([&] { (void)parse_size("--memory", bad); }).find("--memory"),
              std::string::npos)
        << bad;
}

TEST(ReportFile, GoesByItsName) {
  EXPECT_STREQ(format_of_file("a/b.MD").name, "markdown");
  EXPECT_STREQ(format_of_file("b").name, "text");
  EXPECT_NE(error_of([] { (void)format_of_file("b.xlsx"); }).find("xlsx"), std::string::npos);
}

TEST(KnownGenerator, AddsSettingsToAName) {
  EXPECT_EQ(known_generator("csbm:nodes=50", {"seed=2"}).canonical_name(), "csbm:nodes=50,seed=2");
  EXPECT_NE(error_of([] { (void)known_generator("csbmm", {}); }).find("csbm"), std::string::npos);
}

}  // namespace
}  // namespace cupel
