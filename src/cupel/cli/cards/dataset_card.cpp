// Cards of data sets: of the catalog, generated, or a user's own.
#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cupel/api/dataset_account.h"
#include "cupel/api/load.h"
#include "cupel/base/json_text.h"
#include "cupel/cli/cards/cards.h"
#include "cupel/cli/text.h"
#include "cupel/data/facts/fact_times.h"
#include "cupel/data/prepare/prepare.h"

namespace cupel::cli {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kMostRowsShown = 20;

std::string fact(const Facts& facts, const char* name) {
  const auto found = facts.find(name);
  return found == facts.end() ? "" : grouped(found->second);
}

std::string more_text(std::size_t all, std::size_t shown) {
  return shown < all ? fmt::format("  and {} more (--json lists all)\n", all - shown) : "";
}

std::string counts_text(const Facts& raw, const Facts& prepared) {
  Columns columns("lrr");
  columns.row({"", "AS STORED", "PREPARED"});
  for (const auto& [name, label] : dataset_fact_names()) {
    if (!raw.count(name) && !prepared.count(name)) continue;
    columns.row({label, fact(raw, name), fact(prepared, name)});
  }
  return columns.text();
}

std::string steps_text(const DatasetAccount& content) {
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

std::string classes_text(const DatasetAccount& content) {
  std::int64_t examples = 0;
  for (const auto& [name, count] : content.classes) examples += count;
  Columns columns("lrr");
  columns.row({"CLASS", content.examples == std::string("graphs") ? "GRAPHS" : "NODES", "SHARE"});
  const std::size_t shown = std::min(content.classes.size(), kMostRowsShown);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& [name, count] = content.classes[i];
    const double share =
        examples > 0 ? 100.0 * static_cast<double>(count) / static_cast<double>(examples) : 0;
    columns.row({name, grouped(count), fmt::format("{:.1f} %", share)});
  }
  std::string out = content.prepared.contains("tasks") ? "\nClasses of the first task, prepared\n"
                                                       : "\nClasses, prepared\n";
  return out + columns.text() + more_text(content.classes.size(), shown);
}

std::string span_text(const FactsAccount& facts) {
  return fmt::format("{} to {}{}; {}", time_text(facts.first, facts.time_unit),
                     time_text(facts.last, facts.time_unit),
                     facts.time_unit.empty() ? "" : ", by " + facts.time_unit,
                     counted(facts.steps, "step"));
}

std::string relations_text(const FactsAccount& facts) {
  Columns columns("lllr");
  columns.row({"RELATION", "FROM", "TO", "FACTS"});
  const std::size_t shown = std::min(facts.relations.size(), kMostRowsShown);
  for (std::size_t r = 0; r < shown; ++r) {
    const FactsAccount::Relation& relation = facts.relations[r];
    columns.row({relation.name, relation.source,
                 relation.target + (relation.undirected ? ", either way" : ""),
                 grouped(relation.facts)});
  }
  return columns.text() + more_text(facts.relations.size(), shown);
}

}  // namespace

std::string facts_account_text(const FactsAccount& facts) {
  Columns types("lr"), parts("lrrr");
  types.row({"TYPE", "ENTITIES"});
  const std::size_t shown = std::min(facts.types.size(), kMostRowsShown);
  for (std::size_t t = 0; t < shown; ++t)
    types.row({facts.types[t].first, grouped(facts.types[t].second)});
  parts.row({"PART", "FROM", "TO", "FACTS"});
  for (const FactPart& part : facts.parts)
    parts.row({part.name, time_text(part.first, facts.time_unit),
               time_text(part.last, facts.time_unit), grouped(part.facts)});
  return labelled("Facts", grouped(facts.facts)) + labelled("Times", span_text(facts)) + "\n" +
         types.text() + more_text(facts.types.size(), shown) + "\n" + relations_text(facts) +
         (facts.parts.empty() ? "" : "\n" + parts.text());
}

namespace {

// Of what, and by what settings: what the folder's provenance.json says.
std::string built_text(const BuildAccount& built) {
  if (built.recipe.empty()) return "";
  std::vector<std::string> inputs, settings;
  for (const auto& [name, files] : built.files)
    inputs.push_back(fmt::format("{} ({})", name, counted(std::ssize(files), "file")));
  for (const auto& [name, value] : built.settings)
    if (!value.empty()) settings.push_back(name + "=" + value);
  return labelled("Built by", fmt::format("cupel build {}", built.recipe)) +
         (inputs.empty() ? "" : labelled("Inputs", fmt::format("{}", fmt::join(inputs, ", ")))) +
         (settings.empty() ? ""
                           : labelled("Settings", fmt::format("{}", fmt::join(settings, ", "))));
}

std::string content_text(const DatasetAccount& content) {
  if (content.over_time)
    return "\n" + facts_account_text(*content.over_time) + "\n" +
           labelled("Content hash", content.hash);
  return "\nCounts\n" + counts_text(content.raw, content.prepared) + steps_text(content) +
         classes_text(content) + "\n" + labelled("Content hash", content.hash);
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

// What is compared whenever the data set is read by its name.
std::string pinned_text(const Recipe& recipe) {
  if (!recipe.content_hash.empty()) return "content hash and counts of the released data";
  if (!recipe.checked_hashes.empty()) return "content hash and counts of a known copy";
  if (!recipe.pattern_hash.empty())
    return "content hash and counts of a known copy, but for the values of features";
  return "not pinned: only counts are compared, and shuffled labels or edges would pass";
}

}  // namespace

std::string recipe_card(const Recipe& recipe, const fs::path& folder, bool json) {
  const std::optional<DatasetAccount> content = account_of(recipe, folder);
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

std::string size_text(const Facts& facts) {
  return fmt::format("{}, {}, {}, {}", counted(facts.at("nodes"), "node"),
                     counted(facts.at("edges"), "edge"), counted(facts.at("features"), "feature"),
                     counted(facts.at("classes"), "class"));
}

std::string generator_card(const GeneratorCall& call, bool json) {
  const Generator& generator = *call.generator;
  const DatasetAccount content = account_of(generate(call), generator.preparation);
  if (json) return json_text(generator_json(call, content));
  std::string out = labelled("Generator", generator.name + ": " + generator.title);
  out += labelled("What it is", generator.description);
  out += labelled("Citation", generator.citation);
  out += "\nSettings, as in " + generator.name + ":" + generator.settings.front().name + "=...\n" +
         settings_text(generator.settings);
  out += "\nThe data set " + call.canonical_name() + "\n" + content_text(content).substr(1);
  return out;
}

namespace {

std::string facts_card(const std::string& path, const std::string& as_path, bool json) {
  const BuildAccount built = read_build_account(as_path);
  const DatasetAccount content = account_of(load_any(as_path, {}), {});
  if (json) return json_text(file_json(path, content, built));
  return labelled("File", path) + built_text(built) + content_text(content);
}

}  // namespace

std::string file_card(const std::string& path, bool json) {
  // With a '/' it cannot be taken for a name of the catalog.
  const std::string as_path = path.find('/') == std::string::npos ? "./" + path : path;
  if (is_path_of_facts(as_path)) return facts_card(path, as_path, json);
  const DatasetAccount content =
      account_of(load_dataset(as_path, {}), default_preparation(as_path));
  if (json) return json_text(file_json(path, content));
  return labelled("File", path) + content_text(content);
}

}  // namespace cupel::cli
