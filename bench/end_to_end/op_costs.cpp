#include "end_to_end/op_costs.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "cupel/engine/program/pointwise_op.h"

namespace cupel::bench {

namespace {

double numbers(const DenseView& v) { return static_cast<double>(v.rows) * v.cols; }

double entries_of(const Operand& x, Index rows) {
  if (x.row_map == nullptr) return static_cast<double>(x.sparse->entries());
  double entries = 0;
  for (Index r = 0; r < rows; ++r)
    entries +=
        static_cast<double>(x.sparse->row_ptr[x.row_map[r] + 1] - x.sparse->row_ptr[x.row_map[r]]);
  return entries;
}

bool wanted(const Operand& x) { return x.grad.data != nullptr; }

// FLOP of one pass over the neighbours: a multiply-add for each entry and column.
double pass(const OpRun& run, double cols) {
  return 2 * entries_of(run.in[0], run.out.value.rows) * cols;
}

void count_arithmetic(const Op& op, const OpRun& run, bool backward, OpCost& cost) {
  const double cols = run.out.value.cols, rows = run.out.value.rows;
  if (op.name() == "matmul") {
    const Operand &x = run.in[0], &w = run.in[1];
    const bool sparse = x.sparse != nullptr;
    const double product =
        2 * cols * (sparse ? entries_of(x, run.out.value.rows) : rows * x.value.cols);
    const int products = backward ? int{wanted(x)} + int{wanted(w)} : 1;
    (sparse ? cost.sparse : cost.dense) += products * product;
  } else if (op.name() == "propagate") {
    cost.sparse += !backward || wanted(run.in[1]) ? pass(run, cols) : 0;
  } else if (op.name() == "additive-attention") {  // backward: of the values and of the weights
    cost.sparse += (backward ? 2 : 1) * pass(run, cols);
  } else if (op.name() == "dot-attention") {  // backward: values, weights, receivers, senders
    cost.sparse += (backward ? 4 : 2) * pass(run, cols);
  }
}

// How often backward, or forward, reads or writes a row for every neighbour, or of a weight for
// every entry of a sparse matrix.
double gathers(const Op& op, const OpRun& run, bool backward) {
  if (op.name() == "matmul") return run.in[0].sparse != nullptr ? 1 : 0;
  if (op.name() == "propagate") return 1;
  if (op.name() == "additive-attention") return backward ? 2 : 1;
  if (op.name() == "dot-attention") return backward ? 4 : 2;
  return 0;
}

double entries_read(const OpRun& run) {
  return run.in.empty() || run.in[0].sparse == nullptr ? 0
                                                       : entries_of(run.in[0], run.out.value.rows);
}

double floats_gathered(const Op& op, const OpRun& run, bool backward) {
  return gathers(op, run, backward) * entries_read(run) * run.out.value.cols;
}

double floats_moved(const Op& op, const OpRun& run, bool backward) {
  const double per_entry = entries_read(run);
  double floats = floats_gathered(op, run, backward);
  floats += run.out.sparse != nullptr ? 2.0 * static_cast<double>(run.out.sparse->entries())
                                      : numbers(run.out.value);
  if (run.kept.data != nullptr) floats += numbers(run.kept);
  if (backward && !op.backward_reads_output()) floats -= numbers(run.out.value);
  if (backward) floats += numbers(run.out.grad);
  for (std::size_t k = 0; k < run.in.size(); ++k) {
    const Operand& x = run.in[k];
    const bool gathered = gathers(op, run, backward) > 0 && op.reads(int(k)) != Reads::kSameRows;
    if (x.sparse != nullptr) {
      floats += (x.sparse->values != nullptr ? 2 : 1) * per_entry;
    } else if (!gathered && (!backward || op.backward_reads_input(int(k)))) {
      floats += numbers(x.value);
    }
    if (backward && wanted(x)) floats += (x.adds_grad ? 2 : 1) * numbers(x.grad);
  }
  return floats;
}

}  // namespace

OpCost cost_of(const Op& op, const OpRun& run, bool backward) {
  OpCost cost;
  count_arithmetic(op, run, backward, cost);
  cost.bytes = 4 * floats_moved(op, run, backward);
  if (cost.dense == 0) cost.walked = cost.bytes;
  cost.gathered = 4 * floats_gathered(op, run, backward);
  return cost;
}

std::string label_of(const Op& op, const OpRun& run) {
  const DenseView& out = run.out.value;
  std::string name(op.name());
  if (const auto* chain = dynamic_cast<const Pointwise*>(&op)) {
    const Pointwise::Spec& spec = chain->spec();
    name = spec.activation == kernels::Activation::kGelu   ? "gelu"
           : spec.activation == kernels::Activation::kNone ? "pass"
                                                           : "activation";
    if (spec.drop > 0) name += " drop";
    if (spec.bias) name += " bias";
    if (spec.addend) name += " add";
  }
  if (op.name() == "matmul") {
    const Operand& x = run.in[0];
    if (x.sparse != nullptr)
      return fmt::format("{} of sparse {}x{}x{}", name, out.rows, x.sparse->cols, out.cols);
    return fmt::format("{} {}x{}x{}", name, out.rows, x.value.cols, out.cols);
  }
  return fmt::format("{} {}x{}", name, out.rows, out.cols);
}

void OpTable::add(const Op& op, const OpRun& run, bool backward) {
  const auto see = [&](const Operand& x) {
    if (x.sparse == nullptr) largest_ = std::max(largest_, x.value.rows * x.value.cols);
  };
  see(run.out);
  for (const Operand& x : run.in) see(x);
  add(label_of(op, run), backward, cost_of(op, run, backward));
}

void OpTable::add(const std::string& label, double bytes) {
  add(label, false, {.bytes = bytes, .walked = bytes});
}

void OpTable::add(const std::string& label, bool backward, const OpCost& cost) {
  const double time = seconds(clock_, threads_) - last_;
  auto line = std::find_if(lines_.begin(), lines_.end(), [&](const Line& l) {
    return l.backward == backward && l.label == label;
  });
  if (line == lines_.end()) line = lines_.insert(lines_.end(), {label, backward, 0, {}, {}});
  ++line->calls;
  line->seconds.resize(static_cast<std::size_t>(rounds_));
  line->seconds.back() += time;
  line->cost.dense += cost.dense;
  line->cost.sparse += cost.sparse;
  line->cost.bytes += cost.bytes;
  line->cost.walked += cost.walked;
  line->cost.gathered += cost.gathered;
  start();
}

OpCost OpTable::cost() const {
  OpCost sum;
  for (const Line& line : lines_) {
    sum.dense += line.cost.dense / rounds_;
    sum.sparse += line.cost.sparse / rounds_;
    sum.bytes += line.cost.bytes / rounds_;
    sum.walked += line.cost.walked / rounds_;
    sum.gathered += line.cost.gathered / rounds_;
  }
  return sum;
}

double OpTable::median_seconds(const Line& line) const {
  std::vector<double> rounds = line.seconds;
  rounds.resize(static_cast<std::size_t>(rounds_));  // not in the last ones
  return median(std::move(rounds));
}

std::string OpTable::text() const {
  struct Timed {
    const Line* line;
    double seconds;
  };
  std::vector<Timed> sorted;
  double whole = 0;
  for (const Line& line : lines_) {
    sorted.push_back({&line, median_seconds(line)});
    whole += sorted.back().seconds;
  }
  std::ranges::sort(sorted, std::greater(), &Timed::seconds);
  std::string out = fmt::format("  {:<44} {:>5} {:>10} {:>6} {:>9} {:>9} {:>8} {:>8}\n", "op",
                                "calls", "us", "%", "GFLOP", "GFLOP/s", "MB", "GB/s");
  for (const auto& [line, seconds] : sorted) {
    const double flop = (line->cost.dense + line->cost.sparse) / rounds_;
    const double bytes = line->cost.bytes / rounds_;
    out += fmt::format("  {:<44} {:>5} {:>10.1f} {:>6.1f} {:>9.4f} {:>9.1f} {:>8.2f} {:>8.1f}\n",
                       line->label + (line->backward ? ", backward" : ""), line->calls / rounds_,
                       1e6 * seconds, 100 * seconds / whole, 1e-9 * flop, 1e-9 * flop / seconds,
                       1e-6 * bytes, 1e-9 * bytes / seconds);
  }
  return out + fmt::format("  {:<50} {:>10.1f}\n", "sum", 1e6 * whole);
}

std::string OpTable::text_by_name() const {
  struct Sum {
    double seconds = 0, bytes = 0;
  };
  std::map<std::string, Sum> sums;
  double whole = 0;
  for (const Line& line : lines_) {
    const double time = median_seconds(line);
    Sum& sum = sums[line.label.substr(0, line.label.find_last_of(' ')) +
                    (line.backward ? ", backward" : "")];
    sum.seconds += time;
    sum.bytes += line.cost.bytes / rounds_;
    whole += time;
  }
  std::vector<std::pair<std::string, Sum>> sorted(sums.begin(), sums.end());
  std::ranges::stable_sort(sorted, std::greater(), [](const auto& s) { return s.second.seconds; });
  std::string out;
  for (const auto& [name, sum] : sorted)
    out += fmt::format("  {:<32} {:>8.2f} ms {:>5.1f} % {:>8.1f} MB\n", name, 1e3 * sum.seconds,
                       100 * sum.seconds / whole, 1e-6 * sum.bytes);
  return out;
}

Floor floor_of(const OpTable& table, const Yardstick& peak) {
  constexpr Index kNear = 1 << 16;
  const OpCost cost = table.cost();
  return {1e-9 * cost.dense / peak.product(), 1e-9 * cost.gathered / peak.walk(kNear),
          1e-9 * (cost.walked - cost.gathered) / peak.walk(table.largest())};
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace cupel::bench
