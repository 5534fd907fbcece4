// Cards of data sets: what the catalog says, what the runs were made on, what audits found.
#include <algorithm>

#include "cupel/data/catalog/catalog.h"
#include "cupel/judge/report/page/data.h"
#include "cupel/judge/report/page/uses.h"

namespace cupel::page {
namespace {

// How the content stands to what the catalog knows.
std::string origin_of(const Recipe& recipe, const std::string& content) {
  const auto& checked = recipe.checked_hashes;
  if (content.empty()) return "";
  if (content == recipe.content_hash) return "the content as released";
  if (std::find(checked.begin(), checked.end(), content) != checked.end())
    return "the content that the catalog's facts were checked on";
  if (content == recipe.pattern_hash) return "as released, every feature that is not 0 set to 1";
  return is_pinned(recipe) ? "another content than the catalog knows"
                           : "the catalog does not know this data set's content";
}

// [[name, as stored, prepared], ...]; null where not known.
Json facts_json(const Facts& raw, const Facts& prepared) {
  constexpr const char* kNames[] = {"graphs",     "nodes",   "edges",     "arcs",
                                    "self_loops", "facts",   "relations", "steps",
                                    "features",   "classes", "tasks",     "splits"};
  Json out = Json::array();
  const auto value = [](const Facts& facts, const char* name) {
    const auto found = facts.find(name);
    return found == facts.end() ? Json(nullptr) : Json(found->second);
  };
  for (const char* name : kNames) {
    Json row = {std::string(name) == "self_loops" ? "self-loops" : name, value(raw, name),
                value(prepared, name)};
    if (!row[1].is_null() || !row[2].is_null()) out.push_back(std::move(row));
  }
  return out;
}

Json finding_json(const Finding& finding) {
  return {{"id", text(finding.id)},
          {"severity", to_text(finding.severity)},
          {"title", text(finding.title)},
          {"evidence", text(finding.evidence)},
          {"advice", text(finding.advice)}};
}

void add_audit(Json& card, const UsedDataset& seen, const CardAudit& audit) {
  const bool is_here = std::any_of(seen.uses.begin(), seen.uses.end(), [&](const DatasetUse& use) {
    return use.content == audit.content;
  });
  if (!is_here) return;
  if (!card.contains("findings")) card["findings"] = card["notes"] = Json::array();
  for (const Finding& finding : audit.findings) card["findings"].push_back(finding_json(finding));
  for (const std::string& note : audit.notes) card["notes"].push_back(text(note));
  if (audit.of_data) card["audited"] = true;
  if (!audit.facts.empty()) {
    const Recipe* recipe = find_recipe(seen.name);
    card["facts"] = facts_json(audit.facts, recipe == nullptr ? Facts{} : recipe->facts);
  }
}

void add_recipe(Json& card, const UsedDataset& seen, const Recipe& recipe) {
  card["title"] = text(recipe.title);
  card["description"] = text(recipe.description);
  card["licence"] = text(recipe.licence);
  card["citation"] = text(recipe.citation);
  card["facts"] = facts_json(recipe.raw_facts, recipe.facts);
  card["classSizes"] = recipe.class_sizes;
  if (!seen.uses.empty()) card["origin"] = origin_of(recipe, seen.uses.front().content);
}

}  // namespace

Json datasets_json(const Results& results, std::span<const CardAudit> audits) {
  Json out = Json::array();
  for (const UsedDataset& seen : used_datasets(results)) {
    Json card = {{"name", text(seen.name)}, {"classes", seen.classes}};
    // The name of a path is no name of the catalog.
    const bool is_path = is_data_path(seen.name);
    if (const Recipe* recipe = is_path ? nullptr : find_recipe(seen.name))
      add_recipe(card, seen, *recipe);
    Json uses = Json::array();
    for (const DatasetUse& use : seen.uses)
      uses.push_back({{"content", text(use.content)},
                      {"preparation", texts(use.preparation)},
                      {"split", text(use.split)},
                      {"tables", texts(use.tables)}});
    card["uses"] = uses;
    for (const CardAudit& audit : audits) add_audit(card, seen, audit);
    out.push_back(std::move(card));
  }
  return out;
}

}  // namespace cupel::page
