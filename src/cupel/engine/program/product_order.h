// The order of products where rows, entries and repetitions are known: a pass for one binding.
//
// compile() leaves A (A (X W)), narrow at every hop. Where X depends on no parameter and no
// randomness, A (A X) may be computed once instead, and a replay is then one dense product with few
// rows, but with all columns of X. Which is cheaper is counted in multiply-adds of the demanded
// rows, those of a gradient's way back included:
//
//   narrow   entries of X, times W; entries of A for each hop
//   hoisted  rows of the output times columns of X, times W; and, spread over the replays, what
//            A (A X) takes once
//
// A multiply-add of a sparse matrix counts as several dense ones, by the factors below: measured
// (bench/README.md), rounded, and the same on every machine, as the order shows in the bits.
#pragma once

#include <string>
#include <vector>

#include "cupel/engine/program/bound_program.h"

namespace cupel {

// How many multiply-adds of a dense product take as long as one of A B, or of A^T B, with sparse A.
inline constexpr double kSparseCost = 3, kTransposedCost = 6;
// The same of A X as wide as X, whose rows do not stay in caches: for each column of an entry of A;
// where X is sparse, for each entry of X behind an entry of A, and the first for each number of
// A X.
inline constexpr double kWideCost = 10, kScatteredCost = 50;

// Hoisting takes memory, and the factors are rough: it is chosen where the narrow order would take
// so many times as long, and A (A X), while it is made, at most so many bytes.
inline constexpr double kWorthwhile = 2;
inline constexpr std::size_t kHoistedBytes = std::size_t{256} << 20;

// A chain propagate(A, ... propagate(B, matmul(x, w))) of one row space, of whose values but the
// last the chain is the only reader.
struct ProductOrder {
  std::vector<int> hops;           // values of the program, the last computed one first
  int product = -1;                // matmul(x, w)
  std::vector<Index> rows;         // demanded of each hop, and of x
  Index width = 0, columns = 0;    // of x, and of x w
  double narrow = 0, hoisted = 0;  // a replay, in multiply-adds of a dense product
  double once = 0;                 // before the first replay, where it is hoisted
  std::size_t bytes = 0;           // at most at a time, while that is computed
  bool hoist = false;
};

// The chains of a compiled program whose x is computed once, with what is better for them if
// forward runs `replays` times. Empty for bindings that compute nothing once (with
// Binding::memory) or that fold equal rows. The choice depends on the arguments alone.
[[nodiscard]] std::vector<ProductOrder> choose_product_orders(const Program& compiled,
                                                              const Binding& binding, int replays);

// The program with its products in the order that is chosen for this binding. What runs and what
// is planned (planned_memory) must be given the same.
[[nodiscard]] Program order_products(Program compiled, const Binding& binding, int replays);

// A line for each chain, for tests and debugging:
// "%5 = A^2 X W: rows 20 <- 90 <- 400, columns 767 -> 10; narrow 9.1e+05, hoisted 3.1e+05 and
// 2.0e+07 once, 0.3 MiB; hoisted".
[[nodiscard]] std::string to_text(const std::vector<ProductOrder>& orders);

}  // namespace cupel
