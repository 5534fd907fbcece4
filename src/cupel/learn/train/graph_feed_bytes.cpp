// What a feed of a set of graphs will take, before there is one.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>
#include <tuple>

#include "cupel/engine/program/equal_rows.h"
#include "cupel/engine/program/op.h"
#include "cupel/engine/program/ops/select_rows.h"
#include "cupel/engine/program/passes.h"
#include "cupel/learn/train/feed.h"

namespace cupel {
namespace {

// Some graphs of a set, as large in every respect as graphs come to be that are drawn at random.
class LargestGraphs {
 public:
  // `count` of them, drawn from `part`, or from another part of as many if splits are drawn.
  LargestGraphs(const TaskView& task, const Traced& traced, const std::vector<Index>& part,
                std::size_t count)
      : inputs_(traced.inputs), entries_(inputs_.constants().size(), 0) {
    const std::vector<Index>& start = task.graphs()->start;
    count = std::min(count, start.size() - 1);
    graphs_ = static_cast<Offset>(count);
    std::vector<Offset> sizes(start.size() - 1);
    const auto sum_at_most = [&](const auto& size) {
      for (std::size_t g = 0; g < sizes.size(); ++g) sizes[g] = size(g);
      return largest_sum(sizes, part, count);
    };
    nodes_ = sum_at_most([&](std::size_t g) { return Offset{start[g + 1]} - start[g]; });
    for (const Node& node : traced.program.nodes) {
      if (node.kind != Node::Kind::kConstant || node.shape.layout != Layout::kSparse) continue;
      const std::vector<Offset>& row_ptr = inputs_.constants()[node.slot].sparse->row_ptr;
      const bool of_graphs = inputs_.unit_of(node.shape.space) == Unit::kGraph;
      entries_[node.slot] = sum_at_most([&](std::size_t g) {
        return of_graphs ? row_ptr[g + 1] - row_ptr[g] : row_ptr[start[g + 1]] - row_ptr[start[g]];
      });
    }
  }

  Offset rows(const Program& program, const Shape& shape) const {
    if (shape.space == kStaticSpace) return shape.rows;
    const int entries_of = program.spaces[shape.space].entries_of;
    if (entries_of >= 0) return entries(program.nodes[entries_of].slot);
    return inputs_.unit_of(shape.space) == Unit::kGraph ? graphs_ : nodes_;
  }
  // Of the sparse constant in `slot`.
  Offset entries(int slot) const { return entries_[slot]; }

 private:
  // The mean, and eight standard deviations of a sum without replacement, which none of the
  // thousands of batches of a run exceeds; never more than the largest graphs have. A part that a
  // file tells may have larger graphs than the set.
  static Offset largest_sum(std::vector<Offset>& sizes, const std::vector<Index>& part,
                            std::size_t count) {
    constexpr double kDeviations = 8;
    const auto mean_of = [](double sum, std::size_t number) {
      return number > 0 ? sum / static_cast<double>(number) : 0;
    };
    double sum = 0, squares = 0, of_part = 0;
    for (const Offset size : sizes) {
      sum += static_cast<double>(size);
      squares += static_cast<double>(size) * static_cast<double>(size);
    }
    for (const Index g : part) of_part += static_cast<double>(sizes[static_cast<std::size_t>(g)]);
    const double mean = mean_of(sum, sizes.size());
    const double variance = std::max(mean_of(squares, sizes.size()) - mean * mean, 0.0);
    const auto drawn = static_cast<double>(count);
    const double left = 1 - drawn / static_cast<double>(sizes.size());
    const double most = drawn * std::max(mean, mean_of(of_part, part.size())) +
                        kDeviations * std::sqrt(drawn * variance * left);
    const auto end = sizes.begin() + static_cast<std::ptrdiff_t>(count);
    std::ranges::nth_element(sizes, end, std::greater());
    return std::min(std::accumulate(sizes.begin(), end, Offset{0}),
                    static_cast<Offset>(std::ceil(most)));
  }

  const GraphInputs& inputs_;
  Offset graphs_ = 0, nodes_ = 0;
  std::vector<Offset> entries_;
};

// What bindings of a compiled program to some graphs take. Of equal rows one is computed.
class GraphBindings {
 public:
  GraphBindings(const Traced& traced, const Program& compiled, bool training)
      : traced_(traced),
        program_(compiled),
        training_(training),
        equal_(traced.inputs.equal_rows(compiled)) {}

  std::size_t classes() const { return equal_.memory_bytes(); }

  // Values and gradients of one binding, rows that are copied out for a reader among them.
  std::size_t computed(const LargestGraphs& graphs) const {
    const std::size_t each = training_ ? 2 : 1;
    std::size_t floats = 0;
    const auto count = [&](Offset rows, std::size_t columns) {
      floats += static_cast<std::size_t>(rows) * columns;
    };
    for (std::size_t v = 0; v < program_.nodes.size(); ++v) {
      const Node& node = program_.nodes[v];
      if (node.kind != Node::Kind::kOp || node.shape.layout != Layout::kDense) continue;
      const Offset rows = rows_of(v, graphs, 1);
      count(rows, (each + (training_ && node.op->keeps() ? 1 : 0)) * node.shape.cols);
      for (const int input : copied(v)) count(rows, each * program_.nodes[input].shape.cols);
    }
    if (const Shape& shape = program_.nodes[program_.output].shape; output_is_copied())
      count(graphs.rows(program_, shape), each * shape.cols);
    return floats * sizeof(float);
  }

  // What `bindings` of them, of these graphs together, hold for themselves: the graphs, cut to the
  // rows that are read, the numbers of those, and what ops keep.
  std::size_t held(const LargestGraphs& graphs, std::size_t bindings) const {
    const std::vector<OperandSize> sizes = sizes_of(graphs, bindings), none(sizes.size());
    std::size_t bytes = row_sets(graphs, bindings);
    std::set<std::tuple<int, int, int>> cuts;
    for (std::size_t v = 0; v < program_.nodes.size(); ++v) {
      const Node& node = program_.nodes[v];
      if (node.kind == Node::Kind::kConstant && node.shape.space != kStaticSpace)
        bytes += matrix(sizes[v], node.shape.layout);
      if (node.kind != Node::Kind::kOp) continue;
      bytes += state(v, sizes) + (bindings - 1) * state(v, none);
      for (const int input : copied(v)) bytes += selection(sizes[v], sizes[input]);
      bytes += cut_of(v, sizes, cuts);
    }
    if (output_is_copied()) {
      const auto output = static_cast<std::size_t>(program_.output);
      OperandSize all = sizes[output];
      all.rows = static_cast<Index>(graphs.rows(program_, program_.nodes[output].shape));
      bytes += selection(all, sizes[output]);
    }
    return bytes;
  }

 private:
  static std::size_t rows_as_size(const OperandSize& size) {
    return static_cast<std::size_t>(size.rows);
  }
  static std::size_t selection(const OperandSize& rows, const OperandSize& from) {
    return SelectRows().state_bytes({&from, 1}, rows);
  }

  Offset rows_of(std::size_t v, const LargestGraphs& graphs, std::size_t bindings) const {
    const Offset rows = graphs.rows(program_, program_.nodes[v].shape);
    const int p = equal_.of_value[v];
    return p < 0 ? rows : std::min(rows, folded(p, bindings));
  }
  Offset folded(int partition, std::size_t bindings) const {
    return static_cast<Offset>(bindings * rows_at_most(equal_.partitions[partition].rows->classes));
  }

  // Inputs of which value v reads the same rows, where others are computed.
  std::vector<int> copied(std::size_t v) const {
    const Node& node = program_.nodes[v];
    std::vector<int> out;
    for (std::size_t k = 0; k < node.inputs.size(); ++k) {
      const int input = node.inputs[k];
      const Node& of = program_.nodes[input];
      if (of.kind == Node::Kind::kOp && of.shape.space == node.shape.space &&
          of.shape.space != kStaticSpace && of.shape.layout == Layout::kDense &&
          node.op->reads(static_cast<int>(k)) == Reads::kSameRows &&
          equal_.of_value[static_cast<std::size_t>(input)] != equal_.of_value[v])
        out.push_back(input);
    }
    return out;
  }

  // Where rows of the output are computed once for all that are equal.
  bool output_is_copied() const {
    return equal_.of_value[static_cast<std::size_t>(program_.output)] >= 0;
  }

  std::vector<OperandSize> sizes_of(const LargestGraphs& graphs, std::size_t bindings) const {
    std::vector<OperandSize> sizes;
    for (std::size_t v = 0; v < program_.nodes.size(); ++v) {
      const Node& node = program_.nodes[v];
      OperandSize size{.rows = static_cast<Index>(rows_of(v, graphs, bindings)),
                       .cols = node.shape.cols,
                       .wants_grad = training_};
      if (node.shape.layout == Layout::kSparse && node.kind == Node::Kind::kConstant) {
        size.entries = graphs.entries(node.slot);
        size.valued = !traced_.inputs.constants()[node.slot].sparse->is_pattern();
      } else if (node.shape.layout == Layout::kSparse) {
        size.entries = sizes[static_cast<std::size_t>(node.inputs[0])].entries;
        size.valued = sizes[static_cast<std::size_t>(node.inputs[0])].valued;
      }
      sizes.push_back(size);
    }
    return sizes;
  }

  static std::size_t matrix(const OperandSize& size, Layout layout) {
    if (layout == Layout::kDense)
      return rows_as_size(size) * static_cast<std::size_t>(size.cols) * sizeof(float);
    return (rows_as_size(size) + 1) * sizeof(Offset) +
           static_cast<std::size_t>(size.entries) *
               (sizeof(Index) + (size.valued ? sizeof(float) : 0));
  }

  std::size_t state(std::size_t v, const std::vector<OperandSize>& sizes) const {
    const Node& node = program_.nodes[v];
    std::vector<OperandSize> in;
    for (const int input : node.inputs) {
      in.push_back(sizes[static_cast<std::size_t>(input)]);
      in.back().cols = program_.nodes[input].shape.cols;
    }
    OperandSize out = sizes[v];
    out.cols = node.shape.cols;
    return node.op->state_bytes(in, out);
  }

  // Constants that value v reads, but for those in `cuts`, which others of the same rows made.
  std::size_t cut_of(std::size_t v, const std::vector<OperandSize>& sizes,
                     std::set<std::tuple<int, int, int>>& cuts) const {
    const Node& node = program_.nodes[v];
    constexpr int kAll = -1, kNobody = -2;
    int named = kNobody;  // partition of the rows that columns name
    Index columns = 0;
    for (std::size_t k = 1; k < node.inputs.size(); ++k) {
      if (node.op->reads(static_cast<int>(k)) != Reads::kColumnRows) continue;
      named = std::max(kAll, equal_.of_value[static_cast<std::size_t>(node.inputs[k])]);
      columns = std::max(columns, sizes[static_cast<std::size_t>(node.inputs[k])].rows);
    }
    std::size_t bytes = 0;
    for (std::size_t k = 0; k < node.inputs.size(); ++k) {
      const auto input = static_cast<std::size_t>(node.inputs[k]);
      const Node& constant = program_.nodes[input];
      if (constant.kind != Node::Kind::kConstant || constant.shape.space == kStaticSpace) continue;
      const bool names = k == 0 && named != kNobody;
      const int rows = constant.shape.space == node.shape.space ? equal_.of_value[v] : kAll;
      if (!cuts.emplace(constant.slot, rows, names ? named : kNobody).second) continue;
      const bool dense = constant.shape.layout == Layout::kDense;
      if (dense || rows != kAll || (names && named != kAll))
        bytes += matrix(sizes[input], constant.shape.layout);
      if (names && training_)
        bytes += bytes_of_transpose(columns, sizes[input].entries, sizes[input].valued,
                                    Turned::kWithEntries);
    }
    return bytes;
  }

  // Numbers of the rows of every space, and of those that stand for others.
  std::size_t row_sets(const LargestGraphs& graphs, std::size_t bindings) const {
    std::size_t bytes = 0;
    std::set<SpaceId> spaces;
    for (const Node& node : program_.nodes) {
      const SpaceId space = node.shape.space;
      if (space == kStaticSpace || !spaces.insert(space).second) continue;
      const Offset rows = graphs.rows(program_, node.shape);
      const int entries_of = program_.spaces[space].entries_of;
      if (entries_of < 0) {
        bytes += static_cast<std::size_t>(rows) * 3 * sizeof(Index);
        continue;
      }
      const Offset groups = graphs.rows(program_, program_.nodes[entries_of].shape);
      bytes += static_cast<std::size_t>(rows + 2 * groups) * sizeof(Index) +
               static_cast<std::size_t>(groups + 1) * sizeof(Offset);
    }
    for (std::size_t p = 0; p < equal_.partitions.size(); ++p) {
      const Shape shape{.space = equal_.partitions[p].space};
      const Offset rows = graphs.rows(program_, shape);
      const Offset computed = std::min(rows, folded(static_cast<int>(p), bindings));
      // As a set and, before that, as classes of the batch.
      bytes += static_cast<std::size_t>(2 * rows + 5 * computed) * sizeof(Index);
    }
    return bytes;
  }

  const Traced& traced_;
  const Program& program_;
  const bool training_;
  const EqualRows equal_;
};

}  // namespace

// Every batch is another one, so that rows are those of the largest that will come; training and
// evaluation have batches of their own sizes. Two of training are bound at a time, and all that are
// evaluated.
std::size_t graph_feed_bytes(const TaskView& task, const Schedule& schedule,
                             const TrainRule& rule) {
  const Traced traced(task, schedule.phases.front().logits);
  const Program trained = compile(traced.program, true), evaluated = compile(traced.program, false);
  const GraphBindings training(traced, trained, true), evaluation(traced, evaluated, false);
  const std::size_t batch =
      rule.batch_size > 0 ? static_cast<std::size_t>(rule.batch_size) : task.train.size();
  const LargestGraphs learnt(task, traced, task.train, std::min(batch, task.train.size()));
  std::size_t bytes = parameter_bytes(ParameterSet(traced.program.parameters)) +
                      traced.inputs.memory_bytes() + training.classes() + evaluation.classes() +
                      training.computed(learnt) + 2 * training.held(learnt, 1);
  std::vector<Index> scored;
  std::size_t bindings = 0, most = 0;
  for (const auto* part : {&task.valid, &task.stopping, &task.test}) {
    constexpr auto kTogether = static_cast<std::size_t>(kEvaluatedTogether);
    scored.insert(scored.end(), part->begin(), part->end());
    bindings += (part->size() + kTogether - 1) / kTogether;
    most = std::max(most, std::min(kTogether, part->size()));
  }
  if (bindings > 0)
    bytes += evaluation.computed({task, traced, scored, most}) +
             evaluation.held({task, traced, scored, scored.size()}, bindings);
  const auto outputs =
      static_cast<std::size_t>(traced.program.nodes[traced.program.output].shape.cols);
  return bytes + scored.size() * outputs * sizeof(float);
}

}  // namespace cupel
