#include "cupel/data/audit/cleaned_copy.h"

#include <utility>

#include "cupel/base/error.h"
#include "cupel/base/json_text.h"
#include "cupel/base/paths.h"
#include "cupel/data/formats/format.h"
#include "cupel/data/formats/heterophilous_writer.h"
#include "cupel/data/formats/provenance.h"
#include "cupel/data/formats/tu_writer.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Json operation_json(const FixOperation& operation) {
  Json out = {{"id", operation.id}, {"what", operation.doc}, {"count", operation.count}};
  if (operation.graphs_before > 0) {
    out["graphs_before"] = operation.graphs_before;
    out["graphs_after"] = operation.graphs_after;
  }
  out["nodes_before"] = operation.nodes_before;
  out["nodes_after"] = operation.nodes_after;
  out["arcs_before"] = operation.arcs_before;
  out["arcs_after"] = operation.arcs_after;
  if (!operation.dropped_splits.empty()) out["dropped_splits"] = operation.dropped_splits;
  if (!operation.lost_classes.empty()) out["lost_classes"] = operation.lost_classes;
  return out;
}

// What the classes are in the copy.
Json labels_written(const Dataset& fixed) {
  Json mapping = Json::object();
  if (fixed.has_tasks()) return mapping;
  if (fixed.graphs) {
    const std::vector<std::string> labels = tu_label_texts(fixed);
    for (std::size_t c = 0; c < labels.size(); ++c) mapping[fixed.class_names()[c]] = labels[c];
    return mapping;
  }
  const std::vector<std::int64_t> labels = stored_labels(fixed);
  for (std::size_t c = 0; c < labels.size(); ++c) mapping[fixed.class_names()[c]] = labels[c];
  return mapping;
}

// What the copy's format has no place for.
Json not_written(const Dataset& fixed) {
  Json out = Json::array();
  if (fixed.graphs && !fixed.graphs->scaffolds.empty())
    out.push_back("scaffolds, which the split \"scaffold\" needs");
  return out;
}

Json result_json(const Dataset& fixed) {
  Json result = {{"content_hash", content_hash(fixed)}};
  if (fixed.graphs) result["graphs"] = fixed.graphs->size();
  result["nodes"] = fixed.nodes();
  result["arcs"] = fixed.adjacency.entries();
  result["splits"] = fixed.stored_splits.size();
  return result;
}

Json written_json(const Dataset& fixed, const fs::path& out) {
  Json result = {{fixed.graphs ? "folder" : "file", out.filename().string()}};
  result.update(result_json(fixed));
  result["labels"] = labels_written(fixed);
  if (const Json lost = not_written(fixed); !lost.empty()) result["not_written"] = lost;
  return result;
}

Json provenance_of(const AuditSubject& subject, const CopyRequest& request, const Fixed& fixed,
                   const Json& result) {
  Json operations = Json::array();
  for (const FixOperation& operation : fixed.operations)
    operations.push_back(operation_json(operation));
  return {
      {"tool", request.tool},
      {"source", {{"name", request.name}, {"content_hash", request.content_hash}}},
      {"rule", to_text(subject.copy_rule)},
      {"directed_version", subject.directed_name.empty() ? Json() : Json(subject.directed_name)},
      {"operations", operations},
      {"result", result}};
}

void write_copy(const Dataset& fixed, const fs::path& out) {
  if (!fixed.graphs) {
    if (feature_count(fixed.features) == 0)
      fail(
          "{}: its nodes have no features, and a cleaned copy is an npz file, which needs some; "
          "leave --fix out",
          fixed.name);
    write_heterophilous_npz(fixed, out);
    return;
  }
  write_tu_dataset(fixed, out);
  if (content_hash(read_dataset(out, ReadMode::kForAudit)) != content_hash(fixed))
    fail("audit: {} reads back as another data set than was written; use the files that were read",
         out.string());
}

}  // namespace

CleanedCopy clean(const AuditSubject& subject, const CopyRequest& request) {
  Fixed fixed = fix(subject, request.fixes);
  Json provenance = provenance_of(subject, request, fixed, result_json(fixed.dataset));
  return {std::move(fixed.dataset), {}, {}, std::move(provenance)};
}

CleanedCopy write_cleaned_copy(const AuditSubject& subject, const CopyRequest& request) {
  const fs::path out = plain_path(request.out);
  check_not_input("audit", out, {request.sources.begin(), request.sources.end()});
  Fixed fixed = fix(subject, request.fixes);
  Json provenance = provenance_of(subject, request, fixed, written_json(fixed.dataset, out));
  write_with_provenance(out, json_text(provenance), [&] { write_copy(fixed.dataset, out); });
  return {std::move(fixed.dataset), out, provenance_path(out), std::move(provenance)};
}

}  // namespace cupel
