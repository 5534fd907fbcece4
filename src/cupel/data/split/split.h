// Split schemes: a scheme and an index give a split of a data set, and depend on nothing else.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cupel/data/dataset.h"

namespace cupel {

struct SplitFile;  // formats/split_json.h

// A family of splits. Kinds:
//   "per-class"   `train` nodes of each class, then `valid` nodes of each class, the rest test,
//                 as in Shchur et al. 2018 (seeds derived from `seed` as their code derives them)
//   "stored"      the index-th split stored with the data
//   "planetoid"   `train` nodes of each class, then `valid` nodes in total, then `test` in total
//   "random"      `train` percent of all nodes, then `valid` percent, the rest test
//   "stratified"  the same percentages of each class
//   "stratified-kfold"  member fold + folds * repetition: that fold is test, and `valid` percent of
//                 the rest (rounded up) for validation, by class
//   "scaffold"    molecules by scaffold: `train` percent, then `valid` percent, the rest test
//   "file"        those of a JSON file, see formats/split_json.h
struct SplitScheme {
  std::string kind = "per-class";
  int train = 20, valid = 30, test = 0;
  std::uint32_t seed = 2018;
  int count = 100;  // size of the family; a longer one begins with the shorter one
  // Index of its first member in an endless family. Families with disjoint ranges share no split,
  // as far as the million configuration seeds of "per-class" and "planetoid" do not repeat: with
  // seed 2018 the first 643 are distinct.
  int first = 0;
  int folds = 10;         // of "stratified-kfold"
  std::string file = {};  // of "file": its path; "{dataset}" stands for the data set's name
  // Of "file", once resolved: what the file holds. Members and identity are those of the contents.
  std::shared_ptr<const SplitFile> members = {};

  // Canonical text for run identities: the kind and the settings its members depend on. Excludes
  // `count`, so that a longer family keeps its members' ids. Of "file" it is made from the contents
  // once the scheme is resolved, and names the path before. Throws Error if the kind is unknown.
  [[nodiscard]] std::string identity() const;
};

// The same scheme as it is for this data set: of "file" with the file read and checked against it,
// so that later members come from memory. Other kinds are returned as they are. Throws Error if the
// file cannot be read or is not for so many examples.
[[nodiscard]] SplitScheme resolved_scheme(const SplitScheme& scheme, const Dataset& dataset);

// How many members there are, where they come with the data or a file, or are few by nature;
// nothing if the family is endless. The scheme must be resolved.
[[nodiscard]] std::optional<int> family_size(const SplitScheme& scheme, const Dataset& dataset);

// The index-th split (0-based, < count). Throws Error naming the scheme, the index or the class
// that is too small to split.
[[nodiscard]] Split make_split(const Dataset& dataset, const SplitScheme& scheme, int index);

// Every kind's name and one sentence, for listings.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> split_kinds();

// Throws Error if the parts overlap, hold ids outside the data or of nodes without a label, or one
// of them is empty.
void check_split(const Dataset& dataset, const Split& split, const std::string& where);

}  // namespace cupel
