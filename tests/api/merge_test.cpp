#include "cupel/api/merge.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "error_of.h"
#include "lab/store/store_samples.h"
#include "temp_folder.h"

namespace cupel {
namespace {

using made::family;
using made::run_id;
using made::sample_run;

TEST(MergeStores, ContradictionsAreAPartOfTheResult) {
  const TempFolder folder;
  std::filesystem::create_directory(folder / "in");
  for (const char* name : {"b", "a"}) {
    Store store(folder.path() / "in" / (std::string(name) + ".sqlite"));
    store.put(family(), 0, 0, sample_run(*name == 'a' ? 0.25 : 0.5));
    store.put(family(), 1, 0, sample_run(0.5));
  }
  const std::string in = (folder / "in").string(), out = (folder / "all.sqlite").string();
  const MergedStores merged = merge_stores({in}, out);
  ASSERT_EQ(merged.sources.size(), 2u);
  EXPECT_EQ(merged.sources[0].path, in + "/a.sqlite") << "by name";
  EXPECT_EQ(merged.sources[0].summary.added, 2);
  EXPECT_EQ(merged.sources[1].summary.run_conflicts, std::vector{run_id(0)});
  EXPECT_EQ(merged.runs, 1);
  EXPECT_FALSE(merged.holds());
  const nlohmann::ordered_json told = merged_json(merged);
  EXPECT_EQ(told["conflicts"].at(0)["id"], run_id(0));
  std::map<double, std::string> said;
  for (const auto& side : told["conflicts"].at(0)["sides"])
    said[side["test_score"]] = side["stores"].at(0);
  EXPECT_EQ(said,
            (std::map<double, std::string>{{0.25, in + "/a.sqlite"}, {0.5, in + "/b.sqlite"}}));
  // Whoever merges again is told again.
  EXPECT_FALSE(merge_stores({in + "/a.sqlite"}, out).holds());
  const MergedStores one = merge_stores({in + "/a.sqlite"}, (folder / "one.sqlite").string());
  EXPECT_TRUE(one.holds());
  EXPECT_FALSE(merged_json(one).contains("conflicts"));
}

TEST(MergeStores, BadInputLeavesNoStore) {
  const TempFolder folder;
  std::filesystem::create_directory(folder / "in");
  std::filesystem::create_directory(folder / "none");
  const std::string good = (folder / "good.sqlite").string(), out = (folder / "out").string();
  Store(good).put(family(), 0, 0, sample_run(0.5));
  std::ofstream(folder.path() / "in" / "bad.sqlite") << "rubbish";
  const auto refused = [&](const std::vector<std::string>& in, const std::string& to) {
    const std::string why = error_of([&] { (void)merge_stores(in, to); });
    EXPECT_FALSE(std::filesystem::exists(out)) << why;
    return why;
  };
  EXPECT_NE(refused({good, (folder / "in").string()}, out).find("`cupel status PLAN --resubmit`"),
            std::string::npos);
  const std::string bad = (folder.path() / "in" / "bad.sqlite").string();
  const std::string named = refused({good, bad}, out);
  EXPECT_TRUE(named.starts_with(bad)) << named;
  EXPECT_EQ(named.find("--resubmit"), std::string::npos) << named;
  EXPECT_NE(refused({(folder / "none").string()}, out).find("no store (*.sqlite) in this folder"),
            std::string::npos);
  EXPECT_NE(refused({(folder / "absent").string()}, out).find("absent"), std::string::npos);
  EXPECT_NE(refused({good}, good).find("is both the result and a source"), std::string::npos);
  EXPECT_NE(refused({good}, ":memory:").find("is no file"), std::string::npos);
  EXPECT_NE(refused({good}, (folder / "made/").string()).find("is a folder, not a store"),
            std::string::npos);
}

}  // namespace
}  // namespace cupel
