// Some graphs of a set as one small graph: a program's constants, cut to them.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "cupel/base/random.h"
#include "cupel/engine/program/equal_rows.h"
#include "cupel/engine/program/program.h"
#include "cupel/engine/program/row_sets.h"
#include "cupel/learn/layers/graph_inputs.h"

namespace cupel {

// Takes graphs of a set, again and again, in memory of its own. Not thread-safe.
class GraphBatch {
 public:
  // The constants of `inputs`, which `program` reads, are those of the whole set, as are `equal`,
  // and `start` the first node of each of its graphs (graphs + 1). All must outlive this; of the
  // program only its shapes are read.
  GraphBatch(const Program& program, const GraphInputs& inputs, const EqualRows& equal,
             const std::vector<Index>& start);

  // From now on constants() are the union of these graphs, in this order: rows and columns of
  // nodes, arcs and graphs are numbered anew.
  void take(std::span<const Index> graphs);
  const std::vector<ConstantMatrix>& constants() const { return taken_; }
  // Rows of the program's values that are equal, as a binding wants them.
  const std::vector<const RowClasses*>& equal() const { return equal_here_; }
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  enum class Rows : std::uint8_t { kStatic, kNodes, kGraphs, kArcs };
  struct Extent {
    Rows rows = Rows::kStatic;
    const Csr* pattern = nullptr;  // kArcs: whose entries
  };
  struct Part {
    Extent extent;
    bool names_nodes = false;     // columns are nodes
    std::unique_ptr<Csr> sparse;  // what was taken
    std::unique_ptr<Matrix> dense;
  };
  // Rows of the whole set that belong to graph g.
  std::pair<Offset, Offset> range(const Extent& extent, Index g) const;
  void take_equal(std::span<const Index> graphs);
  void take_sparse(const Csr& whole, Part& part, std::span<const Index> graphs) const;
  // What `next` hold of `whole`, some of them, on its way to the caches.
  void fetch_ahead(const Csr& whole, const Part& part, std::span<const Index> next) const;
  void take_dense(const Matrix& whole, Part& part, std::span<const Index> graphs) const;

  std::vector<ConstantMatrix> whole_, taken_;
  const EqualRows& equal_;
  const std::vector<Index>& start_;
  std::vector<Part> parts_;
  std::vector<Extent> partitions_;
  std::vector<RowClasses> classes_;  // by partition
  std::vector<const RowClasses*> equal_here_;
};

// One pass over training graphs, `size` at a time, in an order drawn by `stream`: places in
// `graphs`, in each batch by ascending graph. A single graph that is left over is left out.
[[nodiscard]] std::vector<std::vector<Index>> drawn_batches(std::span<const Index> graphs,
                                                            std::size_t size, Stream stream);

}  // namespace cupel
