// The catalog: recipes of known data sets, and finding and loading data by name or path.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cupel/data/dataset.h"
#include "cupel/data/formats/read_mode.h"

namespace cupel {

struct RecipeFile {
  std::string name;                  // inside the data set's folder
  std::string sha256;                // of the released file, "" where not known
  std::int64_t bytes = 0;            // of the released file, 0 where not known
  std::vector<std::string> mirrors;  // full URLs, tried in order; none if it has no public home
};

// Counts by name: nodes, arcs (stored adjacency entries), edges (pairs of nodes joined in either
// direction), self_loops, features, feature_entries, classes, splits (stored ones); of sets of
// graphs also graphs, node_attributes and arc_attributes (columns), and tasks where there are some.
// Of facts over time: nodes, relations, facts, and steps (times at which there are facts).
using Facts = std::map<std::string, std::int64_t>;

// What is known of a data set before it is read. One TOML file each in recipes/.
struct Recipe {
  std::string name;                  // "amazon-photo"
  std::vector<std::string> aliases;  // "amazon_electronics_photo", ...
  std::string title, description, format, licence, citation;
  std::string origin;  // where a file without mirror comes from, else ""
  std::vector<RecipeFile> files;
  // The folder may hold the data set in any known format instead of these files: a zip archive of
  // text files, or the text files themselves.
  bool any_format = false;
  std::vector<std::string> preparation;  // default steps, for cards and fact checks
  std::string content_hash;  // of the raw data set as released, asserted; "" where not known
  // Content hashes of the copy on which the facts were checked, where that copy is not known to be
  // the released file to the last value; one for each form of it that is read differently. One of
  // them is asserted, unless the files are the released ones to the byte. None where content_hash
  // is there.
  std::vector<std::string> checked_hashes;
  // The same with every feature that is not 0 set to 1, where the copy is known to have rounded
  // features. Asserted in the same way.
  std::string pattern_hash;
  std::vector<std::int64_t> class_sizes;  // nodes of each class, asserted; empty where not given
  Facts raw_facts;                        // as stored
  Facts facts;                            // after `preparation`
};

// Whether the recipe knows the content of the data set. Without it counts alone are checked, which
// a shuffle of labels or edges does not change.
[[nodiscard]] bool is_pinned(const Recipe& recipe);

// Whether it is facts over time, which are no graph.
[[nodiscard]] bool is_over_time(const Recipe& recipe);

// Sorted by name. Parsed on first use; thread-safe.
[[nodiscard]] const std::vector<Recipe>& recipes();
// By name or alias, as of same_name(). nullptr if unknown.
[[nodiscard]] const Recipe* find_recipe(const std::string& name);
// By the content hash of what it describes, as released or as it was checked.
[[nodiscard]] const Recipe* recipe_of_content(const std::string& hash);

// Where data lives: `--data`, else $CUPEL_DATA, else the user's cache folder ($XDG_CACHE_HOME/cupel
// or
// ~/.cache/cupel). A data set is a folder in it, named by the recipe, with the recipe's files.
[[nodiscard]] std::filesystem::path data_folder(const std::optional<std::string>& option);

// Whether what names data is a path: it has a '/'.
[[nodiscard]] bool is_data_path(const std::string& name_or_path);

// A data set that is not on this machine.
struct Absent {
  std::string name;      // the recipe's, else as it was asked for
  std::string text;      // what loading says: a sentence with the way out
  bool fetched = false;  // `cupel fetch` gets it
};
// What load_dataset() would say is not there; nothing of what it would read, make or refuse for
// another reason. Nothing is read. Throws Error for a generator's settings that cannot be.
[[nodiscard]] std::optional<Absent> absent_dataset(const std::string& name_or_path,
                                                   const std::filesystem::path& folder);
// The same of load_recipe(), and of a path.
[[nodiscard]] std::optional<Absent> absent_recipe(const Recipe& recipe,
                                                  const std::filesystem::path& folder);
[[nodiscard]] std::optional<Absent> absent_path(const std::string& path);

// How to get them all: one `cupel fetch` of those that it gets, then what is to be done for each of
// the others.
[[nodiscard]] std::string ways_out(const std::vector<Absent>& absent);
// The sentence of one; of several all names and their ways_out(), in one sentence.
[[nodiscard]] std::string absent_text(const std::vector<Absent>& absent);

// Throws Error for a name that load_dataset() does not know, with the nearest that it does. A path
// with a '/' is not looked at.
void check_name(const std::string& name_or_path);

// The data set that `name_or_path` means, as stored:
//   with a '/' in it, it is a path, read by its format;
//   else a name of the catalog, read from `folder`; its hash, where known, and raw facts are
//   asserted; else a generator's, with settings or without: "csbm", "csbm:nodes=5000,seed=3"; else
//   a path, if there is one.
// What is read from files is read in `mode`; the catalog's facts are asserted in both.
// Throws Error: unknown name (with the nearest), file absent (how to get it), bad content.
[[nodiscard]] Dataset load_dataset(const std::string& name_or_path,
                                   const std::filesystem::path& folder,
                                   ReadMode mode = ReadMode::kForUse);

// The file or folder of the facts over time that a name of the catalog means; nothing for a path,
// and for any other name. Throws Error if it is not there (how to get it).
[[nodiscard]] std::optional<std::filesystem::path> facts_place(const std::string& name_or_path,
                                                               const std::filesystem::path& folder);

// Whether the folder holds the recipe's files, or what may stand for them.
[[nodiscard]] bool recipe_present(const Recipe& recipe, const std::filesystem::path& folder);

// Reads the recipe's files from the folder that holds them and asserts raw facts and, where the
// recipe is pinned, the content. Bytes are not compared: a repacked file of the same content is the
// same data set. Throws Error naming what differs, and that a path in place of the name reads it.
[[nodiscard]] Dataset load_recipe(const Recipe& recipe, const std::filesystem::path& folder,
                                  ReadMode mode = ReadMode::kForUse);

// The steps that make what the literature trains on: the recipe's or generator's default. Empty for
// a path. Never throws for an unknown name.
[[nodiscard]] std::vector<std::string> default_preparation(const std::string& name_or_path);

// Every fact there is of a data set. Linear in its entries.
[[nodiscard]] Facts facts_of(const Dataset& dataset);

// Throws Error, naming each difference, if the prepared data set does not have the recipe's facts.
void check_facts(const Recipe& recipe, const Dataset& prepared);

}  // namespace cupel
