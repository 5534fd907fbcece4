// The leak of the Wikipedia article networks: copies of pages that no link enters, in training and
// test at once (Platonov et al., ICLR 2023, section 3); and what looks like it by chance.
#include <algorithm>

#include "cupel/data/audit/audit.h"
#include "cupel/data/audit/groups.h"
#include "cupel/data/audit/split_parts.h"
#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

namespace text = audit_text;

Offset test_nodes_among(const Split& split, const std::vector<Index>& ascending) {
  return std::count_if(split.test.begin(), split.test.end(), [&](Index i) {
    return std::binary_search(ascending.begin(), ascending.end(), i);
  });
}

// The groups that hold any of the nodes, with their originals and those nodes.
Groups groups_with(const AuditSubject& subject, const NodeCopies& copies) {
  const std::vector<Index>& kept = copies.is_leak ? copies.found : copies.all;
  Groups groups = wikipedia_groups(*subject.directed, subject.data.labels());
  for (auto& group : groups) {
    std::erase_if(group, [&](Index i) {
      return std::binary_search(copies.all.begin(), copies.all.end(), i) &&
             !std::binary_search(kept.begin(), kept.end(), i);
    });
  }
  std::erase_if(groups, [&](const auto& group) {
    return std::ranges::none_of(
        group, [&](Index i) { return std::binary_search(kept.begin(), kept.end(), i); });
  });
  return groups;
}

// By out-degree: how many copies, how many of them chance explains.
nlohmann::ordered_json ranges_json(const NodeCopies& copies) {
  auto out = nlohmann::ordered_json::array();
  for (const CopyRange& range : copies.ranges) {
    out.push_back({{"out_degree_from", range.least},
                   {"out_degree_to", range.most},
                   {"copies", range.copies},
                   {"expected_by_chance", range.by_chance},
                   {"with_equal_features", range.equal_features},
                   {"with_equal_features_expected_by_chance", range.equal_by_chance},
                   {"beyond_chance", range.beyond}});
  }
  return out;
}

// What is said of copies that are no leak.
std::string look_text(const NodeCopies& copies) {
  if (copies.beyond.empty()) return " by chance";
  if (copies.beyond.size() == copies.all.size()) return " beyond chance";
  return fmt::format(", {} of them beyond chance",
                     text::number(static_cast<Offset>(copies.beyond.size())));
}

std::string too_few_text(const NodeCopies& copies) {
  return fmt::format(
      " Beyond chance {} {}: too few for an error (three or more, and over 0.5 % of the nodes, not "
      "counting those of a single out-neighbour).",
      copies.beyond.size() == 1 ? "is" : "are", text::nodes(copies.beyond));
}

std::string advice_for(const NodeCopies& copies) {
  if (copies.is_leak)
    return "Remove the copies (`--fix --out FILE`): a model that looks up a test node's copy in "
           "training scores without learning. Report scores on the cleaned data.";
  return fmt::format(
      "{} Where it is known that such nodes are copies, the paper's rule takes them all (`--rule "
      "wikipedia --fix --out FILE`).",
      copies.beyond.empty() ? "Nothing to mend."
                            : "Find out whether those beyond chance are one object entered twice; "
                              "so few hardly move a score.");
}

std::string chance_text(const NodeCopies& copies, Offset equal_features) {
  const auto found = static_cast<Offset>(copies.all.size());
  const std::string out = fmt::format(
      " Chance accounts for about {:.0f} of {} (single out-neighbours drawn as the class draws its "
      "own; for several, out-neighbourhoods that agree in all but one). ",
      copies.by_chance, found == 1 ? "it" : "these " + text::number(found));
  return out + fmt::format("Features are equal as well in {}.",
                           equal_features == 0 ? "none" : text::number(equal_features));
}

void add_splits(const Dataset& data, const Groups& groups, const std::vector<Index>& copies,
                Finding& out) {
  const Straddling straddle = straddling(data, groups);
  std::vector<Offset> in_test;
  for (const Split& split : data.stored_splits) in_test.push_back(test_nodes_among(split, copies));
  const auto [least, most] = std::minmax_element(in_test.begin(), in_test.end());
  const std::size_t w = straddle.worst;
  out.evidence += fmt::format(
      " Copies make up {} per split. Test nodes whose copy or original is in training: {} of {} "
      "({}) in split {}, the worst.",
      *least == *most
          ? text::count(*most, "test node")
          : fmt::format("{} to {}", text::number(*least), text::count(*most, "test node")),
      text::number(straddle.per_split[w]),
      text::number(static_cast<Offset>(data.stored_splits[w].test.size())),
      text::percent(straddle.share[w]), w);
  out.details["copies_in_test_per_split"] = in_test;
  straddle.add_to(out.details);
}

void run(const AuditSubject& subject, std::vector<Finding>& findings) {
  if (!subject.directed) return;
  const Dataset& data = subject.data;
  const NodeCopies copies =
      node_copies(*subject.directed, data.labels(), data.features, subject.copy_rule);
  if (copies.all.empty()) return;
  const std::vector<Index>& shown = copies.is_leak ? copies.found : copies.all;
  const Groups groups = groups_with(subject, copies);
  const auto found = static_cast<Offset>(shown.size());
  const bool leaks = data.stored_splits.empty() || straddling(data, groups).most() > 0;
  Offset equal_features = 0;
  for (const CopyRange& range : copies.ranges) equal_features += range.equal_features;

  Finding out;
  out.id = "duplicate-nodes";
  out.count = found;
  out.severity = !copies.is_leak ? Severity::kInfo : leaks ? Severity::kError : Severity::kWarning;
  out.title =
      fmt::format("{} {} of another{}: same class, same out-neighbours, and no arc enters {}",
                  text::count(found, "node"),
                  copies.is_leak ? text::verb(found, "is a copy", "are copies")
                                 : text::verb(found, "has the look", "have the look"),
                  copies.is_leak ? "" : look_text(copies), text::verb(found, "it", "them"));
  out.evidence =
      fmt::format("{} of {} ({}), e.g. {}.", text::number(found), text::count(data.nodes(), "node"),
                  text::percent(static_cast<double>(found) / data.nodes()), text::nodes(shown));
  out.evidence += chance_text(copies, equal_features);
  if (!copies.is_leak && !copies.beyond.empty()) out.evidence += too_few_text(copies);
  if (!subject.directed_name.empty())
    out.evidence += fmt::format(" Directions are those of {}.", subject.directed_name);
  out.details = {{"rule", to_text(subject.copy_rule)},
                 {"share", static_cast<double>(found) / data.nodes()},
                 {"groups", groups.size()},
                 {"by_the_rule_wikipedia", copies.all.size()},
                 {"expected_by_chance", copies.by_chance},
                 {"beyond_chance", copies.excess},
                 {"by_out_degree", ranges_json(copies)},
                 {"examples", text::examples(shown)}};
  if (!data.stored_splits.empty()) add_splits(data, groups, shown, out);
  out.advice = advice_for(copies);
  findings.push_back(std::move(out));
}

}  // namespace

extern const AuditCheck audit_check_duplicate_nodes;
const AuditCheck audit_check_duplicate_nodes = {
    "duplicate-nodes", "copies that no arc enters, with the class and out-neighbours of another",
    run, Concerns::kNodesOfClasses};

}  // namespace cupel
