// Nodes in no part of a split.
#include <algorithm>

#include "cupel/data/audit/audit.h"
#include "cupel/data/audit/split_parts.h"
#include "cupel/data/audit/wording.h"
#include "cupel/data/labels.h"

namespace cupel {
namespace {

namespace text = audit_text;

void run(const AuditSubject& subject, std::vector<Finding>& findings) {
  const Dataset& data = subject.data;
  if (data.stored_splits.empty()) return;
  std::vector<Offset> per_split;
  std::vector<char> ever(static_cast<std::size_t>(data.examples()), 0);
  // A node without a label is left out as it must be.
  for (Index i = 0; i < data.examples(); ++i)
    ever[static_cast<std::size_t>(i)] = !is_labelled(data, i);
  std::vector<Index> of_worst;
  std::size_t worst = 0;
  for (const Split& split : data.stored_splits) {
    const std::vector<std::uint8_t> part = membership(split, data.examples());
    std::vector<Index> left_out;
    for (Index i = 0; i < data.examples(); ++i) {
      if (part[static_cast<std::size_t>(i)] == 0 && is_labelled(data, i)) left_out.push_back(i);
      if (part[static_cast<std::size_t>(i)] != 0) ever[static_cast<std::size_t>(i)] = 1;
    }
    per_split.push_back(static_cast<Offset>(left_out.size()));
    if (left_out.size() > of_worst.size()) {
      of_worst = std::move(left_out);
      worst = per_split.size() - 1;
    }
  }
  if (of_worst.empty()) return;
  const Offset bad =
      std::count_if(per_split.begin(), per_split.end(), [](auto n) { return n > 0; });
  const Offset never = std::count(ever.begin(), ever.end(), 0);
  const auto most = static_cast<Offset>(of_worst.size());
  Finding out;
  out.id = "split-leaves-out";
  out.severity = Severity::kWarning;
  out.count = most;
  out.title = fmt::format("{} in no part of a split",
                          text::count(most, subject.example) + text::verb(most, " is", " are"));
  if (per_split.size() > 1)
    out.evidence = fmt::format("{} of {} {} {}s out. ", text::number(bad),
                               text::count(static_cast<Offset>(per_split.size()), "split"),
                               text::verb(bad, "leaves", "leave"), subject.example);
  out.evidence +=
      fmt::format("Split {} leaves out {} of {} ({}), e.g. {}.", worst, text::number(most),
                  text::count(subject.labelled, subject.example),
                  text::percent(static_cast<double>(most) / static_cast<double>(subject.labelled)),
                  text::ids(subject.example, of_worst));
  if (per_split.size() > 1)
    out.evidence +=
        fmt::format(" In no part of any split: {}.", text::count(never, subject.example));
  out.details = {{"splits", bad},
                 {"per_split", per_split},
                 {"worst_split", worst},
                 {"in_no_split", never},
                 {"examples", text::examples(of_worst)}};
  out.advice =
      data.graphs
          ? "If it is by design, say so with every score; else labels go unused and scores of "
            "other splits are not comparable."
          : "If it is by design, as in the fixed Planetoid splits, say so with every score; else "
            "labels go unused and scores of other splits are not comparable.";
  findings.push_back(std::move(out));
}

}  // namespace

extern const AuditCheck audit_check_split_leaves_out;
const AuditCheck audit_check_split_leaves_out = {"split-leaves-out", "nodes in no part of a split",
                                                 run, Concerns::kExamples};

}  // namespace cupel
