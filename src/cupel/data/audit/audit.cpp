#include "cupel/data/audit/audit.h"

#include <algorithm>

#include "cupel/base/error.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/graph/arc_pairs.h"
#include "cupel/data/graph/simple_undirected.h"
#include "cupel/data/labels.h"

namespace cupel {

#include "audit_check_registry.inc"

std::string to_text(Severity severity) {
  switch (severity) {
    case Severity::kInfo:
      return "info";
    case Severity::kWarning:
      return "warning";
    case Severity::kError:
      return "error";
  }
  return "";
}

Direction direction_of(const Csr& graph) {
  Direction out;
  Offset upwards = 0;
  for (Index i = 0; i < graph.rows; ++i) {
    for (const Index j : graph.row_columns(i)) {
      upwards += j > i;
      out.loops += j == i;
    }
  }
  visit_lower_arcs(graph, [&](Index, Index, Offset there, Offset back) {
    (back > 0 ? out.both : out.down) += back > 0 ? back : there;
  });
  out.up = upwards - out.both;
  return out;
}

AuditSubject::AuditSubject(const Dataset& dataset, std::vector<std::string> steps)
    : data(dataset), preparation(std::move(steps)), example(dataset.graphs ? "graph" : "node") {
  labelled = static_cast<Index>(labelled_examples(dataset).size());
  if (!dataset.has_tasks()) {
    class_sizes.resize(dataset.class_names().size());
    for (const Index label : dataset.labels()) {
      if (label != kNoLabel) ++class_sizes[static_cast<std::size_t>(label)];
    }
  }
  if (dataset.graphs) return;
  undirected = simple_undirected(dataset.adjacency);
  direction = direction_of(dataset.adjacency);
  if (direction.is_directed()) directed = &data.adjacency;
}

bool AuditSubject::prepares(const std::string& step) const {
  return std::any_of(preparation.begin(), preparation.end(),
                     [&](const std::string& one) { return one.substr(0, one.find(':')) == step; });
}

std::string AuditSubject::class_name(Index c) const {
  return "class " + in_quotes(data.class_names()[static_cast<std::size_t>(c)]);
}

void set_directed_version(AuditSubject& subject, const Dataset& directed) {
  const auto refuse = [&](const char* why) {
    fail("{} is no directed version of {}: {}; give one that is, or leave it out", directed.name,
         subject.data.name, why);
  };
  if (directed.graphs || subject.data.graphs) refuse("graphs of a set have no direction");
  if (directed.nodes() != subject.data.nodes()) refuse("it has another number of nodes");
  if (directed.labels() != subject.data.labels()) refuse("its labels are others");
  const Direction direction = direction_of(directed.adjacency);
  if (direction.up + direction.down == 0) refuse("its arcs have no direction");
  const Csr same = simple_undirected(directed.adjacency);
  if (same.row_ptr != subject.undirected.row_ptr || same.columns != subject.undirected.columns)
    refuse("it joins other nodes");
  subject.directed = &directed.adjacency;
  subject.directed_name = directed.name;
}

const std::vector<const AuditCheck*>& audit_checks() {
  static const std::vector<const AuditCheck*> all = audit_check_registry();
  return all;
}

bool applies(const AuditCheck& check, const Dataset& dataset) {
  const bool classes = !dataset.has_tasks() && !dataset.labels().empty();
  switch (check.concerns) {
    case Concerns::kGraph:
      return !dataset.graphs;
    case Concerns::kSet:
      return dataset.graphs.has_value();
    case Concerns::kExamples:
      return true;
    case Concerns::kClasses:
      return classes;
    case Concerns::kNodesOfClasses:
      return !dataset.graphs && classes;
    case Concerns::kSetOfClasses:
      return dataset.graphs && classes;
  }
  return false;
}

std::vector<Finding> audit(const AuditSubject& subject) {
  std::vector<Finding> findings;
  for (const AuditCheck* check : audit_checks()) {
    if (applies(*check, subject.data)) check->run(subject, findings);
  }
  sort_findings(findings);
  return findings;
}

void sort_findings(std::vector<Finding>& findings) {
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
}

}  // namespace cupel
