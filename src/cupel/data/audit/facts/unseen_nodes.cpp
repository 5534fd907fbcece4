// Nodes that no fact has, and nodes of test that training does not know.
#include "cupel/data/audit/facts_audit.h"
#include "cupel/data/audit/wording.h"
#include "cupel/data/facts/seen.h"

namespace cupel {
namespace {

namespace text = audit_text;

constexpr double kWorthKnowing = 0.1, kMost = 0.5;

void without_facts(const FactSubject& subject, std::vector<Finding>& findings) {
  const NodeSet seen(subject.columns, subject.threads);
  std::vector<Index> found;
  for (Index node = 0; node < subject.columns.nodes; ++node)
    if (!seen.has(node)) found.push_back(node);
  if (found.empty()) return;
  Finding out;
  out.id = "nodes-without-facts";
  out.severity = Severity::kInfo;
  out.count = std::ssize(found);
  out.title = fmt::format("{} in no fact",
                          text::count(out.count, "node") + text::verb(out.count, " is", " are"));
  out.evidence = fmt::format("They are, among {}: {}.", text::count(subject.columns.nodes, "node"),
                             fact_text::names(subject.facts, found));
  out.details = {{"nodes", subject.columns.nodes},
                 {"examples", fact_text::examples(subject.facts, found)}};
  out.advice =
      "No model learns anything of them, and yet they are candidates where all nodes are ranked.";
  findings.push_back(std::move(out));
}

void run(const FactSubject& subject, std::vector<Finding>& findings) {
  without_facts(subject, findings);
  if (!subject.shares || subject.shares->nodes == 0) return;
  const std::vector<Index>& found = subject.shares->unseen;
  const Offset nodes = subject.shares->nodes;
  const double share = static_cast<double>(found.size()) / static_cast<double>(nodes);
  if (share < kWorthKnowing) return;
  Finding out;
  out.id = "unseen-nodes";
  out.severity = share >= kMost ? Severity::kWarning : Severity::kInfo;
  out.count = std::ssize(found);
  out.title = fmt::format("training has never seen {} of the nodes of test", text::percent(share));
  out.evidence =
      fmt::format("{} of {}: {}.", text::number(out.count), text::count(nodes, "test node"),
                  fact_text::names(subject.facts, found));
  out.details = {{"test_nodes", nodes},
                 {"share", share},
                 {"examples", fact_text::examples(subject.facts, found)}};
  out.advice =
      "A model that has an embedding for each node cannot rank them. Report the groups one by one, "
      "and how many questions have such an end (`cupel stats --split`).";
  findings.push_back(std::move(out));
}

}  // namespace

extern const FactCheck fact_check_unseen_nodes;
const FactCheck fact_check_unseen_nodes = {"unseen-nodes", "nodes that are never seen", run};

}  // namespace cupel
