// A variational graph auto-encoder put together from its parts: the gradient of reconstruction and
// divergence, and what is left of it when it is evaluated.
#include <gtest/gtest.h>

#include <numeric>

#include "cupel/engine/kernels/all_pairs_loss.h"
#include "engine/program/example_graph.h"

namespace cupel {
namespace {

constexpr Index kNodes = ExampleGraph::kNodes, kWidth = 4;
const StreamKey kKey = stream_key("auto-encoder");

std::vector<Index> all_nodes() {
  std::vector<Index> rows(kNodes);
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

struct Latent {
  Value mu, log_std;
};
Latent encode(Builder& b, const OpExampleInputs& in) {
  Value h = propagate(in.adjacency, tanh(matmul(in.dense_features, b.glorot("w", 6, 5))));
  return {matmul(h, b.glorot("m", 5, kWidth)), matmul(h, b.glorot("s", 5, kWidth))};
}
Value variational(Builder& b, const OpExampleInputs& in) {
  const Latent z = encode(b, in);
  return with_penalty(sample_gaussian(z.mu, z.log_std),
                      affine(gaussian_divergence(z.mu, z.log_std), 1.0 / kNodes));
}
Value both(Builder& b, const OpExampleInputs& in) {
  const Latent z = encode(b, in);
  return concat_columns({z.mu, z.log_std});
}

TEST(AutoEncoder, GradientIsThatOfReconstructionAndDivergence) {
  BoundExample model(variational), plain(both);
  BoundProgram training = model.bind(all_nodes(), true);
  BoundProgram latent = plain.bind(all_nodes(), true, false);
  kernels::AllPairsLoss loss(model.graph.pattern, kWidth,
                             kernels::released_weights(kNodes, model.graph.pattern.entries()));
  // The divergence written out, of what the encoder gives without noise.
  const auto objective = [&] {
    training.forward(kKey, 3);
    std::copy_n(model.values.block().data(), model.values.block().size(),
                plain.values.block().data());
    latent.forward({}, 0);
    double divergence = 0;
    for (Index i = 0; i < kNodes; ++i)
      for (Index k = 0; k < kWidth; ++k) {
        const double mu = latent.output().row(i)[k], s = latent.output().row(i)[kWidth + k];
        divergence -= 0.5 * (1 + 2 * s - mu * mu - std::exp(2 * s));
      }
    return loss.compute({1}, training.output(), DenseView{}) + divergence / (kNodes * kNodes);
  };
  (void)objective();
  (void)loss.compute({1}, training.output(), training.output_gradient());
  training.backward();
  const AlignedVector<float> gradient = model.gradients.block();
  double largest = 0;
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    float& w = model.values.block()[i];
    const float kept = w;
    w = kept + 4e-3f;
    const double up = objective();
    w = kept - 4e-3f;
    const double down = objective();
    w = kept;
    const double want = (up - down) / 8e-3;
    EXPECT_NEAR(gradient[i], want, 1e-3 + 1e-2 * std::abs(want)) << "number " << i;
    largest = std::max(largest, std::abs(want));
  }
  EXPECT_GT(largest, 0.05);
}

// Else rows of the table would be named by entries of other rows.
TEST(GatherRows, WantsOneEntryInEachRow) {
  const auto bind = [](const auto& selection) {
    BoundExample example([&](Builder& b, const OpExampleInputs& in) {
      const Value chosen = selection(in);
      return gather_rows(chosen, b.glorot("table", chosen.shape().cols, 3));
    });
    (void)example.bind(all_nodes(), true);
  };
  EXPECT_NO_THROW(bind([](const OpExampleInputs& in) { return in.selection; }));
  EXPECT_THROW(bind([](const OpExampleInputs& in) { return in.pattern; }), std::logic_error);
  EXPECT_THROW(bind([](const OpExampleInputs& in) { return in.adjacency; }), std::logic_error);
}

TEST(AutoEncoder, EvaluatedItIsTheMeanAndNothingElseIsComputed) {
  BoundExample model(variational), plain(both);
  std::copy_n(model.values.block().data(), model.values.block().size(),
              plain.values.block().data());
  BoundProgram evaluated = model.bind(all_nodes(), true, false);
  BoundProgram latent = plain.bind(all_nodes(), true, false);
  evaluated.forward(kKey, 3);
  latent.forward({}, 0);
  for (Index i = 0; i < kNodes; ++i)
    for (Index k = 0; k < kWidth; ++k)
      EXPECT_EQ(evaluated.output().row(i)[k], latent.output().row(i)[k]);
  for (const Node& node : compile(model.program, false).nodes)
    EXPECT_FALSE(node.op != nullptr && node.op->name().find("gaussian") != std::string_view::npos);
  EXPECT_LT(evaluated.computed_rows(), latent.computed_rows());
}

}  // namespace
}  // namespace cupel
