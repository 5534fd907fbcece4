// A made graph with its constants, on which op examples are traced and bound.
#pragma once

#include <cmath>
#include <set>

#include "cupel/engine/program/bound_program.h"
#include "cupel/engine/program/op_example.h"
#include "cupel/engine/program/passes.h"

namespace cupel {

struct ExampleGraph {
  static constexpr Index kNodes = 14;
  Csr adjacency, pattern, features, selection;
  Matrix dense, edge_constant;

  // `copies`: of the one graph, side by side.
  explicit ExampleGraph(Index copies = 1) {
    Stream random(stream_key("example graph"), 0);
    std::set<std::pair<Index, Index>> entries;
    for (Index i = 0; i + 1 < kNodes; ++i) entries.insert({i, i});
    for (int k = 0; k < 22; ++k) {
      // The last node stays isolated, without even a self-loop.
      const auto a = static_cast<Index>(random.next_below(kNodes - 1));
      const auto b = static_cast<Index>(random.next_below(kNodes - 1));
      entries.insert({a, b});
      entries.insert({b, a});
    }
    pattern.rows = pattern.cols = kNodes;
    for (Index i = 0; i < kNodes; ++i) {
      for (const auto& [r, c] : entries)
        if (r == i) pattern.columns.push_back(c);
      pattern.row_ptr.push_back(static_cast<Offset>(pattern.columns.size()));
    }
    adjacency = pattern;
    for (std::size_t e = 0; e < pattern.columns.size(); ++e)
      adjacency.values.push_back(static_cast<float>(0.2 + random.next_unit()));
    features.rows = kNodes;
    features.cols = 9;
    for (Index i = 0; i < kNodes; ++i) {
      for (Index c = 0; c < 9; ++c)
        if (random.next_unit() < 0.45) features.columns.push_back(c);
      features.row_ptr.push_back(static_cast<Offset>(features.columns.size()));
    }
    dense = Matrix(kNodes, 6);
    for (float& v : dense.values) v = static_cast<float>(random.next_normal());
    edge_constant = Matrix(static_cast<Index>(pattern.columns.size()), 2);
    for (float& v : edge_constant.values) v = static_cast<float>(random.next_normal());
    selection.rows = kNodes;
    selection.cols = 4;
    for (Index i = 0; i < kNodes; ++i) {
      selection.columns.push_back(i * i % 7 % 4);  // 0 to 2, six times 0
      selection.row_ptr.push_back(i + 1);
    }
    for (Csr* m : {&adjacency, &pattern, &features, &selection})
      repeat(*m, copies, m == &features || m == &selection ? 0 : kNodes);
    for (Matrix* m : {&dense, &edge_constant}) {
      const AlignedVector<float> once = m->values;
      for (Index c = 1; c < copies; ++c)
        m->values.insert(m->values.end(), once.begin(), once.end());
      m->rows *= copies;
    }
  }
  // Rows again and again, with columns that go on by `shift`.
  static void repeat(Csr& m, Index copies, Index shift) {
    const Csr once = m;
    for (Index c = 1; c < copies; ++c) {
      for (Index r = 0; r < once.rows; ++r)
        m.row_ptr.push_back(m.row_ptr.back() + once.row_size(r));
      for (const Index column : once.columns) m.columns.push_back(column + c * shift);
      m.values.insert(m.values.end(), once.values.begin(), once.values.end());
    }
    m.rows *= copies;
    if (shift > 0) m.cols = m.rows;
  }

  // Declares the constants in the order of `constants()`.
  OpExampleInputs declare(Builder& b) const {
    const SpaceId nodes = b.space("node");
    OpExampleInputs in;
    in.adjacency = b.constant("adjacency", {Layout::kSparse, nodes, 0, pattern.cols});
    in.pattern = b.constant("pattern", {Layout::kSparse, nodes, 0, pattern.cols});
    in.sparse_features = b.constant("sparse features", {Layout::kSparse, nodes, 0, 9});
    in.dense_features = b.constant("dense features", {Layout::kDense, nodes, 0, 6});
    in.edge_constant =
        b.constant("edge constant", {Layout::kDense, b.entry_space(in.pattern), 0, 2});
    in.selection = b.constant("selection", {Layout::kSparse, nodes, 0, 4});
    return in;
  }
  std::vector<ConstantMatrix> constants() const {
    return {{&adjacency, nullptr}, {&pattern, nullptr},       {&features, nullptr},
            {nullptr, &dense},     {nullptr, &edge_constant}, {&selection, nullptr}};
  }
};

// A program over the example graph with parameters that are all non-zero.
struct BoundExample {
  ExampleGraph graph;
  Program program;
  ParameterSet values, gradients;

  explicit BoundExample(const std::function<Value(Builder&, const OpExampleInputs&)>& trace,
                        Index copies = 1)
      : graph(copies),
        program([&] {
          Builder b;
          const OpExampleInputs in = graph.declare(b);
          return b.finish(trace(b, in));
        }()),
        values(program.parameters),
        gradients(program.parameters) {
    initialise(program.parameters, stream_key("example weights"), values);
    Stream random(stream_key("example noise"), 1);
    for (int slot = 0; slot < static_cast<int>(values.count()); ++slot) {
      const DenseView view = values.view(slot);
      for (Index i = 0; i < view.rows * view.cols; ++i)
        view.data[i] += static_cast<float>(0.1 * random.next_normal());
    }
  }

  BoundProgram bind(std::vector<Index> rows, bool prune, bool training = true,
                    Threads threads = {}) {
    return BoundProgram(
        compile(program, training),
        {graph.constants(), std::move(rows), prune, &values, training ? &gradients : nullptr},
        threads);
  }
};

}  // namespace cupel
