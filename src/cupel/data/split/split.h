// Split schemes: a scheme and an index give a split of a data set, and depend on nothing else.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cupel/base/options.h"
#include "cupel/data/check_split.h"
#include "cupel/data/dataset.h"
#include "cupel/data/unit.h"

namespace cupel {

struct PairList;   // links/pairs.h
struct SplitFile;  // formats/split_json.h

// A family of splits. The kinds are the files of kinds/; each states its settings (split_kind.h).
struct SplitScheme {
  std::string kind = "per-class";
  std::map<std::string, OptionValue> settings =
      {};           // what is said of them; the rest is as declared
  int count = 100;  // size of the family; a longer one begins with the shorter one
  // Index of its first member in an endless family. Families with disjoint ranges share no split,
  // as far as the million configuration seeds of "per-class" and "planetoid" do not repeat: with
  // seed 2018 the first 643 are distinct.
  int first = 0;
  // Of a kind that reads a file, once resolved: what the file holds. Members and identity are those
  // of the contents.
  std::shared_ptr<const SplitFile> members = {};

  // Every setting. Throws Error if the kind or a setting is unknown, missing or out of range.
  [[nodiscard]] Options options() const;
  // Canonical text for run identities: the kind and the settings its members depend on. Excludes
  // `count`, so that a longer family keeps its members' ids. Where a file is read it is made from
  // the contents once the scheme is resolved, and names the path before. Throws Error as options().
  [[nodiscard]] std::string identity() const;
};

// The same scheme as it is for this data set: a file is read and checked against it, so that later
// members come from memory. Other kinds are returned as they are. Throws Error if the file cannot
// be read or is not of this data set.
[[nodiscard]] SplitScheme resolved_scheme(const SplitScheme& scheme, const Dataset& dataset);

// How many members there are, where they come with the data or a file, or are few by nature;
// nothing if the family is endless. The scheme must be resolved.
[[nodiscard]] std::optional<int> family_size(const SplitScheme& scheme, const Dataset& dataset);

// What its members are splits of: pairs, or the data set's examples. The scheme must be resolved.
[[nodiscard]] Unit split_unit(const SplitScheme& scheme, const Dataset& dataset);

// The index-th split (0-based, < count). Of pairs, ids are places in links_of() (link_split.h).
// Throws Error naming the scheme, the index or the class that is too small to split.
[[nodiscard]] Split make_split(const Dataset& dataset, const SplitScheme& scheme, int index);
// The same of a resolved scheme of pairs, for callers that have links_of() already.
[[nodiscard]] Split make_split(const Dataset& dataset, const PairList& links,
                               const SplitScheme& scheme, int index);

// Every kind's name and one sentence, for listings.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> split_kinds();

// Every setting with its value, defaults included, in the order of the kind's statement.
[[nodiscard]] std::vector<std::pair<std::string, OptionValue>> split_settings(
    const SplitScheme& scheme);

// One line for cards: "100 x per-class: 20 training and 30 validation nodes of each class, ...".
[[nodiscard]] std::string split_words(const SplitScheme& scheme);

}  // namespace cupel
