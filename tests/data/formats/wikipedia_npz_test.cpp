#include "cupel/data/formats/wikipedia_npz.h"

#include <gtest/gtest.h>

#include "cupel/data/catalog/catalog.h"
#include "cupel/data/formats/format.h"
#include "data/formats/made_files.h"

namespace cupel {
namespace {

using made::array;
using made::expect_error;
using made::Folder;
using made::member;

made::Members members() {
  std::vector<float> features(14, 1.0f);
  return {{"features", array<float>(std::move(features), {7, 2})},
          {"edges", array<std::int64_t>({0, 1, 1, 0, 5, 6, 5, 6}, {4, 2})},
          {"target", array<float>({3.5f, -1, 10, 4, 4, 100, 0})},
          {"train_mask", array<std::int32_t>({1, 1, 0, 0, 0, 0, 0})},
          {"val_mask", array<std::int32_t>({0, 0, 1, 0, 0, 0, 0})},
          {"test_mask", array<std::int32_t>({0, 0, 0, 1, 1, 1, 1})}};
}

// numpy.quantile(target, [.2, .4, .6, .8]) is [0.7, 3.7, 4, 8.8]; numpy.searchsorted of the targets
// in it, on the left, gives the classes.
TEST(WikipediaNpz, TargetsAreCutIntoFifths) {
  const Folder folder;
  write_npz(folder / "wiki.npz", members());
  const Dataset data = read_dataset((folder / "wiki.npz").string());
  EXPECT_EQ(data.name, "wiki");
  EXPECT_EQ(data.labels(), (std::vector<Index>{1, 0, 3, 2, 2, 3, 0}));
  EXPECT_EQ(data.class_names(), (std::vector<std::string>{"0", "1", "2", "4"}))
      << "equal targets are of one class, and leave one empty";
  EXPECT_EQ(data.adjacency.entries(), 3);
  EXPECT_EQ(data.repeated_arcs, 1);
  ASSERT_EQ(data.stored_splits.size(), 1u);
  EXPECT_EQ(data.stored_splits[0].test, (std::vector<Index>{3, 4, 5, 6}));
}

TEST(WikipediaNpz, WhatIsWrongIsNamed) {
  const auto message = [](auto change, const std::vector<std::string>& pieces) {
    const Folder folder;
    made::Members made = members();
    change(made);
    write_npz(folder / "wiki.npz", made);
    expect_error([&] { (void)read_dataset((folder / "wiki.npz").string()); }, pieces);
  };
  message([](auto& m) { member(m, "target") = array<float>({1, 2}); }, {"'target'", "(2)", "(7)"});
  message(
      [](auto& m) {
        member(m, "target") = array<float>({0, 1, 2, 3, 4, 5, NAN});
      },
      {"'target'"});
  message(
      [](auto& m) {
        member(m, "edges") = array<std::int64_t>({0, 7}, {1, 2});
      },
      {"'edges'", "7"});
  message([](auto& m) { made::erase(m, "val_mask"); }, {"val_mask"});
  message([](auto& m) { member(m, "val_mask") = member(m, "train_mask"); }, {"train_mask"});
}

TEST(WikipediaNpz, BothVersionsAreInTheCatalog) {
  for (const auto& [name, nodes] : {std::pair{"squirrel", 5201}, {"chameleon", 2277}}) {
    const Recipe* recipe = find_recipe(std::string(name) + "-graphmining");
    ASSERT_NE(recipe, nullptr);
    EXPECT_EQ(recipe->facts.at("nodes"), nodes);
    EXPECT_EQ(recipe->facts.at("nodes"), find_recipe(name)->facts.at("nodes"));
    expect_error([&] { (void)load_dataset(recipe->name, "/nonexistent"); },
                 {recipe->name, "cupel fetch", std::string(name) + ".npz"});
  }
}

}  // namespace
}  // namespace cupel
