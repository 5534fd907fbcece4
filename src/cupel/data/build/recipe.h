// Recipes: data sets made from raw sources that a user has.
//
// One file per recipe in recipes/, which defines `extern const BuildRecipe build_recipe_<file
// stem>`; the build lists them. What is built is a pure function of the input files and the
// settings.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cupel/base/options.h"
#include "cupel/data/dataset.h"
#include "cupel/data/formats/line_reader.h"

namespace cupel {

// One raw file that a recipe reads.
struct BuildInput {
  std::string name;                   // "vectors"
  std::string doc;                    // one phrase
  std::vector<std::string> patterns;  // names by which it is known: "*.vec", "amazon-meta.txt"
};

// Something that the paper does not say, and what is done.
struct Unstated {
  std::string question, answer;
};

class BuildContext;

struct BuildRecipe {
  std::string name;  // "amazon-ratings"
  std::string title, description, citation;
  std::vector<BuildInput> inputs;
  std::vector<OptionSpec> settings;  // "splits" and "seed" among them
  std::vector<Unstated> unstated;
  std::vector<std::string> preparation;  // steps that make what models are trained on
  // Throws Error naming file and line, or the setting.
  Dataset (*build)(BuildContext& context);
};

// Sorted by name.
[[nodiscard]] const std::vector<const BuildRecipe*>& build_recipes();
// Case, '_' and '-' do not matter. Throws Error naming those that there are.
[[nodiscard]] const BuildRecipe& find_build_recipe(const std::string& name);

using BuildPaths = std::map<std::string, std::filesystem::path>;  // by input name
// Which file is which input. `given` are files (told apart by their names), folders (searched for
// files with such names) or "INPUT=PATH". Throws Error if one is missing, ambiguous or superfluous.
[[nodiscard]] BuildPaths find_inputs(const BuildRecipe& recipe,
                                     const std::vector<std::string>& given);

// A file as it was read.
struct BuildSource {
  std::string input, file;  // name of the input; name of the file, without folders
  std::uint64_t bytes = 0;
  std::string sha256;
};

// Told what is being read and how far.
using BuildProgress =
    std::function<void(const std::string& what, std::uint64_t done, std::uint64_t size)>;

// What a recipe works with: its inputs and settings, and where it says what it did.
class BuildContext {
 public:
  BuildContext(const BuildRecipe& recipe, BuildPaths paths, Options settings,
               BuildProgress progress)
      : recipe_(recipe),
        paths_(std::move(paths)),
        settings_(std::move(settings)),
        progress_(std::move(progress)) {}

  const Options& settings() const { return settings_; }
  const std::string& name() const { return recipe_.name; }
  // A progress callback for the reader of an input.
  ReadProgress progress(const std::string& what) const;
  const std::filesystem::path& path(const std::string& input) const { return paths_.at(input); }
  // Records a file that has been read to its end. Throws Error if it was read before and has
  // changed since.
  void read_whole(const std::string& input, const LineReader& lines);
  // Records a number that says what was done, in order: "products without review".
  void count(const std::string& what, std::int64_t number) { counts_.emplace_back(what, number); }

  const std::vector<BuildSource>& sources() const { return sources_; }
  const std::vector<std::pair<std::string, std::int64_t>>& counts() const { return counts_; }

 private:
  const BuildRecipe& recipe_;
  BuildPaths paths_;
  Options settings_;
  BuildProgress progress_;
  std::vector<BuildSource> sources_;
  std::vector<std::pair<std::string, std::int64_t>> counts_;
};

// What came of it.
struct Built {
  Dataset dataset;         // named after the recipe
  std::string provenance;  // JSON: inputs and their hashes, settings, counts, what was unstated
  std::vector<std::pair<std::string, std::int64_t>> counts;
};

// Reads the inputs and makes the data set. `settings` are "name=value".
[[nodiscard]] Built build(const BuildRecipe& recipe, const BuildPaths& paths,
                          const std::vector<std::string>& settings,
                          const BuildProgress& progress = {});

// Writes the data set in the heterophilous-graphs npz format and its provenance beside it
// (formats/provenance.h). Each file appears whole or not at all.
void write_built(const Built& built, const std::filesystem::path& path);

}  // namespace cupel
