// Numbers that tell nothing: independent draws, the same for the same seed, of row i for node i.
//
// Li et al. 2024 use Gaussian ones of width 1 around 0.1 ("guassian" of their code: mean=0.1), of
// width 50 ("use_random"), of width 64 ("use_onehot", an untrained embedding) and whole numbers up
// to the nodes of the graph ("rand_id").
#include "cupel/base/random.h"
#include "cupel/base/error.h"
#include "cupel/data/features/parts.h"

namespace cupel {
namespace {

Features make(const FeatureSource& source, const Options& settings) {
  const std::string& distribution = settings.text("distribution");
  const double mean = settings.real("mean"), deviation = settings.real("sd");
  const double low = settings.real("low"), high = settings.real("high");
  if (!(low < high)) {
    fail("feature 'random': low = {} must be below high = {}", low, high);
  }
  const StreamKey key = stream_key(fmt::format("features/random/{}", settings.integer("seed")));
  check_dense(source.adjacency.rows, settings.integer("width"), "feature 'random'",
              "lower its 'width'");
  Matrix out(source.adjacency.rows, static_cast<Index>(settings.integer("width")));
  const std::vector<Index> start = graph_starts(source);
  for (std::size_t g = 0; g + 1 < start.size(); ++g) {
    const auto nodes = static_cast<std::uint32_t>(start[g + 1] - start[g]);
    for (Index i = start[g]; i < start[g + 1]; ++i) {
      Stream stream(key, 1, 0, static_cast<std::uint32_t>(i));
      for (Index j = 0; j < out.cols; ++j) {
        double value = 0;
        if (distribution == "gaussian") {
          value = mean + deviation * stream.next_normal();
        } else if (distribution == "uniform") {
          value = low + (high - low) * stream.next_unit();
        } else {
          value = 1 + stream.next_below(nodes);
        }
        out(i, j) = static_cast<float>(value);
      }
    }
  }
  return out;
}

}  // namespace

extern const FeatureKind feature_random;
const FeatureKind feature_random = {
    "random",
    "independent draws for every node",
    false,
    {{"width", std::int64_t{1}, "columns", 1, 100'000, {}},
     {.name = "distribution",
      .fallback = std::string("gaussian"),
      .doc = "of the draws; ids: whole numbers from 1 to the nodes of the graph",
      .choices = {"gaussian", "uniform", "ids"}},
     {"mean", 0.0, "of Gaussian draws", -1e30, 1e30, {}},
     {"sd", 1.0, "standard deviation of Gaussian draws", 0, 1e30, {}},
     {"low", 0.0, "least uniform draw", -1e30, 1e30, {}},
     {"high", 1.0, "end of uniform draws", -1e30, 1e30, {}},
     {"seed", std::int64_t{0}, "which draws", 0, 4294967295.0, {}}},
    make};

}  // namespace cupel
