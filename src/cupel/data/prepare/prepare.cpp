#include "cupel/data/prepare/prepare.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "cupel/base/error.h"
#include "cupel/data/graph/graph.h"

namespace cupel {
namespace {

// ---- what the steps share: keeping some nodes ---------------------------------------------------

Features rows_of(const Features& features, std::span<const Index> nodes) {
  if (const auto* sparse = std::get_if<Csr>(&features)) {
    Csr out;
    out.rows = static_cast<Index>(nodes.size());
    out.cols = sparse->cols;
    out.row_ptr.reserve(nodes.size() + 1);
    for (const Index i : nodes) {
      const Offset from = sparse->row_ptr[i], to = sparse->row_ptr[i + 1];
      out.columns.insert(out.columns.end(), sparse->columns.begin() + from,
                         sparse->columns.begin() + to);
      if (!sparse->is_pattern()) {
        out.values.insert(out.values.end(), sparse->values.begin() + from,
                          sparse->values.begin() + to);
      }
      out.row_ptr.push_back(static_cast<Offset>(out.columns.size()));
    }
    return out;
  }
  const auto& dense = std::get<Matrix>(features);
  Matrix out(static_cast<Index>(nodes.size()), dense.cols);
  for (Index k = 0; k < out.rows; ++k) std::copy_n(dense.row(nodes[k]), dense.cols, out.row(k));
  return out;
}

// Classes that lost all their nodes go; the others keep their order.
void renumber_classes(Dataset& dataset) {
  std::vector<Index> new_class(dataset.class_names.size(), -1);
  for (const Index label : dataset.labels) new_class[label] = 0;
  std::vector<std::string> names;
  for (std::size_t c = 0; c < new_class.size(); ++c) {
    if (new_class[c] < 0) continue;
    new_class[c] = static_cast<Index>(names.size());
    names.push_back(std::move(dataset.class_names[c]));
  }
  for (Index& label : dataset.labels) label = new_class[label];
  dataset.class_names = std::move(names);
}

void keep_nodes(Dataset& dataset, std::span<const Index> nodes) {
  if (static_cast<Index>(nodes.size()) == dataset.nodes()) return;
  std::vector<Index> new_id(dataset.labels.size(), -1);
  for (std::size_t k = 0; k < nodes.size(); ++k) new_id[nodes[k]] = static_cast<Index>(k);

  dataset.adjacency = induced_subgraph(dataset.adjacency, nodes);
  dataset.features = rows_of(dataset.features, nodes);
  std::vector<Index> labels;
  labels.reserve(nodes.size());
  for (const Index i : nodes) labels.push_back(dataset.labels[i]);
  dataset.labels = std::move(labels);
  renumber_classes(dataset);

  const auto follow = [&](std::vector<Index>& part) {
    std::size_t kept = 0;
    for (const Index i : part) {
      if (new_id[i] >= 0) part[kept++] = new_id[i];
    }
    part.resize(kept);
    return kept > 0;
  };
  std::erase_if(dataset.stored_splits, [&](Split& split) {
    const bool train = follow(split.train), valid = follow(split.valid), test = follow(split.test);
    return !(train && valid && test);
  });
}

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

void drop_small_classes(Dataset& dataset, Index limit) {
  std::vector<Index> members(dataset.class_names.size(), 0);
  for (const Index label : dataset.labels) ++members[label];
  std::vector<Index> nodes;
  for (Index i = 0; i < dataset.nodes(); ++i) {
    if (members[dataset.labels[i]] > limit) nodes.push_back(i);
  }
  if (nodes.empty()) {
    fail(
        "{}: step 'drop-small-classes:{}' leaves no node, the largest class has {}; choose a "
        "smaller number",
        dataset.name, limit, *std::ranges::max_element(members));
  }
  keep_nodes(dataset, nodes);
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

struct Step {
  std::string name, doc;
  bool takes_number;  // written NAME:N
  void (*apply)(Dataset&, Index number);
};

const std::vector<Step>& steps_table() {
  static const std::vector<Step> table = {
      {"unweight", "every stored adjacency value becomes 1", false, unweight},
      {"symmetrise", "A := A + A^T, non-zeros become 1", false, make_symmetric},
      {"drop-self-loops", "remove the diagonal and explicit zeros", false, remove_loops},
      {"largest-component", "keep the largest connected component, node order kept", false,
       largest_component},
      {"drop-small-classes", "N: drop the nodes of classes with N or fewer members", true,
       drop_small_classes},
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
    const std::string near = nearest_name(name, known);
    fail("preparation step '{}' is unknown; {}", text,
         near.empty() ? fmt::format("known are {}", fmt::join(known, ", "))
                      : fmt::format("did you mean '{}'?", near));
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

}  // namespace

Dataset prepare(Dataset dataset, const std::vector<std::string>& steps) {
  std::vector<Call> calls;  // all are checked before the first is done
  for (const std::string& text : steps) calls.push_back(parse_step(text));
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
