#include "cupel/engine/program/bound_program.h"

#include <utility>

#include "cupel/engine/kernels/pointwise.h"
#include "cupel/engine/program/arena.h"
#include "cupel/engine/program/bound_constants.h"
#include "cupel/engine/program/bound_steps.h"
#include "cupel/engine/program/op.h"
#include "cupel/engine/program/passes.h"

namespace cupel {

struct BoundProgram::Impl {
  Impl(std::shared_ptr<const Program> p, Binding b, Threads t)
      : owned(std::move(p)),
        program(*owned),
        binding(std::move(b)),
        threads(t),
        sets(program, binding.constants, binding.rows, binding.prune, binding.equal),
        flows(flows_of(program, binding)),
        bound(trace_steps(program, sets, binding.rows, flows, hoisted_of(program, binding))),
        constants(program, binding.constants, sets, flows) {
    plan_memory(bound, binding.gradients != nullptr, arena);
  }

  static std::vector<bool> flows_of(const Program& program, const Binding& binding) {
    return binding.gradients != nullptr ? differentiable(program)
                                        : std::vector<bool>(program.nodes.size(), false);
  }
  // What is computed once would not survive in shared memory.
  static std::vector<bool> hoisted_of(const Program& program, const Binding& binding) {
    return binding.memory == nullptr ? hoistable(program)
                                     : std::vector<bool>(program.nodes.size(), false);
  }

  void start() {
    place();
    for (BoundStep& step : bound.steps)
      if (step.hoisted) run_forward(step, {}, 0);
  }

  std::shared_ptr<const Program> owned;
  const Program& program;
  Binding binding;
  Threads threads;
  RowSets sets;
  std::vector<bool> flows;
  BoundSteps bound;
  ArenaPlan arena;
  BoundConstants constants;
  StreamKey last_key;
  std::uint32_t last_step = 0;
  Watcher watcher;

  void place() {
    arena.allocate(binding.memory);
    for (BoundValue& value : bound.values)
      if (value.wants_grad && value.parameter >= 0 && value.readers.empty())
        value.wants_grad = false;
    for (BoundStep& step : bound.steps) {
      for (int k = 0; k < static_cast<int>(step.inputs.size()); ++k) {
        const bool adds = step.in[k].adds_grad;
        step.in[k] =
            step.inputs[k] >= 0 ? operand_of(step.inputs[k]) : constants.operand(step.node, k);
        step.in[k].adds_grad = adds;
      }
      if (step.kept_buffer >= 0) {
        const BoundValue& out = bound.values[step.output];
        step.kept = {arena.data(step.kept_buffer), out.rows, out.cols, out.cols};
      }
      for (BoundStep::Join& join : step.joins) {
        Operand& operand = step.in[join.input];
        join.target = operand.grad;
        operand.grad.data = arena.data(join.buffer);
      }
      for (std::size_t k = 0; k < step.in.size(); ++k)
        if (!step.row_maps[k].empty()) step.in[k].row_map = step.row_maps[k].data();
      step.out = operand_of(step.output);
      step.state = step.op->bind(step.in, step.out);
      if (bound.values[step.output].sparse)
        step.out.sparse = &static_cast<SparseOutput&>(*step.state).view;
    }
  }

  Operand operand_of(int v) {
    const BoundValue& value = bound.values[v];
    Operand operand;
    operand.rows = value.set;
    operand.wants_grad = value.wants_grad;
    if (value.sparse) {
      const BoundStep& producer = bound.steps[value.producer];
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

  // Of values and gradients once they have places, unless these are in Binding::memory; of row
  // sets, and of what ops keep.
  std::size_t own_bytes() const {
    std::size_t bytes = (binding.memory == nullptr ? arena.bytes() : 0) + sets.bytes();
    std::vector<OperandSize> sizes;
    for (const BoundValue& value : bound.values)
      sizes.push_back({.rows = value.rows,
                       .cols = value.cols,
                       .wants_grad = value.wants_grad,
                       .set = value.set});
    std::vector<OperandSize> in;
    for (const BoundStep& step : bound.steps) {
      in.clear();
      for (std::size_t k = 0; k < step.inputs.size(); ++k) {
        in.push_back(step.inputs[k] >= 0 ? sizes[step.inputs[k]]
                                         : constants.size(step.node, static_cast<int>(k)));
        bytes += step.row_maps[k].size() * sizeof(Index);
      }
      OperandSize& out = sizes[step.output];
      if (bound.values[step.output].sparse) {
        out.entries = in[0].entries;
        out.valued = in[0].valued;
      }
      bytes += step.op->state_bytes(in, out);
    }
    return bytes;
  }

  // As memory_bytes() once it has been started.
  std::size_t planned_bytes() {
    arena.lay_out();
    std::vector<std::pair<int, int>> read;
    for (const BoundStep& step : bound.steps) {
      for (int k = 0; k < static_cast<int>(step.inputs.size()); ++k)
        if (step.inputs[k] < 0) read.emplace_back(step.node, k);
    }
    return own_bytes() + constants.planned_bytes(read);
  }

  OpRun run_of(BoundStep& step, StreamKey key, std::uint32_t number) {
    return {step.in, step.out, step.state.get(), threads, key, number, step.kept};
  }
  void run_forward(BoundStep& step, StreamKey key, std::uint32_t number) {
    const OpRun run = run_of(step, key, number);
    step.op->forward(run);
    if (watcher) watcher(*step.op, run, false);
  }
};

BoundProgram::BoundProgram(Program program, Binding binding, Threads threads)
    : BoundProgram(std::make_shared<const Program>(std::move(program)), std::move(binding),
                   threads) {}
BoundProgram::BoundProgram(std::shared_ptr<const Program> program, Binding binding, Threads threads)
    : BoundProgram(prepared(std::move(program), std::move(binding), threads)) {
  start();
}
BoundProgram::BoundProgram(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
BoundProgram::~BoundProgram() = default;
BoundProgram::BoundProgram(BoundProgram&&) noexcept = default;

BoundProgram BoundProgram::prepared(std::shared_ptr<const Program> program, Binding binding,
                                    Threads threads) {
  return BoundProgram(std::make_unique<Impl>(std::move(program), std::move(binding), threads));
}

void BoundProgram::start() { impl_->start(); }

void BoundProgram::forward(StreamKey key, std::uint32_t step) {
  impl_->last_key = key;
  impl_->last_step = step;
  for (BoundStep& s : impl_->bound.steps)
    if (!s.hoisted) impl_->run_forward(s, key, step);
}

ConstDenseView BoundProgram::output() const { return impl_->operand_of(impl_->bound.output).value; }

DenseView BoundProgram::output_gradient() { return impl_->operand_of(impl_->bound.output).grad; }

void BoundProgram::backward() {
  for (std::size_t s = impl_->bound.steps.size(); s-- > 0;) {
    BoundStep& step = impl_->bound.steps[s];
    if (!step.out.wants_grad) continue;
    const OpRun run = impl_->run_of(step, impl_->last_key, impl_->last_step);
    step.op->backward(run);
    for (const BoundStep::Join& join : step.joins)
      kernels::add(impl_->threads, join.target, step.in[join.input].grad, join.target);
    if (impl_->watcher) impl_->watcher(*step.op, run, true);
  }
}

void BoundProgram::watch(Watcher watcher) { impl_->watcher = std::move(watcher); }

std::size_t BoundProgram::memory_bytes() const {
  return impl_->own_bytes() + impl_->constants.bytes();
}

std::size_t planned_memory(Program program, Binding binding) {
  return BoundProgram::Impl(std::make_shared<const Program>(std::move(program)), std::move(binding),
                            {})
      .planned_bytes();
}

std::int64_t BoundProgram::computed_rows() const {
  std::int64_t rows = 0;
  for (const BoundValue& value : impl_->bound.values)
    if (value.parameter < 0) rows += value.rows;
  return rows;
}

}  // namespace cupel
