// Orders that shuffle-rows draws: permutations, one for each step, all equally likely.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "cupel/engine/program/bound_program.h"
#include "cupel/engine/program/builder.h"
#include "cupel/engine/program/passes.h"

namespace cupel {
namespace {

// Rows of one column, each its own number.
struct Numbered {
  Matrix numbers;
  Program program;

  explicit Numbered(Index rows) : numbers(rows, 1) {
    std::iota(numbers.values.begin(), numbers.values.end(), 0.0f);
    Builder b;
    const Value x = b.constant("numbers", {Layout::kDense, b.space("node"), 0, 1});
    program = b.finish(shuffle_rows(x));
  }
  BoundProgram bind(std::vector<Index> rows) const {
    return {compile(program, true), Binding{{{nullptr, &numbers}}, std::move(rows)}};
  }
  std::vector<Index> all() const {
    std::vector<Index> rows(static_cast<std::size_t>(numbers.rows));
    std::iota(rows.begin(), rows.end(), 0);
    return rows;
  }
};

std::vector<int> drawn(BoundProgram& bound, StreamKey key, std::uint32_t step) {
  bound.forward(key, step);
  std::vector<int> out;
  for (Index i = 0; i < bound.output().rows; ++i)
    out.push_back(static_cast<int>(*bound.output().row(i)));
  return out;
}

TEST(ShuffleRows, GivesEachRowOnceInAnOrderOfTheStep) {
  const Numbered rows(1000);
  BoundProgram bound = rows.bind(rows.all());
  const StreamKey key = stream_key("orders");
  const std::vector<int> first = drawn(bound, key, 0);
  for (const std::uint32_t step : {0u, 1u, 77u}) {
    std::vector<int> order = drawn(bound, key, step);
    EXPECT_EQ(order == first, step == 0);
    std::ranges::sort(order);
    EXPECT_TRUE(std::ranges::equal(order, rows.all()));
  }
  EXPECT_NE(drawn(bound, stream_key("another"), 0), first);
  EXPECT_EQ(drawn(bound, key, 0), first);
}

TEST(ShuffleRows, DrawsTheSameOrderWhateverIsComputed) {
  const Numbered rows(40);
  BoundProgram all = rows.bind(rows.all()), some = rows.bind({3, 4, 39});
  const StreamKey key = stream_key("some");
  const std::vector<int> order = drawn(all, key, 5);
  EXPECT_EQ(drawn(some, key, 5), (std::vector<int>{order[3], order[4], order[39]}));
}

TEST(ShuffleRows, IsTheIdentityWhenEvaluated) {
  Matrix numbers(3, 1);
  std::iota(numbers.values.begin(), numbers.values.end(), 0.0f);
  Builder b;
  const Value x = b.constant("numbers", {Layout::kDense, b.space("node"), 0, 1});
  const Program program = b.finish(affine(shuffle_rows(x), 2.0));
  BoundProgram bound(compile(program, false), Binding{{{nullptr, &numbers}}, {0, 1, 2}});
  EXPECT_EQ(drawn(bound, stream_key("evaluated"), 3), (std::vector<int>{0, 2, 4}));
}

TEST(ShuffleRows, MakesAllOrdersEquallyLikely) {
  const Numbered rows(4);
  BoundProgram bound = rows.bind(rows.all());
  std::map<std::vector<int>, int> seen;
  constexpr int kSteps = 24000;
  for (std::uint32_t step = 0; step < kSteps; ++step)
    ++seen[drawn(bound, stream_key("fair"), step)];
  ASSERT_EQ(seen.size(), 24u);
  double chi_squared = 0;
  for (const auto& [order, times] : seen)
    chi_squared += (times - kSteps / 24.0) * (times - kSteps / 24.0) / (kSteps / 24.0);
  EXPECT_LT(chi_squared, 49.7);  // the 0.999 quantile of 23 degrees of freedom
}

TEST(ShuffleRows, RefusesWhatHasNoRowsOfASpace) {
  Builder b;
  const Value w = b.glorot("w", 3, 2);
  EXPECT_THROW((void)shuffle_rows(w), std::logic_error);
}

}  // namespace
}  // namespace cupel
