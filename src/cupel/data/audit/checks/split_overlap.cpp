// Nodes in more than one part of a split.
#include <algorithm>
#include <bit>

#include "cupel/data/audit/audit.h"
#include "cupel/data/audit/split_parts.h"
#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

namespace text = audit_text;

// Nodes that are in two parts, or twice in one.
struct Overlap {
  std::vector<Index> nodes;
  Offset train_test = 0, valid_test = 0, train_valid = 0, stopping = 0, repeated = 0;
};

Overlap overlap_of(const Split& split, Index examples) {
  Overlap out;
  const std::vector<std::uint8_t> part = membership(split, examples);
  std::vector<Offset> times(static_cast<std::size_t>(examples), 0);
  for (const std::vector<Index>* ids : split.parts()) {
    for (const Index i : *ids) ++times[static_cast<std::size_t>(i)];
  }
  for (Index i = 0; i < examples; ++i) {
    const auto p = part[static_cast<std::size_t>(i)];
    out.train_test += (p & 5) == 5;
    out.valid_test += (p & 6) == 6;
    out.train_valid += (p & 3) == 3;
    out.stopping += (p & 8) != 0 && p != 8;
    out.repeated += times[static_cast<std::size_t>(i)] > std::popcount(p);
    if (times[static_cast<std::size_t>(i)] > 1) out.nodes.push_back(i);
  }
  return out;
}

void run(const AuditSubject& subject, std::vector<Finding>& findings) {
  const Dataset& data = subject.data;
  std::vector<Overlap> overlaps;
  std::vector<Offset> per_split;
  std::vector<char> touched(static_cast<std::size_t>(data.examples()), 0);
  for (const Split& split : data.stored_splits) {
    overlaps.push_back(overlap_of(split, data.examples()));
    per_split.push_back(static_cast<Offset>(overlaps.back().nodes.size()));
    for (const Index i : overlaps.back().nodes) touched[static_cast<std::size_t>(i)] = 1;
  }
  const Offset bad =
      std::count_if(per_split.begin(), per_split.end(), [](auto n) { return n > 0; });
  if (bad == 0) return;
  const auto worst = static_cast<std::size_t>(std::max_element(per_split.begin(), per_split.end()) -
                                              per_split.begin());
  const Overlap& w = overlaps[worst];
  const Offset nodes = std::count(touched.begin(), touched.end(), 1);
  Finding out;
  out.id = "split-overlap";
  out.severity = Severity::kError;
  out.count = nodes;
  out.title = fmt::format("{} in more than one part of a split",
                          text::count(nodes, subject.example) + text::verb(nodes, " is", " are"));
  out.evidence = fmt::format(
      "{} of {} {} parts that overlap. Split {}, the worst: {} in training and test, {} in "
      "validation and test, {} in training and validation, {}{} twice in one part; e.g. {}.",
      text::number(bad), text::count(static_cast<Offset>(per_split.size()), "split"),
      text::verb(bad, "has", "have"), worst, text::number(w.train_test), text::number(w.valid_test),
      text::number(w.train_valid),
      w.stopping > 0 ? text::number(w.stopping) + " in stopping and another part, " : "",
      text::number(w.repeated), text::ids(subject.example, w.nodes));
  out.details = {{"splits", bad},
                 {"per_split", per_split},
                 {"worst_split", worst},
                 {"training_and_test", w.train_test},
                 {"validation_and_test", w.valid_test},
                 {"training_and_validation", w.train_valid},
                 {"stopping_and_another", w.stopping},
                 {"twice_in_one_part", w.repeated},
                 {"examples", text::examples(w.nodes)}};
  out.advice = fmt::format(
      "Scores on these splits are not of unseen {0}s, and runs refuse them. Make new "
      "splits, or let each such {0} stay in one part only, test before validation before "
      "training (`--fix=split-overlap --out {1}`).",
      subject.example, data.graphs ? "FOLDER" : "FILE");
  findings.push_back(std::move(out));
}

}  // namespace

extern const AuditCheck audit_check_split_overlap;
const AuditCheck audit_check_split_overlap = {
    "split-overlap", "nodes in more than one part of a split", run, Concerns::kExamples};

}  // namespace cupel
