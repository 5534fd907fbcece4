// What kinds of mending share.
#pragma once

#include <vector>

#include "cupel/data/audit/fix.h"
#include "cupel/data/prepare/keep.h"

namespace cupel::fixing {

// Changes the data set, which began as the subject's, and says how much.
using Work = void (*)(Dataset& data, const AuditSubject& subject, FixOperation& operation);

struct Kind {
  FixKind kind;
  Work work;
};

// Those of sets of graphs; those of one graph are in fix.cpp.
[[nodiscard]] const std::vector<Kind>& set_kinds();

// Keeps each example in one part of a split. The later part keeps it: what is tested was then never
// trained or selected on.
void separate_splits(Dataset& data, const AuditSubject& subject, FixOperation& operation);

// What went with the examples that a kind took out.
void record(Gone gone, FixOperation& operation);

}  // namespace cupel::fixing
