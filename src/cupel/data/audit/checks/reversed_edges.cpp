// Pairs of nodes joined in both directions where others are joined in one.
#include <algorithm>

#include "cupel/data/audit/audit.h"
#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

namespace text = audit_text;

// The first pairs i < j that are stored both ways.
nlohmann::ordered_json reversed_examples(const Csr& graph) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (Index i = 0; i < graph.rows && out.size() < text::kExamples; ++i) {
    for (const Index j : graph.row_columns(i)) {
      if (j <= i || out.size() == text::kExamples) continue;
      const auto back = graph.row_columns(j);
      if (std::binary_search(back.begin(), back.end(), i)) out.push_back({i, j});
    }
  }
  return out;
}

void run(const AuditSubject& subject, std::vector<Finding>& findings) {
  const Direction& d = subject.direction;
  if (d.both == 0 || d.both == d.pairs()) return;
  const auto pairs = reversed_examples(subject.data.adjacency);
  Finding out;
  out.id = "reversed-edges";
  out.count = d.both;
  out.severity =
      d.is_directed() || subject.prepares("symmetrise") ? Severity::kInfo : Severity::kWarning;
  out.title = fmt::format("{} {} stored in both directions, {} in one", text::count(d.both, "edge"),
                          text::verb(d.both, "is", "are"), text::number(d.up + d.down));
  out.evidence = fmt::format(
      "The graph has {}: {} go to the larger id only, {} to the smaller only, "
      "{} both ways (e.g. {}-{}).",
      text::count(d.pairs(), "joined pair"), text::number(d.up), text::number(d.down),
      text::number(d.both), pairs[0][0].get<Index>(), pairs[0][1].get<Index>());
  out.details = {{"pairs", d.pairs()},
                 {"both_ways", d.both},
                 {"to_larger_id_only", d.up},
                 {"to_smaller_id_only", d.down},
                 {"examples", pairs}};
  out.advice = d.is_directed()
                   ? "Normal in a directed graph. If the graph is meant to be undirected, use the "
                     "preparation step \"symmetrise\", which merges both directions."
                   : "The other edges all point to one side, as an undirected graph stored once "
                     "does, so these look like edges entered twice: use the preparation step "
                     "\"symmetrise\", or write a copy with each edge once "
                     "(`--fix=reversed-edges --out FILE`).";
  findings.push_back(std::move(out));
}

}  // namespace

extern const AuditCheck audit_check_reversed_edges;
const AuditCheck audit_check_reversed_edges = {
    "reversed-edges", "edges stored in both directions where others are stored in one", run};

}  // namespace cupel
