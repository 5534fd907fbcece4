// Mending what an audit found: a cleaned copy of a data set, and an account of what was done to it.
#pragma once

#include <string>
#include <vector>

#include "cupel/data/audit/audit.h"

namespace cupel {

// One kind of mending. `safe` ones are done unless others are named; the rest changes what a data
// set means and is done on request. Which nodes are copies is the subject's copy_rule's to say:
// what chance explains stays, unless that is the paper's.
struct FixKind {
  const char* id;   // of the findings that it mends
  const char* doc;  // one sentence
  bool safe;
};
// In the order in which they are done, whatever the order in which they are named: of one graph,
// and of a set of graphs.
[[nodiscard]] const std::vector<FixKind>& fix_kinds();
[[nodiscard]] const std::vector<FixKind>& set_fix_kinds();

struct FixOperation {
  std::string id, doc;
  Offset count = 0;  // of what was removed, merged or moved; 0: there was nothing to do
  Index graphs_before = 0, graphs_after = 0;  // of a set
  Index nodes_before = 0, nodes_after = 0;
  Offset arcs_before = 0, arcs_after = 0;
  std::vector<int> dropped_splits;        // that lost all examples of a part, as numbered before
  std::vector<std::string> lost_classes;  // that lost all examples
};

struct Fixed {
  Dataset dataset;  // nodes and graphs keep their order, splits follow them
  std::vector<FixOperation> operations;
};

// The subject's data set after the kinds named, or the safe ones if none is named. Throws Error
// naming an unknown kind, or if no node or graph would be left.
[[nodiscard]] Fixed fix(const AuditSubject& subject, const std::vector<std::string>& ids = {});

}  // namespace cupel
