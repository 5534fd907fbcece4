// Cleaned copies: against the released files of the paper, and operation by operation.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "cupel/base/error.h"
#include "cupel/data/audit/fix.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/data/formats/heterophilous_writer.h"
#include "cupel/data/formats/npz.h"
#include "data/audit/made.h"
#include "data/formats/made_files.h"

namespace cupel {
namespace {

using made::clean_dataset;
using made::Folder;

TEST(Fix, UnknownKindsAreNamed) {
  const Dataset data = clean_dataset(30);
  made::expect_error([&] { (void)fix(AuditSubject(data), {"self-loop"}); },
                     {"'self-loop'", "did you mean 'self-loops'"});
}

TEST(Fix, OnACleanDataSetNothingIsDone) {
  const Dataset data = clean_dataset(120);
  const Fixed fixed = fix(AuditSubject(data));
  EXPECT_EQ(content_hash(fixed.dataset), content_hash(data));
  for (const FixOperation& operation : fixed.operations) EXPECT_EQ(operation.count, 0);
}

TEST(Fix, EachOperationDoesItsOwn) {
  Dataset data = clean_dataset(12);
  data.adjacency =
      from_edges(12, std::vector<Edge>{{0, 1}, {0, 1}, {1, 0}, {2, 2}, {3, 3}, {3, 4}, {5, 6}},
                 std::vector<float>(7, 1.0f));
  data.repeated_arcs = 1;
  const AuditSubject subject(data);
  const Fixed merged = fix(subject, {"duplicate-edges"});
  EXPECT_TRUE(merged.dataset.adjacency.is_pattern());
  EXPECT_EQ(merged.dataset.adjacency.columns, data.adjacency.columns);
  EXPECT_EQ(merged.operations[0].count, 1);
  const Fixed once = fix(subject, {"reversed-edges"});
  EXPECT_EQ(once.dataset.adjacency.columns, (std::vector<Index>{1, 2, 3, 4, 6}));
  const Fixed loops = fix(subject, {"self-loops"});
  EXPECT_EQ(count_self_loops(loops.dataset.adjacency), 0);
  EXPECT_EQ(loops.operations[0].count, 2);
  EXPECT_EQ(loops.dataset.adjacency.value(0), 2.0f) << "other values stay";
  const Fixed joined = fix(subject, {"isolated-nodes"});
  EXPECT_EQ(joined.dataset.nodes(), 6);
  EXPECT_EQ(joined.dataset.labels(), (std::vector<Index>{0, 1, 0, 1, 2, 0})) << "0 1 3 4 5 6 stay";
  EXPECT_EQ(std::get<Matrix>(joined.dataset.features)(2, 1), std::get<Matrix>(data.features)(3, 1));
}

TEST(Fix, CopiesThatMayBeChanceGoByThePapersRuleOnly) {
  Dataset data = clean_dataset(12);
  // 3 and 6 are of one class and lead to 1 alone; 3 is entered, 6 is not.
  data.adjacency = from_edges(12, std::vector<Edge>{{3, 1}, {6, 1}, {2, 3}});
  AuditSubject subject(data);
  EXPECT_EQ(fix(subject).dataset.nodes(), 12);
  EXPECT_EQ(fix(subject, {"duplicate-nodes"}).dataset.nodes(), 12);
  subject.copy_rule = CopyRule::kWikipedia;
  EXPECT_EQ(fix(subject).dataset.nodes(), 11);
}

TEST(Fix, WeightsAreNotTakenForRepeats) {
  Dataset data = clean_dataset(12);
  data.adjacency = from_edges(12, std::vector<Edge>{{0, 1}, {0, 1}, {2, 3}},
                              std::vector<float>{0.5f, 2.0f, 1.5f});
  data.repeated_arcs = 1;
  const Fixed fixed = fix(AuditSubject(data));
  EXPECT_EQ(fixed.dataset.adjacency.value(0), 2.5f);
  Folder folder;
  made::expect_error([&] { write_heterophilous_npz(fixed.dataset, folder / "a.npz"); },
                     {"0 -> 1", "2.5"});
  EXPECT_FALSE(std::filesystem::exists(folder / "a.npz"));
  EXPECT_TRUE(fix(AuditSubject(data), {"edge-weights"}).dataset.adjacency.is_pattern());
}

TEST(Fix, OverlapsGoToTheLaterPart) {
  Dataset data = clean_dataset(12);
  data.stored_splits = {{{0, 1, 2, 3}, {3, 4, 5}, {5, 6, 1}}, {{0}, {1}, {0}}};
  const Fixed fixed = fix(AuditSubject(data), {"split-overlap"});
  ASSERT_EQ(fixed.dataset.stored_splits.size(), 1u);
  EXPECT_EQ(fixed.dataset.stored_splits[0].train, (std::vector<Index>{0, 2}));
  EXPECT_EQ(fixed.dataset.stored_splits[0].valid, (std::vector<Index>{3, 4}));
  EXPECT_EQ(fixed.dataset.stored_splits[0].test, (std::vector<Index>{5, 6, 1}));
  EXPECT_EQ(fixed.operations[0].dropped_splits, std::vector<int>{1});
}

TEST(Fix, AVersionWithOtherEdgesIsNoDirectedVersion) {
  const Dataset data = clean_dataset(30);
  Dataset other = data;
  AuditSubject subject(data);
  other.adjacency = symmetrise(data.adjacency);
  made::expect_error([&] { set_directed_version(subject, other); }, {"no direction"});
  other.adjacency = from_edges(30, std::vector<Edge>{{0, 1}, {2, 1}});
  made::expect_error([&] { set_directed_version(subject, other); }, {"joins other nodes"});
  other.labels()[0] = 2;
  made::expect_error([&] { set_directed_version(subject, other); }, {"labels"});
}

// ---- the released files -------------------------------------------------------------------------

void expect_equal_arrays(const std::filesystem::path& made, const std::filesystem::path& released) {
  const NpzFile a(made), b(released);
  ASSERT_EQ(a.keys().size(), b.keys().size());
  for (const std::string& key : b.keys()) {
    const NpyArray x = a.read(key), y = b.read(key);
    EXPECT_EQ(x.shape, y.shape) << key;
    EXPECT_EQ(x.type, y.type) << key;
    if (key == "node_features") {
      EXPECT_EQ(to_floats(x), to_floats(y)) << key;
    } else {
      EXPECT_EQ(to_integers(x), to_integers(y)) << key;
    }
  }
}

class Filtered : public testing::TestWithParam<const char*> {};

// The copies removed from the released directed file give the released filtered one; the rule
// found there, applied to the undirected file, gives its filtered one.
TEST_P(Filtered, EqualsTheReleasedFileArrayByArray) {
  const char* variable = std::getenv("CUPEL_DATA");
  if (variable == nullptr) GTEST_SKIP() << "CUPEL_DATA is not set";
  const std::filesystem::path data = variable;
  const std::string name = GetParam();
  const auto file = [&](const std::string& kind) {
    std::string stem = name + kind;
    std::replace(stem.begin(), stem.end(), '-', '_');
    return data / (name + kind) / (stem + ".npz");
  };
  for (const char* kind : {"", "-directed", "-filtered", "-filtered-directed"}) {
    if (!std::filesystem::exists(file(kind))) GTEST_SKIP() << "CUPEL_DATA has no " << file(kind);
  }
  Folder folder;
  const Dataset directed = load_dataset(name + "-directed", data);
  const Fixed fixed = fix(AuditSubject(directed));
  write_heterophilous_npz(fixed.dataset, folder / "directed.npz");
  expect_equal_arrays(folder / "directed.npz", file("-filtered-directed"));

  const Dataset undirected = load_dataset(name, data);
  AuditSubject subject(undirected);
  set_directed_version(subject, directed);
  write_heterophilous_npz(fix(subject).dataset, folder / "undirected.npz");
  expect_equal_arrays(folder / "undirected.npz", file("-filtered"));
}

INSTANTIATE_TEST_SUITE_P(Wikipedia, Filtered, testing::Values("squirrel", "chameleon"));

}  // namespace
}  // namespace cupel
