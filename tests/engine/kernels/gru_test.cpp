#include "cupel/engine/kernels/gru.h"

#include "engine/kernels/reference/gru.h"
#include "engine/kernels/support.h"

namespace cupel::test {
namespace {

TEST(GruUnit, EqualsOracle) {
  on_every_target([] {
    for (const Index rows : {0, 1, 9})
      for (const Index cols : {1, 7, 16, 33}) {
        SCOPED_TRACE(testing::Message() << rows << " x " << cols);
        Strided in = Strided::random(rows, 3 * cols, 1), again = Strided::random(rows, cols, 2);
        Strided state = Strided::random(rows, cols, 3), g = Strided::random(rows, cols, 4);
        for (Index i = 0; i < rows; i += 3)  // gates that are all but open or shut
          for (Index j = 0; j < 3 * cols; ++j) in(i, j) *= 30;
        const kernels::GruInputs x{in, again, state};
        Strided out(rows, cols), expected(rows, cols);
        kernels::gru({1}, x, out);
        reference::gru(x, expected);
        expect_near(out.values, expected.values, 1e-6);

        // What was there is overwritten.
        Strided of_in = Strided::random(rows, 3 * cols, 5), of_in2 = of_in;
        Strided of_again = Strided::random(rows, cols, 6), of_again2 = of_again;
        Strided of_state = Strided::random(rows, cols, 7), of_state2 = of_state;
        kernels::gru_backward({1}, x, g, {of_in, of_again, of_state});
        reference::gru_backward(x, g, {of_in2, of_again2, of_state2});
        expect_near(of_in.values, of_in2.values, 1e-6);
        expect_near(of_again.values, of_again2.values, 1e-6);
        expect_near(of_state.values, of_state2.values, 1e-6);
      }
  });
}

TEST(GruUnit, EachGradientAloneIsTheSame) {
  on_every_target([] {
    Strided in = Strided::random(9, 3 * 19, 1), again = Strided::random(9, 19, 2);
    Strided state = Strided::random(9, 19, 3), g = Strided::random(9, 19, 4);
    const kernels::GruInputs x{in, again, state};
    Strided of_in(9, 3 * 19), of_again(9, 19), of_state(9, 19);
    Strided only_in = of_in, only_again = of_again, only_state = of_state;
    kernels::gru_backward({1}, x, g, {of_in, of_again, of_state});
    kernels::gru_backward({1}, x, g, {only_in, {}, {}});
    kernels::gru_backward({1}, x, g, {{}, only_again, {}});
    kernels::gru_backward({1}, x, g, {{}, {}, only_state});
    EXPECT_TRUE(same_bits(only_in.values, of_in.values));
    EXPECT_TRUE(same_bits(only_again.values, of_again.values));
    EXPECT_TRUE(same_bits(only_state.values, of_state.values));
  });
}

TEST(GruUnit, NeitherThreadsNorVectorWidthShow) {
  Strided in = Strided::random(3000, 3 * 37, 1), again = Strided::random(3000, 37, 2);
  Strided state = Strided::random(3000, 37, 3), g = Strided::random(3000, 37, 4);
  expect_same_bits_of([&](Threads threads) {
    Strided out(3000, 37), of_in(3000, 3 * 37), of_again(3000, 37), of_state(3000, 37);
    kernels::gru(threads, {in, again, state}, out);
    kernels::gru_backward(threads, {in, again, state}, g, {of_in, of_again, of_state});
    return joined({&out, &of_in, &of_again, &of_state});
  });
}

}  // namespace
}  // namespace cupel::test
