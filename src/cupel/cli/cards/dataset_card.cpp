// Cards of data sets: of the catalog, generated, or a user's own.
#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cupel/base/json_text.h"
#include "cupel/cli/cards/cards.h"
#include "cupel/cli/text.h"
#include "cupel/data/labels.h"
#include "cupel/data/prepare/prepare.h"

namespace cupel::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kMostClassesShown = 20;

// The data as stored and as prepared.
struct Content {
  Facts raw, prepared;
  std::string hash;
  std::vector<PreparationStep> history;
  const char* examples = "nodes";  // or "graphs"
  // Per class of the prepared data: name, examples.
  std::vector<std::pair<std::string, std::int64_t>> classes;
};

Content content_of(Dataset dataset, const std::vector<std::string>& steps) {
  Content out;
  out.raw = facts_of(dataset);
  out.hash = content_hash(dataset);
  if (dataset.graphs) out.examples = "graphs";
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
const std::vector<std::pair<const char*, const char*>>& fact_names() {
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
      {"splits", "stored splits"}};
  return names;
}

std::string fact(const Facts& facts, const char* name) {
  const auto found = facts.find(name);
  return found == facts.end() ? "" : grouped(found->second);
}

std::string counts_text(const Facts& raw, const Facts& prepared) {
  Columns columns("lrr");
  columns.row({"", "AS STORED", "PREPARED"});
  for (const auto& [name, label] : fact_names()) {
    if (!raw.count(name) && !prepared.count(name)) continue;
    columns.row({label, fact(raw, name), fact(prepared, name)});
  }
  return columns.text();
}

std::string steps_text(const Content& content) {
  if (content.history.empty()) return "";
  std::map<std::string, std::string> docs;
  for (const auto& [name, doc] : preparation_steps()) docs[name.substr(0, name.find(':'))] = doc;
  Columns columns("lrrw");
  columns.row({"STEP", "NODES", "ARCS", ""});
  columns.row({"as stored", fact(content.raw, "nodes"), fact(content.raw, "arcs"), ""});
  for (const PreparationStep& step : content.history) {
    const auto doc = docs.find(step.name.substr(0, step.name.find(':')));
    columns.row(
        {step.name, grouped(step.nodes), grouped(step.arcs), doc == docs.end() ? "" : doc->second});
  }
  return "\nPreparation\n" + columns.text();
}

std::string classes_text(const Content& content) {
  std::int64_t examples = 0;
  for (const auto& [name, count] : content.classes) examples += count;
  Columns columns("lrr");
  columns.row({"CLASS", content.examples == std::string("graphs") ? "GRAPHS" : "NODES", "SHARE"});
  const std::size_t shown = std::min(content.classes.size(), kMostClassesShown);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& [name, count] = content.classes[i];
    const double share =
        examples > 0 ? 100.0 * static_cast<double>(count) / static_cast<double>(examples) : 0;
    columns.row({name, grouped(count), fmt::format("{:.1f} %", share)});
  }
  std::string out = content.prepared.contains("tasks") ? "\nClasses of the first task, prepared\n"
                                                       : "\nClasses, prepared\n";
  out += columns.text();
  if (shown < content.classes.size())
    out += fmt::format("  and {} more (--json lists all)\n", content.classes.size() - shown);
  return out;
}

std::string content_text(const Content& content) {
  return "\nCounts\n" + counts_text(content.raw, content.prepared) + steps_text(content) +
         classes_text(content) + "\n" + labelled("Content hash", content.hash);
}

Json facts_json(const Facts& facts) {
  Json out = Json::object();
  for (const auto& [name, label] : fact_names()) {
    if (const auto found = facts.find(name); found != facts.end()) out[name] = found->second;
  }
  return out;
}

Json content_json(const Content& content) {
  Json steps = Json::array(), classes = Json::array();
  for (const PreparationStep& step : content.history)
    steps.push_back({{"name", step.name}, {"nodes", step.nodes}, {"arcs", step.arcs}});
  for (const auto& [name, count] : content.classes)
    classes.push_back({{"name", name}, {content.examples, count}});
  return {{"raw", facts_json(content.raw)},
          {"prepared", facts_json(content.prepared)},
          {"steps", steps},
          {"classes", classes},
          {"content_hash", content.hash}};
}

// `elsewhere`: the data set is there, in other files.
std::string file_state(const RecipeFile& file, const fs::path& path, bool elsewhere) {
  std::error_code error;
  const auto bytes = fs::file_size(path, error);
  if (!error) return fmt::format("{} ({})", path.string(), byte_text(double(bytes)));
  if (elsewhere) return "not here; the folder has the data set in another form";
  return file.mirrors.empty() ? "not here, and it has no public home"
                              : "not here; `cupel fetch` gets it";
}

Json hash_json(const std::string& hash) { return hash.empty() ? Json() : Json(hash); }

// What is compared whenever the data set is read by its name.
std::string pinned_text(const Recipe& recipe) {
  if (!recipe.content_hash.empty()) return "content hash and counts of the released data";
  if (!recipe.checked_hashes.empty()) return "content hash and counts of a known copy";
  if (!recipe.pattern_hash.empty())
    return "content hash and counts of a known copy, but for the values of features";
  return "not pinned: only counts are compared, and shuffled labels or edges would pass";
}

Json recipe_json(const Recipe& recipe, const fs::path& folder,
                 const std::optional<Content>& content) {
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
          {"found", content ? content_json(*content) : Json()}};
}

}  // namespace

bool files_present(const Recipe& recipe, const fs::path& folder) {
  return recipe_present(recipe, folder / recipe.name);
}

std::string recipe_card(const Recipe& recipe, const fs::path& folder, bool json) {
  std::optional<Content> content;
  if (files_present(recipe, folder)) {
    content = content_of(load_recipe(recipe, folder / recipe.name), recipe.preparation);
  }
  if (json) return json_text(recipe_json(recipe, folder, content));
  std::string out = labelled("Data set", recipe.name + ": " + recipe.title);
  if (!recipe.aliases.empty())
    out += labelled("Also called", fmt::format("{}", fmt::join(recipe.aliases, ", ")));
  out += labelled("What it is", recipe.description);
  out += labelled("Citation", recipe.citation);
  out += labelled("Licence", recipe.licence);
  out += labelled("Format", recipe.format);
  if (!recipe.origin.empty()) out += labelled("Origin", recipe.origin);
  out += labelled("Checked", pinned_text(recipe));
  out += "\nFiles\n";
  for (const RecipeFile& file : recipe.files) {
    out +=
        wrap(fmt::format("{}: {}", file.name,
                         file_state(file, folder / recipe.name / file.name, content.has_value())),
             2);
    if (!file.sha256.empty()) out += "    SHA-256 " + file.sha256 + "\n";
    for (const std::string& mirror : file.mirrors) out += "    " + mirror + "\n";
  }
  if (content) {
    out += content_text(*content);
    out += recipe.facts.empty() ? "" : "The counts are those that the catalog expects.\n";
    return out;
  }
  out += "\nCounts that the catalog expects\n" + counts_text(recipe.raw_facts, recipe.facts);
  out += "\nPreparation\n" + wrap(fmt::format("{}", fmt::join(recipe.preparation, ", ")), 2);
  return out;
}

std::string generator_card(const GeneratorCall& call, bool json) {
  const Generator& generator = *call.generator;
  const Content content = content_of(generate(call), generator.preparation);
  if (json) {
    Json chosen = Json::object();
    for (const auto& [name, value] : call.settings.all()) chosen[name] = to_json(value);
    return json_text(Json{{"kind", "generator"},
                          {"name", call.canonical_name()},
                          {"title", generator.title},
                          {"description", generator.description},
                          {"citation", generator.citation},
                          {"settings", settings_json(generator.settings)},
                          {"chosen", chosen},
                          {"preparation", generator.preparation},
                          {"found", content_json(content)}});
  }
  std::string out = labelled("Generator", generator.name + ": " + generator.title);
  out += labelled("What it is", generator.description);
  out += labelled("Citation", generator.citation);
  out += "\nSettings, as in " + generator.name + ":" + generator.settings.front().name + "=...\n" +
         settings_text(generator.settings);
  out += "\nThe data set " + call.canonical_name() + "\n" + content_text(content).substr(1);
  return out;
}

std::string file_card(const std::string& path, bool json) {
  // With a '/' it cannot be taken for a name of the catalog.
  const std::string as_path = path.find('/') == std::string::npos ? "./" + path : path;
  const Content content = content_of(load_dataset(as_path, {}), default_preparation(as_path));
  if (json) {
    return json_text(Json{{"kind", "file"}, {"name", path}, {"found", content_json(content)}});
  }
  return labelled("File", path) + content_text(content);
}

}  // namespace cupel::cli
