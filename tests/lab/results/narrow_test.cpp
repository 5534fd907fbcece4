#include <gtest/gtest.h>

#include "cupel/lab/results/load.h"
#include "cupel/lab/results/narrow.h"
#include "cupel/lab/run/scheduler.h"
#include "error_of.h"
#include "lab/fake.h"

namespace cupel {
namespace {

using made::fake_sources;
using made::FakeExecutor;
using made::TempFolder;

// Three tables: scores, what is made of them, and one of its own data.
constexpr const char* kText = R"(
[data]
datasets = ["one", "three"]
[split]
count = 3
[models.gcn]
lr = 0.1
[models.gcn-released]
model = "gcn"
lr = 0.2
reading_of = "gcn"
[models.mlp]
[[table]]
id = "1"
[[table]]
id = "2"
kind = "readings"
source = "1"
[[table]]
id = "3"
datasets = ["five"]
models = ["mlp"]
)";

Results whole() {
  TempFolder folder;
  Store store(folder / "s");
  const Protocol protocol = parse_protocol("p", "p.toml", kText);
  execute(make_plan(protocol, {}, fake_sources()), store, FakeExecutor(), {});
  return load_results(store, protocol);
}

std::string text_of(const Results& results) {
  std::string out;
  for (const TableResults& table : results.tables) {
    out += fmt::format("{} {} x {}:", table.id, fmt::join(table.datasets, "+"),
                       fmt::join(table.models, "+"));
    for (const CellResults& cell : table.cells)
      out += fmt::format(" {}/{}({})", cell.dataset, cell.model, cell.runs.size());
    out += "\n";
  }
  return out;
}

TEST(Narrowed, NothingAskedIsEverything) {
  const Results all = whole();
  EXPECT_EQ(text_of(narrowed(all, {})), text_of(all));
  EXPECT_EQ(all.tables.size(), 3u);
}

TEST(Narrowed, ByTableRowAndColumn) {
  const Results all = whole();
  EXPECT_EQ(text_of(narrowed(all, {{"3"}, {}, {}})), "3 five x mlp: five/mlp(3)\n");
  EXPECT_EQ(text_of(narrowed(all, {{}, {"ONE"}, {"MLP"}})), "1 one x mlp: one/mlp(3)\n");
  EXPECT_EQ(text_of(narrowed(all, {{}, {"five"}, {}})), "3 five x mlp: five/mlp(3)\n");
  // A derived table comes with its source, and a reading with its row.
  EXPECT_EQ(text_of(narrowed(all, {{"2"}, {"three"}, {"gcn-released"}})),
            "1 three x gcn-released: three/gcn-released(3)\n2 three x gcn:\n");
}

TEST(Narrowed, UnknownNamesAndEmptyCrossingsAreErrors) {
  const Results all = whole();
  const auto said = [&](const ResultsSelection& selection) {
    return error_of([&] { (void)narrowed(all, selection); });
  };
  EXPECT_NE(said({{"4"}, {}, {}}).find("--tables: the results of protocol 'p' have no table '4'"),
            std::string::npos);
  EXPECT_NE(said({{}, {"thre"}, {}}).find("no data set 'thre'; did you mean 'three'?"),
            std::string::npos);
  EXPECT_NE(said({{}, {}, {"sage"}}).find("no row 'sage'; there are: gcn, gcn-released, mlp"),
            std::string::npos);
  EXPECT_NE(said({{"3"}, {"one"}, {}}).find("no cell in common"), std::string::npos);
}

}  // namespace
}  // namespace cupel
