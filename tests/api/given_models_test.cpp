// Functions as rows of a protocol.
#include "cupel/api/given_models.h"

#include <gtest/gtest.h>

#include "error_of.h"

namespace cupel {
namespace {

std::shared_ptr<const ModelFunction> named(const std::string& name) {
  auto out = std::make_shared<ModelFunction>();
  out->name = name;
  return out;
}

constexpr const char* kTables = R"(# Größe: a comment that stays
[data]
datasets = ["csbm"]
[models.gcn]
[models.mlp]
[models.own]
function = "mine"
[[table]]
id = "a"
models = [
  "gcn", "mlp",  # ä, and a comma at the end
]
[[table]]
id = "b"
title = "Übersicht"
models = ["mlp"]
[[table]]
id = "all"
[[table]]
id = "ranks"
kind = "ranks"
source = "a"
models = ["gcn"]
)";

Protocol tables() { return parse_protocol("x", "x.toml", kTables); }

TEST(GivenModels, AreLastInEveryTableOfScores) {
  const Protocol asked = tables();
  const Protocol made = with_rows_of(asked, {named("ridge"), named("lasso")});
  const auto rows = [&](const char* id) { return made.find_table(id)->models; };
  using Rows = std::vector<std::string>;
  EXPECT_EQ(rows("a"), (Rows{"gcn", "mlp", "ridge", "lasso"}));
  EXPECT_EQ(rows("b"), (Rows{"mlp", "ridge", "lasso"}));
  EXPECT_EQ(rows("all"), (Rows{"gcn", "mlp", "own", "ridge", "lasso"}));
  EXPECT_EQ(rows("ranks"), (Rows{"gcn"}));
  EXPECT_EQ(made.find_model("ridge")->external->function, "ridge");
  EXPECT_NE(made.version, asked.version);
  // What a store keeps of it says the same.
  const Protocol again = parse_protocol("x", "x.toml", made.text);
  EXPECT_EQ(again.version, made.version);
  EXPECT_NE(made.text.find("Größe: a comment that stays"), std::string::npos);
}

TEST(GivenModels, StandBesideRowsThatAreWrittenInOneLine) {
  const Protocol asked = parse_protocol("x", "x.toml", R"(
models = { gcn = {}, mlp = { hidden = 4 } }
data = { datasets = ["csbm"] }
table = [ { id = "a", models = ["gcn"] }, { id = "b" } ]
)");
  const Protocol made = with_rows_of(asked, {named("ridge")});
  using Rows = std::vector<std::string>;
  EXPECT_EQ(made.find_table("a")->models, (Rows{"gcn", "ridge"}));
  EXPECT_EQ(made.find_table("b")->models, (Rows{"gcn", "mlp", "ridge"}));
  EXPECT_EQ(made.find_model("ridge")->external->function, "ridge");
  EXPECT_EQ(made.find_model("mlp")->settings, asked.find_model("mlp")->settings);
}

TEST(GivenModels, LeaveRowsInTheirOrderAndWithTheirNames) {
  const Protocol asked = parse_protocol("x", "x.toml", R"(
models = { zeta = { model = "mlp" }, "it's" = { model = "gcn" }, "a.\"b" = { model = "sgc" } }
data = { datasets = ["csbm"] }
)");
  const Protocol made = with_rows_of(asked, {named("ridge")});
  EXPECT_EQ(made.tables[0].models, (std::vector<std::string>{"zeta", "it's", "a.\"b", "ridge"}));
}

// A mark of three bytes, which is no character of the first line.
TEST(GivenModels, StandInAListOnTheLineWithTheMarkOfTheEncoding) {
  const Protocol made =
      with_rows_of(parse_protocol("x", "x.toml",
                                  "\xef\xbb\xbftable = [ { id = \"a\", models = [\"gcn\"] } ]\n"
                                  "data.datasets = [\"csbm\"]\nmodels.gcn = {}\n"),
                   {named("ridge")});
  EXPECT_EQ(made.find_table("a")->models, (std::vector<std::string>{"gcn", "ridge"}));
}

TEST(GivenModels, ThatARowNamesAddNone) {
  const Protocol asked = tables();
  EXPECT_EQ(with_rows_of(asked, {named("mine")}).text, asked.text);
  EXPECT_EQ(with_rows_of(asked, {}).version, asked.version);
  EXPECT_EQ(rows_of(asked, {named("mine")}), (std::vector<std::string>{"own"}));
  EXPECT_TRUE(rows_of(asked, {named("other")}).empty());
}

TEST(GivenModels, KeepWhatAShippedProtocolPublishes) {
  const Protocol asked = load_protocol("pitfalls");
  const Protocol made = with_rows_of(asked, {named("ridge")});
  EXPECT_EQ(made.published.size(), asked.published.size());
  EXPECT_GT(made.published.size(), 0u);
  EXPECT_EQ(made.models.size(), asked.models.size() + 1);
  for (std::size_t t = 0; t < asked.tables.size(); ++t) {
    std::vector<std::string> rows = asked.tables[t].models;
    if (asked.tables[t].kind != "scores") continue;
    rows.push_back("ridge");
    EXPECT_EQ(made.tables[t].models, rows);
  }
}

TEST(GivenModels, OfEveryShippedProtocolCanBeAdded) {
  for (const std::string& name : protocol_names()) {
    const Protocol made = with_rows_of(load_protocol(name), {named("ridge")});
    for (const TableSpec& table : made.tables) {
      if (table.kind != "scores") continue;
      EXPECT_EQ(table.models.back(), "ridge") << name << table.id;
    }
  }
}

TEST(GivenModels, WhoseNamesCannotBeAreRefused) {
  const auto error = [](const GivenModels& given) {
    return error_of([&] { (void)with_rows_of(tables(), given); });
  };
  EXPECT_NE(error({named("gcn")}).find("row 'gcn' that is another model"), std::string::npos);
  EXPECT_NE(error({named("GCN")}).find("another model"), std::string::npos);
  EXPECT_NE(error({named("a"), named("a")}).find("two models are called 'a'"), std::string::npos);
  EXPECT_NE(error({named("<lambda>")}).find("'<lambda>'"), std::string::npos);
  EXPECT_NE(error({named("a]\n[data")}).find("letters, digits"), std::string::npos);
}

TEST(GivenModels, AreFoundByName) {
  const auto one = named("one");
  const PlanSources sources = with_given(plan_sources("/nowhere"), GivenModels{one});
  EXPECT_EQ(sources.function("one"), one);
  EXPECT_EQ(sources.function("two"), nullptr);
}

}  // namespace
}  // namespace cupel
