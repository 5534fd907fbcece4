// What an op of a bound program computes and moves, from its shapes, and where the time goes.
#pragma once

#include <string>
#include <vector>

#include "cupel/engine/program/op.h"
#include "end_to_end/yardstick.h"

namespace cupel::bench {

struct OpCost {
  double dense = 0;     // FLOP of products of dense matrices: forward, dX and dW
  double sparse = 0;    // FLOP of sums over neighbours, attention, products with a sparse matrix:
                        // what has to be computed, not what is computed twice
  double bytes = 0;     // every operand once; rows of neighbours once for each that reads them
  double walked = 0;    // of these, what is no product's: a product reads while it computes
  double gathered = 0;  // and of those, rows of neighbours
};

// Of one execution of op.forward or op.backward. Element-wise arithmetic is not counted.
[[nodiscard]] OpCost cost_of(const Op& op, const OpRun& run, bool backward);
// "matmul 11758x512x512", "gelu drop bias 11758x512".
[[nodiscard]] std::string label_of(const Op& op, const OpRun& run);

[[nodiscard]] double median(std::vector<double> values);

// Collects what a watched program reports, round by round; the time of an op is that since the last
// report.
class OpTable {
 public:
  struct Line {
    std::string label;
    bool backward = false;
    int calls = 0;
    std::vector<double> seconds;  // by round
    OpCost cost;                  // of all calls
  };

  OpTable(Clock clock, Threads threads) : clock_(clock), threads_(threads) {}

  // The reports that follow are of one more round.
  void begin_round() {
    ++rounds_;
    start();
  }
  void start() { last_ = seconds(clock_, threads_); }
  void add(const Op& op, const OpRun& run, bool backward);
  // For what is no op: the loss, the optimiser.
  void add(const std::string& label, double bytes);

  // Of one round.
  [[nodiscard]] OpCost cost() const;
  // Numbers in the largest dense matrix that any op reads or writes.
  [[nodiscard]] Index largest() const { return largest_; }
  // Per round; times are medians of the rounds.
  [[nodiscard]] std::string text() const;
  // Times and bytes of ops alone, by name, whatever their shapes.
  [[nodiscard]] std::string text_by_name() const;

 private:
  void add(const std::string& label, bool backward, const OpCost& cost);
  [[nodiscard]] double median_seconds(const Line& line) const;

  Clock clock_;
  Threads threads_;
  double last_ = 0;
  int rounds_ = 0;
  Index largest_ = 0;
  std::vector<Line> lines_;
};

// What a round takes at least as its ops are cut: products at their peak, and what the other ops
// read and write at the rate of a walk over arrays as large as the largest matrix; rows of
// neighbours, of which many read the same, at that of arrays of 256 KiB.
struct Floor {
  double products, gathered, walked;
  double seconds() const { return products + gathered + walked; }
};
[[nodiscard]] Floor floor_of(const OpTable& table, const Yardstick& peak);

}  // namespace cupel::bench
