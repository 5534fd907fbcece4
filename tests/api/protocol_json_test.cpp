// Protocols as JSON: the same as their files, and what a protocol cannot say.
#include "cupel/api/protocol_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cupel/lab/protocol/of_program.h"
#include "error_of.h"

namespace cupel {
namespace {

constexpr const char* kJson = R"({
  "title": "Two \"rows\"",
  "data": {"datasets": ["csbm"], "prepare": ["symmetrise"]},
  "split": {"scheme": "per-class", "train": 20, "valid": 30, "count": 4},
  "train": {"patience": 50, "inits": 2},
  "models": {"gcn": {"hidden": 64, "lr": 0.01}, "mlp": {"hidden": 8, "dropout": 0.5}}
})";

constexpr const char* kToml = R"(title = "Two \"rows\""
[data]
datasets = ["csbm"]
prepare = ["symmetrise"]
[split]
scheme = "per-class"
train = 20
valid = 30
count = 4
[train]
patience = 50
inits = 2
[models.gcn]
hidden = 64
lr = 0.01
[models.mlp]
hidden = 8
dropout = 0.5
)";

TEST(ProtocolJson, IsTheProtocolOfTheFile) {
  const Protocol json = protocol_of_json("two", kJson);
  const Protocol file = parse_protocol("two", "two.toml", kToml);
  EXPECT_EQ(json.version, file.version);
  EXPECT_EQ(json.name, "two");
  EXPECT_EQ(json.title, file.title);
  ASSERT_EQ(json.models.size(), 2u);
  EXPECT_EQ(json.find_model("gcn")->settings, file.find_model("gcn")->settings);
  // What a store keeps of it can be read again.
  EXPECT_EQ(parse_protocol("two", "two.toml", json.text).version, file.version);
  // And says that no file had it.
  EXPECT_TRUE(is_of_program(json.text));
  EXPECT_TRUE(is_of_program(with_text(json, json.text + "[models.more]\n").text));
  EXPECT_FALSE(is_of_program(file.text));
}

// As a file has them; the order of choices is that of a search's trials.
TEST(ProtocolJson, KeepsTheOrderOfRowsAndOfWhatIsSearched) {
  const Protocol made = protocol_of_json("mine", R"({
    "models": {"zeta": {"model": "mlp"}, "gcn": {}, "alpha": {"model": "mlp"}},
    "data": {"datasets": ["csbm"]},
    "tune": {"grid": {"gcn": {"lr": [0.1, 0.01], "hidden": [8, 4]}}}})");
  EXPECT_EQ(made.tables.at(0).models, (std::vector<std::string>{"zeta", "gcn", "alpha"}));
  const auto names = [](const Protocol& protocol) {
    std::vector<std::string> out;
    for (const auto& dimension : protocol.tune->grid.at(0).dimensions)
      out.push_back(dimension.setting);
    return out;
  };
  EXPECT_EQ(names(made), (std::vector<std::string>{"lr", "hidden"}));
  const Protocol searched =
      with_search(made, R"({"grid": {"gcn": {"l2": [0.1], "dropout": [0]}}})");
  EXPECT_EQ(names(searched), (std::vector<std::string>{"l2", "dropout"}));
  EXPECT_EQ(searched.tables.at(0).models, made.tables.at(0).models);
  EXPECT_TRUE(is_of_program(searched.text));
}

TEST(ProtocolJson, TakesEveryNameThatAFileTakes) {
  for (const char* name : {"it's", "a.b", "a\\\"b", "a\tb", "\"", "", "\u00e9 \u2026", "a\x7f"}) {
    const nlohmann::json said = {{"data", {{"datasets", {"csbm"}}}},
                                 {"models", {{name, {{"model", "mlp"}}}}}};
    const Protocol made = protocol_of_json("mine", said.dump());
    ASSERT_EQ(made.models.size(), 1u);
    EXPECT_EQ(made.models[0].name, name);
    EXPECT_EQ(parse_protocol("mine", "mine", made.text).models.at(0).name, name);
  }
}

TEST(ProtocolJson, RefusesWhatAProtocolCannotSay) {
  const auto said = [](const std::string& json) {
    return error_of([&] { (void)protocol_of_json("mine", json); });
  };
  EXPECT_NE(said("[1, 2]").find("no table of keys"), std::string::npos);
  EXPECT_NE(said("{").find("no table of keys"), std::string::npos);
  EXPECT_NE(said(R"({"data": {"datasets": null}})").find("data.datasets: is None"),
            std::string::npos);
  EXPECT_NE(said(R"({"train": {"inits": 18446744073709551615}})").find("too large"),
            std::string::npos);
  std::string misspelt = kJson;
  misspelt.insert(misspelt.find("\"title\""), "\"modles\": {}, ");
  EXPECT_NE(said(misspelt).find("modles"), std::string::npos) << said(misspelt);
  std::string deep = "1";
  for (int i = 0; i < 100; ++i) deep = "{\"a\": " + deep + "}";
  EXPECT_NE(said(deep).find("nested too deeply"), std::string::npos);
}

TEST(ProtocolJson, ASearchReplacesWhatTheProtocolSearches) {
  std::string text = kToml;
  text += R"(# a comment
[tune]
budget = 9
splits = 3
[tune.grid]
gcn = { lr = [0.1, 0.2] }
mlp = { hidden = [8] }
)";
  const Protocol file = parse_protocol("two", "two.toml", text);
  const Protocol made = with_search(file, R"({"splits": 2, "grid": {"mlp": {"hidden": [4, 6]}},
                            "random": {"gcn": {"lr": {"log": [0.001, 0.1]}}}})");
  ASSERT_TRUE(made.tune);
  EXPECT_EQ(made.tune->budget, 9);
  EXPECT_EQ(made.tune->splits, 2);
  EXPECT_EQ(made.tune->method, "grid");
  const auto choices = [&](const std::string& model) {
    for (const SearchSpace& space : made.tune->grid)
      if (space.model == model) return space.dimensions.at(0).choices;
    return std::vector<OptionValue>();
  };
  EXPECT_EQ(choices("gcn"), (std::vector<OptionValue>{0.1, 0.2}));
  EXPECT_EQ(choices("mlp"), (std::vector<OptionValue>{std::int64_t{4}, std::int64_t{6}}));
  ASSERT_EQ(made.tune->random.size(), 1u);
  EXPECT_EQ(made.tune->random[0].dimensions[0].high, 0.1);
  EXPECT_EQ(made.models.size(), file.models.size());
  EXPECT_EQ(made.name, file.name);
}

// The row is one, however it is spelled: two spaces of it would share the names of their trials.
TEST(ProtocolJson, ASearchReplacesARowThatIsSpelledInAnotherWay) {
  const Protocol file =
      parse_protocol("two", "two.toml", std::string(kToml) + "[tune.grid.MLP]\nhidden = [4, 8]\n");
  const auto hidden = [&](const char* json) {
    return with_search(file, json).tune->grid.at(0).dimensions.at(0).choices;
  };
  using Choices = std::vector<OptionValue>;
  EXPECT_EQ(hidden(R"({"grid": {"mlp": {"hidden": [16, 32]}}})"),
            (Choices{std::int64_t{16}, std::int64_t{32}}));
  EXPECT_EQ(with_search(file, R"({"grid": {"mlp": {"hidden": [16]}}})").tune->grid.size(), 1u);
  const auto twice = [&] {
    (void)with_search(file, R"({"grid": {"mlp": {"hidden": [16]}, "Mlp": {"hidden": [2]}}})");
  };
  EXPECT_NE(error_of(twice).find("is row 'mlp', which has a table here already"),
            std::string::npos);
}

TEST(ProtocolJson, ASearchIsAddedWhereThereIsNone) {
  const Protocol made =
      with_search(protocol_of_json("two", kJson), R"({"grid": {"mlp": {"hidden": [4]}}})");
  ASSERT_TRUE(made.tune);
  EXPECT_EQ(made.tune->first_split, 4);  // after those of the tables
}

TEST(ProtocolJson, RefusesASearchThatIsNone) {
  const Protocol file = protocol_of_json("two", kJson);
  const auto refused = [&](const char* json) {
    return error_of([&] { (void)with_search(file, json); });
  };
  EXPECT_NE(refused("[1]").find("no table"), std::string::npos);
  EXPECT_NE(refused(R"({"grid": {"gnc": {"lr": [0.1]}}})").find("gcn"), std::string::npos);
  EXPECT_NE(refused(R"({"budget": null})").find("None"), std::string::npos);
  EXPECT_NE(refused(R"({"grid": 3})").find("grid"), std::string::npos);
}

}  // namespace
}  // namespace cupel
