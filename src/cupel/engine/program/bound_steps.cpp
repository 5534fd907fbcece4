#include "cupel/engine/program/bound_steps.h"

#include <algorithm>
#include <utility>

#include "cupel/engine/program/ops/select_rows.h"

namespace cupel {
namespace {

class Tracer {
 public:
  Tracer(const Program& program, RowSets& sets, const std::vector<Index>& rows,
         const std::vector<bool>& flows, const std::vector<bool>& hoisted)
      : program_(program), sets_(sets), rows_(rows), flows_(flows), hoisted_(hoisted) {}

  BoundSteps trace() {
    bound_of_.assign(program_.nodes.size(), -1);
    for (std::size_t i = 0; i < program_.nodes.size(); ++i) {
      const int id = static_cast<int>(i);
      const Node& node = program_.nodes[i];
      if (node.kind == Node::Kind::kConstant) continue;
      BoundValue value;
      value.cols = node.shape.cols;
      value.set = sets_.of(id);
      value.rows = node.shape.space == kStaticSpace ? node.shape.rows : value.set->size();
      value.sparse = node.shape.layout == Layout::kSparse;
      value.wants_grad = flows_[i];
      value.hoisted = hoisted_[i];
      if (node.kind == Node::Kind::kParameter) {
        value.parameter = node.slot;
        bound_of_[i] = add_value(value);
        continue;
      }
      BoundStep step;
      step.node = id;
      step.op = node.op;
      step.hoisted = hoisted_[i];
      step.row_maps.resize(node.inputs.size());
      step.inputs.resize(node.inputs.size());
      // The last first: backward then comes to what was selected in the order of the inputs.
      for (std::size_t k = node.inputs.size(); k-- > 0;)
        step.inputs[k] = bind_input(id, static_cast<int>(k), step);
      step.in.resize(node.inputs.size());
      value.producer = static_cast<int>(out_.steps.size());
      step.output = bound_of_[i] = add_value(value);
      out_.steps.push_back(std::move(step));
    }
    out_.output = bound_of_[program_.output];
    const RowSet* wanted = sets_.intern(program_.nodes[program_.output].shape.space, rows_);
    if (out_.values[out_.output].set != wanted) out_.output = select(out_.output, wanted);
    for (std::size_t s = 0; s < out_.steps.size(); ++s)
      for (const int input : out_.steps[s].inputs)
        if (input >= 0) out_.values[input].readers.push_back(static_cast<int>(s));
    return std::move(out_);
  }

 private:
  int add_value(BoundValue value) {
    out_.values.push_back(std::move(value));
    return static_cast<int>(out_.values.size()) - 1;
  }

  // Bound value behind an input; -1 for constants. Selects rows where the reader wants fewer.
  int bind_input(int reader, int k, BoundStep& step) {
    const Node& node = program_.nodes[reader];
    const int bound = bound_of_[node.inputs[k]];
    if (bound < 0 || out_.values[bound].parameter >= 0 || out_.values[bound].set == nullptr)
      return bound;
    const RowSet* wanted = sets_.read(reader, k);
    if (out_.values[bound].sparse) {
      if (wanted == out_.values[bound].set) return bound;
      step.row_maps[k].reserve(wanted->groups.size());
      for (const Index group : wanted->groups)
        step.row_maps[k].push_back(out_.values[bound].set->place[group]);
      return bound;
    }
    return selects(node, reader, node.inputs[k]) ? select(bound, wanted) : bound;
  }

  // Whether `reader` wants other rows of `input`, a dense value, than are computed. Where it reads
  // the value more than once, one such reading makes all of them go through a selection: their
  // gradients are added in the order in which they are where nothing is left out.
  bool selects(const Node& node, int reader, int input) const {
    const RowSet* computed = out_.values[bound_of_[input]].set;
    for (std::size_t k = 0; k < node.inputs.size(); ++k)
      if (node.inputs[k] == input && sets_.read(reader, static_cast<int>(k)) != computed)
        return true;
    return false;
  }

  int select(int source, const RowSet* wanted) {
    BoundValue value = out_.values[source];
    value.set = wanted;
    value.rows = wanted->size();
    value.readers.clear();
    value.producer = static_cast<int>(out_.steps.size());
    BoundStep step;
    step.op = std::make_shared<SelectRows>();
    step.inputs = {source};
    step.in.resize(1);
    step.row_maps.resize(1);
    step.hoisted = value.hoisted;
    step.output = add_value(value);
    out_.steps.push_back(std::move(step));
    return static_cast<int>(out_.values.size()) - 1;
  }

  const Program& program_;
  RowSets& sets_;
  const std::vector<Index>& rows_;
  const std::vector<bool>&flows_, &hoisted_;
  std::vector<int> bound_of_;  // program value -> bound value; -1 for constants
  BoundSteps out_;
};

class MemoryPlanner {
 public:
  MemoryPlanner(BoundSteps& bound, bool training, ArenaPlan& arena)
      : values_(bound.values),
        steps_(bound.steps),
        output_(bound.output),
        training_(training),
        arena_(arena) {}

  void plan() {
    for (int v = 0; v < static_cast<int>(values_.size()); ++v) plan_value(v);
    if (!training_) return;
    for (int s = 0; s < loss_time(); ++s) {
      const BoundValue& out = values_[steps_[s].output];
      if (steps_[s].op->keeps() && out.wants_grad)
        steps_[s].kept_buffer = arena_.add(floats(out), s, backward_time(s));
    }
    // Gradients in the order in which backward first writes them, so that hosts exist before
    // guests.
    for (int s = loss_time() - 1; s >= 0; --s) plan_gradients(s);
  }

 private:
  // Time runs over the forward steps, the loss, and the backward steps in reverse; what is computed
  // once comes before it.
  int loss_time() const { return static_cast<int>(steps_.size()); }
  int once_time(int step) const { return step - loss_time(); }
  int backward_time(int step) const { return 2 * loss_time() - step; }

  void plan_value(int v) {
    BoundValue& value = values_[v];
    if (value.parameter >= 0 || value.sparse) return;
    const int made = value.producer;
    int last =
        v == output_ ? 2 * loss_time() + 1 : made;  // the caller reads the output at any time
    for (const int reader : value.readers) {
      last = std::max(last, reader);
      for (std::size_t k = 0; training_ && k < steps_[reader].inputs.size(); ++k)
        if (steps_[reader].inputs[k] == v && values_[steps_[reader].output].wants_grad &&
            steps_[reader].op->backward_reads_input(static_cast<int>(k)))
          last = std::max(last, backward_time(reader));
    }
    if (value.wants_grad && steps_[made].op->backward_reads_output())
      last = std::max(last, backward_time(made));
    int first = made;
    if (value.hoisted) {
      // Before the first replay; only what replays read stays.
      const bool stays = v == output_ || std::ranges::any_of(value.readers, [&](int reader) {
                           return !steps_[reader].hoisted;
                         });
      first = once_time(made);
      last = stays ? 2 * loss_time() + 1 : once_time(last);
    }
    const int host = steps_[made].op->in_place() ? steps_[made].inputs[0] : -1;
    const bool can_share = host >= 0 && values_[host].buffer >= 0 && !values_[host].hoisted &&
                           !value.hoisted && arena_.last_use(values_[host].buffer) == made;
    value.buffer = can_share ? arena_.share(values_[host].buffer, last)
                             : arena_.add(floats(value), first, last);
  }

  static std::size_t floats(const BoundValue& value) {
    return static_cast<std::size_t>(value.rows) * value.cols;
  }

  void plan_gradients(int s) {
    BoundStep& step = steps_[s];
    BoundValue& out = values_[step.output];
    if (!out.wants_grad) return;
    const int now = backward_time(s);
    if (out.grad_buffer < 0)  // only the loss writes it
      out.grad_buffer = arena_.add(floats(out), loss_time(), now);
    arena_.extend(out.grad_buffer, now);
    for (int k = 0; k < static_cast<int>(step.inputs.size()); ++k) {
      const int input = step.inputs[k];
      if (input < 0 || !values_[input].wants_grad) continue;
      BoundValue& value = values_[input];
      const bool first = input != output_ && value.readers.back() == s && !read_before(step, k);
      if (!first && step.op->adds_gradient(k) &&
          std::count(step.inputs.begin(), step.inputs.end(), input) == 1) {
        step.in[k].adds_grad = true;
      } else if (!first) {
        step.joins.push_back({k, arena_.add(floats(value), now, now), {}});
      } else if (value.parameter < 0) {
        const int dies = backward_time(value.producer);
        value.grad_buffer = k == 0 && step.op->in_place() ? arena_.share(out.grad_buffer, dies)
                                                          : arena_.add(floats(value), now, dies);
      }
    }
  }

  static bool read_before(const BoundStep& step, int k) {
    return std::find(step.inputs.begin(), step.inputs.begin() + k, step.inputs[k]) !=
           step.inputs.begin() + k;
  }

  std::vector<BoundValue>& values_;
  std::vector<BoundStep>& steps_;
  const int output_;
  const bool training_;
  ArenaPlan& arena_;
};

}  // namespace

BoundSteps trace_steps(const Program& program, RowSets& sets, const std::vector<Index>& rows,
                       const std::vector<bool>& flows, const std::vector<bool>& hoisted) {
  return Tracer(program, sets, rows, flows, hoisted).trace();
}

void plan_memory(BoundSteps& bound, bool training, ArenaPlan& arena) {
  MemoryPlanner(bound, training, arena).plan();
}

}  // namespace cupel
