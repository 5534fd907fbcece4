#include "cupel/lab/plan/cost.h"

#include "cupel/data/facts/facts.h"
#include "cupel/lab/plan/plan.h"
#include "lab/fake.h"

namespace cupel {
namespace {

std::uint64_t work_of(const std::string& protocol_text, PlanSources sources, Settings settings) {
  const Protocol protocol = parse_protocol("p", "p.toml", protocol_text);
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

std::uint64_t work_of(Settings settings) {
  return work_of("[data]\ndatasets = ['one']\n[split]\ncount = 1\n[models.gcn]\n",
                 made::fake_sources(), std::move(settings));
}

// A fact each time, of so many facts and entities.
std::uint64_t work_over_time(const std::string& question, Index facts, Index entities,
                             Settings settings) {
  PlanSources sources = made::fake_sources();
  sources.load_facts = [&](const std::string&) {
    auto out = std::make_shared<TemporalFacts>();
    out->name = "one";
    out->types = {"entity"};
    out->entity_types.assign(static_cast<std::size_t>(entities), 0);
    out->relations = {{"met", 0, 0, false}};
    for (Index i = 0; i < facts; ++i) out->push(i % entities, 0, (i + 1) % entities, i);
    return dataset_of(std::move(out));
  };
  return work_of("task = 'events'\nmetric = '" +
                     std::string(question == "which" ? "mrr" : "average-precision") +
                     "'\n[data]\ndatasets = ['one']\n[split]\nscheme = 'time'\n"
                     "[events]\nquestion = '" +
                     question + "'\n[models.gcn]\n",
                 sources, std::move(settings));
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

// RE-Net on YAGO takes 100 minutes of a processor, popularity 0.1 s, and TGN on CollegeMsg minutes.
TEST(Cost, OfFactsOverTimeIsGoodToAFactorOfTen) {
  const auto seconds = [](std::uint64_t work) { return static_cast<double>(work) / 1e3; };
  const std::int64_t wide = 200, epochs = 20, narrow = 100, passes = 50;
  const double re_net =
      seconds(work_over_time("which", 200'000, 10'000, {{"width", wide}, {"epochs", epochs}}));
  EXPECT_GT(re_net, 600);
  EXPECT_LT(re_net, 60'000);
  const double popularity = seconds(work_over_time("which", 200'000, 10'000, {}));
  EXPECT_GT(popularity, 0.01);
  EXPECT_LT(popularity, 1);
  const double tgn =
      seconds(work_over_time("whether", 60'000, 1'900, {{"width", narrow}, {"epochs", passes}}));
  EXPECT_GT(tgn, 10);
  EXPECT_LT(tgn, 1'000);
}

}  // namespace
}  // namespace cupel
