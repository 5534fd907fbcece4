// Copies of nodes that chance does not explain.
//
// The rule of Platonov et al. (ICLR 2023, section 3; wikipedia_duplicates()) calls a node a copy if
// no arc enters it and an entered node has its class and its out-neighbours. In a graph where most
// nodes have few out-neighbours, citations for one, many nodes fit that without being copies. How
// many is estimated here, by ranges of out-degrees (1, 2, 3, 4, 5 to 8, 9 to 16, ...):
//
//   out-degree 1   pairs of such nodes of a class with one target, if each drew its target as arcs
//                  of that class do: sum_c C(m_c, 2) sum_j T_cj (T_cj - 1) / (t_c (t_c - 1)), with
//                  m_c such nodes, T_cj arcs from the class to j, t_c arcs from it at all.
//   out-degree d   pairs of different out-neighbourhoods, of one class and of d nodes each, that
//                  agree in all but one. Whatever brings out-neighbourhoods together by degrees
//                  (popular targets, references taken from references) yields no fewer of these
//                  than of equal ones; copying yields equal ones alone.
//
// A pair makes a copy if just one of the two is entered: times 2 u (1 - u), where the share u of
// the range's nodes is not entered. Where that explains less than half of a range's copies, they
// are beyond chance. Of other ranges those are whose features equal the entered node's, if equal
// features within a class are rare enough to be no chance either.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cupel/data/audit/groups.h"

namespace cupel {

enum class CopyRule {
  kBeyondChance,
  kWikipedia,  // the paper's: whatever fits is a copy
};
[[nodiscard]] std::string to_text(CopyRule rule);                             // "beyond-chance"
[[nodiscard]] std::optional<CopyRule> copy_rule_of(const std::string& name);  // nothing: unknown

struct CopyRange {
  Offset least = 0, most = 0;  // out-degrees
  Offset copies = 0;           // by the paper's rule
  double by_chance = 0;        // of these, as estimated
  Offset equal_features = 0;   // copies with the features of an entered node of their group
  double equal_by_chance = 0;
  bool beyond = false;        // most are no chance
  bool equal_beyond = false;  // most with equal features are no chance
};

struct NodeCopies {
  std::vector<Index> all;         // by the paper's rule, ascending
  std::vector<Index> beyond;      // of them, those that chance does not explain, ascending
  std::vector<Index> found;       // of them, those of a leak; empty without one
  std::vector<CopyRange> ranges;  // that have copies, ascending
  double by_chance = 0;           // over all ranges
  double excess = 0;  // copies beyond chance, those of out-degree 1 only by their features
  bool is_leak = false;
};

// By kBeyondChance there is a leak if the excess, less one, is at least two and half a percent of
// the nodes; then it consists of the copies beyond chance, `beyond`. By kWikipedia every copy is of
// a leak.
// Time near-linear in arcs and features; pure. Throws as wikipedia_duplicates() does.
[[nodiscard]] NodeCopies node_copies(const Csr& directed, std::span<const Index> labels,
                                     const Features& features, CopyRule rule);

// Pairs of different rows of `graph` of one label and as many columns as one another, at least one,
// that share all columns but one, among the rows named; of rows with the same label and columns one
// counts. Exact but for collisions of 64-bit hashes. `among` should hold rows of one size.
[[nodiscard]] double almost_equal_rows(const Csr& graph, std::span<const Index> labels,
                                       std::span<const Index> among);

}  // namespace cupel
