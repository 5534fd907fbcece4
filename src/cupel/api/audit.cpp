#include "cupel/api/audit.h"

#include <algorithm>
#include <iterator>
#include <system_error>

#include "cupel/base/error.h"
#include "cupel/base/write_file.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/data/catalog/relatives.h"
#include "cupel/judge/audit/store_audit.h"

namespace cupel {
namespace {

// The directed version: the one named, or that of the catalog if its files are there.
std::optional<Dataset> directed_version(const AuditRequest& request, const Recipe* recipe) {
  if (!request.directed.empty())
    return load_dataset(request.directed, request.data_folder, ReadMode::kForAudit);
  if (recipe == nullptr) return std::nullopt;
  return load_directed_version(*recipe, request.data_folder);
}

std::vector<std::string> steps_of(const AuditRequest& request, const std::string& hash) {
  const Recipe* recipe = recipe_of(request.name, hash);
  return recipe != nullptr ? recipe->preparation : default_preparation(request.name);
}

}  // namespace

CopyRule read_copy_rule(const std::string& text) {
  if (text.empty()) return CopyRule::kBeyondChance;
  if (const auto rule = copy_rule_of(text)) return *rule;
  fail("audit: --rule '{}' is none of beyond-chance, wikipedia", text);
}

void check_copy_path(const Dataset& dataset, const std::filesystem::path& out) {
  if (!dataset.graphs) return check_writable(out);
  std::error_code ignored;
  if (std::filesystem::is_regular_file(out, ignored))
    fail("audit: --out {} is a file, and a set of graphs is written as a folder; give another path",
         out.string());
}

DatasetAudit::DatasetAudit(const Dataset& dataset, const AuditRequest& request)
    : dataset_(dataset),
      request_(request),
      hash_(content_hash(dataset)),
      subject_(dataset, steps_of(request, hash_)) {
  subject_.copy_rule = read_copy_rule(request.rule);
  if (!request.directed.empty() && (dataset.graphs || subject_.directed))
    fail("{}: --directed names the graph with the direction of its arcs, and {}; leave it out",
         dataset.name,
         dataset.graphs ? "this is a set of graphs" : "this graph is directed itself");
  if (dataset.graphs || subject_.directed) return;
  directed_ = directed_version(request, recipe_of(request.name, hash_));
  if (directed_) set_directed_version(subject_, *directed_);
}

AuditReport DatasetAudit::report() const {
  AuditReport out{
      .name = dataset_.name,
      .about = {{"dataset", dataset_.name}, {"content_hash", hash_}, {"facts", facts_of(dataset_)}},
      .findings = audit(subject_)};
  if (!request_.store.empty()) {
    StoreAudit from_store = audit_store(Store(request_.store, Store::Mode::kOpen), hash_);
    std::ranges::move(from_store.findings, std::back_inserter(out.findings));
    out.notes = std::move(from_store.notes);
    sort_findings(out.findings);
  }
  if (dataset_.stored_splits.empty())
    out.notes.emplace_back(
        "No split is stored with this data set; what concerns splits was not checked.");
  return out;
}

CleanedCopy DatasetAudit::fixed(const std::vector<std::string>& fixes,
                                const std::filesystem::path& out, const std::string& tool) const {
  const bool made = request_.name.empty();
  const CopyRequest copy{.name = made ? dataset_.name : request_.name,
                         .content_hash = hash_,
                         .sources = made ? std::vector<std::filesystem::path>()
                                         : source_paths(request_.name, request_.data_folder),
                         .fixes = fixes,
                         .out = out,
                         .tool = tool};
  return out.empty() ? clean(subject_, copy) : write_cleaned_copy(subject_, copy);
}

}  // namespace cupel
