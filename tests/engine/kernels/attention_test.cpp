#include "cupel/engine/kernels/attention.h"

#include <optional>

#include "engine/kernels/reference/attention.h"
#include "engine/kernels/support.h"

namespace cupel::test {
namespace {

constexpr float kSlope = 0.2f;

// Rows without entries, with one, with exactly and more than a chunk; square, with some self loops.
Csr pattern_of(Index size) {
  Csr a = random_csr(size, size, 6, false, 91);
  std::vector<std::vector<Index>> rows(static_cast<std::size_t>(size));
  for (Index r = 0; r < size; ++r) {
    std::vector<Index>& row = rows[static_cast<std::size_t>(r)];
    row.assign(a.columns.begin() + a.row_ptr[r], a.columns.begin() + a.row_ptr[r + 1]);
    if (r % 7 == 1) row = {r};
    const Index whole = r == 5 ? 32 : r == 9 ? size : r == 11 ? 33 : 0;
    for (Index c = 0; c < whole; ++c) row.push_back(c);
  }
  return csr_of(std::move(rows), size);
}

// Inputs and results of one kind of attention; `factor` empty: additive.
struct Case {
  Csr a;
  Transposed t;
  SparseView view_a, view_at;
  Index heads, cols;
  std::optional<float> factor;
  Strided receiver, sender, values, g;
  Strided out, stats, grad_receiver, grad_sender, grad_values;

  Case(const Csr& pattern, Index heads_, Index d, std::optional<float> by, float scale = 1,
       Index padding = 3)
      : a(pattern),
        t(a),
        view_a(view(a)),
        view_at(view(t.pattern)),
        heads(heads_),
        cols(heads_ * d),
        factor(by),
        receiver(Strided::random(a.rows, score_cols(), 1, padding)),
        sender(Strided::random(a.cols, score_cols(), 2, padding)),
        values(Strided::random(a.cols, cols, 3, padding)),
        g(Strided::random(a.rows, cols, 4, padding)),
        out(a.rows, cols, padding),
        stats(2 * heads, a.rows, padding),
        grad_receiver(a.rows, score_cols(), padding),
        grad_sender(a.cols, score_cols(), padding),
        grad_values(a.cols, cols, padding) {
    for (Index r = 0; r < a.rows; ++r) {
      for (Index j = 0; j < receiver.cols; ++j) receiver(r, j) *= scale;
    }
  }
  Index score_cols() const { return factor ? cols : heads; }

  void run(int threads) {
    if (factor) {
      kernels::dot_attention({threads}, view_a, receiver, sender, values, heads, *factor, out,
                             stats);
      kernels::dot_attention_backward({threads}, view_a, view_at, t.entry.data(), receiver, sender,
                                      values, heads, *factor, out, stats, g,
                                      {grad_receiver, grad_sender, grad_values});
    } else {
      kernels::additive_attention({threads}, view_a, receiver, sender, values, kSlope, out, stats);
      kernels::additive_attention_backward({threads}, view_a, view_at, t.entry.data(), receiver,
                                           sender, values, kSlope, out, stats, g,
                                           {grad_receiver, grad_sender, grad_values});
    }
  }
  void run_reference() {
    if (factor) {
      reference::dot_attention(view_a, receiver, sender, values, heads, *factor, out);
      reference::dot_attention_backward(view_a, receiver, sender, values, heads, *factor, g,
                                        {grad_receiver, grad_sender, grad_values});
    } else {
      reference::additive_attention(view_a, receiver, sender, values, kSlope, out);
      reference::additive_attention_backward(view_a, receiver, sender, values, kSlope, g,
                                             {grad_receiver, grad_sender, grad_values});
    }
  }
  std::vector<const Strided*> results() const {
    return {&out, &grad_receiver, &grad_sender, &grad_values};
  }
};

// Calls f(kind) for both kinds of attention.
template <class F>
void over_kinds(const F& f) {
  for (const std::optional<float> factor : {std::optional<float>(), std::optional<float>(0.4f)}) {
    SCOPED_TRACE(factor ? "dot" : "additive");
    f(factor);
  }
}

void expect_equals_reference(Case& x, double tolerance) {
  Case expected = x;
  x.run(1);
  expected.run_reference();
  for (std::size_t i = 0; i < x.results().size(); ++i) {
    SCOPED_TRACE(testing::Message() << "result " << i);
    expect_near(x.results()[i]->values, expected.results()[i]->values, tolerance);
  }
}

TEST(Attention, EqualsTheOracle) {
  const Csr a = pattern_of(70);
  on_every_target([&] {
    over_kinds([&](std::optional<float> factor) {
      for (const Index heads : {1, 2, 3, 8}) {
        for (const Index d : {1, 7, 16, 20, 64, 80, 150}) {
          SCOPED_TRACE(testing::Message() << heads << " heads of " << d);
          Case x(a, heads, d, factor);
          expect_equals_reference(x, 2e-5);
        }
      }
    });
  });
}

TEST(Attention, RowsWithoutEntriesAreZeroAndOneEntryCopies) {
  over_kinds([&](std::optional<float> factor) {
    Csr a = pattern_of(70);
    Case x(a, 2, 20, factor);
    x.run(1);
    int none = 0, one = 0;
    for (Index r = 0; r < a.rows; ++r) {
      for (Index j = 0; j < x.cols; ++j) {
        if (a.row_size(r) == 0) {
          ASSERT_EQ(x.out(r, j), 0.0f);
        } else if (a.row_size(r) == 1) {
          ASSERT_EQ(x.out(r, j), x.values(a.columns[static_cast<std::size_t>(a.row_ptr[r])], j));
        }
      }
      // A softmax over one entry, or none, has no gradient: exactly.
      for (Index j = 0; a.row_size(r) <= 1 && j < x.grad_receiver.cols; ++j) {
        ASSERT_EQ(x.grad_receiver(r, j), 0.0f);
      }
      none += a.row_size(r) == 0;
      one += a.row_size(r) == 1;
    }
    EXPECT_GT(none, 3);
    EXPECT_GT(one, 3);
  });
}

TEST(Attention, LargeScoresDoNotOverflow) {
  over_kinds([&](std::optional<float> factor) {
    for (const float scale : {50.0f, 2000.0f}) {
      Case x(pattern_of(70), 3, 16, factor, scale);
      Case expected = x;
      x.run(1);
      expected.run_reference();
      // A score of 2000 is known to 1e-4, and so are its exponential's relatives.
      expect_near(x.out.values, expected.out.values, 1e-6 * scale);
      for (const Strided* result : x.results()) {
        for (const float value : result->values) ASSERT_TRUE(std::isfinite(value));
      }
    }
    Case x(pattern_of(70), 3, 16, factor, 1e36f);
    x.run(1);
    for (const float value : x.out.values) ASSERT_TRUE(std::isfinite(value));
  });
}

TEST(Attention, NanPasses) {
  on_every_target([&] {
    over_kinds([&](std::optional<float> factor) {
      const Csr a = pattern_of(70);
      for (const Index column : {0, 31, 40}) {
        Case x(a, 2, 16, factor);
        x.sender(column, 0) = kNan;
        x.run(1);
        for (Index r = 0; r < a.rows; ++r) {
          const auto row = a.row_columns(r);
          const bool reached = std::find(row.begin(), row.end(), column) != row.end();
          for (Index j = 0; j < x.cols; ++j) {
            ASSERT_EQ(std::isnan(x.out(r, j)), reached && j < 16) << r << ", " << j;
          }
          ASSERT_EQ(std::isnan(x.grad_receiver(r, 0)), reached) << r;
        }
      }
    });
  });
}

TEST(Attention, ThreadsDoNotChangeBits) {
  Csr a = random_csr(900, 900, 40, false, 5);
  over_kinds([&](std::optional<float> factor) {
    for (const Index d : {16, 70}) {
      Case one(a, 2, d, factor), four(a, 2, d, factor);
      one.run(1);
      four.run(4);
      for (std::size_t i = 0; i < one.results().size(); ++i) {
        EXPECT_TRUE(same_bits(one.results()[i]->values, four.results()[i]->values)) << i;
      }
    }
  });
}

TEST(Attention, VectorWidthDoesNotChangeBits) {
  over_kinds([&](std::optional<float> factor) {
    for (const Index d : {5, 16, 48, 64, 90}) {
      std::vector<Case> cases;
      on_every_target([&] {
        if ((hwy::SupportedTargets() & (HWY_AVX3 | HWY_AVX2)) == 0) return;
        cases.emplace_back(pattern_of(70), 3, d, factor);
        cases.back().run(1);
      });
      if (cases.size() < 2) GTEST_SKIP() << "this machine has one vector width only";
      for (std::size_t i = 0; i < cases[0].results().size(); ++i) {
        EXPECT_TRUE(same_bits(cases[0].results()[i]->values, cases[1].results()[i]->values))
            << "heads of " << d << ", result " << i;
      }
    }
  });
}

TEST(Attention, RowsWhoseGradientIsZeroLeaveNoTrace) {
  // The same rows, computed alone: what pruning does.
  const Csr a = pattern_of(70);
  Csr cut;
  cut.cols = a.cols;
  std::vector<Index> kept;
  for (Index r = 0; r < a.rows; ++r) {
    if (r % 3 == 0) continue;
    kept.push_back(r);
    cut.columns.insert(cut.columns.end(), a.row_columns(r).begin(), a.row_columns(r).end());
    cut.row_ptr.push_back(static_cast<Offset>(cut.columns.size()));
  }
  cut.rows = static_cast<Index>(kept.size());
  over_kinds([&](std::optional<float> factor) {
    for (const Index d : {16, 90}) {
      Case whole(a, 2, d, factor);
      Case part(cut, 2, d, factor);
      for (Index r = 0; r < a.rows; r += 3) std::fill_n(whole.g.view().row(r), whole.cols, 0.0f);
      for (Index i = 0; i < cut.rows; ++i) {
        std::copy_n(whole.receiver.view().row(kept[i]), whole.receiver.cols,
                    part.receiver.view().row(i));
        std::copy_n(whole.g.view().row(kept[i]), whole.cols, part.g.view().row(i));
      }
      whole.run(1);
      part.run(1);
      EXPECT_TRUE(same_bits(whole.grad_values.values, part.grad_values.values));
      EXPECT_TRUE(same_bits(whole.grad_sender.values, part.grad_sender.values));
      for (Index i = 0; i < cut.rows; ++i) {
        for (Index j = 0; j < whole.cols; ++j) ASSERT_EQ(whole.out(kept[i], j), part.out(i, j));
        for (Index j = 0; j < whole.receiver.cols; ++j) {
          ASSERT_EQ(whole.grad_receiver(kept[i], j), part.grad_receiver(i, j));
        }
      }
    }
  });
}

TEST(Attention, UnwantedGradientsStayUntouched) {
  over_kinds([&](std::optional<float> factor) {
    Case all(pattern_of(70), 2, 70, factor);
    all.run(1);
    for (int wanted = 0; wanted < 8; ++wanted) {
      Case x(pattern_of(70), 2, 70, factor);
      x.out = all.out;
      x.stats = all.stats;
      const auto part = [&](int bit, Strided& m) {
        DenseView v = m;
        if ((wanted >> bit & 1) == 0) v.data = nullptr;
        return v;
      };
      const DenseView receiver = part(0, x.grad_receiver), sender = part(1, x.grad_sender);
      const DenseView values = part(2, x.grad_values);
      if (factor) {
        kernels::dot_attention_backward({1}, x.view_a, x.view_at, x.t.entry.data(), x.receiver,
                                        x.sender, x.values, 2, *factor, x.out, x.stats, x.g,
                                        {receiver, sender, values});
      } else {
        kernels::additive_attention_backward({1}, x.view_a, x.view_at, x.t.entry.data(), x.receiver,
                                             x.sender, x.values, kSlope, x.out, x.stats, x.g,
                                             {receiver, sender, values});
      }
      const auto check = [&](const DenseView& v, const Strided& got, const Strided& full) {
        const Strided untouched(got.rows, got.cols);
        EXPECT_TRUE(same_bits(got.values, v.data != nullptr ? full.values : untouched.values))
            << wanted;
      };
      check(receiver, x.grad_receiver, all.grad_receiver);
      check(sender, x.grad_sender, all.grad_sender);
      check(values, x.grad_values, all.grad_values);
    }
  });
}

}  // namespace
}  // namespace cupel::test
