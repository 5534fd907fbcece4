// Nodes with equal features: copies, or features too coarse to tell nodes apart.
#include <algorithm>

#include "cupel/data/audit/audit.h"
#include "cupel/data/audit/groups.h"
#include "cupel/data/audit/split_parts.h"
#include "cupel/data/audit/wording.h"
#include "cupel/data/labels.h"

namespace cupel {
namespace {

namespace text = audit_text;

// Copies carry the label of what they copy. Agreement beyond chance (Cohen's kappa of two nodes
// with equal features) from which they are taken for copies; below, the features are coarse.
constexpr double kCopies = 0.5;
constexpr double kMany = 0.01;  // of test nodes of a split, or of all nodes

struct Agreement {
  double same = 0;     // mean share of a node's group mates that have its label
  double chance = 0;   // that two nodes of the data set have the same label
  double ceiling = 0;  // accuracy on all nodes of the best function of features alone
  double kappa() const { return chance < 1 ? (same - chance) / (1 - chance) : 0; }
};

// Of the nodes that have a label.
Agreement agreement_of(const AuditSubject& subject, Groups groups) {
  for (auto& group : groups)
    std::erase_if(group, [&](Index i) { return !is_labelled(subject.data, i); });
  std::erase_if(groups, [](const auto& group) { return group.size() < 2; });
  const auto nodes = static_cast<double>(subject.labelled);
  Agreement out;
  for (const Offset size : subject.class_sizes) {
    const double share = static_cast<double>(size) / nodes;
    out.chance += share * share;
  }
  double grouped = 0, right = 0;
  std::vector<Offset> of_class(subject.class_sizes.size(), 0);
  for (const auto& group : groups) {
    for (const Index i : group) ++of_class[static_cast<std::size_t>(subject.data.labels()[i])];
    Offset most = 0;
    for (const Index i : group) {
      Offset& same = of_class[static_cast<std::size_t>(subject.data.labels()[i])];
      if (same == 0) continue;  // class counted already
      most = std::max(most, same);
      out.same += static_cast<double>(same) * static_cast<double>(same - 1) /
                  static_cast<double>(group.size() - 1);
      same = 0;
    }
    right += static_cast<double>(most);
    grouped += static_cast<double>(group.size());
  }
  if (grouped > 0) out.same /= grouped;
  out.ceiling = (nodes - grouped + right) / nodes;
  return out;
}

void run(const AuditSubject& subject, std::vector<Finding>& findings) {
  const Dataset& data = subject.data;
  const Groups groups = equal_features(data.features);
  if (groups.empty()) return;
  std::vector<Index> copies;
  Offset members = 0;
  for (const auto& group : groups) {
    copies.insert(copies.end(), group.begin() + 1, group.end());
    members += static_cast<Offset>(group.size());
  }
  std::sort(copies.begin(), copies.end());
  const auto found = static_cast<Offset>(copies.size());
  const Agreement agreement = agreement_of(subject, groups);
  const bool are_copies = agreement.kappa() >= kCopies;
  const Straddling straddle = straddling(data, groups);
  const double share = data.stored_splits.empty() ? static_cast<double>(found) / data.nodes()
                                                  : straddle.share[straddle.worst];
  Finding out;
  out.id = "duplicate-nodes-by-features";
  out.count = found;
  out.severity = are_copies && share >= kMany ? Severity::kWarning : Severity::kInfo;
  out.title = fmt::format("{} {} exactly the features of an earlier node",
                          text::count(found, "node"), text::verb(found, "has", "have"));
  out.evidence = fmt::format(
      "{} in {} of equal features, e.g. {}. Two nodes of a group have the same class in {} of "
      "cases, two nodes at random in {}. The best function of the features alone could be right on "
      "at most {:.2f} % of all nodes.",
      text::count(members, "node"), text::count(static_cast<Offset>(groups.size()), "group"),
      text::nodes(groups.front()), text::percent(agreement.same), text::percent(agreement.chance),
      100 * agreement.ceiling);
  out.details = {{"groups", groups.size()},
                 {"nodes_in_groups", members},
                 {"same_class_share", agreement.same},
                 {"same_class_share_by_chance", agreement.chance},
                 {"best_accuracy_from_features", agreement.ceiling},
                 {"examples", text::examples(groups.front())}};
  if (!data.stored_splits.empty()) {
    out.evidence +=
        fmt::format(" Test nodes with such a node in training: {}.", straddle.worst_text());
    straddle.add_to(out.details);
  }
  out.advice =
      are_copies
          ? "Find out whether these are one object entered twice. If so, keep one of each group, "
            "or keep groups within one part of every split."
          : "Equal nodes often differ in class, so these are features that do not tell nodes apart "
            "rather than copies; nothing to mend, but a model without the graph is bounded by "
            "them.";
  findings.push_back(std::move(out));
}

}  // namespace

extern const AuditCheck audit_check_duplicate_nodes_by_features;
const AuditCheck audit_check_duplicate_nodes_by_features = {
    "duplicate-nodes-by-features", "nodes with exactly the features of another", run,
    Concerns::kNodesOfClasses};

}  // namespace cupel
