#include "cupel/judge/report/page/stored.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "cupel/base/error.h"
#include "cupel/data/audit/audit.h"
#include "cupel/data/audit/facts_audit.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/data/catalog/relatives.h"
#include "cupel/data/facts/columns_of.h"
#include "cupel/judge/audit/store_audit.h"
#include "cupel/judge/report/page/uses.h"
#include "cupel/lab/results/load.h"

namespace cupel {
namespace {

// The last times of the parts, or quantiles, that the runs' split names as in "time
// cuts=2018,2019,2021 quantiles="; empty: the parts of the source.
std::string cuts_asked(const std::string& split) {
  for (const std::string_view name : {"cuts=", "quantiles="}) {
    const auto at = split.find(name);
    if (at == std::string::npos) continue;
    const auto begin = at + name.size();
    const std::string value = split.substr(begin, split.find(' ', begin) - begin);
    if (!value.empty()) return value;
  }
  return "";
}

std::vector<Finding> audit_facts_of(const TemporalFacts& facts, const std::string& split) {
  std::optional<TimeCuts> cuts;
  if (const std::string asked = cuts_asked(split); !asked.empty())
    cuts = cuts_of_text(facts, asked, "split");
  return audit_facts(fact_subject(facts, cuts, {available_processors()}));
}

std::vector<Finding> audit_graphs_of(const Dataset& dataset, const Recipe& recipe,
                                     const page::DatasetUse& use,
                                     const std::filesystem::path& folder) {
  AuditSubject subject(dataset, use.preparation);
  std::optional<Dataset> directed;
  if (!dataset.graphs && subject.directed == nullptr)
    directed = load_directed_version(recipe, folder);
  if (directed) set_directed_version(subject, *directed);
  return audit(subject);
}

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
    audit.findings = dataset.facts ? audit_facts_of(*dataset.facts, use.split)
                                   : audit_graphs_of(dataset, recipe, use, folder);
    audit.facts = facts_of(dataset);
    audit.of_data = true;
  } catch (const Error& error) {
    audit.notes.push_back(fmt::format("The data could not be audited: {}", error.what()));
  }
}

std::uint64_t bytes_in(const std::filesystem::path& folder) {
  std::uint64_t out = 0;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    std::error_code no_file;
    const std::uintmax_t bytes = at->is_regular_file(no_file) ? at->file_size(no_file) : 0;
    if (!no_file) out += bytes;
  }
  return out;
}

// What is known of the data of a use, where they are at hand.
void add_data_at_hand(CardAudit& audit, const Recipe& recipe, const page::DatasetUse& use,
                      const AuditedData& data) {
  if (!data.folder || !recipe_present(recipe, *data.folder / recipe.name)) return;
  if (bytes_in(*data.folder / recipe.name) <= data.most_bytes) {
    add_data(audit, recipe, use, *data.folder);
    return;
  }
  audit.notes.push_back(
      "The data are at hand, and large: `cupel report --data DIR` audits them for a page.");
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
                                      const AuditedData& data) {
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
        if (recipe != nullptr) add_data_at_hand(audit, *recipe, use, data);
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
