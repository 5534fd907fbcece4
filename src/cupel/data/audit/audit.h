// Audit: what is wrong with a data set, before anyone trains on it.
//
// One file per check in checks/, which defines `extern const AuditCheck audit_check_<file stem>`;
// the build lists them. A check reads the subject and adds findings, or none if all is well.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "cupel/data/audit/finding.h"
#include "cupel/data/audit/node_copies.h"
#include "cupel/data/dataset.h"

namespace cupel {

// Pairs {i, j}, i != j, by how their arcs are stored.
struct Direction {
  Offset both = 0;   // i -> j and j -> i
  Offset up = 0;     // the arc from the smaller to the larger id only
  Offset down = 0;   // the other one only
  Offset loops = 0;  // nodes with an arc to themselves

  Offset pairs() const { return both + up + down; }
  // No pair has both arcs and nearly all arcs (19 of 20) go to the same side: an undirected graph
  // with each edge stored once, as far as arcs can tell.
  bool is_stored_once() const {
    return both == 0 && pairs() > 0 && std::min(up, down) * 20 <= pairs();
  }
  // Pairs in one direction occur both upwards and downwards: the direction says something. (Files
  // of undirected graphs store all pairs twice, or each once.)
  bool is_directed() const { return up > 0 && down > 0 && !is_stored_once(); }
};
[[nodiscard]] Direction direction_of(const Csr& graph);

// A data set as stored, and what many checks ask of it, computed once. Refers to the data set.
struct AuditSubject {
  explicit AuditSubject(const Dataset& dataset, std::vector<std::string> steps = {});

  const Dataset& data;
  // The steps that the data set is trained with, where they are known.
  std::vector<std::string> preparation;
  // The same graph with the direction of its arcs: data.adjacency if that has them, else that of a
  // directed version of the data set, if one was given; or nullptr.
  const Csr* directed = nullptr;
  std::string directed_name;  // of that version, "" where it is the data set itself
  Csr undirected;             // simple graph: symmetric, no loops, a pattern; of a set empty
  Direction direction;        // of a set nothing: its readers make graphs undirected
  std::vector<Offset> class_sizes;
  Offset labelled = 0;                           // examples that have a class
  CopyRule copy_rule = CopyRule::kBeyondChance;  // which nodes are called copies
  const char* example = "node";  // what has a label and is in a split: "node" or "graph"

  // Whether the preparation has the step (its argument aside).
  bool prepares(const std::string& step) const;
  std::string class_name(Index c) const;  // "class '3'"
};

// Makes the directed version of an undirected data set known to the checks. Throws Error if it is
// not the same graph with the same labels, if every arc of it has its reverse, or if there are sets
// of graphs. A graph that looks as if stored once is one if the caller says so.
void set_directed_version(AuditSubject& subject, const Dataset& directed);

// What a check is about, and so the data sets that it looks at.
enum class Concerns {
  kGraph,           // one graph, its nodes and their features
  kSet,             // a set of graphs
  kExamples,        // what both have: splits and numbers of examples, nodes or graphs
  kClasses,         // the same where each example has one class, not several tasks
  kSetOfClasses,    // a set of graphs with one class each
  kNodesOfClasses,  // one graph whose nodes have classes
};

struct AuditCheck {
  const char* name;  // "tiny-class": the id of its findings, or of most
  const char* doc;   // one sentence, for listings
  void (*run)(const AuditSubject& subject, std::vector<Finding>& findings);
  Concerns concerns = Concerns::kGraph;
};
[[nodiscard]] bool applies(const AuditCheck& check, const Dataset& dataset);

// Sorted by file name.
[[nodiscard]] const std::vector<const AuditCheck*>& audit_checks();

// Findings of all checks that apply: errors first, then warnings, then infos; within these in the
// order of the checks. A pure function of the subject.
[[nodiscard]] std::vector<Finding> audit(const AuditSubject& subject);

// The same order, for findings from elsewhere added to them.
void sort_findings(std::vector<Finding>& findings);

}  // namespace cupel
