#include "cupel/learn/layers/graph_inputs.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "cupel/base/error.h"
#include "cupel/data/graph/graph.h"
#include "cupel/learn/layers/operators.h"

namespace cupel {
namespace {

Csr pattern(const Csr& adjacency, bool self_loops) {
  return pattern_of(self_loops ? add_self_loops(adjacency) : adjacency);
}

std::string form(const char* name, bool self_loops) {
  return std::string(name) + (self_loops ? " with self-loops" : "");
}

// Where sparse products pay: a quarter of the numbers, with a column number each.
bool mostly_zero(const Matrix& matrix) {
  const auto zeros = std::count(matrix.values.begin(), matrix.values.end(), 0.0f);
  return static_cast<std::size_t>(zeros) * 4 >= matrix.values.size() * 3;
}

Csr stored_entries(const Features& features) {
  if (const auto* csr = std::get_if<Csr>(&features)) return *csr;
  const Matrix& dense = std::get<Matrix>(features);
  Csr out;
  out.rows = dense.rows;
  out.cols = dense.cols;
  for (Index i = 0; i < dense.rows; ++i) {
    for (Index j = 0; j < dense.cols; ++j) {
      if (dense(i, j) == 0.0f) continue;
      out.columns.push_back(j);
      out.values.push_back(dense(i, j));
    }
    out.row_ptr.push_back(static_cast<Offset>(out.columns.size()));
  }
  return out;
}

}  // namespace

GraphInputs::GraphInputs(Builder& builder, const TaskView& task)
    : builder_(builder),
      graph_(task.shared_graph()),
      outputs_(task.classes()),
      task_(task),
      nodes_(builder.space("node")) {}

GraphInputs::GraphInputs(Builder& builder, std::shared_ptr<const VisibleGraph> graph, Index outputs)
    : builder_(builder),
      graph_(std::move(graph)),
      outputs_(outputs),
      nodes_(builder.space("node")) {}

const TaskView& GraphInputs::task() const {
  if (!task_)
    fail(
        "data set '{}': the model reads labels of nodes, and links are asked about; take another "
        "encoder",
        graph_->name());
  return *task_;
}

Unit GraphInputs::unit_of(SpaceId space) const {
  if (space == nodes_) return Unit::kNode;
  if (graphs_ != kStaticSpace && space == graphs_) return Unit::kGraph;
  throw std::logic_error("[inputs] a row space that is neither of nodes nor of graphs");
}

const Value* GraphInputs::declared(const std::string& name) const {
  for (const auto& [known, value] : declared_)
    if (known == name) return &value;
  return nullptr;
}

Value GraphInputs::declare_derived(const std::string& name, SpaceId space,
                                   const DerivedMatrix& make) {
  if (const Value* known = declared(name)) return *known;
  std::shared_ptr<const Csr> matrix = graph_->derived(name, make);
  const Value value = builder_.constant(name, {Layout::kSparse, space, 0, matrix->cols});
  constants_.push_back({matrix.get(), nullptr});
  held_.push_back(std::move(matrix));
  declared_.emplace_back(name, value);
  return value;
}

Value GraphInputs::sparse(const std::string& name, const DerivedMatrix& make) {
  return declare_derived(name, nodes_, make);
}

Value GraphInputs::sparse_over(const std::string& space, const std::string& name,
                               const DerivedMatrix& make) {
  auto known = std::ranges::find(others_, space, &std::pair<std::string, SpaceId>::first);
  if (known == others_.end()) known = others_.insert(others_.end(), {space, builder_.space(space)});
  return declare_derived(name, known->second, make);
}

Value GraphInputs::feature_matrix() {
  const std::string name = "features";
  if (const Value* known = declared(name)) return *known;
  const Features& features = graph_->features();
  const auto* dense = std::get_if<Matrix>(&features);
  if (dense != nullptr && mostly_zero(*dense))
    return sparse(name, [](const Csr&, const Features& f) { return stored_entries(f); });
  const Value value = builder_.constant(name, {dense == nullptr ? Layout::kSparse : Layout::kDense,
                                               nodes_, 0, feature_count(features)});
  constants_.push_back({dense == nullptr ? &std::get<Csr>(features) : nullptr, dense});
  declared_.emplace_back(name, value);
  return value;
}

Value GraphInputs::declare(const std::string& name, SpaceId space,
                           std::shared_ptr<const Features> matrix) {
  if (const Value* known = declared(name)) return *known;
  const auto* sparse = std::get_if<Csr>(matrix.get());
  const Value value = builder_.constant(name, {sparse != nullptr ? Layout::kSparse : Layout::kDense,
                                               space, 0, feature_count(*matrix)});
  constants_.push_back({sparse, std::get_if<Matrix>(matrix.get())});
  held_.push_back(std::move(matrix));
  declared_.emplace_back(name, value);
  return value;
}

SpaceId GraphInputs::graph_space() {
  if (!graph_->set()) throw std::logic_error("[inputs] the data set is one graph");
  if (graphs_ == kStaticSpace) graphs_ = builder_.space("graph");
  return graphs_;
}

Value GraphInputs::node_features(const std::string& composition) {
  const std::string name = "node features " + composition;
  return declare(name, nodes_, graph_->derived<Features>(name, [&] {
    return cupel::node_features(graph_->feature_source(), composition);
  }));
}

Value GraphInputs::graph_features(const std::string& composition) {
  const std::string name = "graph features " + composition;
  return declare(name, graph_space(), graph_->derived<Features>(name, [&] {
    return Features(cupel::graph_features(graph_->feature_source(), composition));
  }));
}

Value GraphInputs::members(bool mean) {
  const std::string name = mean ? "members, averaged" : "members";
  return declare(name, graph_space(), graph_->derived<Features>(name, [&] {
    return Features(member_operator(graph_->set()->start, mean));
  }));
}

Value GraphInputs::features_by_row_sum() {
  return sparse("features by row sum", [](const Csr&, const Features& features) {
    Csr out = stored_entries(features);
    if (out.values.empty()) out.values.assign(out.columns.size(), 1.0f);
    for (Index i = 0; i < out.rows; ++i) {
      double sum = 0;
      for (Offset e = out.row_ptr[i]; e < out.row_ptr[i + 1]; ++e) sum += out.values[e];
      const double scale = sum != 0 ? 1.0 / sum : 0.0;
      for (Offset e = out.row_ptr[i]; e < out.row_ptr[i + 1]; ++e)
        out.values[e] = static_cast<float>(out.values[e] * scale);
    }
    return out;
  });
}

Value GraphInputs::entry_constant(const std::string& name, Value pattern,
                                  const std::function<Matrix(const Csr& pattern)>& make) {
  if (const Value* known = declared(name)) return *known;
  const Csr& matrix = *constants_[builder_.program().nodes[pattern.id].slot].sparse;
  auto made = std::make_unique<Matrix>(make(matrix));
  const Value value =
      builder_.constant(name, {Layout::kDense, builder_.entry_space(pattern), 0, made->cols});
  constants_.push_back({nullptr, made.get()});
  held_dense_.push_back(std::move(made));
  declared_.emplace_back(name, value);
  return value;
}

std::size_t GraphInputs::memory_bytes() const {
  std::size_t bytes = 0;
  for (const auto& matrix : held_dense_) bytes += matrix->values.size() * sizeof(float);
  return bytes;
}

EqualRows GraphInputs::equal_rows(const Program& compiled) const {
  return find_equal_rows(compiled, constants_, [&](const std::string& description, auto& make) {
    return graph_->derived<EqualRows::Partition>(description, make);
  });
}

Value GraphInputs::adjacency(bool self_loops) {
  const std::string name = form("adjacency", self_loops);
  return sparse(name, [=](const Csr& a, const Features&) { return pattern(a, self_loops); });
}

Value GraphInputs::symmetric_normalised(bool self_loops) {
  return sparse(
      form("symmetric normalised adjacency", self_loops),
      [=](const Csr& a, const Features&) { return symmetric_operator(pattern(a, self_loops)); });
}

Value GraphInputs::row_normalised(bool self_loops) {
  return sparse(form("row normalised adjacency", self_loops), [=](const Csr& a, const Features&) {
    return mean_operator(pattern(a, self_loops));
  });
}

Value GraphInputs::static_constant(const std::string& name, Matrix matrix) {
  if (const Value* known = declared(name)) return *known;
  const Value value =
      builder_.constant(name, {Layout::kDense, kStaticSpace, matrix.rows, matrix.cols});
  held_dense_.push_back(std::make_unique<Matrix>(std::move(matrix)));
  constants_.push_back({nullptr, held_dense_.back().get()});
  declared_.emplace_back(name, value);
  return value;
}

Value GraphInputs::degree_coordinates(bool self_loops) {
  return entry_constant(
      form("degree coordinates", self_loops), adjacency(self_loops), [](const Csr& a) {
        Matrix out(static_cast<Index>(a.entries()), 2);
        const auto scale = [&](Index i) {
          return a.row_size(i) > 0
                     ? static_cast<float>(1.0 / std::sqrt(static_cast<double>(a.row_size(i))))
                     : 0.0f;
        };
        for (Index i = 0; i < a.rows; ++i)
          for (Offset e = a.row_ptr[i]; e < a.row_ptr[i + 1]; ++e) {
            float* row = out.row(static_cast<Index>(e));
            row[0] = scale(i);
            row[1] = scale(a.columns[e]);
          }
        return out;
      });
}

}  // namespace cupel
