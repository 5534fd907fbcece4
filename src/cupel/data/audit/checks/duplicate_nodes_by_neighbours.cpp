// Nodes with the class and the neighbours of another: no message-passing model sees a difference in
// structure between them, and with equal features none at all.
#include <algorithm>
#include <cmath>
#include <map>

#include "cupel/data/audit/audit.h"
#include "cupel/data/audit/groups.h"
#include "cupel/data/audit/split_parts.h"
#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

namespace text = audit_text;

constexpr double kMany = 0.01;  // of all nodes

// The chance that two nodes of a class have equal features, by class.
std::vector<double> equal_by_chance(const Groups& twins, const std::vector<Index>& labels) {
  std::map<Index, double> sizes;
  for (const Index label : labels) ++sizes[label];
  std::map<Index, double> pairs;
  for (const auto& group : twins) {
    std::map<Index, double> of_class;
    for (const Index node : group) ++of_class[labels[static_cast<std::size_t>(node)]];
    for (const auto& entry : of_class) pairs[entry.first] += entry.second * (entry.second - 1);
  }
  std::vector<double> out;
  for (const auto& entry : sizes) {
    if (entry.first < 0) continue;
    out.resize(static_cast<std::size_t>(entry.first) + 1);
    if (entry.second > 1) out.back() = pairs[entry.first] / (entry.second * (entry.second - 1));
  }
  return out;
}

void run(const AuditSubject& subject, std::vector<Finding>& findings) {
  const Dataset& data = subject.data;
  const Groups groups = equal_neighbours(subject.undirected, data.labels(), 1);
  if (groups.empty()) return;
  const Groups twins = equal_features(data.features);
  const std::vector<Index> twin = group_of_node(twins, static_cast<Index>(data.nodes()));
  const std::vector<double> chance = equal_by_chance(twins, data.labels());
  double chance_copies = 0;  // in features as well, of those in `groups`
  std::vector<Index> copies;
  Offset telling = 0;
  Groups whole;  // equal in everything
  for (const auto& group : groups) {
    copies.insert(copies.end(), group.begin() + 1, group.end());
    if (subject.undirected.row_size(group.front()) >= kTelling)
      telling += static_cast<Offset>(group.size()) - 1;
    const Index label = data.labels()[static_cast<std::size_t>(group.front())];
    for (std::size_t before = 1; before < group.size(); ++before)
      chance_copies +=
          std::min(1.0, static_cast<double>(before) * chance[static_cast<std::size_t>(label)]);
    std::vector<Index> by_features = group;
    std::stable_sort(by_features.begin(), by_features.end(),
                     [&](Index a, Index b) { return twin[a] < twin[b]; });
    for (std::size_t from = 0, to = 0; from < by_features.size(); from = to) {
      while (to < by_features.size() && twin[by_features[to]] == twin[by_features[from]]) ++to;
      if (to - from > 1 && twin[by_features[from]] >= 0)
        whole.emplace_back(by_features.begin() + static_cast<std::ptrdiff_t>(from),
                           by_features.begin() + static_cast<std::ptrdiff_t>(to));
    }
  }
  std::sort(copies.begin(), copies.end());
  Offset whole_copies = 0;
  for (const auto& group : whole) whole_copies += static_cast<Offset>(group.size()) - 1;
  const auto found = static_cast<Offset>(copies.size());
  const double nodes = data.nodes();
  const bool many = static_cast<double>(telling) >= kMany * nodes ||
                    static_cast<double>(whole_copies) - chance_copies >= kMany * nodes;

  Finding out;
  out.id = "duplicate-nodes-by-neighbours";
  out.count = found;
  out.severity = many ? Severity::kWarning : Severity::kInfo;
  out.title = fmt::format("{} {} the class and exactly the neighbours of an earlier node",
                          text::count(found, "node"), text::verb(found, "has", "have"));
  out.evidence = fmt::format(
      "{} with their likes in {}, e.g. {}; {} of the {} have {} or more neighbours, {} also {} "
      "features.",
      text::count(found + static_cast<Offset>(groups.size()), "node"),
      text::count(static_cast<Offset>(groups.size()), "group"), text::nodes(groups.front()),
      text::number(telling), text::number(found), kTelling, text::number(whole_copies),
      text::verb(whole_copies, "has equal", "have equal"));
  if (std::round(chance_copies) >= 1) {
    out.evidence += fmt::format(
        " So many nodes of a class have equal features that chance accounts "
        "for about {} of these {}.",
        text::number(std::llround(chance_copies)), text::number(whole_copies));
  }
  out.details = {{"groups", groups.size()},
                 {"with_3_or_more_neighbours", telling},
                 {"with_equal_features", whole_copies},
                 {"examples", text::examples(groups.front())}};
  if (!data.stored_splits.empty()) {
    const Straddling straddle = straddling(data, groups);
    out.evidence +=
        fmt::format(" Test nodes with such a node in training: {}.", straddle.worst_text());
    straddle.add_to(out.details);
  }
  out.advice = many ? "Find out whether these are one object entered twice; then keep one of each "
                      "group, or keep groups within one part of every split. An undirected file "
                      "may hide a leak that the directed one shows: audit that one too."
                    : "Common where nodes have few neighbours; look at the examples.";
  findings.push_back(std::move(out));
}

}  // namespace

extern const AuditCheck audit_check_duplicate_nodes_by_neighbours;
const AuditCheck audit_check_duplicate_nodes_by_neighbours = {
    "duplicate-nodes-by-neighbours", "nodes with the class and exactly the neighbours of another",
    run, Concerns::kNodesOfClasses};

}  // namespace cupel
