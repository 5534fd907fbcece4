// Arcs with a direction.
#include "cupel/data/audit/audit.h"
#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

namespace text = audit_text;

void run(const AuditSubject& subject, std::vector<Finding>& findings) {
  const Direction& d = subject.direction;
  if (!d.is_directed()) return;
  const Csr reversed = transpose(subject.data.adjacency);
  Offset unentered = 0, dead_ends = 0;
  for (Index i = 0; i < reversed.rows; ++i) {
    unentered += reversed.row_size(i) == 0;
    dead_ends += subject.data.adjacency.row_size(i) == 0;
  }
  const bool symmetrised = subject.prepares("symmetrise");
  Finding out;
  out.id = "directed";
  out.count = d.up + d.down;
  out.title = fmt::format("the graph is directed: {} without the reverse",
                          text::count(d.up + d.down, "arc"));
  out.evidence = fmt::format(
      "{} an arc in both directions. {} entered by no arc and {} left by none: along the arcs, the "
      "former receive no message.",
      fmt::format("{} of {}{}", text::number(d.both), text::count(d.pairs(), "joined pair"),
                  text::verb(d.both, " has", " have")),
      text::count(unentered, "node") + text::verb(unentered, " is", " are"),
      text::number(dead_ends));
  out.details = {{"pairs", d.pairs()},
                 {"both_ways", d.both},
                 {"nodes_without_incoming_arc", unentered},
                 {"nodes_without_outgoing_arc", dead_ends}};
  out.advice = symmetrised ? "Its preparation makes it undirected (\"symmetrise\"); nothing to do."
               : d.both == 0
                   ? "No pair has both arcs: if the file holds each edge of an undirected graph "
                     "once, the preparation step \"symmetrise\" makes it undirected; else say in "
                     "every report whether directions were kept."
                   : "Say in every report whether directions were kept. Most models expect an "
                     "undirected graph: the preparation step \"symmetrise\" makes one.";
  findings.push_back(std::move(out));
}

}  // namespace

extern const AuditCheck audit_check_directed;
const AuditCheck audit_check_directed = {"directed", "arcs without their reverse", run};

}  // namespace cupel
