// Split schemes: a scheme and an index give a split of a data set, and depend on nothing else.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cupel/data/dataset.h"

namespace cupel {

// A family of splits. Kinds:
//   "per-class"   `train` nodes of each class, then `valid` nodes of each class, the rest test,
//                 as in Shchur et al. 2018 (seeds derived from `seed` as their code derives them)
//   "stored"      the index-th split stored with the data
//   "planetoid"   `train` nodes of each class, then `valid` nodes in total, then `test` in total
//   "random"      `train` percent of all nodes, then `valid` percent, the rest test
//   "stratified"  the same percentages of each class
struct SplitScheme {
  std::string kind = "per-class";
  int train = 20, valid = 30, test = 0;
  std::uint32_t seed = 2018;
  int count = 100;  // size of the family; a longer one begins with the shorter one
  // Index of its first member in an endless family. Families with disjoint ranges share no split,
  // as far as the million configuration seeds of "per-class" and "planetoid" do not repeat: with
  // seed 2018 the first 643 are distinct.
  int first = 0;

  // Canonical text for run identities: the kind and the settings its members depend on. Excludes
  // `count`, so that a longer family keeps its members' ids. Throws Error if the kind is unknown.
  [[nodiscard]] std::string identity() const;
};

// The index-th split (0-based, < count). Throws Error naming the scheme, the index or the class
// that is too small to split.
[[nodiscard]] Split make_split(const Dataset& dataset, const SplitScheme& scheme, int index);

// Every kind's name and one sentence, for listings.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> split_kinds();

// Throws Error if the parts overlap, hold ids outside the data, or one of them is empty.
void check_split(const Dataset& dataset, const Split& split, const std::string& where);

}  // namespace cupel
