#include "cupel/data/build/recipe.h"

#include <algorithm>
#include <new>
#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/base/hash.h"
#include "cupel/base/json_text.h"
#include "cupel/base/names.h"
#include "cupel/base/paths.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/data/formats/beside.h"
#include "cupel/data/formats/file.h"
#include "cupel/data/formats/heterophilous_writer.h"
#include "cupel/data/formats/provenance.h"

namespace cupel {

#include "build_recipe_registry.inc"

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Json to_json(const OptionValue& value) {
  return std::visit([](const auto& v) { return Json(v); }, value);
}

Json classes_of(const Dataset& dataset) {
  std::vector<std::int64_t> sizes(dataset.class_names().size(), 0);
  for (const Index label : dataset.labels()) ++sizes[static_cast<std::size_t>(label)];
  const std::vector<std::int64_t> labels = stored_labels(dataset);
  Json classes = Json::array();
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    classes.push_back(
        {{"label", labels[c]}, {"name", dataset.class_names()[c]}, {"nodes", sizes[c]}});
  }
  return classes;
}

Json provenance(const BuildRecipe& recipe, const Options& settings, const BuildContext& context,
                const BuildProduct& product) {
  Json inputs = Json::array(), unstated = Json::array();
  for (const BuildSource& source : context.sources()) {
    inputs.push_back({{"input", source.input},
                      {"file", source.file},
                      {"bytes", source.bytes},
                      {"sha256", source.sha256}});
  }
  Json chosen = Json::object(), counts = Json::object();
  for (const auto& [name, value] : settings.all()) chosen[name] = to_json(value);
  for (const auto& [name, value] : context.counts()) counts[name] = value;
  for (const Unstated& item : recipe.unstated) {
    unstated.push_back({{"question", item.question}, {"answer", item.answer}});
  }
  Json out = {{"recipe", recipe.name},
              {"title", recipe.title},
              {"description", recipe.description},
              {"citation", recipe.citation},
              {"inputs", inputs},
              {"settings", chosen},
              {"counts", counts},
              {"unstated_by_the_paper", unstated}};
  if (product.dataset) {
    const Dataset& dataset = *product.dataset;
    out["preparation"] = recipe.preparation;
    out["classes"] = classes_of(dataset);
    out["content_hash"] = content_hash(dataset);
    out["facts"] = Json::object();
    for (const auto& [name, value] : facts_of(dataset)) out["facts"][name] = value;
  }
  return out;
}

void write_table(const BuildTable& table, const fs::path& folder) {
  OutputFile file(folder / table.name);
  std::string pending;
  const auto flush = [&] {
    file.write(pending.data(), pending.size());
    pending.clear();
  };
  table.write([&](std::string_view text) {
    pending += text;
    if (pending.size() >= std::size_t{1} << 20) flush();
  });
  flush();
  file.commit();
}

}  // namespace

OptionSpec choice_setting(std::string name, std::vector<std::string> words, std::string doc) {
  OptionSpec out;
  out.name = std::move(name);
  out.fallback = words.front();
  out.doc = std::move(doc);
  out.choices = std::move(words);
  return out;
}

const std::vector<const BuildRecipe*>& build_recipes() {
  static const std::vector<const BuildRecipe*> all = build_recipe_registry();
  return all;
}

const BuildRecipe& find_build_recipe(const std::string& name) {
  std::vector<std::string> known;
  for (const BuildRecipe* recipe : build_recipes()) {
    if (same_name(recipe->name, name)) return *recipe;
    known.push_back(recipe->name);
  }
  fail("there is no recipe '{}'{}", name, near_or_all(name, known));
}

ReadProgress BuildContext::progress(const std::string& what) const {
  if (!progress_) return {};
  return [this, what](std::uint64_t done, std::uint64_t size) {
    progress_({"reading " + what, done, size});
  };
}

void BuildContext::record(const std::string& input, const fs::path& file, std::uint64_t bytes,
                          const std::string& sha256) {
  const std::string path = file.string();
  if (const auto before = hashes_.find({input, path}); before != hashes_.end()) {
    if (before->second == sha256) return;
    fail("{}: has changed while it was read; build again when it is complete", path);
  }
  fs::path name = file.filename();
  for (fs::path folder = file.parent_path();
       folder.has_filename() && names_.contains({input, name.string()});
       folder = folder.parent_path())
    name = folder.filename() / name;
  add({input, name.string(), path, bytes, sha256});
}

void BuildContext::add(BuildSource source) {
  hashes_.try_emplace({source.input, source.path}, source.sha256);
  names_.emplace(source.input, source.file);
  sources_.push_back(std::move(source));
}

Built build(const BuildRecipe& recipe, const BuildPaths& paths,
            const std::vector<std::string>& settings, Threads threads,
            const BuildProgress& progress, const fs::path& steps, std::size_t most_memory) {
  const Options options = parse_options(recipe.name, recipe.settings, settings);
  BuildContext context(recipe, paths, options, threads, progress, steps, most_memory);
  Built built;
  try {
    built.product = recipe.build(context);
  } catch (const std::bad_alloc&) {
    fail("{}: the inputs are too large for the memory that is free; use a larger machine",
         recipe.name);
  }
  if (built.product.dataset) built.product.dataset->name = recipe.name;
  built.counts = context.counts();
  built.notes = context.notes();
  built.steps = context.steps();
  built.provenance = json_text(provenance(recipe, options, context, built.product));
  return built;
}

std::optional<BuildForecast> forecast(const BuildRecipe& recipe, const BuildPaths& paths,
                                      const std::vector<std::string>& settings) {
  if (recipe.forecast == nullptr) return {};
  return recipe.forecast(
      {recipe, paths, parse_options(recipe.name, recipe.settings, settings), {}, {}});
}

bool makes_folder_at(const BuildRecipe& recipe, const fs::path& path) {
  return recipe.makes_folder && (recipe.dataset_needs.empty() || path.extension() != ".npz");
}

void check_result_path(const BuildRecipe& recipe, const BuildPaths& inputs, const fs::path& path) {
  std::error_code ignored;
  if (!recipe.makes_folder) return;
  if (!makes_folder_at(recipe, path)) {
    if (inputs.contains(recipe.dataset_needs)) return;
    fail(
        "{}: makes no data set without its input '{}', and {} is named like one; give --from "
        "{}=FILE, "
        "or --out FOLDER",
        recipe.name, recipe.dataset_needs, path.string(), recipe.dataset_needs);
  }
  if (path.extension() == ".npz" || fs::is_regular_file(path, ignored))
    fail("{}: makes a folder of several files, and {} is none; give --out FOLDER", recipe.name,
         path.string());
  if (fs::is_directory(path, ignored) && !fs::is_empty(path, ignored))
    fail("{}: the folder holds something already; remove it, or give another --out", path.string());
}

void write_built(const Built& built, const fs::path& path) {
  const BuildProduct& product = built.product;
  if (product.tables.empty() || (product.dataset && path.extension() == ".npz")) {
    write_with_provenance(path, built.provenance,
                          [&] { write_heterophilous_npz(*product.dataset, path); });
    return;
  }
  const Beside beside(plain_path(path));
  fs::create_directory(beside.path());
  for (const BuildTable& table : product.tables) write_table(table, beside.path());
  write_table({"provenance.json", [&](const BuildTable::Put& put) { put(built.provenance); }},
              beside.path());
  beside.move();
}

}  // namespace cupel
