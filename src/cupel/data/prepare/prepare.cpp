#include "cupel/data/prepare/prepare.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>

#include "cupel/base/error.h"
#include "cupel/base/names.h"
#include "cupel/data/graph/graph.h"
#include "cupel/data/labels.h"
#include "cupel/data/prepare/keep.h"

namespace cupel {
namespace {

// ---- the steps ----------------------------------------------------------------------------------

void unweight(Dataset& dataset, Index) { dataset.adjacency.values = {}; }

void make_symmetric(Dataset& dataset, Index) { dataset.adjacency = symmetrise(dataset.adjacency); }

void remove_loops(Dataset& dataset, Index) {
  dataset.adjacency = drop_self_loops(dataset.adjacency);
}

void largest_component(Dataset& dataset, Index) {
  const Components components = connected_components(dataset.adjacency);
  // Components are numbered by their smallest node, so the first maximum is the documented one.
  const auto largest =
      static_cast<Index>(std::ranges::max_element(components.sizes) - components.sizes.begin());
  std::vector<Index> nodes;
  for (Index i = 0; i < dataset.nodes(); ++i) {
    if (components.of_node[i] == largest) nodes.push_back(i);
  }
  keep_nodes(dataset, nodes);
}

// Drops the examples, nodes or graphs, for which `stays` is false; `leaves_none` says what to do if
// that is all of them.
template <class Stays>
void keep_examples(Dataset& dataset, Stays stays, const std::string& leaves_none) {
  std::vector<Index> kept;
  for (Index i = 0; i < dataset.examples(); ++i) {
    if (stays(i)) kept.push_back(i);
  }
  if (kept.empty()) fail("{}: {}", dataset.name, leaves_none);
  dataset.graphs ? keep_graphs(dataset, kept) : keep_nodes(dataset, kept);
}

void drop_small_classes(Dataset& dataset, Index limit) {
  if (dataset.has_tasks()) {
    fail(
        "{}: step 'drop-small-classes:{}' needs one class for each graph, but there are {} tasks; "
        "leave the step out",
        dataset.name, limit, dataset.tasks());
  }
  std::vector<Index> members(dataset.class_names().size(), 0);
  for (const Index label : dataset.labels()) {
    if (label != kNoLabel) ++members[label];
  }
  const Index largest = members.empty() ? 0 : *std::ranges::max_element(members);
  if (largest <= limit) {
    fail(
        "{}: {}", dataset.name,
        fmt::format("step 'drop-small-classes:{}' leaves no {}, the largest class has {}; choose a "
                    "smaller number",
                    limit, dataset.graphs ? "graph" : "node", largest));
  }
  keep_examples(
      dataset,
      [&](Index i) { return !is_labelled(dataset, i) || members[dataset.labels()[i]] > limit; },
      "");
}

void drop_edgeless_graphs(Dataset& dataset, Index) {
  const std::vector<Index>& start = dataset.graphs->start;
  const std::vector<Offset>& arcs = dataset.adjacency.row_ptr;
  keep_examples(
      dataset, [&](Index g) { return arcs[start[g]] < arcs[start[g + 1]]; },
      "step 'drop-edgeless-graphs' leaves no graph, none has an edge; leave the step out");
}

void binarise_features(Dataset& dataset, Index) {
  if (auto* sparse = std::get_if<Csr>(&dataset.features)) {
    sparse->values = {};
    return;
  }
  for (float& v : std::get<Matrix>(dataset.features).values) v = v == 0.0f ? 0.0f : 1.0f;
}

void normalise(std::span<float> row) {
  double norm = 0;
  for (const float v : row) norm += std::fabs(v);
  if (norm == 0) return;
  for (float& v : row) v = static_cast<float>(v / norm);
}

void row_normalise_features(Dataset& dataset, Index) {
  if (auto* sparse = std::get_if<Csr>(&dataset.features)) {
    if (sparse->is_pattern()) sparse->values.assign(sparse->columns.size(), 1.0f);
    for (Index i = 0; i < sparse->rows; ++i) {
      normalise({sparse->values.data() + sparse->row_ptr[i],
                 static_cast<std::size_t>(sparse->row_size(i))});
    }
    return;
  }
  auto& dense = std::get<Matrix>(dataset.features);
  for (Index i = 0; i < dense.rows; ++i) {
    normalise({dense.row(i), static_cast<std::size_t>(dense.cols)});
  }
}

enum class For { kAll, kOneGraph, kSetOfGraphs };  // kinds of data sets

struct Step {
  std::string name, doc;
  bool takes_number;  // written NAME:N
  void (*apply)(Dataset&, Index number);
  For suits = For::kAll;
};

const std::vector<Step>& steps_table() {
  static const std::vector<Step> table = {
      {"unweight", "every stored adjacency value becomes 1", false, unweight},
      {"symmetrise", "A := A + A^T, non-zeros become 1", false, make_symmetric},
      {"drop-self-loops", "remove the diagonal and explicit zeros", false, remove_loops},
      {"largest-component", "keep the largest connected component, node order kept", false,
       largest_component, For::kOneGraph},
      {"drop-small-classes", "N: drop the nodes (or graphs) of classes with N or fewer members",
       true, drop_small_classes},
      {"drop-edgeless-graphs", "drop the graphs of a set that have no edge", false,
       drop_edgeless_graphs, For::kSetOfGraphs},
      {"binarise-features", "every stored feature value becomes 1", false, binarise_features},
      {"row-normalise-features", "divide each feature row by its L1 norm", false,
       row_normalise_features},
  };
  return table;
}

struct Call {
  const Step* step;
  Index number = 0;
};

Call parse_step(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  const auto& table = steps_table();
  const auto step = std::ranges::find(table, name, &Step::name);
  if (step == table.end()) {
    std::vector<std::string> known;
    for (const Step& s : table) known.push_back(s.name);
    fail("preparation step '{}' is unknown{}", text, near_or_all(name, known));
  }
  Call call{&*step};
  if (!step->takes_number) {
    if (colon != std::string::npos) {
      fail("preparation step '{}' takes no argument; write '{}'", text, name);
    }
    return call;
  }
  const std::string digits = colon == std::string::npos ? "" : text.substr(colon + 1);
  const auto [end, problem] =
      std::from_chars(digits.data(), digits.data() + digits.size(), call.number);
  if (problem != std::errc() || end != digits.data() + digits.size() || call.number < 0) {
    fail("preparation step '{}' needs a whole number of at least 0; write it as '{}:50'", text,
         name);
  }
  return call;
}

void check_suits(const Dataset& dataset, const std::string& text, const Step& step) {
  if (step.suits == For::kOneGraph && dataset.graphs) {
    fail("{}: preparation step '{}' is for one graph, and this is a set of {} graphs; leave it out",
         dataset.name, text, dataset.graphs->size());
  }
  if (step.suits == For::kSetOfGraphs && !dataset.graphs) {
    fail("{}: preparation step '{}' is for sets of graphs, and this is one graph; leave it out",
         dataset.name, text);
  }
}

}  // namespace

Dataset prepare(Dataset dataset, const std::vector<std::string>& steps) {
  std::vector<Call> calls;  // all are checked before the first is done
  for (const std::string& text : steps) {
    calls.push_back(parse_step(text));
    check_suits(dataset, text, *calls.back().step);
  }
  for (std::size_t i = 0; i < calls.size(); ++i) {
    calls[i].step->apply(dataset, calls[i].number);
    dataset.history.push_back({steps[i], dataset.nodes(), dataset.adjacency.entries()});
  }
  return dataset;
}

std::vector<std::pair<std::string, std::string>> preparation_steps() {
  std::vector<std::pair<std::string, std::string>> out;
  for (const Step& step : steps_table()) {
    out.emplace_back(step.takes_number ? step.name + ":N" : step.name, step.doc);
  }
  return out;
}

}  // namespace cupel
