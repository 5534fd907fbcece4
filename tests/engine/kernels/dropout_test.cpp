#include "cupel/engine/kernels/dropout.h"

#include "engine/kernels/reference.h"
#include "engine/kernels/support.h"

namespace cupel::test {
namespace {

using kernels::DrawPlan;
using kernels::DrawSource;
using kernels::DropRate;

// Published words for 7 rounds of Philox4x32 (Random123, tests/kat_vectors).
TEST(Philox, PublishedWords) {
  using Words = std::array<std::uint32_t, 4>;
  EXPECT_EQ(philox({0, 0}, 0, 0, 0, 0), (Words{0x5f6fb709, 0x0d893f64, 0x4f121f81, 0x4f730a48}));
  EXPECT_EQ(philox({0xffffffff, 0xffffffff}, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff),
            (Words{0x5207ddc2, 0x45165e59, 0x4d8ee751, 0x8c52f662}));
  EXPECT_EQ(philox({0xa4093822, 0x299f31d0}, 0x03707344, 0x13198a2e, 0x85a308d3, 0x243f6a88),
            (Words{0x4dfccaba, 0x190a87f0, 0xc47362ba, 0xb6b5242a}));
}

TEST(FillDraws, EqualsPhiloxWordsInOrder) {
  const DrawSource source{{0xDEADBEEF, 0x12345678}, 17, 0xFFFFFFF0};
  on_every_target([&] {
    for (const std::size_t slots : {0, 1, 3, 7, 8, 9, 31, 100}) {
      std::vector<std::uint32_t> rows(slots), blocks(slots);
      for (std::size_t s = 0; s < slots; ++s) {
        rows[s] = static_cast<std::uint32_t>(0x9E3779B9u * s);
        blocks[s] = static_cast<std::uint32_t>(0xFFFFFFFFu - 3 * s);
      }
      std::vector<std::uint16_t> draws(8 * slots + 1024), expected(8 * slots);
      kernels::fill_draws(source, rows.data(), blocks.data(), slots, draws.data());
      reference::fill_draws(source, rows.data(), blocks.data(), slots, expected.data());
      draws.resize(8 * slots);
      EXPECT_EQ(draws, expected);
    }
  });
}

TEST(DrawPlan, RowsStartTheirOwnSlots) {
  const std::vector<Index> ids = {5, 9, 2, 7};
  const std::vector<Offset> row_ptr = {0, 9, 9, 17, 18};
  const DrawPlan plan = DrawPlan::ragged(ids.data(), 4, row_ptr.data());
  EXPECT_EQ(plan.first_slot, (std::vector<Offset>{0, 2, 2, 3, 4}));
  EXPECT_EQ(plan.slot_rows, (std::vector<std::uint32_t>{5, 5, 2, 7}));
  EXPECT_EQ(plan.slot_blocks, (std::vector<std::uint32_t>{0, 1, 0, 0}));
  EXPECT_GE(plan.draws_capacity(), 8u * 4 + 8);
  const std::vector<Offset> even = {0, 20, 40, 60};
  const DrawPlan same = DrawPlan::ragged(nullptr, 3, even.data());
  EXPECT_EQ(same.first_slot, (std::vector<Offset>{0, 3, 6, 9}));
  EXPECT_EQ(same.slot_rows, (std::vector<std::uint32_t>{0, 0, 0, 1, 1, 1, 2, 2, 2}));
  EXPECT_EQ(DrawPlan::ragged(nullptr, 0, even.data()).first_slot, (std::vector<Offset>{0}));
  const DrawPlan each = DrawPlan::each_entry(ids.data(), 3, row_ptr.data() + 1);
  EXPECT_EQ(each.slot_rows, (std::vector<std::uint32_t>{9, 9, 9, 9, 9, 9, 9, 9, 2}));
  EXPECT_EQ(each.slot_blocks, (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 0}));
}

struct Dropped {
  std::vector<Offset> row_ptr;
  std::vector<Index> columns;
  std::vector<float> values;
  SparseView view;

  template <class Drop>
  Dropped(const Drop& drop, const SparseView& in, const DropRate& rate, const DrawPlan& plan,
          const std::vector<std::uint16_t>& draws)
      : row_ptr(static_cast<std::size_t>(in.rows) + 1),
        columns(static_cast<std::size_t>(in.entries()) + 16, -7),
        values(columns.size(), -7) {
    view = drop(in, rate, plan, draws.data(), row_ptr.data(), columns.data(), values.data());
    columns.resize(static_cast<std::size_t>(row_ptr.back()));
    values.resize(in.values != nullptr ? columns.size() : 0);
  }
};

TEST(DropEntries, EqualsOracle) {
  on_every_target([] {
    for (const bool valued : {false, true}) {
      for (const int mean : {1, 4, 18, 60}) {
        for (const double p : {0.0, 0.3, 0.8, 1.0}) {
          const Csr a = random_csr(50, 400, mean, valued, 21);
          const DrawPlan plan = DrawPlan::ragged(nullptr, a.rows, a.row_ptr.data());
          std::vector<std::uint16_t> draws(plan.draws_capacity());
          kernels::fill_draws({{1, 2}, 3, 4}, plan.slot_rows.data(), plan.slot_blocks.data(),
                              plan.slot_rows.size(), draws.data());
          const DropRate rate{p};
          const Dropped got(kernels::drop_entries, view(a), rate, plan, draws);
          const Dropped want(reference::drop_entries, view(a), rate, plan, draws);
          EXPECT_EQ(got.row_ptr, want.row_ptr);
          EXPECT_EQ(got.columns, want.columns);
          EXPECT_EQ(got.values, want.values);
          EXPECT_EQ(got.view.uniform, want.view.uniform);
          EXPECT_EQ(got.view.values != nullptr, valued);
          if (p == 0.0) {
            EXPECT_EQ(got.columns, a.columns);
          }
        }
      }
    }
  });
}

TEST(DropEntries, KeepsTheStatedShare) {
  const Csr a = random_csr(4000, 1000, 18, false, 22);
  const DrawPlan plan = DrawPlan::ragged(nullptr, a.rows, a.row_ptr.data());
  std::vector<std::uint16_t> draws(plan.draws_capacity());
  kernels::fill_draws({{5, 6}, 7, 8}, plan.slot_rows.data(), plan.slot_blocks.data(),
                      plan.slot_rows.size(), draws.data());
  const DropRate rate{0.8};
  const Dropped kept(kernels::drop_entries, view(a), rate, plan, draws);
  const double size = static_cast<double>(a.entries());
  const double share = static_cast<double>(kept.columns.size()) / size;
  EXPECT_NEAR(share, 0.2, 5 * std::sqrt(0.2 * 0.8 / size));
  EXPECT_NEAR(rate.keep_scale * (65536.0 - rate.threshold) / 65536.0, 1.0, 1e-7);
}

}  // namespace
}  // namespace cupel::test
