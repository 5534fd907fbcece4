#include "cupel/data/catalog/catalog.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "cupel/base/embedded.h"
#include "cupel/base/error.h"
#include "cupel/base/hash.h"
#include "cupel/base/names.h"
#include "cupel/data/catalog/recipe_file.h"
#include "cupel/data/facts/facts_folder.h"
#include "cupel/data/facts/time_split.h"
#include "cupel/data/formats/format.h"
#include "cupel/data/formats/plain_file.h"
#include "cupel/data/generate/generator.h"
#include "cupel/data/graph/graph.h"
#include "cupel/data/labels.h"
#include "cupel/data/prepare/prepare.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

void compare_facts(const std::string& where, const Facts& expected, const Dataset& dataset,
                   const std::string& way_out) {
  const Facts found = facts_of(dataset);
  std::vector<std::string> differences;
  for (const auto& [name, value] : expected) {
    const auto at = found.find(name);
    const std::int64_t is = at == found.end() ? 0 : at->second;
    if (is != value) differences.push_back(fmt::format("{} {}, expected {}", is, name, value));
  }
  if (differences.empty()) return;
  fail("{} has {}; {}", where, fmt::join(differences, "; "), way_out);
}

void compare_class_sizes(const std::string& where, const Recipe& recipe, const Dataset& dataset,
                         const std::string& way_out) {
  if (recipe.class_sizes.empty()) return;
  std::vector<std::int64_t> sizes(dataset.class_names().size(), 0);
  for (const Index label : dataset.labels()) {
    if (label != kNoLabel) ++sizes[static_cast<std::size_t>(label)];
  }
  if (sizes == recipe.class_sizes) return;
  fail("{} has classes of {} nodes, expected {}; {}", where, fmt::join(sizes, ", "),
       fmt::join(recipe.class_sizes, ", "), way_out);
}

// Whether the files are the released ones to the byte, as far as the recipe knows those.
bool are_released(const Recipe& recipe, const fs::path& folder) {
  return std::all_of(recipe.files.begin(), recipe.files.end(), [&](const RecipeFile& file) {
    std::error_code ignored;
    const fs::path path = folder / file.name;
    return !file.sha256.empty() && fs::is_regular_file(path, ignored) &&
           sha256_file(path) == file.sha256;
  });
}

void compare_content(const std::string& where, const Recipe& recipe, const Dataset& dataset,
                     const fs::path& folder, const std::string& way_out) {
  if (!is_pinned(recipe)) return;
  const bool rounded = !recipe.pattern_hash.empty();
  const std::string found =
      content_hash(rounded ? prepare(dataset, {"binarise-features"}) : dataset);
  if (!recipe.content_hash.empty()) {
    if (found != recipe.content_hash)
      fail("{} has content hash {}, expected {}; {}", where, found, recipe.content_hash, way_out);
    return;
  }
  std::vector<std::string> expected = recipe.checked_hashes;
  if (rounded) expected = {recipe.pattern_hash};
  if (std::count(expected.begin(), expected.end(), found) > 0 || are_released(recipe, folder))
    return;
  fail(
      "{} has content hash {}{}, expected {}: its counts are right, but labels, edges, features or "
      "splits are not; get the file again, or name it by its path (such as ./{}) to use it as your "
      "own",
      where, found, rounded ? " with features of 0 and 1" : "", fmt::join(expected, " or "),
      recipe.files.front().name);
}

bool files_present(const Recipe& recipe, const fs::path& folder) {
  return std::all_of(recipe.files.begin(), recipe.files.end(), [&](const RecipeFile& file) {
    std::error_code ignored;
    return fs::exists(folder / file.name, ignored);
  });
}

std::string unknown_text(const std::string& name) {
  std::vector<std::string> known;
  for (const Recipe& recipe : recipes()) known.push_back(recipe.name);
  for (const Generator* generator : generators()) known.push_back(generator->name);
  return fmt::format("'{}' is neither a data set of the catalog nor a path that exists{}", name,
                     near_text(name, known, "`cupel list datasets` shows the names"));
}

bool means_something(const std::string& name_or_path) {
  std::error_code ignored;
  return find_recipe(name_or_path) != nullptr ||
         parse_generator_call(name_or_path).generator != nullptr ||
         fs::exists(name_or_path, ignored);
}

[[noreturn]] void refuse_facts(const std::string& name_or_path) {
  fail(
      "{}: is facts over time, and a graph is asked for; `cupel show`, `cupel stats`, "
      "`cupel audit` and protocols with task = \"events\" take it",
      name_or_path);
}

bool holds_graph(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return holds_dataset(path);
  return !fs::is_regular_file(path, ignored) || static_cast<bool>(plain_file_reader(path));
}

// What is no graph but facts is told so, instead of what a graph would need.
Dataset read_path(const std::string& path, ReadMode mode) {
  if (is_facts(path) && !holds_graph(path)) refuse_facts(path);
  return read_dataset(path, mode);
}

}  // namespace

bool is_over_time(const Recipe& recipe) { return recipe.raw_facts.contains("facts"); }

bool is_pinned(const Recipe& recipe) {
  return !recipe.content_hash.empty() || !recipe.checked_hashes.empty() ||
         !recipe.pattern_hash.empty();
}

const std::vector<Recipe>& recipes() {
  static const std::vector<Recipe> all = [] {
    std::vector<Recipe> parsed;
    for (const embedded::File& file : embedded::recipes()) {
      parsed.push_back(parse_recipe(file.name, file.content));
    }
    std::sort(parsed.begin(), parsed.end(),
              [](const Recipe& a, const Recipe& b) { return a.name < b.name; });
    return parsed;
  }();
  return all;
}

const Recipe* find_recipe(const std::string& name) {
  for (const Recipe& recipe : recipes()) {
    if (same_name(recipe.name, name) || has_name(recipe.aliases, name)) return &recipe;
  }
  return nullptr;
}

const Recipe* recipe_of_content(const std::string& hash) {
  for (const Recipe& recipe : recipes()) {
    if (recipe.content_hash == hash ||
        std::count(recipe.checked_hashes.begin(), recipe.checked_hashes.end(), hash) > 0)
      return &recipe;
  }
  return nullptr;
}

fs::path data_folder(const std::optional<std::string>& option) {
  const auto variable = [](const char* name) -> std::string {
    const char* value = std::getenv(name);
    return value ? value : "";
  };
  if (option && !option->empty()) return *option;
  if (const std::string set = variable("CUPEL_DATA"); !set.empty()) return set;
  // The XDG rules: a relative path in the variable does not count.
  if (const fs::path cache = variable("XDG_CACHE_HOME"); cache.is_absolute())
    return cache / "cupel";
  if (const std::string home = variable("HOME"); !home.empty())
    return fs::path(home) / ".cache/cupel";
  fail("there is no folder for data: HOME is not set; use --data DIR or set CUPEL_DATA");
}

bool is_data_path(const std::string& name_or_path) {
  return name_or_path.find('/') != std::string::npos;
}

std::optional<Absent> absent_path(const std::string& path) {
  // What cannot be looked for is told by who reads it.
  std::error_code ignored;
  if (fs::status(path, ignored).type() != fs::file_type::not_found) return {};
  return Absent{path, fmt::format("{}: there is no such file or folder; check the path", path)};
}

std::optional<Absent> absent_recipe(const Recipe& recipe, const fs::path& folder) {
  if (recipe_present(recipe, folder)) return {};
  std::error_code ignored;
  const auto file =
      std::find_if(recipe.files.begin(), recipe.files.end(),
                   [&](const RecipeFile& one) { return !fs::exists(folder / one.name, ignored); });
  const std::string path = (folder / file->name).string();
  if (file->mirrors.empty())
    return Absent{recipe.name,
                  fmt::format("{}: there is no {}; point --data or CUPEL_DATA at a folder that has "
                              "{}/{} ({})",
                              recipe.name, path, recipe.name, file->name, recipe.origin)};
  return Absent{recipe.name,
                fmt::format("{}: there is no {}; run `cupel fetch {}`, or point --data or "
                            "CUPEL_DATA at a folder that has {}/{}",
                            recipe.name, path, recipe.name, recipe.name, file->name),
                true};
}

std::optional<Absent> absent_dataset(const std::string& name_or_path, const fs::path& folder) {
  if (is_data_path(name_or_path)) return absent_path(name_or_path);
  if (const Recipe* const recipe = find_recipe(name_or_path)) {
    if (is_over_time(*recipe)) return {};
    return absent_recipe(*recipe, folder / recipe->name);
  }
  if (name_or_path.empty() || means_something(name_or_path)) return {};
  return Absent{name_or_path, unknown_text(name_or_path)};
}

std::string ways_out(const std::vector<Absent>& absent) {
  std::vector<std::string> fetched, others;
  for (const Absent& one : absent) {
    auto& list = one.fetched ? fetched : others;
    const std::string& text = one.fetched ? one.name : one.text;
    if (!std::count(list.begin(), list.end(), text)) list.push_back(text);
  }
  if (!fetched.empty())
    others.insert(
        others.begin(),
        fmt::format("run `cupel fetch {}`, or point --data or CUPEL_DATA at another folder",
                    fmt::join(fetched, " ")));
  return fmt::format("{}", fmt::join(others, "; "));
}

std::string absent_text(const std::vector<Absent>& absent) {
  std::vector<std::string> names;
  for (const Absent& one : absent)
    if (!std::count(names.begin(), names.end(), one.name)) names.push_back(one.name);
  if (names.size() == 1) return absent.front().text;
  return fmt::format("{} data sets are not there ({}): {}", names.size(), fmt::join(names, ", "),
                     ways_out(absent));
}

void check_name(const std::string& name_or_path) {
  if (name_or_path.empty()) fail("the name of a data set is empty");
  if (!is_data_path(name_or_path) && !means_something(name_or_path))
    fail("{}", unknown_text(name_or_path));
}

Dataset load_dataset(const std::string& name_or_path, const fs::path& folder, ReadMode mode) {
  if (name_or_path.empty()) fail("the name of a data set is empty");
  if (const auto absent = absent_dataset(name_or_path, folder)) fail("{}", absent->text);
  if (is_data_path(name_or_path)) return read_path(name_or_path, mode);
  if (const Recipe* recipe = find_recipe(name_or_path)) {
    if (is_over_time(*recipe)) refuse_facts(name_or_path);
    return load_recipe(*recipe, folder / recipe->name, mode);
  }
  if (const GeneratorCall call = parse_generator_call(name_or_path); call.generator) {
    return generate(call);
  }
  return read_path(name_or_path, mode);
}

bool recipe_present(const Recipe& recipe, const fs::path& folder) {
  return files_present(recipe, folder) || (recipe.any_format && holds_dataset(folder));
}

namespace {

// What is read of the folder. Throws Error if files are not there.
fs::path place_of(const Recipe& recipe, const fs::path& folder) {
  if (const auto absent = absent_recipe(recipe, folder)) fail("{}", absent->text);
  const bool released = files_present(recipe, folder);
  return released && recipe.files.size() == 1 ? folder / recipe.files[0].name : folder;
}

}  // namespace

std::optional<fs::path> facts_place(const std::string& name_or_path, const fs::path& folder) {
  if (is_data_path(name_or_path)) return {};
  const Recipe* const recipe = find_recipe(name_or_path);
  if (recipe == nullptr || !is_over_time(*recipe)) return {};
  return place_of(*recipe, folder / recipe->name);
}

Dataset load_recipe(const Recipe& recipe, const fs::path& folder, ReadMode mode) {
  const fs::path place = place_of(recipe, folder);
  Dataset dataset = is_over_time(recipe)
                        ? dataset_of(std::make_shared<const TemporalFacts>(read_facts(place)))
                        : read_dataset(place, mode);
  dataset.name = recipe.name;
  const std::string where = fmt::format("{}: {}", recipe.name, folder.string());
  const std::string way_out = fmt::format(
      "it is not the data set that published numbers are about; fetch it again, or name it by its "
      "path to use it as your own");
  compare_facts(where, recipe.raw_facts, dataset, way_out);
  compare_class_sizes(where, recipe, dataset, way_out);
  compare_content(where, recipe, dataset, folder, way_out);
  return dataset;
}

std::vector<std::string> default_preparation(const std::string& name_or_path) {
  if (is_data_path(name_or_path)) return {};
  if (const Recipe* recipe = find_recipe(name_or_path)) return recipe->preparation;
  const std::string name = name_or_path.substr(0, name_or_path.find(':'));
  for (const Generator* generator : generators()) {
    if (same_name(generator->name, name)) return generator->preparation;
  }
  return {};
}

Facts facts_of(const Dataset& dataset) {
  if (dataset.facts) {
    const TemporalFacts& facts = *dataset.facts;
    return {{"nodes", facts.entities()},
            {"relations", std::ssize(facts.relations)},
            {"facts", facts.facts()},
            {"steps", std::ssize(time_steps(facts.time.all()))}};
  }
  Facts facts = {{"nodes", dataset.nodes()},
                 {"arcs", dataset.adjacency.entries()},
                 {"edges", count_undirected_edges(dataset.adjacency)},
                 {"self_loops", count_self_loops(dataset.adjacency)},
                 {"features", feature_count(dataset.features)},
                 {"feature_entries", feature_entries(dataset.features)},
                 {"classes", dataset.classes()},
                 {"splits", static_cast<std::int64_t>(dataset.stored_splits.size())}};
  if (const Index unlabelled = count_unlabelled(dataset); unlabelled > 0)
    facts["unlabelled"] = unlabelled;
  if (dataset.graphs) {
    facts["graphs"] = dataset.graphs->size();
    facts["node_attributes"] = dataset.graphs->node_attributes.cols;
    facts["arc_attributes"] = dataset.graphs->arc_attributes.cols;
    if (dataset.has_tasks()) facts["tasks"] = dataset.tasks();
  }
  return facts;
}

void check_facts(const Recipe& recipe, const Dataset& prepared) {
  compare_facts(
      fmt::format("{}, prepared,", recipe.name), recipe.facts, prepared,
      "the published numbers are about other data; check the preparation steps and the file");
}

}  // namespace cupel
