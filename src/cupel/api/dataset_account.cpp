#include "cupel/api/dataset_account.h"

#include <nlohmann/json.hpp>

#include "cupel/base/options_json.h"
#include "cupel/data/facts/time_split.h"
#include "cupel/data/labels.h"
#include "cupel/data/prepare/prepare.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Json facts_json(const Facts& facts) {
  Json out = Json::object();
  for (const auto& [name, label] : dataset_fact_names()) {
    if (const auto found = facts.find(name); found != facts.end()) out[name] = found->second;
  }
  return out;
}

Json built_json(const BuildAccount& built) {
  Json inputs = Json::array();
  for (const auto& [name, files] : built.files)
    inputs.push_back({{"input", name}, {"files", files.size()}});
  return {{"recipe", built.recipe}, {"inputs", inputs}, {"settings", built.settings}};
}

Json hash_json(const std::string& hash) { return hash.empty() ? Json() : Json(hash); }

}  // namespace

FactsAccount account_of(const TemporalFacts& facts) {
  FactsAccount out;
  if (facts.facts() > 0) {
    out.first = facts.time.all().front();
    out.last = facts.time.all().back();
  }
  out.facts = facts.facts();
  out.steps = std::ssize(time_steps(facts.time.all()));
  out.time_unit = facts.time_unit;
  out.parts = facts.parts;
  for (const std::string& type : facts.types) out.types.emplace_back(type, 0);
  for (const std::uint8_t type : facts.entity_types) ++out.types[type].second;
  for (const FactRelation& relation : facts.relations)
    out.relations.push_back({relation.name, facts.types[relation.source_type],
                             facts.types[relation.target_type], relation.undirected});
  for (const Index relation : facts.relation.all())
    ++out.relations[static_cast<std::size_t>(relation)].facts;
  return out;
}

Json over_time_json(const FactsAccount& facts) {
  Json types = Json::array(), relations = Json::array(), parts = Json::array();
  for (const auto& [name, entities] : facts.types)
    types.push_back({{"name", name}, {"entities", entities}});
  for (const FactsAccount::Relation& relation : facts.relations)
    relations.push_back({{"name", relation.name},
                         {"head_type", relation.source},
                         {"tail_type", relation.target},
                         {"direction", relation.undirected ? "either" : "directed"},
                         {"facts", relation.facts}});
  for (const FactPart& part : facts.parts)
    parts.push_back(
        {{"name", part.name}, {"facts", part.facts}, {"first", part.first}, {"last", part.last}});
  return {{"first", facts.first},
          {"last", facts.last},
          {"time_unit", facts.time_unit.empty() ? Json() : Json(facts.time_unit)},
          {"types", types},
          {"relations", relations},
          {"parts", parts}};
}

DatasetAccount account_of(Dataset dataset, const std::vector<std::string>& steps) {
  DatasetAccount out;
  out.raw = facts_of(dataset);
  out.hash = content_hash(dataset);
  if (dataset.graphs) out.examples = "graphs";
  if (dataset.facts) out.over_time = account_of(*dataset.facts);
  dataset = prepare(std::move(dataset), steps);
  out.prepared = facts_of(dataset);
  out.history = dataset.history;
  if (dataset.has_tasks()) return out;
  for (const std::string& name : dataset.class_names()) out.classes.emplace_back(name, 0);
  for (const Index label : dataset.labels()) {
    if (label != kNoLabel) ++out.classes[static_cast<std::size_t>(label)].second;
  }
  return out;
}

// The facts in the order in which people ask for them.
const std::vector<std::pair<const char*, const char*>>& dataset_fact_names() {
  static const std::vector<std::pair<const char*, const char*>> names = {
      {"graphs", "graphs"},
      {"nodes", "nodes"},
      {"edges", "edges (pairs of nodes)"},
      {"arcs", "arcs (stored entries)"},
      {"self_loops", "self-loops"},
      {"features", "features"},
      {"feature_entries", "feature entries"},
      {"node_attributes", "node attributes"},
      {"arc_attributes", "arc attributes"},
      {"classes", "classes"},
      {"unlabelled", "nodes without a label"},
      {"tasks", "tasks"},
      {"splits", "stored splits"},
      {"relations", "relations"},
      {"facts", "facts over time"},
      {"steps", "times at which there are facts"}};
  return names;
}

std::optional<DatasetAccount> account_of(const Recipe& recipe, const fs::path& folder) {
  if (!files_present(recipe, folder)) return std::nullopt;
  return account_of(load_recipe(recipe, folder / recipe.name), recipe.preparation);
}

bool files_present(const Recipe& recipe, const fs::path& folder) {
  return recipe_present(recipe, folder / recipe.name);
}

Json account_json(const DatasetAccount& content) {
  Json steps = Json::array(), classes = Json::array();
  for (const PreparationStep& step : content.history)
    steps.push_back({{"name", step.name}, {"nodes", step.nodes}, {"arcs", step.arcs}});
  for (const auto& [name, count] : content.classes)
    classes.push_back({{"name", name}, {content.examples, count}});
  Json out = {{"raw", facts_json(content.raw)},
              {"prepared", facts_json(content.prepared)},
              {"steps", steps},
              {"classes", classes},
              {"content_hash", content.hash}};
  if (content.over_time) out["over_time"] = over_time_json(*content.over_time);
  return out;
}

Json recipe_json(const Recipe& recipe, const fs::path& folder,
                 const std::optional<DatasetAccount>& content) {
  Json files = Json::array();
  for (const RecipeFile& file : recipe.files) {
    const fs::path path = folder / recipe.name / file.name;
    std::error_code error;
    files.push_back({{"name", file.name},
                     {"path", path.string()},
                     {"present", fs::exists(path, error)},
                     {"sha256", file.sha256.empty() ? Json() : Json(file.sha256)},
                     {"bytes", file.bytes > 0 ? Json(file.bytes) : Json()},
                     {"mirrors", file.mirrors}});
  }
  return {{"kind", "dataset"},
          {"name", recipe.name},
          {"aliases", recipe.aliases},
          {"title", recipe.title},
          {"description", recipe.description},
          {"format", recipe.format},
          {"licence", recipe.licence},
          {"citation", recipe.citation},
          {"files", files},
          {"preparation", recipe.preparation},
          {"expected",
           {{"raw", facts_json(recipe.raw_facts)},
            {"prepared", facts_json(recipe.facts)},
            {"content_hash", hash_json(recipe.content_hash)},
            {"checked_hashes", recipe.checked_hashes},
            {"pattern_hash", hash_json(recipe.pattern_hash)}}},
          {"pinned", is_pinned(recipe)},
          {"found", content ? account_json(*content) : Json()}};
}

Json generator_json(const GeneratorCall& call, const DatasetAccount& content) {
  const Generator& generator = *call.generator;
  Json chosen = Json::object();
  for (const auto& [name, value] : call.settings.all()) chosen[name] = to_json(value);
  return {{"kind", "generator"},
          {"name", call.canonical_name()},
          {"title", generator.title},
          {"description", generator.description},
          {"citation", generator.citation},
          {"settings", settings_json(generator.settings)},
          {"chosen", chosen},
          {"preparation", generator.preparation},
          {"found", account_json(content)}};
}

Json file_json(const std::string& path, const DatasetAccount& content, const BuildAccount& built) {
  const char* const kind = content.over_time ? "facts" : "file";
  Json out = {{"kind", kind}, {"name", path}, {"found", account_json(content)}};
  if (content.over_time && !built.recipe.empty()) out["built"] = built_json(built);
  return out;
}

}  // namespace cupel
