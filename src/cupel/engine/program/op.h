// What an op says about itself: shape, forward, gradient, and which rows it reads.
#pragma once

#include <cassert>
#include <memory>
#include <span>
#include <string_view>

#include "cupel/base/parallel.h"
#include "cupel/base/random.h"
#include "cupel/engine/kernels/row_blocks.h"
#include "cupel/engine/kernels/views.h"
#include "cupel/engine/program/program.h"

namespace cupel {

// The rows of a value that a binding computes. Rows are demanded in groups: a node is its own
// group; the entries of one receiver are a group of an entry space.
struct RowSet {
  std::vector<Index> groups;      // ascending
  std::vector<Index> place;       // of an original group in `groups`, -1 if absent
  std::vector<Index> ids;         // original row numbers (nodes, or entries), ascending
  std::vector<Offset> group_ptr;  // entry spaces: where each group's rows begin in ids, + end
  bool all = false;
  // Where rows that are equal are computed once (see RowClasses): the rows behind each row.
  // `groups` are then the first of each class, and `place` has a place for every row.
  std::vector<float> behind;

  Index size() const { return static_cast<Index>(ids.size()); }
};

// What backward reads of the transpose of a sparse constant that names rows.
enum class Turned : std::uint8_t { kNone, kPlain, kWithEntries };

// A sparse constant cut to a row set, columns renumbered to places of the row set they name.
struct BoundSparse {
  Csr matrix;
  Turned turned = Turned::kNone;  // what is filled of the next two and of transposed_view
  Csr transposed;                 // pattern and values
  std::vector<Offset> entry;      // entry of `matrix` behind each entry of `transposed`
  const Csr* whole = nullptr;     // what it was cut from
  SparseView view, transposed_view;
};

// One input or the output of an op within a binding.
struct Operand {
  DenseView value;  // dense values
  DenseView grad;   // where the gradient goes or comes from; data null if not wanted
  const SparseView* sparse = nullptr;  // sparse values; may change from step to step
  const BoundSparse* bound = nullptr;  // sparse constants that name rows of another input
  const Index* row_map = nullptr;  // sparse same-row inputs: row of the view for each output row
  const RowSet* rows = nullptr;    // null for static values
  bool wants_grad = false;         // known before memory is; grad.data follows it
  bool adds_grad = false;  // add to grad, which holds other readers' part; see Op::adds_gradient
};

// How large an input or the output of an op is within a binding, which is known before there is
// memory.
struct OperandSize {
  Index rows = 0, cols = 0;
  Offset entries = 0;   // of sparse values
  bool valued = false;  // sparse values: each entry has a number
  bool wants_grad = false;
  const RowSet* set = nullptr;  // null for static values, and where the rows are not known
};

// Its rows, cut into blocks by their numbers.
[[nodiscard]] kernels::RowBlocks blocks_of(const OperandSize& size);

// Memory an op keeps within a binding (masks, arg-max positions), and sparse outputs.
struct OpState {
  virtual ~OpState() = default;
};

struct SparseOutput : OpState {
  SparseView view;
};

// One execution of an op.
struct OpRun {
  std::span<const Operand> in;
  const Operand& out;
  OpState* state_pointer;
  Threads threads;
  StreamKey key;
  std::uint32_t step;
  DenseView kept = {};  // see Op::keeps; data null where no gradient will be wanted

  template <class State>
  State& state() const {
    assert(state_pointer != nullptr);
    return static_cast<State&>(*state_pointer);
  }
};

// Which rows of an input an output row needs.
enum class Reads : std::uint8_t {
  kSameRows,    // the same row (in entry spaces: the entries of the same receiver)
  kAllRows,     // every row (static inputs: always this)
  kColumnRows,  // the rows named by the columns of input 0, a sparse constant, in the same row
};

// Immutable and shared between programs and threads. Gradients are written, not added to, but where
// an op offers to: the executor sums where a value has several readers.
class Op {
 public:
  virtual ~Op() = default;
  virtual std::string_view name() const = 0;
  // Throws std::logic_error ("[op] ...") where the inputs do not fit: a model's bug, not the
  // user's.
  virtual Shape shape(std::span<const Shape> inputs) const = 0;
  virtual Reads reads(int input) const = 0;
  virtual void forward(const OpRun& run) const = 0;
  // Writes in[i].grad where wanted, from out.grad.
  virtual void backward(const OpRun& run) const = 0;

  // Rows depend on each other: with one row, every row of the space in this binding is computed. A
  // binding is then the batch that its statistics are over.
  virtual bool needs_all_rows() const { return false; }
  // A row of `input` that every output row reads besides those of reads(); -1: none.
  virtual Index extra_row(int) const { return -1; }
  // Whether backward reads this input's value, or the output's: it must then outlive forward.
  virtual bool backward_reads_input(int) const { return false; }
  virtual bool backward_reads_output() const { return false; }
  // What backward reads of input 0 turned over, where that is a sparse constant that names rows of
  // another input through which a gradient flows.
  virtual Turned turned() const { return Turned::kWithEntries; }
  // Backward can add to the gradient of this input (it does so where Operand::adds_grad is set),
  // which saves a walk over it.
  virtual bool adds_gradient(int) const { return false; }
  // Wants OpRun::kept, of the output's shape: forward fills it for backward.
  virtual bool keeps() const { return false; }
  // Output (and its gradient) may share memory with input 0 (and its gradient).
  virtual bool in_place() const { return false; }
  virtual bool is_random() const { return false; }
  // Rows that read equal rows are equal, and backward is linear in the gradient of each row, so
  // that rows that are equal may be computed once, with the sum of their gradients. What is taken
  // over all rows counts RowSet::behind.
  virtual bool folds_rows() const { return false; }
  // Changes gradients, draws at random or takes statistics of the batch: evaluation has no use for
  // it.
  virtual bool only_training() const { return is_random(); }
  // Of such an op: what evaluation uses in its place; null for input 0 itself.
  virtual std::shared_ptr<const Op> evaluation_form() const { return nullptr; }
  // Called once per binding, before anything runs; null if the op keeps nothing.
  virtual std::unique_ptr<OpState> bind(std::span<const Operand>, const Operand&) const {
    return nullptr;
  }
  // Bytes of what bind() returns, once it has run there and back; little more than that.
  virtual std::size_t state_bytes(std::span<const OperandSize>, const OperandSize&) const {
    return 0;
  }
};

// Throws std::logic_error("[name] message") unless ok.
void require(bool ok, std::string_view op, std::string_view message);

}  // namespace cupel
