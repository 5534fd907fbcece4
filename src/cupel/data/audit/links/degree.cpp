// Test links that the degrees of their ends tell from negatives: preferential attachment.
#include "cupel/data/audit/link_area.h"

namespace cupel {
namespace {

void run(const LinkSubject& subject, std::vector<Finding>& findings) {
  const Csr& messages = subject.messages[1];
  const Csr entering = subject.directed ? transpose(messages) : Csr{};
  const auto area = shortcut_area(subject, [&](Pair pair) {
    const Csr& targets = subject.directed ? entering : messages;
    return static_cast<float>(static_cast<double>(messages.row_size(pair.source)) *
                              static_cast<double>(targets.row_size(pair.target)));
  });
  add_shortcut(
      subject, area, "link-degree", "the product of the degrees",
      "Nodes with many links are in many questions, and negatives drawn evenly seldom meet "
      "them. Draw negatives by corrupting an end of each positive, or as hard ones.",
      findings);
}

}  // namespace

extern const LinkCheck link_check_degree;
const LinkCheck link_check_degree = {"link-degree", "test links that degrees alone answer", run};

}  // namespace cupel
