// What one kind of split is. One file per kind in kinds/, which defines `extern const SplitKind
// split_<file stem>`; parsing, checks, identities, cards and families follow from what it states.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cupel/base/options.h"
#include "cupel/data/formats/split_json.h"
#include "cupel/data/split/split.h"

namespace cupel {

struct SplitSetting {
  OptionSpec option = {};
  bool percent = false;     // an identity says "train=85%"
  bool file = false;        // the path of a file of splits; an identity says what the file holds
  std::string needed = {};  // where it must be given: what it is, "the number of test nodes"
};

// Settings that several kinds have. Sizes are from 1 on.
[[nodiscard]] SplitSetting size_setting(const char* name, int fallback, const char* doc);
[[nodiscard]] SplitSetting percent_setting(const char* name, int fallback, const char* doc);
[[nodiscard]] SplitSetting seed_setting();  // "seed", 2018
// "message", of splits of pairs: whose arcs carry messages when test pairs are asked for.
[[nodiscard]] SplitSetting message_setting();

// What a member is drawn from.
struct SplitSource {
  const Dataset& dataset;
  const Options& settings;
  const PairList* links;  // of splits of pairs: links_of(); else null
  const SplitFile* file;  // of kinds that read one, else null

  int size(const char* name) const { return static_cast<int>(settings.integer(name)); }
  std::uint32_t seed() const { return static_cast<std::uint32_t>(settings.integer("seed")); }
};

struct SplitKind {
  std::string name;
  std::string doc;  // one sentence
  std::vector<SplitSetting> settings = {};
  // A card's line, where {NAME} stands for a setting, {count} for the size of the family. What it
  // does not mention is added where it is not as declared. `all` if the size is that there is.
  std::string words = {}, all = {};
  // Member `member` >= 0 of the endless family (SplitScheme::first is already added). The result
  // may be in any order and unchecked; test is sorted and all is checked by make_split. Throws
  // Error if the data set or the settings do not allow it.
  Split (*draw)(const SplitSource& source, int member) = nullptr;
  // Whether it reads one class of each example, so that several tasks are refused.
  bool by_class = false;
  bool of_pairs = false;   // it splits links, not examples; of a kind with files the file says it
  int count = 100;         // size of a family that does not say its own; 0: all there are
  std::string folds = {};  // the setting that says how many parts are tested in turn, if they are
  bool shared = false;     // others draw the same members: they are published
  // Percent of the examples that are tested, where the rest is learnt from and parts are random.
  int (*test_percent)(const Options& settings) = nullptr;
  // How many members there are; null if they are endless. `file` is null before it is read.
  std::optional<int> (*size)(const Dataset& dataset, const Options& settings,
                             const SplitFile* file) = nullptr;
  // Reads the file that a setting names and checks it against the data set.
  std::shared_ptr<const SplitFile> (*read)(const Dataset& dataset,
                                           const Options& settings) = nullptr;
};

// Throws Error with the nearest name and all there are.
[[nodiscard]] const SplitKind& split_kind(const std::string& name);

// 100 less `train` and `valid`, for kinds that have them in percent.
[[nodiscard]] int rest_percent(const Options& settings);

}  // namespace cupel
