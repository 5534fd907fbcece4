// Directed links whose way back is in training or carries messages: a score that is the same both
// ways answers them.
//
// Reciprocated links are common, so that few of them are a fact about the graph. From a tenth of
// the test links on, they decide comparisons of models that differ by some points.
#include <algorithm>

#include "cupel/data/audit/link_audit.h"
#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

namespace text = audit_text;

constexpr double kMany = 0.1;

void run(const LinkSubject& subject, std::vector<Finding>& findings) {
  if (!subject.directed) return;
  const std::vector<Pair> train = subject.links(0), test = subject.links(2);
  std::vector<Pair> found;
  Offset carried = 0;  // by arcs that are not in training
  for (const Pair& pair : test) {
    const Pair back = {pair.target, pair.source};
    if (std::binary_search(train.begin(), train.end(), back)) {
      found.push_back(pair);
    } else if (has_arc(subject.messages[1], back)) {
      found.push_back(pair);
      ++carried;
    }
  }
  if (found.empty()) return;
  const double share = static_cast<double>(found.size()) / static_cast<double>(test.size());
  Finding out;
  out.id = "link-reversed";
  out.severity = share >= kMany ? Severity::kWarning : Severity::kInfo;
  out.count = std::ssize(found);
  out.title = fmt::format("the way back of {} {}", text::count(out.count, "test link"),
                          carried == 0 ? "is in training" : "is in training or carries messages");
  out.evidence = fmt::format("These are {} of {}, for example {}.", text::percent(share),
                             text::count(std::ssize(test), "test link"), link_text::pairs(found));
  if (carried > 0)
    out.evidence += fmt::format(" Ways back that are not in training and carry messages: {}.",
                                text::number(carried));
  out.details = {
      {"share", share}, {"messages_alone", carried}, {"examples", link_text::examples(found)}};
  out.advice =
      "Put both directions of a pair into the same part, or report links with and without a way "
      "back apart.";
  findings.push_back(std::move(out));
}

}  // namespace

extern const LinkCheck link_check_reversed;
const LinkCheck link_check_reversed = {"link-reversed",
                                       "directed test links whose way back is known", run};

}  // namespace cupel
