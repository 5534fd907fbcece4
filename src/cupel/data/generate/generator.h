// Generated data sets: made from settings and a seed, with no file at all.
//
// One file per generator in kinds/, which defines `extern const Generator generator_<file stem>`;
// the build lists them. A generated data set is a pure function of its settings.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cupel/base/options.h"
#include "cupel/data/dataset.h"

namespace cupel {

// A correlation that a generator of graphs was asked for.
struct Requested {
  std::string property;  // one of kGraphProperties (stats/graph_set_properties.h)
  double r = 0;
};

struct Generator {
  std::string name;  // "csbm"
  std::string title, description, citation;
  std::vector<OptionSpec> settings;              // "seed" among them
  std::vector<std::string> preparation;          // default steps, as for a recipe
  Dataset (*generate)(const Options& settings);  // throws Error if settings contradict each other
  // A data set of the catalog has this name, and is what the bare name means. What is generated is
  // then never named without a setting: "minesweeper:seed=0".
  bool name_is_taken = false;
  // Set by generators of sets of graphs, and by no others: which properties their labels follow,
  // and how closely they were asked to.
  std::vector<Requested> (*requested)(const Options& settings) = nullptr;
  // One graph without features, which is written as a folder.
  bool without_features = false;
};

// Sorted by name.
[[nodiscard]] const std::vector<const Generator*>& generators();

// What "csbm" or "csbm:nodes=5000,seed=3" means: the generator `name` says, and settings.
// Throws Error naming what cannot be read, an unknown setting or a value out of range.
struct GeneratorCall {
  const Generator* generator = nullptr;  // nullptr: the name is not a generator's
  Options settings;
  // One spelling per data set: the settings that differ from the defaults, sorted by name.
  [[nodiscard]] std::string canonical_name() const;
};
[[nodiscard]] GeneratorCall parse_generator_call(const std::string& text);

// The same of a name, which may have settings, and more settings, "name=value". Throws Error also
// if there is no such generator.
[[nodiscard]] GeneratorCall known_generator(const std::string& name,
                                            const std::vector<std::string>& settings);

// The data set, named by its canonical name.
[[nodiscard]] Dataset generate(const GeneratorCall& call);

// Writes it in the format of the data sets that it is like: a set of graphs as a folder of TU text
// files, one graph with dense features and splits as heterophilous-graphs npz, one without features
// as a folder of arrays (gnn_benchmark.h), any other as gnn-benchmark npz. A new file or folder
// appears as a whole; in a folder of text files that is there files are replaced. Throws Error if
// it cannot be written.
void write_generated(const Dataset& dataset, const std::filesystem::path& path);

}  // namespace cupel
