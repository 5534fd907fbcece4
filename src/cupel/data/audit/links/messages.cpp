// Arcs that carry messages and are the answers.
//
// When validation is asked, neither its links nor those of test may carry messages; when test is
// asked, its own may not. Validation links may by then.
#include <algorithm>

#include "cupel/base/sort_unique.h"
#include "cupel/data/audit/link_audit.h"
#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

namespace text = audit_text;

std::vector<Pair> carried(const LinkSubject& subject, const Csr& messages, std::size_t part) {
  std::vector<Pair> out;
  for (const Pair& pair : subject.links(part)) {
    if (has_arc(messages, pair) ||
        (!subject.directed && has_arc(messages, {pair.target, pair.source})))
      out.push_back(pair);
  }
  return out;
}

void run(const LinkSubject& subject, std::vector<Finding>& findings) {
  const std::vector<Pair> valid = carried(subject, subject.messages[0], 1),
                          ahead = carried(subject, subject.messages[0], 2),
                          test = carried(subject, subject.messages[1], 2);
  std::vector<Pair> found = test;
  found.insert(found.end(), valid.begin(), valid.end());
  found.insert(found.end(), ahead.begin(), ahead.end());
  sort_unique(found);
  if (found.empty()) return;
  Finding out;
  out.id = "link-messages";
  out.severity = Severity::kError;
  out.count = std::ssize(found);
  out.title =
      fmt::format("{} that {} asked about {} messages", text::count(out.count, "link"),
                  text::verb(out.count, "is", "are"), text::verb(out.count, "carries", "carry"));
  out.evidence = fmt::format(
      "Test links that carry messages when test is asked: {}; when validation is asked: {}. "
      "Validation links that do when validation is asked: {}. For example {}.",
      text::number(std::ssize(test)), text::number(std::ssize(ahead)),
      text::number(std::ssize(valid)), link_text::pairs(found));
  out.details = {{"test_in_test_messages", test.size()},
                 {"test_in_validation_messages", ahead.size()},
                 {"validation_in_validation_messages", valid.size()},
                 {"examples", link_text::examples(found)}};
  out.advice =
      "A model reads the answer off these arcs. Let training links alone carry messages, and "
      "validation links at test time if you say so.";
  findings.push_back(std::move(out));
}

}  // namespace

extern const LinkCheck link_check_messages;
const LinkCheck link_check_messages = {"link-messages",
                                       "arcs that carry messages and are asked about", run};

}  // namespace cupel
