// Edges that the file holds more than once.
#include <algorithm>
#include <cmath>

#include "cupel/data/audit/audit.h"
#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

namespace text = audit_text;

void run(const AuditSubject& subject, std::vector<Finding>& findings) {
  const Dataset& data = subject.data;
  if (data.repeated_arcs == 0) return;
  const Csr& graph = data.adjacency;
  std::vector<std::string> examples;
  nlohmann::ordered_json pairs = nlohmann::ordered_json::array();
  Offset several = 0;
  for (Index i = 0; i < graph.rows; ++i) {
    for (Offset at = graph.row_ptr[i]; at < graph.row_ptr[i + 1]; ++at) {
      if (graph.value(at) == 1.0f) continue;
      ++several;
      if (examples.size() == text::kExamples) continue;
      const Index j = graph.columns[static_cast<std::size_t>(at)];
      examples.push_back(fmt::format("{} -> {} (value {:g})", i, j, graph.value(at)));
      pairs.push_back({i, j});
    }
  }
  Finding out;
  out.id = "duplicate-edges";
  out.severity = Severity::kWarning;
  out.count = data.repeated_arcs;
  out.title = fmt::format("{} of the file {} an edge that is there already",
                          text::count(data.repeated_arcs, "edge entry"),
                          text::verb(data.repeated_arcs, "repeats", "repeat"));
  out.evidence = fmt::format(
      "{} for {}. Repeats are summed while reading, so {} now {} a value "
      "other than 1{}.",
      text::count(graph.entries() + data.repeated_arcs, "entry"),
      text::count(graph.entries(), "different arc"), text::count(several, "arc"),
      text::verb(several, "has", "have"),
      examples.empty() ? "" : fmt::format(", e.g. {}", fmt::join(examples, ", ")));
  out.details = {{"entries", graph.entries() + data.repeated_arcs},
                 {"arcs", graph.entries()},
                 {"arcs_with_value_other_than_1", several},
                 {"examples", pairs}};
  out.advice = subject.prepares("unweight") || subject.prepares("symmetrise")
                   ? "The preparation of this data set makes every value 1, so nothing is counted "
                     "twice in training; a clean copy is `--fix --out FILE`."
                   : "If the number of repeats means nothing, merge them (`--fix --out FILE`, or "
                     "the preparation step \"unweight\"): else they weigh in every aggregation.";
  findings.push_back(std::move(out));
}

}  // namespace

extern const AuditCheck audit_check_duplicate_edges;
const AuditCheck audit_check_duplicate_edges = {"duplicate-edges",
                                                "edges that the file holds more than once", run};

}  // namespace cupel
