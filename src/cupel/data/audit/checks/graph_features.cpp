// Node labels and attributes of a set: none, or the same for every node of every graph.
#include "cupel/data/audit/audit.h"
#include "cupel/data/audit/feature_columns.h"
#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

namespace text = audit_text;

void run(const AuditSubject& subject, std::vector<Finding>& findings) {
  const Dataset& data = subject.data;
  const Matrix& attributes = data.graphs->node_attributes;
  const Index labels = feature_count(data.features);
  if (data.nodes() < 2) return;
  Finding out;
  if (labels + attributes.cols == 0) {
    out.id = "no-features";
    out.count = data.nodes();
    out.title = "nodes have neither labels nor attributes";
    out.evidence =
        fmt::format("{} in {}, with nothing but their edges.", text::count(data.nodes(), "node"),
                    text::count(data.examples(), "graph"));
    out.advice =
        "Features must be made from the graph (`features = \"degree\"` for a model of a protocol), "
        "and "
        "which ones decides much of the score: say so in every report, and give the baselines the "
        "same.";
    findings.push_back(std::move(out));
    return;
  }
  const ConstantColumns of_labels = constant_columns(data.features, data.nodes());
  const ConstantColumns of_attributes = constant_columns(Features(attributes), data.nodes());
  const auto found = static_cast<Offset>(of_labels.columns.size() + of_attributes.columns.size());
  if (found == 0) return;
  const bool all = found == labels + attributes.cols;
  out.id = "constant-features";
  out.count = found;
  out.severity = all ? Severity::kWarning : Severity::kInfo;
  out.title = all ? std::string("no label or attribute tells any two nodes apart")
                  : fmt::format("{} the same value for every node",
                                text::count(found, "feature") + text::verb(found, " has", " have"));
  const auto part = [](const char* what, const std::vector<Index>& columns, Index of) {
    return fmt::format(
        "{} of {} {}{}", columns.size(), of, what,
        columns.empty() ? ""
                        : fmt::format(" (columns {}{})", fmt::join(text::examples(columns), ", "),
                                      text::more(columns.size(), text::examples(columns).size())));
  };
  out.evidence = fmt::format("{}, {}.", part("node labels", of_labels.columns, labels),
                             part("node attributes", of_attributes.columns, attributes.cols));
  out.evidence = text::sentence(std::move(out.evidence));
  out.details = {{"node_labels", labels},
                 {"node_attributes", attributes.cols},
                 {"constant_node_labels", of_labels.columns.size()},
                 {"constant_node_attributes", of_attributes.columns.size()}};
  out.advice = all ? "The data set has no features in effect; see what models get from the graphs "
                     "alone, and say so."
                   : "Harmless, but they cost parameters and time; leave them out of new files.";
  findings.push_back(std::move(out));
}

}  // namespace

extern const AuditCheck audit_check_graph_features;
const AuditCheck audit_check_graph_features = {
    "constant-features", "no node labels and attributes, or the same for every node", run,
    Concerns::kSet};

}  // namespace cupel
