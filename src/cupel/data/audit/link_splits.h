// Splits of links as subjects of an audit, and the findings of several of them as one.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "cupel/data/audit/link_audit.h"
#include "cupel/data/audit/link_file.h"
#include "cupel/data/links/negatives.h"
#include "cupel/data/split/split.h"

namespace cupel {

// What is the same for all splits that are audited together.
struct LinkAuditSource {
  const Dataset& data;            // prepared
  const NegativeKind* kind;       // whose negatives are drawn, for validation and test
  const Options& settings;        // its own
  const std::vector<Offset>& ks;  // K of hits@K
  Threads threads = {};
};

// A member of a resolved scheme of pairs, whose links_of() are `links`. `key` is that of what a
// task draws (lab/plan/plan.h: task_key), so that runs on the member have these very negatives.
// Throws Error as make_split() and the kind of negatives do.
[[nodiscard]] LinkSubject link_subject(const LinkAuditSource& source, const SplitScheme& scheme,
                                       const PairList& links, int member, StreamKey key);

// A split of a file. Training links carry messages where the file does not say what does, and
// negatives are drawn where it has none; then no link of the graph or the file is taken for a
// pair without one.
[[nodiscard]] LinkSubject link_subject(const LinkAuditSource& source, const LinkFile& file,
                                       std::size_t split, StreamKey key);

// Distinct pairs of the parts that are no link of the data's graph.
[[nodiscard]] Offset count_unknown(const LinkSubject& subject);

// Each id once, as in the split where it is most severe, of equally severe ones the one with the
// largest weight, of these the first. Where there are several splits, the evidence says in which
// ones the finding is, and `details` has their numbers: "splits", and "split", whose numbers are
// told. Sorted as findings are.
[[nodiscard]] std::vector<Finding> worst_of_splits(std::vector<std::vector<Finding>> by_split);

}  // namespace cupel
