// An undirected graph whose file holds each edge once.
#include "cupel/data/audit/audit.h"
#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

namespace text = audit_text;

void run(const AuditSubject& subject, std::vector<Finding>& findings) {
  const Direction& d = subject.direction;
  if (!d.is_stored_once() || subject.directed) return;
  const bool symmetrised = subject.prepares("symmetrise");
  const bool up = d.up >= d.down;
  const Offset same_side = up ? d.up : d.down;
  Finding out;
  out.id = "stored-once";
  out.count = d.pairs();
  out.severity = symmetrised ? Severity::kInfo : Severity::kWarning;
  out.title = "the graph is undirected, and each edge is stored once";
  out.evidence = fmt::format(
      "{} joined, none of them by two arcs; {} ({}) from the {} to the {} id.",
      text::count(d.pairs(), "pair") + text::verb(d.pairs(), " of nodes is", " of nodes are"),
      text::count(same_side, "arc") + text::verb(same_side, " goes", " go"),
      text::percent(static_cast<double>(same_side) / static_cast<double>(d.pairs())),
      up ? "smaller" : "larger", up ? "larger" : "smaller");
  out.details = {{"pairs", d.pairs()}, {"to_larger_id", d.up}, {"to_smaller_id", d.down}};
  out.advice = symmetrised
                   ? "Its preparation stores both directions (\"symmetrise\"); nothing to do."
                   : "Use the preparation step \"symmetrise\": without it a message passes each "
                     "edge one way only. If arcs do have a direction, and it follows the ids, say "
                     "so (`--directed FILE`, the file itself).";
  findings.push_back(std::move(out));
}

}  // namespace

extern const AuditCheck audit_check_stored_once;
const AuditCheck audit_check_stored_once = {"stored-once",
                                            "an undirected graph with each edge stored once", run};

}  // namespace cupel
