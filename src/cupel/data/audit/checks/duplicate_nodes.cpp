// The leak of the Wikipedia article networks: copies of pages that no link enters, in training and
// test at once (Platonov et al., ICLR 2023, section 3).
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

void run(const AuditSubject& subject, std::vector<Finding>& findings) {
  if (!subject.directed) return;
  const Dataset& data = subject.data;
  const Groups groups = wikipedia_groups(*subject.directed, data.labels);
  const std::vector<Index> copies = wikipedia_duplicates(*subject.directed, data.labels);
  if (copies.empty()) return;
  const auto found = static_cast<Offset>(copies.size());
  const Offset telling = count_telling(*subject.directed, copies);
  const bool many = is_leak(*subject.directed, copies);
  const Straddling straddle = straddling(data, groups);

  Finding out;
  out.id = "duplicate-nodes";
  out.kind = "leak";
  out.count = found;
  out.severity = !many                                               ? Severity::kInfo
                 : data.stored_splits.empty() || straddle.most() > 0 ? Severity::kError
                                                                     : Severity::kWarning;
  out.title = fmt::format("{} {} of another: same class, same out-neighbours, and no arc enters {}",
                          text::count(found, "node"), text::verb(found, "is a copy", "are copies"),
                          text::verb(found, "it", "them"));
  out.evidence = fmt::format(
      "{} of {} nodes ({}), e.g. {}; {} of them have {} or more out-neighbours (fewer are easily "
      "equal by chance).",
      text::number(found), text::number(data.nodes()),
      text::percent(static_cast<double>(found) / data.nodes()), text::nodes(copies),
      text::number(telling), kTelling);
  if (!subject.directed_name.empty())
    out.evidence += fmt::format(" Directions are those of {}.", subject.directed_name);
  out.details = {{"share", static_cast<double>(found) / data.nodes()},
                 {"groups", groups.size()},
                 {"with_3_or_more_out_neighbours", telling},
                 {"examples", text::examples(copies)}};
  if (!data.stored_splits.empty()) {
    std::vector<Offset> in_test;
    for (const Split& split : data.stored_splits)
      in_test.push_back(test_nodes_among(split, copies));
    const std::size_t w = straddle.worst;
    out.evidence += fmt::format(
        " Copies make up {} to {} test nodes per split. Test nodes whose copy or original is in "
        "training: {} of {} ({}) in split {}, the worst.",
        text::number(*std::min_element(in_test.begin(), in_test.end())),
        text::number(*std::max_element(in_test.begin(), in_test.end())),
        text::number(straddle.per_split[w]),
        text::number(static_cast<Offset>(data.stored_splits[w].test.size())),
        text::percent(straddle.share[w]), w);
    out.details["copies_in_test_per_split"] = in_test;
    straddle.add_to(out.details);
  }
  out.advice =
      many ? "Remove the copies (`--fix --out FILE`): a model that looks up a test node's copy in "
             "training scores without learning. Report scores on the cleaned data."
           : "Copies by chance are likely (few out-neighbours each). Look at the examples before "
             "removing any: it is not done unless asked for (`--fix=duplicate-nodes --out FILE`).";
  findings.push_back(std::move(out));
}

}  // namespace

extern const AuditCheck audit_check_duplicate_nodes;
const AuditCheck audit_check_duplicate_nodes = {
    "duplicate-nodes", "copies that no arc enters, with the class and out-neighbours of another",
    run};

}  // namespace cupel
