#include "cupel/engine/kernels/headwise.h"

#include <gtest/gtest.h>

#include <vector>

#include "engine/kernels/support.h"

namespace cupel::test {
namespace {

bool keeps(std::uint8_t mask, Index column, Index width) {
  return ((mask >> (column / width)) & 1) != 0;
}

TEST(HeadMasks, AreThresholdsOfTheDraws) {
  on_every_target([] {
    std::vector<std::uint16_t> draws(8 * 64);
    for (std::size_t i = 0; i < draws.size(); ++i)
      draws[i] = static_cast<std::uint16_t>(i * 40503u);
    const kernels::DropRate rate(0.6);
    std::vector<std::uint8_t> keep(64 + 64);
    kernels::head_masks(draws.data(), 61, rate, keep.data());
    for (std::size_t s = 0; s < 61; ++s)
      for (std::size_t h = 0; h < 8; ++h)
        EXPECT_EQ(((keep[s] >> h) & 1) != 0, draws[8 * s + h] >= rate.threshold);
  });
}

// Entry k of a row keeps head h by draw h of the row's block k.
TEST(EntryMasks, AreDrawnByBlocksOfTheirRows) {
  const Csr a = random_csr(40, 30, 6, false, 2);
  std::vector<Index> ids;
  for (Index i = 0; i < a.rows; ++i) ids.push_back(3 * i + 1);
  const kernels::DrawSource source{{3, 4}, 5, 6};
  const kernels::DropRate rate(0.4);
  on_every_target([&] {
    kernels::EntryMasks masks(view(a), ids.data());
    masks.draw({{3, 4}, 5, 7}, rate);
    masks.draw(source, rate);
    for (Index r = 0; r < a.rows; ++r)
      for (Offset e = a.row_ptr[r]; e < a.row_ptr[r + 1]; ++e) {
        const auto words =
            philox(source.key, source.purpose, source.step, static_cast<std::uint32_t>(ids[r]),
                   static_cast<std::uint32_t>(e - a.row_ptr[r]));
        for (std::size_t h = 0; h < 8; ++h)
          EXPECT_EQ(((masks.masks()[e] >> h) & 1) != 0,
                    (words[h / 2] >> (h % 2 * 16) & 0xFFFF) >= rate.threshold);
      }
  });
}

TEST(HeadwiseSpmm, AndItsTransposeEqualPlainLoops) {
  on_every_target([] {
    for (const auto& [heads, width] :
         {std::pair<Index, Index>{8, 8}, {8, 1}, {3, 7}, {1, 5}, {2, 40}}) {
      for (const bool valued : {false, true}) {
        SCOPED_TRACE(testing::Message() << heads << " heads of " << width);
        const Index cols = heads * width;
        Csr a;
        a.rows = 23;
        a.cols = 11;
        Stream random(stream_key("headwise"), 1);
        std::vector<std::uint8_t> keep;
        for (Index r = 0; r < a.rows; ++r) {
          for (Index c = 0; c < a.cols; ++c) {
            if (r % 5 == 0 || random.next_unit() < 0.6) continue;  // some rows are empty
            a.columns.push_back(c);
            if (valued) a.values.push_back(static_cast<float>(random.next_normal()));
            keep.push_back(static_cast<std::uint8_t>(random.next_u32()));
          }
          a.row_ptr.push_back(static_cast<Offset>(a.columns.size()));
        }
        SparseView view_a = view(a);
        view_a.uniform = 0.7f;  // of entries without values
        Matrix b(a.cols, cols), g(a.rows, cols), out(a.rows, cols), back(a.cols, cols);
        for (float& v : b.values) v = static_cast<float>(random.next_normal());
        for (float& v : g.values) v = static_cast<float>(random.next_normal());
        std::vector<double> expected(out.values.size()), expected_back(back.values.size());
        std::vector<float> in_order(out.values.size()), in_order_back(back.values.size());
        for (Index r = 0; r < a.rows; ++r)
          for (Offset e = a.row_ptr[r]; e < a.row_ptr[r + 1]; ++e)
            for (Index j = 0; j < cols; ++j) {
              if (!keeps(keep[static_cast<std::size_t>(e)], j, width)) continue;
              const double v = 2.5 * view_a.value(e);
              expected[static_cast<std::size_t>(r * cols + j)] += v * b(a.columns[e], j);
              expected_back[static_cast<std::size_t>(a.columns[e] * cols + j)] += v * g(r, j);
              in_order[static_cast<std::size_t>(r * cols + j)] += b(a.columns[e], j);
              in_order_back[static_cast<std::size_t>(a.columns[e] * cols + j)] += g(r, j);
            }
        // A^T, and where its entries are in A.
        const Csr t = transpose(a);
        std::vector<Offset> entry(a.columns.size()), next(t.row_ptr.begin(), t.row_ptr.end() - 1);
        for (Offset e = 0; e < a.entries(); ++e) entry[next[a.columns[e]]++] = e;
        SparseView view_t = view(t);
        view_t.uniform = view_a.uniform;
        const kernels::HeadColumns columns(heads, cols);
        for (const int threads : {1, 8}) {
          kernels::headwise_spmm({threads}, view_a, keep.data(), columns, 2.5f, b,
                                 {out.values.data(), out.rows, cols, cols});
          kernels::headwise_spmm_transposed({threads}, view_t, entry.data(), keep.data(), columns,
                                            2.5f, g, {back.values.data(), back.rows, cols, cols});
          for (std::size_t i = 0; i < expected.size(); ++i)
            ASSERT_NEAR(out.values[i], expected[i], 1e-5 * (1 + std::abs(expected[i])));
          for (std::size_t i = 0; i < expected_back.size(); ++i)
            ASSERT_NEAR(back.values[i], expected_back[i], 1e-5 * (1 + std::abs(expected_back[i])));
          if (valued) continue;  // whether products are rounded depends on the target
          for (std::size_t i = 0; i < in_order.size(); ++i)
            ASSERT_EQ(out.values[i], 2.5f * view_a.uniform * in_order[i]);
          for (std::size_t i = 0; i < in_order_back.size(); ++i)
            ASSERT_EQ(back.values[i], 2.5f * view_a.uniform * in_order_back[i]);
        }
      }
    }
  });
}

}  // namespace
}  // namespace cupel::test
