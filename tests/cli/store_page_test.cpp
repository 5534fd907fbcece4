// The page of a store from the command line.
#include <fmt/format.h>

#include <cstdlib>

#include "cli/program.h"
#include "real_data.h"

namespace cupel::test {
namespace {

TEST(StorePage, HasEveryProtocolOfAStoreOrTheOneThatIsNamed) {
  const Workplace place;
  std::string other = kSmallProtocol;
  other.replace(other.find("\"Small\""), 7, "\"Another\"");
  other.replace(other.find("count = 2"), 9, "count = 3");
  place.write("small.toml", kSmallProtocol);
  place.write("other.toml", other);
  for (const char* protocol : {"small.toml", "other.toml"})
    ASSERT_EQ(place.run({"run", protocol, "--store", "s.sqlite", "--no-report"}).code, 0);

  const std::string all = place.run({"report", "s.sqlite", "--format", "html"}).out;
  EXPECT_TRUE(contains(all, "Small"));
  EXPECT_TRUE(contains(all, "Another"));
  const std::string one =
      place.run({"report", "s.sqlite", "--protocol", "small", "--format", "html"}).out;
  EXPECT_TRUE(contains(one, "Small"));
  EXPECT_FALSE(contains(one, "Another"));
  EXPECT_EQ(place.run({"report", "small.toml", "--store", "s.sqlite", "--out", "p.html"}).code, 0);
  EXPECT_EQ(place.read("p.html"), one);
  // A row that one of them lacks is asked of the others.
  const Outcome row = place.run({"report", "s.sqlite", "--models", "mpl", "--format", "html"});
  EXPECT_EQ(row.code, 2);
  EXPECT_TRUE(contains(row.err, "mlp")) << row.err;
  const Outcome text = place.run({"report", "s.sqlite", "--data", "."});
  EXPECT_EQ(text.code, 2);
  EXPECT_TRUE(contains(text.err, "--format html")) << text.err;
}

// Many rows, which are all one model, so that there are few runs.
TEST(StorePage, ThatIsTooLargeIsTold) {
  const Workplace place;
  std::string text = "[data]\ndatasets = [";
  for (int seed = 0; seed < 14; ++seed)
    text += fmt::format("\"csbm:nodes=120,classes=3,seed={}\", ", seed);
  text += "]\n[split]\nscheme = \"per-class\"\ntrain = 5\nvalid = 5\ncount = 12\n";
  for (int row = 0; row < 60; ++row)
    text += fmt::format("[models.row{}]\nmodel = \"majority\"\n", row);
  place.write("rows.toml", text);
  ASSERT_EQ(place.run({"run", "rows.toml", "--store", "s.sqlite", "--no-report"}).code, 0);
  const Outcome file = place.run({"report", "s.sqlite", "--out", "p.html"});
  EXPECT_EQ(file.code, 0);
  EXPECT_GE(place.read("p.html").size(), 1'000'000u);
  EXPECT_TRUE(contains(file.err, "p.html has 1,")) << file.err;
  EXPECT_TRUE(contains(file.err, "fewer than 1,000,000")) << file.err;
  const Outcome printed = place.run({"report", "s.sqlite", "--format", "html"});
  EXPECT_EQ(printed.out, place.read("p.html"));
  EXPECT_TRUE(contains(printed.err, "the page has 1,")) << printed.err;
  const Outcome part = place.run({"report", "s.sqlite", "--models", "row1", "--out", "q.html"});
  EXPECT_FALSE(contains(part.err, "fewer")) << part.err;
}

TEST(StorePage, AuditsTheDataOfTheUsualFolder) {
  if (const std::string why = made::needs_data({"cora"}); !why.empty()) GTEST_SKIP() << why;
  const std::string data = std::getenv("CUPEL_DATA");
  Workplace place;
  place.set("CUPEL_DATA", data);
  ASSERT_EQ(place
                .run({"run", "pitfalls", "--tables", "1", "--datasets", "cora", "--models",
                      "majority", "--splits", "2", "--store", "s.sqlite", "--no-report"})
                .code,
            0);
  const Outcome usual = place.run({"report", "s.sqlite", "--format", "html"});
  EXPECT_TRUE(contains(usual.out, "\"audited\":true")) << usual.err;
  place.set("CUPEL_DATA", "/nowhere");
  EXPECT_EQ(place.run({"report", "s.sqlite", "--format", "html", "--data", data}).out, usual.out);
  const Outcome nowhere = place.run({"report", "s.sqlite", "--format", "html"});
  EXPECT_EQ(nowhere.code, 0) << nowhere.err;
  EXPECT_FALSE(contains(nowhere.out, "\"audited\":true"));
}

}  // namespace
}  // namespace cupel::test
