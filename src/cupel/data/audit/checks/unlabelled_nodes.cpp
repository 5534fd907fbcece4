// Nodes without a label, and splits that have them in a part.
#include <algorithm>

#include "cupel/data/audit/audit.h"
#include "cupel/data/audit/split_parts.h"
#include "cupel/data/audit/wording.h"
#include "cupel/data/labels.h"

namespace cupel {
namespace {

namespace text = audit_text;

void add_in_splits(const Dataset& data, std::vector<Finding>& findings) {
  std::vector<Offset> per_split;
  std::vector<Index> of_worst;
  for (const Split& split : data.stored_splits) {
    std::vector<Index> here;
    for (const auto* part : split.parts()) {
      std::ranges::copy_if(*part, std::back_inserter(here),
                           [&](Index i) { return !is_labelled(data, i); });
    }
    std::ranges::sort(here);
    per_split.push_back(static_cast<Offset>(here.size()));
    if (here.size() > of_worst.size()) of_worst = std::move(here);
  }
  if (of_worst.empty()) return;
  const auto worst = std::ranges::max_element(per_split) - per_split.begin();
  Finding out;
  out.id = "split-unlabelled";
  out.severity = Severity::kError;
  out.count = static_cast<Offset>(of_worst.size());
  out.title = fmt::format("{} of a split {} no label", text::count(out.count, "node"),
                          text::verb(out.count, "has", "have"));
  out.evidence = fmt::format("Split {} has the most, e.g. {}.", worst, text::nodes(of_worst));
  out.details = {
      {"per_split", per_split}, {"worst_split", worst}, {"examples", text::examples(of_worst)}};
  out.advice =
      "Take them out of the split: nothing can be learned from them, and no answer on them can be "
      "scored.";
  findings.push_back(std::move(out));
}

void run(const AuditSubject& subject, std::vector<Finding>& findings) {
  const Dataset& data = subject.data;
  const Index found = count_unlabelled(data);
  if (found == 0) return;
  std::vector<Index> nodes;
  for (Index i = 0; i < data.nodes(); ++i) {
    if (!is_labelled(data, i)) nodes.push_back(i);
  }
  Finding out;
  out.id = "unlabelled-nodes";
  out.severity = Severity::kInfo;
  out.count = found;
  out.title = fmt::format("{} {} no label", text::count(out.count, "node"),
                          text::verb(out.count, "has", "have"));
  out.evidence = fmt::format(
      "{} of {} nodes ({}), e.g. {}.", text::number(out.count), text::number(data.nodes()),
      text::percent(static_cast<double>(found) / data.nodes()), text::nodes(nodes));
  out.details = {{"examples", text::examples(nodes)}};
  out.advice =
      "Nothing to mend: they are part of the graph and of no split. Say so where accuracy is "
      "compared with work that dropped them or made them a class.";
  findings.push_back(std::move(out));
  add_in_splits(data, findings);
}

}  // namespace

extern const AuditCheck audit_check_unlabelled_nodes;
const AuditCheck audit_check_unlabelled_nodes = {
    "unlabelled-nodes", "nodes without a label, and splits that have them in a part", run};

}  // namespace cupel
