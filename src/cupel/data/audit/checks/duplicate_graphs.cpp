// Graphs that are the same but for the order of their nodes: a test graph that was trained on, or
// equal graphs whose labels contradict one another (Ivanov, Sviridov and Burnaev, "Understanding
// isomorphism bias in graph data sets", 2019).
#include <algorithm>
#include <cmath>
#include <map>

#include "cupel/data/audit/audit.h"
#include "cupel/data/audit/equal_graphs.h"
#include "cupel/data/audit/row_numbers.h"
#include "cupel/data/audit/split_parts.h"
#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

namespace text = audit_text;

// Shares of graphs with an equal one: from here on worth a warning, and an error.
constexpr double kSome = 0.01, kMany = 0.1;
constexpr int kFolds = 10;

const std::string kAll = "duplicate-graphs";  // in all that the data set has

struct Level {
  std::string id;  // of its finding
  GraphAspects aspects;
  std::vector<const char*> compared;  // besides edges
};

// All that the data set has, then what models may see of it.
std::vector<Level> levels_of(const Dataset& data) {
  const bool labels = feature_count(data.features) > 0;
  const bool attributes = data.graphs->node_attributes.cols > 0;
  const bool arcs = data.graphs->arc_attributes.cols > 0;
  std::vector<Level> out = {{kAll, {}, {}}};
  if (labels) out[0].compared.push_back("node labels");
  if (attributes) out[0].compared.push_back("node attributes");
  if (arcs) out[0].compared.push_back("edge labels and attributes");
  if (labels && (attributes || arcs))
    out.push_back({"duplicate-graphs-by-labels", {true, false, false}, {"node labels"}});
  if (labels || attributes || arcs)
    out.push_back({"duplicate-graphs-by-structure", {false, false, false}, {}});
  return out;
}

struct Counts {
  Offset copies = 0;        // have an equal graph before them
  Offset same_label = 0;    // have one with the same label before them
  Offset in_groups = 0;     // have an equal graph
  Offset contradicted = 0;  // have an equal graph with another label
  Offset contradicting_groups = 0;
  std::size_t largest = 0;      // number of the group
  double best_accuracy = 1;     // of a model that answers equal graphs alike
  double outside_own_fold = 0;  // expected share of graphs with an equal one in another fold
};

Counts count_copies(const Groups& groups, const std::vector<Index>& labels) {
  Counts out;
  const auto graphs = static_cast<double>(labels.size());
  Offset wrong = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const auto size = static_cast<Offset>(groups[g].size());
    std::map<Index, Offset> of_label;
    Offset most = 0;
    for (const Index i : groups[g])
      most = std::max(most, ++of_label[labels[static_cast<std::size_t>(i)]]);
    const auto different = static_cast<Offset>(of_label.size());
    out.copies += size - 1;
    out.same_label += size - different;
    out.in_groups += size;
    out.contradicted += different > 1 ? size : 0;
    out.contradicting_groups += different > 1;
    wrong += size - most;
    if (size > static_cast<Offset>(groups[out.largest].size())) out.largest = g;
    const auto n = static_cast<double>(size);
    out.outside_own_fold += n * (1 - std::pow(1.0 / kFolds, n - 1)) / graphs;
  }
  out.best_accuracy = 1 - static_cast<double>(wrong) / graphs;
  return out;
}

Severity severity_of(const Level& level, const Counts& counts, const Straddling& straddle,
                     const Dataset& data) {
  if (level.id != kAll) return Severity::kInfo;
  const double share = data.stored_splits.empty()
                           ? static_cast<double>(counts.in_groups) / data.examples()
                           : straddle.share[straddle.worst];
  if (share >= kMany) return Severity::kError;
  const bool contradict = 1 - counts.best_accuracy >= kSome;
  return share >= kSome || contradict ? Severity::kWarning : Severity::kInfo;
}

std::string evidence_of(const Level& level, const EqualGraphs& found, const Counts& counts,
                        const Straddling& straddle, const Dataset& data) {
  const auto& largest = found.groups[counts.largest];
  std::string out = fmt::format(
      "Edges{} were compared. {} of {} ({}) are equal to another, in {}; the largest has {} "
      "({}). {} with the same label as an equal one before {}; {} in groups whose labels "
      "contradict one another.",
      level.compared.empty() ? std::string(" alone")
                             : fmt::format(", {}", fmt::join(level.compared, ", ")),
      text::number(counts.in_groups), text::count(data.examples(), "graph"),
      text::percent(static_cast<double>(counts.in_groups) / data.examples()),
      text::count(static_cast<Offset>(found.groups.size()), "group"),
      text::number(static_cast<Offset>(largest.size())), text::ids("graph", largest),
      text::number(counts.same_label) + text::verb(counts.same_label, " is", " are"),
      text::verb(counts.same_label, "it", "them"),
      text::number(counts.contradicted) + text::verb(counts.contradicted, " is", " are"));
  if (counts.contradicted > 0 && !data.has_tasks())
    out += fmt::format(" No model that sees this can be right on more than {:.2f} % of the graphs.",
                       100 * counts.best_accuracy);
  if (!data.stored_splits.empty()) {
    out += fmt::format(" Test graphs with an equal one in training: {}.", straddle.worst_text());
  } else {
    out += fmt::format(
        " With {} random folds, {} of the test graphs have an equal one outside their fold.",
        kFolds, text::percent(counts.outside_own_fold));
  }
  if (found.undecided > 0)
    out += fmt::format(
        " {} so regular that the comparison was given up, and counted as different.",
        text::count(found.undecided, "graph") + text::verb(found.undecided, " is", " are"));
  return out;
}

std::string advice_of(const Level& level, const Counts& counts) {
  if (level.id != kAll)
    return "A model that sees no more than this answers these alike: say in every report what "
           "models were given.";
  std::string out = "Scores on equal graphs measure memory, not learning. ";
  if (counts.same_label > 0)
    out += "`--fix --out FOLDER` writes a copy without repeats of the same label. ";
  if (counts.contradicted > 0)
    out +=
        "Labels that contradict one another are noise or need what is not in the file; "
        "`--fix=contradicting-graphs --out FOLDER` leaves such graphs out. ";
  return out + "Or keep equal graphs in one part of each split.";
}

void run(const AuditSubject& subject, std::vector<Finding>& findings) {
  const Dataset& data = subject.data;
  const std::vector<Index> labels =
      data.has_tasks() ? number_rows(data.task_answers()) : data.labels();
  for (const Level& level : levels_of(data)) {
    const EqualGraphs found = equal_graphs(data, level.aspects);
    if (found.groups.empty()) continue;
    const Counts counts = count_copies(found.groups, labels);
    const Straddling straddle = straddling(data, found.groups);
    Finding out;
    out.id = level.id;
    out.count = counts.copies;
    out.severity = severity_of(level, counts, straddle, data);
    out.title = fmt::format(
        "{} an earlier one{}",
        text::count(counts.copies, "graph") + text::verb(counts.copies, " repeats", " repeat"),
        level.id == kAll         ? ""
        : level.compared.empty() ? ", but for all labels and attributes of nodes and edges"
                                 : ", but for attributes of nodes and edges");
    out.evidence = evidence_of(level, found, counts, straddle, data);
    out.details = {{"compared", level.compared},
                   {"graphs_in_groups", counts.in_groups},
                   {"groups", found.groups.size()},
                   {"largest_group", found.groups[counts.largest].size()},
                   {"copies_with_the_same_label", counts.same_label},
                   {"graphs_contradicted", counts.contradicted},
                   {"groups_with_contradicting_labels", counts.contradicting_groups}};
    if (!data.has_tasks()) out.details["best_accuracy"] = counts.best_accuracy;
    out.details["expected_share_equal_to_one_in_another_of_10_folds"] = counts.outside_own_fold;
    out.details["undecided"] = found.undecided;
    if (!data.stored_splits.empty()) straddle.add_to(out.details);
    out.details["examples"] = text::examples(found.groups[counts.largest]);
    out.advice = advice_of(level, counts);
    findings.push_back(std::move(out));
  }
}

}  // namespace

extern const AuditCheck audit_check_duplicate_graphs;
const AuditCheck audit_check_duplicate_graphs = {
    "duplicate-graphs", "graphs that are the same but for the order of their nodes", run,
    Concerns::kSet};

}  // namespace cupel
