// Protocols as JSON: the same as their files, and what a protocol cannot say.
#include "cupel/api/protocol_json.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace cupel
