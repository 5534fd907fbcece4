#include "cupel/engine/program/bound_program.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "cupel/engine/kernels/pointwise.h"
#include "cupel/engine/program/arena.h"
#include "cupel/engine/program/op.h"
#include "cupel/engine/program/ops/select_rows.h"
#include "cupel/engine/program/passes.h"

namespace cupel {
namespace {

// A value of the binding: one of the program, or one that select-rows adds.
struct BoundValue {
  Index rows = 0, cols = 0;
  const RowSet* set = nullptr;
  bool sparse = false, hoisted = false, wants_grad = false;
  int parameter = -1;
  int buffer = -1, grad_buffer = -1;
  int producer = -1;         // step
  std::vector<int> readers;  // steps, ascending; repeated if read twice
};

struct Step {
  std::shared_ptr<const Op> op;
  std::vector<int> inputs;  // bound values, -1 for constants
  int output = -1;
  std::vector<Operand> in;
  Operand out;
  std::unique_ptr<OpState> state;
  std::vector<std::vector<Index>> row_maps;
  bool hoisted = false;
  // Gradients that join one written before: computed into `in[i].grad`, then added to `target`.
  struct Join {
    int input, buffer;
    DenseView target;
  };
  std::vector<Join> joins;
  int kept_buffer = -1;
  DenseView kept;
};

}  // namespace

struct BoundProgram::Impl {
  Impl(Program p, Binding b, Threads t)
      : program(std::move(p)),
        binding(std::move(b)),
        threads(t),
        sets(program, binding.constants, binding.rows, binding.prune, binding.equal),
        flows(differentiable(program)) {
    trace_steps();
    find_readers();
    plan_memory();
  }

  // Takes the memory that is planned, and computes what is computed once.
  void start() {
    place();
    for (Step& step : steps)
      if (step.hoisted) run_forward(step, {}, 0);
  }

  Program program;
  Binding binding;
  Threads threads;
  RowSets sets;
  std::vector<bool> flows;
  std::vector<BoundValue> values;
  std::vector<int> bound_of;  // program value -> bound value
  std::vector<Step> steps;
  int output = -1;
  ArenaPlan arena;
  // Constants cut for their readers, shared between readers of the same rows.
  std::map<std::tuple<int, const RowSet*, const RowSet*>, std::unique_ptr<BoundSparse>> cut_sparse;
  std::map<std::pair<int, const RowSet*>, std::unique_ptr<Matrix>> cut_dense;

  bool training() const { return binding.gradients != nullptr; }

  void trace_steps() {
    // What is computed once would not survive in shared memory.
    const std::vector<bool> hoisted = binding.memory == nullptr
                                          ? hoistable(program)
                                          : std::vector<bool>(program.nodes.size(), false);
    bound_of.assign(program.nodes.size(), -1);
    for (std::size_t i = 0; i < program.nodes.size(); ++i) {
      const int id = static_cast<int>(i);
      const Node& node = program.nodes[i];
      if (node.kind == Node::Kind::kConstant) continue;
      BoundValue value;
      value.cols = node.shape.cols;
      value.set = sets.of(id);
      value.rows = node.shape.space == kStaticSpace ? node.shape.rows : value.set->size();
      value.sparse = node.shape.layout == Layout::kSparse;
      value.wants_grad = training() && flows[i];
      value.hoisted = hoisted[i];
      if (node.kind == Node::Kind::kParameter) {
        value.parameter = node.slot;
        bound_of[i] = add_value(value);
        continue;
      }
      Step step;
      step.op = node.op;
      step.hoisted = hoisted[i];
      step.row_maps.resize(node.inputs.size());
      for (std::size_t k = 0; k < node.inputs.size(); ++k)
        step.inputs.push_back(bind_input(id, static_cast<int>(k), step));
      step.in.resize(node.inputs.size());
      value.producer = static_cast<int>(steps.size());
      step.output = bound_of[i] = add_value(value);
      steps.push_back(std::move(step));
      program_node.push_back(id);
    }
    output = bound_of[program.output];
    const RowSet* wanted = sets.intern(program.nodes[program.output].shape.space, binding.rows);
    if (values[output].set != wanted) output = select(output, wanted);
  }

  int add_value(BoundValue value) {
    values.push_back(std::move(value));
    return static_cast<int>(values.size()) - 1;
  }

  // Bound value behind an input; -1 for constants. Selects rows where the reader wants fewer.
  int bind_input(int reader, int k, Step& step) {
    const Node& node = program.nodes[reader];
    const int bound = bound_of[node.inputs[k]];
    if (bound < 0 || values[bound].parameter >= 0 || values[bound].set == nullptr) return bound;
    const RowSet* wanted = sets.read(reader, k);
    if (wanted == values[bound].set) return bound;
    if (!values[bound].sparse) return select(bound, wanted);
    for (const Index group : wanted->groups)
      step.row_maps[k].push_back(values[bound].set->place[group]);
    return bound;
  }

  int select(int source, const RowSet* wanted) {
    BoundValue value = values[source];
    value.set = wanted;
    value.rows = wanted->size();
    value.readers.clear();
    value.producer = static_cast<int>(steps.size());
    Step step;
    step.op = std::make_shared<SelectRows>();
    step.inputs = {source};
    step.in.resize(1);
    step.row_maps.resize(1);
    step.hoisted = value.hoisted;
    step.output = add_value(value);
    steps.push_back(std::move(step));
    program_node.push_back(-1);
    return values.size() - 1;
  }

  void find_readers() {
    for (std::size_t s = 0; s < steps.size(); ++s)
      for (const int input : steps[s].inputs)
        if (input >= 0) values[input].readers.push_back(static_cast<int>(s));
  }

  // Time runs over the forward steps, the loss, and the backward steps in reverse.
  int loss_time() const { return static_cast<int>(steps.size()); }
  int backward_time(int step) const { return 2 * loss_time() - step; }

  void plan_memory() {
    for (int v = 0; v < static_cast<int>(values.size()); ++v) plan_value(v);
    if (!training()) return;
    for (int s = 0; s < loss_time(); ++s) {
      const BoundValue& out = values[steps[s].output];
      if (steps[s].op->keeps() && out.wants_grad)
        steps[s].kept_buffer = arena.add(floats(out), s, backward_time(s));
    }
    // Gradients in the order in which backward first writes them, so that hosts exist before
    // guests.
    for (int s = loss_time() - 1; s >= 0; --s) plan_gradients(s);
  }

  void plan_value(int v) {
    BoundValue& value = values[v];
    if (value.parameter >= 0 || value.sparse) return;
    const int made = value.producer;
    int last = v == output ? 2 * loss_time() + 1 : made;  // the caller reads the output at any time
    for (const int reader : value.readers) {
      last = std::max(last, reader);
      for (std::size_t k = 0; training() && k < steps[reader].inputs.size(); ++k)
        if (steps[reader].inputs[k] == v && values[steps[reader].output].wants_grad &&
            steps[reader].op->backward_reads_input(static_cast<int>(k)))
          last = std::max(last, backward_time(reader));
    }
    if (value.wants_grad && steps[made].op->backward_reads_output())
      last = std::max(last, backward_time(made));
    const int first = value.hoisted ? 0 : made;
    if (value.hoisted) last = 2 * loss_time() + 1;
    const int host = steps[made].op->in_place() ? steps[made].inputs[0] : -1;
    const bool can_share = host >= 0 && values[host].buffer >= 0 && !values[host].hoisted &&
                           !value.hoisted && arena.last_use(values[host].buffer) == made;
    value.buffer =
        can_share ? arena.share(values[host].buffer, last) : arena.add(floats(value), first, last);
  }

  static std::size_t floats(const BoundValue& value) {
    return static_cast<std::size_t>(value.rows) * value.cols;
  }

  void plan_gradients(int s) {
    Step& step = steps[s];
    BoundValue& out = values[step.output];
    if (!out.wants_grad) return;
    const int now = backward_time(s);
    if (out.grad_buffer < 0)  // only the loss writes it
      out.grad_buffer = arena.add(floats(out), loss_time(), now);
    arena.extend(out.grad_buffer, now);
    for (int k = 0; k < static_cast<int>(step.inputs.size()); ++k) {
      const int input = step.inputs[k];
      if (input < 0 || !values[input].wants_grad) continue;
      BoundValue& value = values[input];
      const bool first = input != output && value.readers.back() == s && !read_before(step, k);
      if (!first && step.op->adds_gradient(k) &&
          std::count(step.inputs.begin(), step.inputs.end(), input) == 1) {
        step.in[k].adds_grad = true;
      } else if (!first) {
        step.joins.push_back({k, arena.add(floats(value), now, now), {}});
      } else if (value.parameter < 0) {
        const int dies = backward_time(value.producer);
        value.grad_buffer = k == 0 && step.op->in_place() ? arena.share(out.grad_buffer, dies)
                                                          : arena.add(floats(value), now, dies);
      }
    }
  }

  static bool read_before(const Step& step, int k) {
    return std::find(step.inputs.begin(), step.inputs.begin() + k, step.inputs[k]) !=
           step.inputs.begin() + k;
  }

  void place() {
    arena.allocate(binding.memory);
    for (BoundValue& value : values)
      if (value.wants_grad && value.parameter >= 0 && value.readers.empty())
        value.wants_grad = false;
    for (std::size_t s = 0; s < steps.size(); ++s) {
      Step& step = steps[s];
      for (int k = 0; k < static_cast<int>(step.inputs.size()); ++k) {
        const bool adds = step.in[k].adds_grad;
        step.in[k] = step.inputs[k] >= 0 ? operand_of(step.inputs[k])
                                         : constant_operand(static_cast<int>(s), k);
        step.in[k].adds_grad = adds;
      }
      if (step.kept_buffer >= 0) {
        const BoundValue& out = values[step.output];
        step.kept = {arena.data(step.kept_buffer), out.rows, out.cols, out.cols};
      }
      for (Step::Join& join : step.joins) {
        Operand& operand = step.in[join.input];
        join.target = operand.grad;
        operand.grad.data = arena.data(join.buffer);
      }
      for (std::size_t k = 0; k < step.in.size(); ++k)
        if (!step.row_maps[k].empty()) step.in[k].row_map = step.row_maps[k].data();
      step.out = operand_of(step.output);
      step.state = step.op->bind(step.in, step.out);
      if (values[step.output].sparse)
        step.out.sparse = &static_cast<SparseOutput&>(*step.state).view;
    }
  }

  Operand operand_of(int v) {
    const BoundValue& value = values[v];
    Operand operand;
    operand.rows = value.set;
    operand.wants_grad = value.wants_grad;
    if (value.sparse) {
      const Step& producer = steps[value.producer];
      if (producer.state != nullptr)
        operand.sparse = &static_cast<const SparseOutput&>(*producer.state).view;
      operand.value = {nullptr, value.rows, value.cols, value.cols};
      return operand;
    }
    if (value.parameter >= 0) {
      operand.value = binding.values->view(value.parameter);
      if (value.wants_grad) operand.grad = binding.gradients->view(value.parameter);
      return operand;
    }
    operand.value = {arena.data(value.buffer), value.rows, value.cols, value.cols};
    if (value.wants_grad && value.grad_buffer >= 0)
      operand.grad = {arena.data(value.grad_buffer), value.rows, value.cols, value.cols};
    return operand;
  }

  // Columns of a constant that name rows of other inputs are renumbered to the rows these have;
  // and whether a gradient flows through them.
  std::pair<const RowSet*, bool> columns_of(int reader, int k) const {
    const Node& node = program.nodes[reader];
    std::pair<const RowSet*, bool> out = {nullptr, false};
    for (std::size_t i = 1; k == 0 && i < node.inputs.size(); ++i) {
      if (node.op->reads(static_cast<int>(i)) != Reads::kColumnRows) continue;
      out = {sets.read(reader, static_cast<int>(i)), training() && flows[reader]};
    }
    return out;
  }

  // As memory_bytes() once it has been started.
  std::size_t planned_bytes() {
    arena.lay_out();
    std::map<std::tuple<int, const RowSet*, const RowSet*>, std::size_t> cuts, transposes;
    for (std::size_t s = 0; s < steps.size(); ++s) {
      for (int k = 0; k < static_cast<int>(steps[s].inputs.size()); ++k) {
        if (steps[s].inputs[k] >= 0) continue;
        const int reader = program_node[s],
                  slot = program.nodes[program.nodes[reader].inputs[k]].slot;
        const ConstantMatrix& matrix = binding.constants[slot];
        const RowSet* rows = sets.read(reader, k);
        if (rows == nullptr) continue;
        const auto [columns, gradient] = columns_of(reader, k);
        if (matrix.dense != nullptr) {
          cuts[{slot, rows, nullptr}] = sizeof(float) * rows->ids.size() * matrix.dense->cols;
          continue;
        }
        cuts[{slot, rows, columns}] = bytes_of_cut(*matrix.sparse, *rows, columns, false);
        if (gradient)
          transposes[{slot, rows, columns}] = bytes_of_cut(*matrix.sparse, *rows, columns, true);
      }
    }
    std::size_t bytes = arena.bytes();
    for (const auto* all : {&cuts, &transposes})
      for (const auto& [key, size] : *all) bytes += size;
    return bytes;
  }

  Operand constant_operand(int s, int k) {
    const int reader = program_node[s];
    const Node& node = program.nodes[reader];
    const Node& constant = program.nodes[node.inputs[k]];
    const ConstantMatrix& matrix = binding.constants[constant.slot];
    const RowSet* rows = sets.read(reader, k);
    Operand operand;
    operand.rows = rows;
    if (matrix.dense != nullptr && rows == nullptr) {  // static; read only
      operand.value = {const_cast<float*>(matrix.dense->values.data()), matrix.dense->rows,
                       matrix.dense->cols, matrix.dense->cols};
      return operand;
    }
    if (matrix.dense != nullptr) {
      auto& slot = cut_dense[{constant.slot, rows}];
      if (slot == nullptr) slot = std::make_unique<Matrix>(cut(*matrix.dense, *rows));
      operand.value = {slot->values.data(), slot->rows, slot->cols, slot->cols};
      return operand;
    }
    const auto [columns, gradient] = columns_of(reader, k);
    auto& slot = cut_sparse[{constant.slot, rows, columns}];
    if (slot == nullptr || (gradient && slot->transposed.rows == 0)) {
      auto fresh = std::make_unique<BoundSparse>(cut(*matrix.sparse, *rows, columns, gradient));
      if (slot != nullptr)
        *slot = std::move(*fresh);  // earlier readers hold its address
      else
        slot = std::move(fresh);
    }
    operand.sparse = &slot->view;
    operand.bound = slot.get();
    operand.value = {nullptr, slot->view.rows, slot->view.cols, slot->view.cols};
    return operand;
  }

  OpRun run_of(Step& step, StreamKey key, std::uint32_t number) {
    return {step.in, step.out, step.state.get(), threads, key, number, step.kept};
  }
  void run_forward(Step& step, StreamKey key, std::uint32_t number) {
    const OpRun run = run_of(step, key, number);
    step.op->forward(run);
    if (watcher) watcher(*step.op, run, false);
  }

  std::vector<int> program_node;  // step -> program value; -1 for select-rows
  StreamKey last_key;
  std::uint32_t last_step = 0;
  Watcher watcher;
};

BoundProgram::BoundProgram(Program program, Binding binding, Threads threads)
    : impl_(std::make_unique<Impl>(std::move(program), std::move(binding), threads)) {
  impl_->start();
}
BoundProgram::~BoundProgram() = default;
BoundProgram::BoundProgram(BoundProgram&&) noexcept = default;

void BoundProgram::forward(StreamKey key, std::uint32_t step) {
  impl_->last_key = key;
  impl_->last_step = step;
  for (Step& s : impl_->steps)
    if (!s.hoisted) impl_->run_forward(s, key, step);
}

ConstDenseView BoundProgram::output() const { return impl_->operand_of(impl_->output).value; }

DenseView BoundProgram::output_gradient() { return impl_->operand_of(impl_->output).grad; }

void BoundProgram::backward() {
  for (std::size_t s = impl_->steps.size(); s-- > 0;) {
    Step& step = impl_->steps[s];
    if (!step.out.wants_grad) continue;
    const OpRun run = impl_->run_of(step, impl_->last_key, impl_->last_step);
    step.op->backward(run);
    for (const Step::Join& join : step.joins)
      kernels::add(impl_->threads, join.target, step.in[join.input].grad, join.target);
    if (impl_->watcher) impl_->watcher(*step.op, run, true);
  }
}

void BoundProgram::watch(Watcher watcher) { impl_->watcher = std::move(watcher); }

std::size_t BoundProgram::memory_bytes() const {
  std::size_t bytes = impl_->arena.bytes();
  const auto csr_bytes = [](const Csr& m) {
    return m.row_ptr.size() * sizeof(Offset) + m.columns.size() * sizeof(Index) +
           m.values.size() * sizeof(float);
  };
  for (const auto& [key, bound] : impl_->cut_sparse)
    bytes += csr_bytes(bound->matrix) + csr_bytes(bound->transposed) +
             bound->entry.size() * sizeof(Offset);
  for (const auto& [key, matrix] : impl_->cut_dense) bytes += matrix->values.size() * sizeof(float);
  return bytes;
}

std::size_t planned_memory(Program program, Binding binding) {
  return BoundProgram::Impl(std::move(program), std::move(binding), {}).planned_bytes();
}

std::int64_t BoundProgram::computed_rows() const {
  std::int64_t rows = 0;
  for (const BoundValue& value : impl_->values)
    if (value.parameter < 0) rows += value.rows;
  return rows;
}

}  // namespace cupel
