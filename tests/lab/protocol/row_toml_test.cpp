#include "cupel/lab/protocol/row_toml.h"

#include <gtest/gtest.h>

#include <set>

namespace cupel {
namespace {

using Fields = std::map<std::string, OptionValue>;

Fields fields_of(const RuleChange& train) {
  Fields out;
  for (const auto& [field, value] : train.fields) out[field->name] = value;
  if (train.timeout_seconds) out["timeout_seconds"] = *train.timeout_seconds;
  return out;
}

ModelRow without_choices(ModelRow row) {
  row.choices.clear();
  for (RowCase& special : row.cases) special.choices.clear();
  return row;
}

void expect_same(const ModelRow& a, const ModelRow& b) {
  SCOPED_TRACE(a.name);
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.model, b.model);
  EXPECT_EQ(a.settings, b.settings);
  EXPECT_EQ(a.choose_by, b.choose_by);
  EXPECT_EQ(a.select_inits, b.select_inits);
  EXPECT_EQ(a.reading_of, b.reading_of);
  EXPECT_EQ(a.external, b.external);
  EXPECT_EQ(fields_of(a.train), fields_of(b.train));
  ASSERT_EQ(a.cases.size(), b.cases.size());
  for (std::size_t i = 0; i < a.cases.size(); ++i) {
    EXPECT_EQ(a.cases[i].datasets, b.cases[i].datasets);
    EXPECT_EQ(a.cases[i].settings, b.cases[i].settings);
    EXPECT_EQ(fields_of(a.cases[i].train), fields_of(b.cases[i].train));
  }
}

void expect_read_again(const Protocol& protocol) {
  std::set<std::string> datasets;
  for (const TableSpec& table : protocol.tables)
    for (const std::string& name : table.datasets) datasets.insert("'" + name + "'");
  std::string text = fmt::format("[data]\ndatasets = [{}]\n", fmt::join(datasets, ", "));
  for (const ModelRow& row : protocol.models) text += row_toml(without_choices(row));
  SCOPED_TRACE(text);
  const Protocol again = parse_protocol(protocol.name, protocol.name + ".toml", text);
  ASSERT_EQ(again.models.size(), protocol.models.size());
  for (const ModelRow& row : protocol.models)
    expect_same(without_choices(row), *again.find_model(row.name));
}

TEST(RowToml, EveryRowOfTheShippedProtocolsIsReadAgain) {
  for (const std::string& name : protocol_names()) {
    SCOPED_TRACE(name);
    expect_read_again(load_protocol(name));
  }
}

TEST(RowToml, KeysThatNoShippedRowHas) {
  expect_read_again(parse_protocol("p", "p.toml", R"(
[data]
datasets = ['one', 'two']
[models."mine, 2.0"]
command = ['python', 'a "quoted" \ name.py', '{task}']
timeout_seconds = 0.5
memory_mb = 64
isolation = 'required'
network = true
worker = true
inputs = ['a.py']
packages = ['torch', 'scikit-learn']
readable = ['/usr/share']
small = 1e-12
whole = 3.0
count = 3
text = "two\nlines"
[[models."mine, 2.0".on]]
datasets = ['two']
count = 4
[models."it's"]
model = 'gcn'
lr = 0.1
[models.function]
function = 'module:f'
memory_mb = 100
[models.gcn]
dropout = 0.1
select_inits = 2
choose_by = 'test-score'
train.patience = 7
train.timeout_seconds = 3.5
[[models.gcn.on]]
datasets = ['one']
dropout = 0.2
train.max_epochs = 5
[models.gcn-released]
model = 'gcn'
reading_of = 'gcn'
)"));
}

}  // namespace
}  // namespace cupel
