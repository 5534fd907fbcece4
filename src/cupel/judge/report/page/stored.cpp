#include "cupel/judge/report/page/stored.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "cupel/base/error.h"
#include "cupel/data/audit/audit.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/data/catalog/relatives.h"
#include "cupel/judge/audit/store_audit.h"
#include "cupel/judge/report/page/uses.h"
#include "cupel/lab/results/load.h"

namespace cupel {
namespace {

// Facts and findings of the data, if they are at hand and what the runs were made on.
void add_data(CardAudit& audit, const Recipe& recipe, const page::DatasetUse& use,
              const std::filesystem::path& folder) {
  try {
    const Dataset dataset = load_recipe(recipe, folder / recipe.name, ReadMode::kForAudit);
    if (content_hash(dataset) != audit.content) {
      audit.notes.push_back(
          "The copy of the data that is at hand has another content than the runs were made on, "
          "and was not audited.");
      return;
    }
    AuditSubject subject(dataset, use.preparation);
    std::optional<Dataset> directed;
    if (!dataset.graphs && subject.directed == nullptr)
      directed = load_directed_version(recipe, folder);
    if (directed) set_directed_version(subject, *directed);
    audit.findings = cupel::audit(subject);
    audit.facts = facts_of(dataset);
    audit.of_data = true;
  } catch (const Error& error) {
    audit.notes.push_back(fmt::format("The data could not be audited: {}", error.what()));
  }
}

}  // namespace

std::vector<Results> all_results(const Store& store) {
  std::vector<Results> out;
  std::set<std::string> seen;
  for (const StoredProtocol& protocol : store.protocols())
    if (seen.insert(protocol.name).second) out.push_back(load_results(store, protocol.name));
  return out;
}

std::vector<CardAudit> dataset_audits(const Store& store, std::span<const Results> results,
                                      const std::optional<std::filesystem::path>& data) {
  std::vector<CardAudit> out;
  for (const Results& one : results) {
    for (const page::UsedDataset& dataset : page::used_datasets(one)) {
      for (const page::DatasetUse& use : dataset.uses) {
        if (std::any_of(out.begin(), out.end(),
                        [&](const CardAudit& known) { return known.content == use.content; }))
          continue;
        CardAudit audit;
        audit.content = use.content;
        const bool is_path = dataset.name.find('/') != std::string::npos;
        const Recipe* recipe = is_path ? nullptr : find_recipe(dataset.name);
        if (data && recipe != nullptr && recipe_present(*recipe, *data / recipe->name))
          add_data(audit, *recipe, use, *data);
        StoreAudit of_runs = audit_store(store, use.content);
        for (Finding& finding : of_runs.findings) audit.findings.push_back(std::move(finding));
        for (std::string& note : of_runs.notes) audit.notes.push_back(std::move(note));
        sort_findings(audit.findings);
        out.push_back(std::move(audit));
      }
    }
  }
  return out;
}

}  // namespace cupel
