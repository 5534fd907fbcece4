// Recipes: data sets made from raw sources that a user has.
//
// One file per recipe in recipes/, which defines `extern const BuildRecipe build_recipe_<file
// stem>`; the build lists them. What is built is a pure function of the input files and the
// settings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cupel/base/options.h"
#include "cupel/base/parallel.h"
#include "cupel/data/build/packed.h"
#include "cupel/data/dataset.h"
#include "cupel/data/formats/file_bytes.h"
#include "cupel/data/formats/line_reader.h"

namespace cupel {

// One raw file that a recipe reads, or several of one kind.
struct BuildInput {
  std::string name;                   // "vectors"
  std::string doc;                    // one phrase
  std::vector<std::string> patterns;  // names by which it is known: "*.vec", "amazon-meta.txt"
  bool several = false;               // files that are read as one, in the order of their names
  bool optional = false;
  // Only known by INPUT=PATH, as files of other inputs are called alike. With `several`, a path may
  // be a folder: all files in it, and in folders in it, that have one of the names.
  bool by_input = false;
};

// Something that the paper does not say, and what is done.
struct Unstated {
  std::string question, answer;
};

// A text file that stands in the result's folder.
struct BuildTable {
  using Put = std::function<void(std::string_view)>;
  std::string name;                       // "milestones.tsv"
  std::function<void(const Put&)> write;  // gives the content in pieces
};

// What the user has to look at before the next step.
struct BuildListing {
  std::string title, unit;  // what a row names, and what its number counts: "MILESTONE", "ARTICLES"
  std::string advice;
  std::vector<std::pair<std::string, std::int64_t>> rows;
};

// What a recipe makes: a data set, or tables that one can be made from.
struct BuildProduct {
  std::optional<Dataset> dataset = {};
  std::vector<BuildTable> tables = {};  // any: the result is a folder
  std::optional<BuildListing> listing = {};
};

class BuildContext;

// What a build will take of memory, by a sample of its inputs.
struct BuildForecast {
  std::size_t files = 0;
  std::uint64_t bytes = 0;   // of these files
  std::size_t memory = 0;    // bytes; 0: nothing is known beforehand
  std::string without = {};  // an input of which nothing is known beforehand; empty: none
};

struct BuildRecipe {
  std::string name;  // "amazon-ratings"
  std::string title, description, citation;
  std::vector<BuildInput> inputs;
  std::vector<OptionSpec> settings;  // "splits" and "seed" among them
  std::vector<Unstated> unstated;
  std::vector<std::string> preparation;  // steps that make what models are trained on
  // Throws Error naming file and line, or the setting.
  BuildProduct (*build)(BuildContext& context);
  bool makes_folder = false;  // else one npz file
  // Of one that makes a folder: the input without which there is no data set in it. With it, the
  // data set alone may be written to an npz file.
  std::string dataset_needs = {};
  // What cannot be read is passed over. None: what a build takes is not known beforehand.
  BuildForecast (*forecast)(const BuildContext& context) = nullptr;
};

// A setting that is one of these words, by default the first.
[[nodiscard]] OptionSpec choice_setting(std::string name, std::vector<std::string> words,
                                        std::string doc);

// Sorted by name.
[[nodiscard]] const std::vector<const BuildRecipe*>& build_recipes();
// Case, '_' and '-' do not matter. Throws Error naming those that there are.
[[nodiscard]] const BuildRecipe& find_build_recipe(const std::string& name);

using BuildPaths = std::map<std::string, std::vector<std::filesystem::path>>;  // by input name
// Which files are which input, at least one of each that is not optional, several in the order of
// their names with numbers as numbers. `given` are files (told apart by their names), folders
// (searched for files with such names) or "INPUT=PATH". Throws Error if one is missing, ambiguous
// or superfluous.
[[nodiscard]] BuildPaths find_inputs(const BuildRecipe& recipe,
                                     const std::vector<std::string>& given);

// A file as it was read.
struct BuildSource {
  std::string input, file;  // name of the input; name of the file, with as many of its folders as
                            // tell it from the files of the input that were read before
  std::string path;         // as given; no part of the result
  std::uint64_t bytes = 0;
  std::string sha256;
};

// How far a build is.
struct BuildStep {
  std::string what;  // "reading vectors"
  std::uint64_t done = 0, size = 0;
  bool bytes = true;  // else pieces of work
};
using BuildProgress = std::function<void(const BuildStep&)>;

// A step that takes long, so that what comes of it may be kept for a build to come.
struct KeptStep {
  std::string name;                           // "categories"
  std::vector<std::string> settings, inputs;  // that it depends on
};

// What a recipe works with: its inputs and settings, and where it says what it did.
class BuildContext {
 public:
  BuildContext(const BuildRecipe& recipe, BuildPaths paths, Options settings, Threads threads,
               BuildProgress progress, std::filesystem::path steps = {},
               std::size_t most_memory = 0)
      : recipe_(recipe),
        paths_(std::move(paths)),
        settings_(std::move(settings)),
        threads_(threads),
        progress_(std::move(progress)),
        steps_(std::move(steps)),
        most_memory_(most_memory) {}

  const Options& settings() const { return settings_; }
  const std::string& name() const { return recipe_.name; }
  Threads threads() const { return threads_; }
  // Bytes that a recipe with a forecast keeps within; 0: any size will do.
  std::size_t most_memory() const { return most_memory_; }
  // A progress callback for the reader of an input.
  ReadProgress progress(const std::string& what) const;
  void tell(const BuildStep& step) const {
    if (progress_) progress_(step);
  }
  bool has(const std::string& input) const { return paths_.contains(input); }
  const std::vector<std::filesystem::path>& paths(const std::string& input) const {
    return paths_.at(input);
  }
  // Of an input of one file.
  const std::filesystem::path& path(const std::string& input) const {
    return paths_.at(input).front();
  }
  // Records a file that has been read to its end, by a LineReader or a FileBytes. Throws Error if
  // it was read before and has changed since.
  template <class Reader>
  void read_whole(const std::string& input, const Reader& reader) {
    record(input, reader.name(), reader.file_bytes(), reader.sha256());
  }
  // The same of bytes that nobody wants.
  void read_to_end(const std::string& input, FileBytes& bytes) {
    for (std::string_view rest; bytes.next(rest);) {
    }
    read_whole(input, bytes);
  }
  // Records a number that says what was done, in order: "products without review".
  void count(const std::string& what, std::int64_t number) { counts_.emplace_back(what, number); }

  // Does a step, or takes what a build before came to with the same inputs (by name, size and time
  // of change) and settings: visit(archive, value) gives every part of a value to a Packer or an
  // PackedReader. What make() recorded and counted is kept too. A file that is damaged is as good
  // as none, and one that cannot be written is told in a note.
  template <class T, class Make, class Visit>
  T step(const KeptStep& step, const Make& make, const Visit& visit) {
    T value;
    const std::filesystem::path file = file_of(step);
    if (!file.empty()) step_files_.push_back(file);
    if (take(file, [&](PackedReader& archive) { visit(archive, value); })) return value;
    const std::size_t sources = sources_.size(), counts = counts_.size();
    value = make();
    keep(file, sources, counts, [&](Packer& archive) { visit(archive, value); });
    return value;
  }

  const std::vector<BuildSource>& sources() const { return sources_; }
  const std::vector<std::pair<std::string, std::int64_t>>& counts() const { return counts_; }
  const std::vector<std::string>& notes() const { return notes_; }
  // Of the steps so far, where they are kept.
  const std::vector<std::filesystem::path>& steps() const { return step_files_; }

 private:
  void record(const std::string& input, const std::filesystem::path& file, std::uint64_t bytes,
              const std::string& sha256);
  void add(BuildSource source);
  std::filesystem::path file_of(const KeptStep& step) const;  // empty: nothing is kept
  bool take(const std::filesystem::path& file, const std::function<void(PackedReader&)>& read);
  void keep(const std::filesystem::path& file, std::size_t sources, std::size_t counts,
            const std::function<void(Packer&)>& write);

  const BuildRecipe& recipe_;
  BuildPaths paths_;
  Options settings_;
  Threads threads_;
  BuildProgress progress_;
  std::filesystem::path steps_;
  std::size_t most_memory_;
  std::vector<std::filesystem::path> step_files_;
  std::vector<BuildSource> sources_;
  using OfInput = std::pair<std::string, std::string>;
  std::map<OfInput, std::string> hashes_;  // of the sources, by input and path
  std::set<OfInput> names_;                // of the sources, by input and file
  std::vector<std::pair<std::string, std::int64_t>> counts_;
  std::vector<std::string> notes_;
};

// What came of it.
struct Built {
  BuildProduct product;    // its data set is named after the recipe
  std::string provenance;  // JSON: inputs and their hashes, settings, counts, what was unstated
  std::vector<std::pair<std::string, std::int64_t>> counts;
  std::vector<std::string> notes;            // sentences for whoever builds, no part of the result
  std::vector<std::filesystem::path> steps;  // files of the steps that were taken or kept
};

// Reads the inputs and makes what the recipe makes, the same on any number of threads. `settings`
// are "name=value". `steps`: a folder for steps that take long, which is made if there are any, and
// may hold those of a build that was ended; empty: none are kept. `most_memory`: bytes that a
// recipe with a forecast keeps within, or throws Error; 0: any size will do.
[[nodiscard]] Built build(const BuildRecipe& recipe, const BuildPaths& paths,
                          const std::vector<std::string>& settings, Threads threads = {},
                          const BuildProgress& progress = {},
                          const std::filesystem::path& steps = {}, std::size_t most_memory = 0);

// What it will take; nothing where the recipe has no forecast. Reads tens of megabytes at the most.
// Throws Error for the settings, as build() does.
[[nodiscard]] std::optional<BuildForecast> forecast(const BuildRecipe& recipe,
                                                    const BuildPaths& paths,
                                                    const std::vector<std::string>& settings);

// Whether the recipe's result at `path` is a folder.
[[nodiscard]] bool makes_folder_at(const BuildRecipe& recipe, const std::filesystem::path& path);
// Throws Error if the recipe's result of these inputs cannot be `path`: a folder that holds
// something, or a file where a folder is made.
void check_result_path(const BuildRecipe& recipe, const BuildPaths& inputs,
                       const std::filesystem::path& path);

// Writes the folder of tables with provenance.json where there are tables and `path` is not named
// *.npz, else the data set in the heterophilous-graphs npz format and its provenance beside it
// (formats/provenance.h). A file, or the folder, appears whole or not at all.
void write_built(const Built& built, const std::filesystem::path& path);

}  // namespace cupel
