// Names in the data by which results are told: runs on other names are other runs, drawn alike.
#include <gtest/gtest.h>

#include "cupel/lab/plan/plan.h"
#include "lab/fake.h"
#include "learn/events/made_events.h"

namespace cupel {
namespace {

Plan plan_of(TemporalFacts facts) {
  const auto shared = std::make_shared<const TemporalFacts>(std::move(facts));
  PlanSources sources = made::fake_sources();
  sources.load_facts = [&](const std::string&) { return dataset_of(shared); };
  const Protocol protocol = parse_protocol(
      "x", "x.toml",
      fmt::format(
          "task='events'\nmetric='mrr'\n[data]\ndatasets=['small']\n[split]\nscheme='time'\n"
          "cuts='{}'\ncount=1\n[models.edgebank]\n",
          made::kSmallCuts));
  return make_plan(protocol, {}, sources);
}

TEST(NamesOfFacts, AreOfTheIdentityAndDrawNothing) {
  const auto with = [](const std::function<void(TemporalFacts&)>& change) {
    TemporalFacts facts = made::small_facts(5);
    change(facts);
    return plan_of(std::move(facts));
  };
  const Plan plain = with([](TemporalFacts&) {});
  const Family& family = *plain.cells.at(0).family;
  EXPECT_EQ(with([](TemporalFacts&) {}).cells.at(0).family->id, family.id);
  // Each of them changes what is printed: groups by relation, and cuts that are days.
  const std::function<void(TemporalFacts&)> changes[] = {
      [](TemporalFacts& facts) { std::swap(facts.relations[0].name, facts.relations[1].name); },
      [](TemporalFacts& facts) { facts.relations[2].name = "wrote"; },
      [](TemporalFacts& facts) { facts.time_unit = "day"; },
      [](TemporalFacts& facts) { facts.time_unit = "second"; }};
  std::set<std::string> ids = {family.id};
  for (const auto& change : changes) {
    const Plan other = with(change);
    const Family& renamed = *other.cells.at(0).family;
    EXPECT_TRUE(ids.insert(renamed.id).second) << renamed.identity;
    EXPECT_EQ(renamed.dataset->content, family.dataset->content);
    EXPECT_EQ(run_key(renamed, 0, 0), run_key(family, 0, 0));
  }
  EXPECT_NE(run_key(family, 0, 1), run_key(family, 0, 0));
}

}  // namespace
}  // namespace cupel
