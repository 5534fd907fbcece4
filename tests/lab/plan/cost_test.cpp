#include "cupel/lab/plan/cost.h"

#include "cupel/lab/plan/plan.h"
#include "lab/fake.h"

namespace cupel {
namespace {

std::uint64_t work_of(Settings settings) {
  const Protocol protocol = parse_protocol(
      "p", "p.toml", "[data]\ndatasets = ['one']\n[split]\ncount = 1\n[models.gcn]\n");
  PlanSources sources = made::fake_sources();
  sources.model = [&](const ModelRow& row, const TaskKind&) {
    std::vector<OptionSpec> specs;
    for (const auto& [name, value] : settings) {
      OptionSpec spec;
      spec.name = name;
      spec.fallback = value;
      specs.push_back(spec);
    }
    return ResolvedModel{row.model, nullptr, Options(row.where, specs, {}), false};
  };
  return rough_work(*make_plan(protocol, {}, sources).cells.at(0).family);
}

TEST(Cost, GrowsWithTheWidthOfLayers) {
  const auto of = [](std::int64_t hidden) {
    return static_cast<double>(work_of({{"hidden", hidden}, {"layers", std::int64_t{3}}}));
  };
  EXPECT_GT(of(1024), 8 * of(256));  // products of hidden x hidden
  EXPECT_GT(of(256), of(64));
}

TEST(Cost, AWidthOfZeroIsThatOfTheOutput) {
  const std::int64_t none = 0, wide = 512, layers = 3;
  EXPECT_EQ(work_of({{"hidden", none}, {"dimension", wide}, {"layers", layers}}),
            work_of({{"hidden", wide}, {"layers", layers}}));
  EXPECT_GT(work_of({{"hidden", none}, {"layers", layers}}), 1u);
}

}  // namespace
}  // namespace cupel
