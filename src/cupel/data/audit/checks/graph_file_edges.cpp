// What the reader of a set left out of its files: lines that repeat an arc, and loops.
#include "cupel/data/audit/audit.h"
#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

namespace text = audit_text;

void run(const AuditSubject& subject, std::vector<Finding>& findings) {
  const Dataset& data = subject.data;
  const Offset arcs = data.adjacency.entries();
  const auto add = [&](const char* id, Offset count, std::string title, const char* advice) {
    if (count == 0) return;
    Finding out;
    out.id = id;
    out.count = count;
    out.title = std::move(title);
    out.evidence = fmt::format("{} different arcs are left, both directions of each edge counted.",
                               text::number(arcs));
    out.details = {{"arcs", arcs}};
    out.advice = advice;
    findings.push_back(std::move(out));
  };
  add("duplicate-edges", data.repeated_arcs,
      fmt::format("{} of the file {} an arc that is there already",
                  text::count(data.repeated_arcs, "line"),
                  text::verb(data.repeated_arcs, "repeats", "repeat")),
      "They are merged while reading; programs that do not merge count such edges twice. "
      "`--fix --out FOLDER` writes a copy with each arc once.");
  add("self-loops", data.graphs->dropped_loops,
      fmt::format("{} of the file {} a node to itself",
                  text::count(data.graphs->dropped_loops, "line"),
                  text::verb(data.graphs->dropped_loops, "joins", "join")),
      "They are left out while reading. If they say something of a node, make it a node label; "
      "`--fix --out FOLDER` writes a copy without.");
}

}  // namespace

extern const AuditCheck audit_check_graph_file_edges;
const AuditCheck audit_check_graph_file_edges = {
    "duplicate-edges", "lines of arcs that reading leaves out: repeats and loops", run,
    Concerns::kSet};

}  // namespace cupel
