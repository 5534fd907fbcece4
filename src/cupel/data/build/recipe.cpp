#include "cupel/data/build/recipe.h"

#include <algorithm>
#include <new>
#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/base/hash.h"
#include "cupel/base/json_text.h"
#include "cupel/base/names.h"
#include "cupel/data/catalog/catalog.h"
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

Json provenance(const BuildRecipe& recipe, const Options& settings, const BuildContext& context,
                const Dataset& dataset) {
  Json inputs = Json::array(), unstated = Json::array();
  for (const BuildSource& source : context.sources()) {
    inputs.push_back({{"input", source.input},
                      {"file", source.file},
                      {"bytes", source.bytes},
                      {"sha256", source.sha256}});
  }
  Json chosen = Json::object(), counts = Json::object(), facts = Json::object();
  for (const auto& [name, value] : settings.all()) chosen[name] = to_json(value);
  for (const auto& [name, value] : context.counts()) counts[name] = value;
  for (const auto& [name, value] : facts_of(dataset)) facts[name] = value;
  std::vector<std::int64_t> sizes(dataset.class_names().size(), 0);
  for (const Index label : dataset.labels()) ++sizes[static_cast<std::size_t>(label)];
  const std::vector<std::int64_t> labels = stored_labels(dataset);
  Json classes = Json::array();
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    classes.push_back(
        {{"label", labels[c]}, {"name", dataset.class_names()[c]}, {"nodes", sizes[c]}});
  }
  for (const Unstated& item : recipe.unstated) {
    unstated.push_back({{"question", item.question}, {"answer", item.answer}});
  }
  return {{"recipe", recipe.name},
          {"title", recipe.title},
          {"description", recipe.description},
          {"citation", recipe.citation},
          {"inputs", inputs},
          {"settings", chosen},
          {"counts", counts},
          {"unstated_by_the_paper", unstated},
          {"preparation", recipe.preparation},
          {"classes", classes},
          {"content_hash", content_hash(dataset)},
          {"facts", facts}};
}

}  // namespace

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
  return [this, what](std::uint64_t done, std::uint64_t size) { progress_(what, done, size); };
}

void BuildContext::read_whole(const std::string& input, const LineReader& lines) {
  for (const BuildSource& source : sources_) {
    if (source.input != input) continue;
    if (source.sha256 == lines.sha256()) return;
    fail("{}: has changed while it was read; build again when it is complete", lines.name());
  }
  sources_.push_back({input, path(input).filename().string(), lines.file_bytes(), lines.sha256()});
}

Built build(const BuildRecipe& recipe, const BuildPaths& paths,
            const std::vector<std::string>& settings, const BuildProgress& progress) {
  const Options options = parse_options(recipe.name, recipe.settings, settings);
  BuildContext context(recipe, paths, options, progress);
  Built built;
  try {
    built.dataset = recipe.build(context);
  } catch (const std::bad_alloc&) {
    fail("{}: the inputs are too large for the memory that is free; use a larger machine",
         recipe.name);
  }
  built.dataset.name = recipe.name;
  built.counts = context.counts();
  built.provenance = json_text(provenance(recipe, options, context, built.dataset));
  return built;
}

void write_built(const Built& built, const fs::path& path) {
  write_with_provenance(path, built.provenance,
                        [&] { write_heterophilous_npz(built.dataset, path); });
}

}  // namespace cupel
