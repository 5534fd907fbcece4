// What the models made for heterophilous graphs declare alike.
#pragma once

#include <string>

#include "cupel/learn/layers/linear.h"
#include "cupel/learn/layers/operators.h"
#include "cupel/learn/layers/settings.h"
#include "cupel/learn/model.h"

namespace cupel {

inline OptionSpec node_order_option() {
  return {.name = "node_order",
          .fallback = std::string("file"),
          .doc =
              "Nodes that the rows of the adjacency belong to: those of the file, or, as the "
              "released code had it, numbered by first appearance in the list of edges, while "
              "features and labels stay in the order of the file.",
          .choices = {"file", "first-appearance"}};
}

inline Exemption node_order_exemption() {
  return {
      Requirement::kEquivariance, "node_order", std::string("first-appearance"),
      "The graph that is read depends on the numbers of its nodes: that is the slip reproduced."};
}

inline OptionSpec features_option(const std::string& fallback) {
  return {.name = "features",
          .fallback = fallback,
          .doc = "As they are, or each row divided by its sum.",
          .choices = {"raw", "row-sum"}};
}

// `column`: what the released code ranks two classes by ("column", "columns").
inline OptionSpec ranking_option(const std::string& released) {
  return {
      .name = "ranking",
      .fallback = std::string("margin"),
      .doc = released == "column"
                 ? "What ranks nodes for ROC AUC: output 1 minus output 0, or, as released, "
                   "output 1 alone."
                 : "What ranks nodes for ROC AUC: output 1 minus output 0, or, as released, the "
                   "mean of both classes' areas, each by its own output.",
      .choices = {"margin", released}};
}

inline Schedule ranked_by(const std::string& ranking, Schedule schedule) {
  schedule.ranking = ranking;
  return schedule;
}

inline Value features_of(GraphInputs& in, const std::string& features) {
  return features == "row-sum" ? in.features_by_row_sum() : in.feature_matrix();
}

// How the fork's collector made the printed mean and deviation of ten splits.
inline Disagreement rounding_disagreement(const std::string& to) {
  return {"(no setting)",
          "The scripts of Platonov et al. 2023 round the score of each split to " + to +
              " before they average. Here nothing is rounded before a report is printed."};
}

// The adjacency in the order of `node_order`. Nodes are numbered by all arcs, self-loops among
// them.
inline Csr in_order(const Csr& adjacency, const std::string& node_order) {
  return node_order == "file" ? adjacency : first_appearance_order(adjacency);
}

// An operator of the graph in the order of `node_order`; `name` says what `make` does.
template <class Make>
Value operator_in_order(GraphInputs& in, const std::string& node_order, const std::string& name,
                        Make make) {
  return in.sparse(
      node_order == "file" ? name : name + ", first-appearance order",
      [=](const Csr& adjacency, const Features&) { return make(in_order(adjacency, node_order)); });
}

}  // namespace cupel
