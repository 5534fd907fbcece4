// Links in more than one part, the same way round or the other.
#include <algorithm>
#include <iterator>

#include "cupel/base/sort_unique.h"
#include "cupel/data/audit/link_audit.h"
#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

namespace text = audit_text;

std::vector<Pair> common(const std::vector<Pair>& a, const std::vector<Pair>& b) {
  std::vector<Pair> out;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}

void run(const LinkSubject& subject, std::vector<Finding>& findings) {
  const std::vector<Pair> train = subject.links(0), valid = subject.links(1),
                          test = subject.links(2);
  const std::vector<Pair> train_test = common(train, test), valid_test = common(valid, test),
                          train_valid = common(train, valid);
  Offset repeated = 0, loops = 0;
  for (std::size_t p = 0; p < 3; ++p) {
    const Offset own = std::count_if(subject.parts[p].begin(), subject.parts[p].end(),
                                     [](const Pair& pair) { return pair.source == pair.target; });
    loops += own;
    repeated += std::ssize(subject.parts[p]) - own - std::ssize(subject.links(p));
  }
  std::vector<Pair> found;
  for (const auto* pairs : {&train_test, &valid_test, &train_valid})
    found.insert(found.end(), pairs->begin(), pairs->end());
  sort_unique(found);
  if (found.empty() && repeated == 0 && loops == 0) return;
  Finding out;
  out.id = "link-overlap";
  out.severity = found.empty() ? Severity::kWarning : Severity::kError;
  out.count = found.empty() ? repeated + loops : std::ssize(found);
  out.title =
      found.empty()
          ? fmt::format("{} of the split {} a loop, or a link that its part has already",
                        text::count(out.count, "pair"), text::verb(out.count, "is", "are"))
          : fmt::format("{} in more than one part of the split",
                        text::count(out.count, "link") + text::verb(out.count, " is", " are"));
  out.evidence = fmt::format(
      "Training and test share {}, validation and test {}, training and validation {}{}. Pairs "
      "that "
      "their part has already: {}; of a node with itself: {}.",
      text::number(std::ssize(train_test)), text::number(std::ssize(valid_test)),
      text::number(std::ssize(train_valid)),
      subject.directed ? "" : ", whichever way round they are written", text::number(repeated),
      text::number(loops));
  if (!found.empty()) out.evidence += fmt::format(" For example {}.", link_text::pairs(found));
  out.details = {{"training_and_test", train_test.size()},
                 {"validation_and_test", valid_test.size()},
                 {"training_and_validation", train_valid.size()},
                 {"twice_in_one_part", repeated},
                 {"loops", loops},
                 {"examples", link_text::examples(found)}};
  out.advice =
      "A link that training holds is no question. Make one pair of both directions before the "
      "links "
      "are split, and leave loops and repeats out.";
  findings.push_back(std::move(out));
}

}  // namespace

extern const LinkCheck link_check_overlap;
const LinkCheck link_check_overlap = {"link-overlap", "links in more than one part of a split",
                                      run};

}  // namespace cupel
