#include "cupel/lab/protocol/configurations.h"

#include <gtest/gtest.h>

#include "cupel/base/error.h"
#include "error_of.h"
#include "lab/fake.h"

namespace cupel {
namespace {

const char* kChoosing = R"(
metric = "accuracy"
metric_two_classes = "roc-auc"
[data]
datasets = ["one", "three"]
[split]
count = 4
[train]
patience = 7
optimizer = "adam"
[models.sage]
lr = 0.1
[models.sage.train]
patience = 0
stop_on = "valid-score"
[models.sage.choices]
hidden = [16, 32]
"a, b" = [[1, 0], [0, 1]]
[models.sage-released]
model = "sage"
reading_of = "SAGE"
choose_by = "test-score"
[[models.sage-released.on]]
datasets = ["Three"]
hidden = 64
train = { keep = "last" }
choices = { lr = [0.1, 0.2, 0.3] }
)";

Protocol choosing(const std::string& more = "") {
  return parse_protocol("p", "p.toml", std::string(kChoosing) + more);
}

std::string error_of(const std::string& text) {
  return cupel::error_of([&] { (void)parse_protocol("p", "p.toml", text); });
}

std::vector<std::string> names_of(const RowOnDataset& row) {
  std::vector<std::string> out;
  for (const Configuration& configuration : grid_of(row)) out.push_back(to_text(configuration));
  return out;
}

TEST(Configurations, GridsGoTheLastChoiceFastest) {
  const Protocol p = choosing();
  const RowOnDataset row = row_on(p, *p.find_model("sage"), "one");
  EXPECT_EQ(names_of(row),
            (std::vector<std::string>{"hidden=16, a=1, b=0", "hidden=16, a=0, b=1",
                                      "hidden=32, a=1, b=0", "hidden=32, a=0, b=1"}));
  EXPECT_EQ(row.settings.at("lr"), OptionValue(0.1));
  EXPECT_EQ(row.rule.patience, 0);
  EXPECT_EQ(row.rule.stop_on, "valid-score");
  EXPECT_EQ(row.rule.optimizer, "adam");
  EXPECT_EQ(p.rule.patience, 7);
}

TEST(Configurations, WhereNothingIsChosenThereIsOne) {
  const Protocol p = choosing();
  EXPECT_EQ(names_of(row_on(p, *p.find_model("sage-released"), "one")),
            std::vector<std::string>{""});
}

TEST(Configurations, ADataSetMayBeDifferent) {
  const Protocol p = choosing();
  const ModelRow& released = *p.find_model("sage-released");
  EXPECT_EQ(released.reading_of, "sage");
  EXPECT_EQ(released.choose_by, "test-score");
  const RowOnDataset row = row_on(p, released, "three");
  EXPECT_EQ(names_of(row), (std::vector<std::string>{"lr=0.1", "lr=0.2", "lr=0.3"}));
  EXPECT_EQ(row.settings.at("hidden"), OptionValue(std::int64_t{64}));
  EXPECT_EQ(row.rule.keep, "last");
  EXPECT_EQ(row.rule.patience, 7);
}

TEST(Configurations, AValueEndsAChoiceAndAChoiceEndsAValue) {
  const Protocol p = choosing(
      "[[models.sage.on]]\ndatasets = ['one']\na = 5\nchoices = { lr = [1, 2] }\n"
      "[[models.sage.on]]\ndatasets = ['one', 'three']\nchoices = { hidden = [8] }\n");
  const RowOnDataset one = row_on(p, *p.find_model("sage"), "one");
  EXPECT_EQ(names_of(one), (std::vector<std::string>{"hidden=8, lr=1", "hidden=8, lr=2"}));
  EXPECT_EQ(one.settings.at("a"), OptionValue(std::int64_t{5}));
  EXPECT_FALSE(one.settings.contains("lr"));
  EXPECT_EQ(names_of(row_on(p, *p.find_model("sage"), "three")).size(), 2u);
}

TEST(Configurations, AValueOfTheRuleEndsAChoiceOfIt) {
  const Protocol p = parse_protocol(
      "p", "p.toml",
      "[data]\ndatasets = ['one', 'two', 'three']\n[models.gin]\n"
      "choices = { batch_size = [32, 128], lr = [1, 2] }\n"
      "[[models.gin.on]]\ndatasets = ['one', 'three']\ntrain = { batch_size = 16, patience = 3 }\n"
      "[[models.gin.on]]\ndatasets = ['three']\nchoices = { batch_size = [8] }\n");
  const ModelRow& gin = *p.find_model("gin");
  const RowOnDataset one = row_on(p, gin, "one");
  EXPECT_EQ(names_of(one), (std::vector<std::string>{"lr=1", "lr=2"}));
  EXPECT_EQ(one.rule.batch_size, 16);
  EXPECT_EQ(names_of(row_on(p, gin, "two")).size(), 4u);
  EXPECT_EQ(names_of(row_on(p, gin, "three")),
            (std::vector<std::string>{"lr=1, batch_size=8", "lr=2, batch_size=8"}));
}

TEST(Configurations, MetricsGoByTheNumberOfClasses) {
  const Protocol p = choosing();
  EXPECT_EQ(p.metric_for(2), "roc-auc");
  EXPECT_EQ(p.metric_for(5), "accuracy");
  EXPECT_EQ(parse_protocol("s", "s.toml", made::kSmallProtocol).metric_for(2), "accuracy");
}

TEST(Configurations, MistakesNameTheLineAndTheWayOut) {
  const std::string data = "[data]\ndatasets = ['d']\n";
  const std::pair<std::string, std::string> cases[] = {
      {"[models.a]\nlr = 1\n[models.a.choices]\nlr = [1, 2]",
       "p.toml:6: [models.a.choices]: 'lr' has a value of its own beside this choice"},
      {"[models.a.train]\nbatch_size = 16\n[models.a.choices]\nbatch_size = [32, 128]",
       "p.toml:6: [models.a.choices]: 'batch_size' has a value of its own beside this choice"},
      {"[models.a]\n[[models.a.on]]\ndatasets = ['d']\ntrain = { stop_on = 'valid-loss' }\n"
       "choices = { stop_on = ['valid-score'] }",
       "'stop_on' has a value of its own beside this choice"},
      {"[models.a.choices]\nlr = []",
       "p.toml:4: [models.a.choices]: 'lr' must be a list of values"},
      {"[models.a.choices]\nlr = [1, 1]", "'lr' has the same value twice"},
      {"[models.a.choices]\n'b, c' = [1, 2]", "must be a list of lists of 2 values each"},
      {"[models.a.choices]\nb = [1]\n'c, b' = [[1, 2]]", "'b' is chosen twice"},
      {"[models.a]\nchoose_by = 'luck'", "'choose_by' cannot be 'luck'"},
      {"[models.a.train]\ninits = 3", "'inits' is the same for all rows"},
      {"[models.a.train]\npatiense = 3", "p.toml:4: [models.a.train]: unknown key 'patiense'"},
      {"[models.a]\ncommand = ['x']\n[models.a.train]\npatience = 3",
       "a program trains itself; [train] does not reach it"},
      {"[[models.a.on]]\nlr = 1", "'datasets' is missing"},
      {"[[models.a.on]]\ndatasets = ['e']", "p.toml:3: [[models.a.on]]: 'e' is no data set"},
      {"[models.a]\nreading_of = 'b'", "there is no [models.b]"},
      {"[models.a]\nreading_of = 'a'", "which is itself a reading"},
      {"[models.a]\n[[table]]\nid = '1'\n[[table]]\nid = '2'\nkind = 'readings'\nsource = '1'",
       "no row of table '1' has another row of it as its reading"},
      {"[models.a]\n[[table]]\nid = '1'\nstrata = 'x'", "no [strata.x] in this file"},
      {"[models.a]\n[strata.x]", "'rule' is missing"},
      {"[models.a]\n[strata.x]\nrule = 'degree-below'", "'value' is missing"},
      {"[models.a]\n[strata.x]\nrule = 'file'", "'nodes' is missing"},
      {"[models.a]\n[strata.x]\nrule = 'file'\nnodes = 'n'\ngraph = 'g'", "unknown key 'graph'"},
      {"[models.a]\n[strata.x]\nrule='degree-below'\nvalue=2\n[[table]]\nid='1'\nstrata='x'\n"
       "[[table]]\nid='2'\nkind='ranks'\nsource='1'",
       "'source' must be the id of a 'scores' table above this one, without strata"},
  };
  for (const auto& [text, message] : cases) {
    const std::string said = error_of(data + text);
    EXPECT_NE(said.find(message), std::string::npos) << text << "\nsaid: " << said;
  }
}

TEST(ChoiceFilters, AreSettingsWithValues) {
  const auto filters = parse_choice_filters({"layers=1,2", "sage.norm=l2,lr=0.01,0.1"});
  ASSERT_EQ(filters.size(), 3u);
  EXPECT_EQ(filters[0].setting, "layers");
  EXPECT_EQ(filters[0].values.size(), 2u);
  EXPECT_EQ(filters[1].row, "sage");
  EXPECT_EQ(filters[1].values, std::vector<OptionValue>{OptionValue(std::string("l2"))});
  EXPECT_EQ(filters[2].values, (std::vector<OptionValue>{0.01, 0.1}));
  for (const char* bad : {"layers", "=1", "layers=", "layers=1,,2", "sage.=1"})
    EXPECT_THROW((void)parse_choice_filters({bad}), Error) << bad;
}

TEST(ChoiceFilters, NarrowWhatARowChoosesFrom) {
  const Protocol p = choosing();
  const ModelRow& sage = *p.find_model("sage");
  RowOnDataset row = row_on(p, sage, "one");
  narrow(row, sage, parse_choice_filters({"b=0", "other.hidden=32"}));
  EXPECT_EQ(names_of(row),
            (std::vector<std::string>{"hidden=16, a=1, b=0", "hidden=32, a=1, b=0"}));
  EXPECT_THROW(narrow(row, sage, parse_choice_filters({"b=1"})), Error);
}

}  // namespace
}  // namespace cupel
