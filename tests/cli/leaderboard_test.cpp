// A site out of stores, signed and not, whole and edited, and of submissions.
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <tuple>

#include "cli/program.h"
#include "cli/signers.h"
#include "cupel/judge/leaderboard/board.h"
#include "cupel/lab/protocol/protocol.h"
#include "cupel/lab/store/store.h"
#include "programs.h"
#include "raw_sql.h"
#include "real_data.h"

namespace cupel::test {
namespace {

namespace fs = std::filesystem;
using cupel::made::raw_sql;
using nlohmann::json;

// The small protocol beside a publication.
const std::string kPublished = std::string(kSmallProtocol) + "[published]\nfile = \"small.csv\"\n";
constexpr const char* kValues =
    "table,dataset,model,metric,mean,spread,spread_kind,n_runs,effective_n\n"
    "1,\"csbm:classes=3,features=60,nodes=200\",mlp,accuracy,99.5,0.5,sd_ddof1_pooled_runs,6,2\n";

class LeaderboardTest : public ::testing::Test {
 protected:
  // One more store, of a protocol with these published values.
  void add_other(const std::string& values) {
    place_.write("small.csv", values);
    ASSERT_EQ(place_
                  .run({"run", "small.toml", "--no-report", "--models", "mlp", "--store",
                        "all/2026-01-01 other.sqlite"})
                  .code,
              0);
  }

  void SetUp() override {
    place_.write("small.toml", kPublished);
    place_.write("small.csv", kValues);
    fs::create_directory(place_.path("all"));
    ASSERT_EQ(
        place_.run({"run", "small.toml", "--no-report", "--store", "all/2026-03-01 first.sqlite"})
            .code,
        0);
    ASSERT_EQ(place_
                  .run({"run", "small.toml", "--no-report", "--models", "mlp", "--splits", "1",
                        "--store", "all/2026-05-01 second.sqlite"})
                  .code,
              0);
  }
  json build(int code, std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"leaderboard", "build", "all", "--out", "site", "--json"});
    const Outcome outcome = place_.run(more);
    EXPECT_EQ(outcome.code, code) << outcome.out << outcome.err;
    return json::parse(outcome.out, nullptr, false);
  }
  static json row(const json& board, const std::string& model, const std::string& tier) {
    for (const json& one : board["tables"][0]["rows"])
      if (one["model"] == model && one["tier"] == tier) return one;
    return {};
  }
  // What is reported of a model, wherever it stands.
  static std::vector<json> reported(const json& board, const std::string& model) {
    std::vector<json> out;
    for (const json& one : board["tables"][0]["rows"]) {
      if (one["model"] != model) continue;
      if (one["tier"] == "reported") out.push_back(one);
      for (const json& other : one["others"])
        if (other["tier"] == "reported") out.push_back(other);
    }
    return out;
  }
  // Another score of every run of a model, sealed as any other.
  void change_scores(const std::string& name, const std::string& model) const {
    struct Kept {
      std::string family;
      StoredRun run;
    };
    std::vector<Kept> kept;
    {
      const Store store(place_.path(name), Store::Mode::kOpen);
      for (const std::string& family : store.families())
        for (StoredRun& run : store.runs(family))
          kept.push_back({json::parse(run.record.identity)["family"].dump(), std::move(run)});
    }
    raw_sql(place_.path(name),
            "DELETE FROM runs; DELETE FROM seals; DELETE FROM strata; DELETE FROM other_scores");
    Store store(place_.path(name));
    int changed = 0;
    for (Kept& one : kept) {
      if (contains(one.family, fmt::format("\"{}\"", model))) {
        one.run.record.test_score = 1 - *one.run.record.test_score / 2;
        ++changed;
      }
      store.put(one.family, one.run.split, one.run.init, one.run.record);
    }
    EXPECT_GT(changed, 0);
    EXPECT_EQ(store.run_count(), static_cast<std::int64_t>(kept.size()));
  }
  Workplace place_;
};

TEST_F(LeaderboardTest, RowsAreRankedAndHaveAHistory) {
  const json board = build(0);
  ASSERT_EQ(board["tables"].size(), 1u) << board;
  EXPECT_EQ(board["tables"][0]["dataset"], "csbm:classes=3,features=60,nodes=200");
  const json rows = board["tables"][0]["rows"];
  ASSERT_EQ(rows.size(), 3u) << "a row of each model: " << rows;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_LE(rows[i]["mean"].get<double>(), rows[i == 0 ? 0 : i - 1]["mean"].get<double>());
    EXPECT_EQ(rows[i]["rank"].get<int>(), static_cast<int>(i) + 1);
    EXPECT_EQ(rows[i]["shares_name"], false);
  }
  const json mlp = row(board, "mlp", "recorded in a store");
  EXPECT_EQ(mlp["source"], "2026-03-01 first.sqlite") << "all that the protocol asks for";
  EXPECT_EQ(mlp["runs"], 6);
  ASSERT_EQ(mlp["others"].size(), 2u);
  EXPECT_EQ(mlp["others"][1]["tier"], "reported") << "runs are more than a publication's word";
  EXPECT_EQ(mlp["others"][1]["mean"], 99.5);
  EXPECT_EQ(mlp["others"][0]["source"], "2026-05-01 second.sqlite");
  EXPECT_EQ(mlp["others"][0]["runs"], 3);
  EXPECT_EQ(mlp["others"][0]["runs_asked"], 6) << "not what somebody asked of it";
  // The numbers are those of the report.
  const Outcome report = place_.run({"report", "all/2026-03-01 first.sqlite", "--json"});
  int compared = 0;
  const json cells = json::parse(report.out)["tables"][0]["cells"];
  for (const json& cell : cells) {
    if (cell["model"] != "mlp") continue;
    EXPECT_NEAR(mlp["mean"].get<double>(), cell["mean"].get<double>(), 1e-9);
    ++compared;
  }
  EXPECT_EQ(compared, 1);
  fs::copy_file(place_.path("all/2026-03-01 first.sqlite"),
                place_.path("all/2026-07-01 third.sqlite"));
  const json later = row(build(0), "mlp", "recorded in a store");
  EXPECT_EQ(later["source"], "2026-07-01 third.sqlite") << "the newest of equals";
  ASSERT_EQ(later["others"].size(), 3u);
  EXPECT_EQ(later["others"][0]["source"], "2026-05-01 second.sqlite") << "by date";
}

TEST_F(LeaderboardTest, WhatIsDoneAgainIsReproduced) {
  const json board = build(0, {"--rerun", "10"});
  const json mlp = row(board, "mlp", "reproduced here");
  ASSERT_FALSE(mlp.is_null()) << board;
  EXPECT_EQ(mlp["done_again"], mlp["runs"]);
  EXPECT_EQ(mlp["same"], mlp["runs"]);
  EXPECT_EQ(board["sources"][0]["same"], 10);
  EXPECT_EQ(board["sources"][1]["same"], 3);
  EXPECT_EQ(reported(board, "mlp").size(), 1u) << "a publication stays one";
}

// What is said of runs that were done again is what came of them.
TEST_F(LeaderboardTest, WhatDidNotComeOutAgainIsNotReproduced) {
  raw_sql(place_.path("all/2026-03-01 first.sqlite"),
          "UPDATE seals SET hash = ''; UPDATE runs SET test_score = 0.9 WHERE split = 0");
  fs::remove(place_.path("all/2026-05-01 second.sqlite"));
  const json half = build(3, {"--rerun", "10"});
  for (const json& one : half["tables"][0]["rows"]) {
    if (one["tier"] == "reported") continue;
    EXPECT_EQ(one["tier"], "did not come out again") << one;
    EXPECT_EQ(one["same"].get<int>() * 2, one["done_again"].get<int>()) << one;
    EXPECT_TRUE(one["rank"].is_null()) << one;
  }
  const std::string page = place_.read("site/index.html");
  EXPECT_TRUE(contains(page, ">6, 3 of 6 the same<")) << page;
  EXPECT_TRUE(contains(page, ">did not come out again<")) << page;
  EXPECT_FALSE(contains(page, "tier-0\">")) << page;
  raw_sql(place_.path("all/2026-03-01 first.sqlite"), "UPDATE runs SET test_score = 0.9");
  const json none = build(3, {"--rerun", "10"});
  for (const json& one : none["tables"][0]["rows"])
    EXPECT_NE(one["tier"], "recorded in a store") << one;
}

// Neither the later date nor the order of a merge says who is right.
TEST_F(LeaderboardTest, StoresThatContradictEachOtherHaveNoRank) {
  const std::string first = "all/2026-03-01 first.sqlite", third = "all/2026-09-01 third.sqlite";
  fs::copy_file(place_.path(first), place_.path(third));
  change_scores(third, "mlp");
  const json board = build(3);
  for (const json& source : board["sources"]) EXPECT_EQ(source["holds"], true) << source;
  const json mlp = row(board, "mlp", "recorded in a store");
  EXPECT_EQ(mlp["unranked"], "in conflict") << board;
  EXPECT_TRUE(mlp["rank"].is_null());
  EXPECT_EQ(mlp["source"], "2026-03-01 first.sqlite") << "by name";
  EXPECT_EQ(mlp["others"].size(), 2u) << "the third, and the second, which has some of the runs";
  ASSERT_EQ(board["tables"][0]["disputes"].size(), 1u) << board;
  for (const char* part : {"mlp", "2026-03-01 first.sqlite", "2026-09-01 third.sqlite"})
    EXPECT_TRUE(contains(board["tables"][0]["disputes"][0], part)) << board;
  EXPECT_TRUE(contains(place_.read("site/index.html"), ">in conflict<"));
  EXPECT_EQ(row(board, "mlp", "reported")["rank"], 1) << "nobody contradicts a publication";
  for (const char* other : {"majority", "labelprop"})
    EXPECT_FALSE(row(board, other, "recorded in a store")["rank"].is_null()) << other;

  // Merged, it is the same contradiction, alone and beside one of the sides.
  fs::create_directory(place_.path("merged"));
  ASSERT_EQ(place_.run({"merge", "merged/m.sqlite", first, third}).code, 3);
  for (const bool beside : {false, true}) {
    if (beside) fs::copy_file(place_.path(first), place_.path("merged/first.sqlite"));
    const Outcome outcome = place_.run({"leaderboard", "build", "merged", "--out", "m", "--json"});
    EXPECT_EQ(outcome.code, 3) << outcome.err;
    const json merged = json::parse(outcome.out);
    EXPECT_EQ(row(merged, "mlp", "recorded in a store")["unranked"], "in conflict") << merged;
    EXPECT_EQ(merged["tables"][0]["disputes"].size(), 1u);
    EXPECT_FALSE(row(merged, "majority", "recorded in a store")["rank"].is_null()) << merged;
  }

  // Doing them again decides.
  const json again = build(3, {"--rerun", "10"});
  EXPECT_EQ(again["sources"][2]["holds"], false) << again;
  EXPECT_EQ(row(again, "mlp", "reproduced here")["source"], "2026-03-01 first.sqlite");
  EXPECT_FALSE(row(again, "mlp", "reproduced here")["rank"].is_null());
  EXPECT_TRUE(again["tables"][0]["disputes"].empty()) << again;
}

TEST_F(LeaderboardTest, ADateToComeIsToldAndIsNone) {
  fs::copy_file(place_.path("all/2026-03-01 first.sqlite"),
                place_.path("all/2999-12-31 later.sqlite"));
  const json board = build(0);
  EXPECT_NE(board["sources"][2]["date"], "2999-12-31");
  ASSERT_EQ(board["sources"][2]["remarks"].size(), 1u) << board;
  EXPECT_TRUE(contains(board["sources"][2]["remarks"][0], "2999-12-31"));
  EXPECT_TRUE(contains(place_.read("site/index.html"), "begins with 2999-12-31"));
  EXPECT_TRUE(board["sources"][0]["remarks"].empty());
}

// Whoever reads the page has no use for where the builder keeps things.
TEST_F(LeaderboardTest, PagesNameNoFolderOfTheBuilder) {
  raw_sql(place_.path("all/2026-05-01 second.sqlite"), "UPDATE runs SET test_score = 0.999");
  fs::create_directory(place_.path("all/ours"));
  place_.write("all/ours/submission.toml", "protocol = 1\n");
  if (made::needs_program("ssh-keygen").empty()) {
    (void)make_key(place_, "key");
    ASSERT_EQ(place_.run({"sign", "all/2026-03-01 first.sqlite", "--key", "key"}).code, 0);
    raw_sql(place_.path("all/2026-03-01 first.sqlite"),
            "DELETE FROM runs WHERE init = 2; DELETE FROM seals WHERE init = 2; DELETE FROM strata "
            "WHERE init = 2; DELETE FROM other_scores WHERE init = 2");
  }
  const std::string folder = place_.path("all").string();
  for (const std::string& given : {folder, std::string("./all/")}) {
    ASSERT_EQ(place_.run({"leaderboard", "build", given, "--out", "site"}).code, 3);
    for (const auto& entry : fs::directory_iterator(place_.path("site"))) {
      const std::string page = read_file(entry.path());
      EXPECT_FALSE(contains(page, place_.path("").string())) << entry.path();
      EXPECT_FALSE(contains(page, "./all")) << entry.path();
    }
    EXPECT_TRUE(contains(place_.read("site/index.html"), ">ours/submission.toml"))
        << place_.read("site/index.html");
  }
}

// A store is asked for all that it has, in whatever order it came there.
TEST_F(LeaderboardTest, EveryVersionOfAProtocolHasItsTable) {
  fs::create_directory(place_.path("v"));
  std::string text = kSmallProtocol;
  place_.write("w.toml", text);
  ASSERT_EQ(place_.run({"run", "w.toml", "--no-report", "--store", "v/1.sqlite"}).code, 0);
  place_.write("w.toml", text.replace(text.find("count = 2"), 9, "count = 3"));
  ASSERT_EQ(
      place_.run({"run", "w.toml", "--no-report", "--models", "majority", "--store", "v/2.sqlite"})
          .code,
      0);
  std::vector<std::set<std::string>> found;
  for (const auto& [folder, a, b] :
       {std::tuple("v", "", ""), std::tuple("ab", "1", "2"), std::tuple("ba", "2", "1")}) {
    if (folder != std::string("v")) {
      fs::create_directory(place_.path(folder));
      ASSERT_EQ(place_
                    .run({"merge", fmt::format("{}/m.sqlite", folder),
                          fmt::format("v/{}.sqlite", a), fmt::format("v/{}.sqlite", b)})
                    .code,
                0);
    }
    const Outcome outcome = place_.run({"leaderboard", "build", folder, "--out", "s", "--json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    std::set<std::string>& all = found.emplace_back();
    const json board = json::parse(outcome.out);
    for (const json& table : board["tables"])
      for (const json& one : table["rows"])
        all.insert(fmt::format("{} {} {}", table["version"].get<std::string>(),
                               one["model"].get<std::string>(), one["text"].get<std::string>()));
  }
  EXPECT_EQ(found[0].size(), 4u) << "three models of one version, and one of the other";
  EXPECT_EQ(found[1], found[0]);
  EXPECT_EQ(found[2], found[0]);
}

TEST_F(LeaderboardTest, OneTextUnderTwoNamesIsOneQuestion) {
  fs::create_directory(place_.path("two"));
  for (const auto& [name, model] : {std::pair("bob", "majority"), std::pair("ann", "labelprop")}) {
    place_.write(fmt::format("{}.toml", name), kSmallProtocol);
    ASSERT_EQ(place_
                  .run({"run", fmt::format("{}.toml", name), "--no-report", "--models", model,
                        "--store", fmt::format("two/of {}.sqlite", model)})
                  .code,
              0);
  }
  const Outcome outcome = place_.run({"leaderboard", "build", "two", "--out", "s", "--json"});
  const json board = json::parse(outcome.out);
  ASSERT_EQ(board["tables"].size(), 1u) << board;
  EXPECT_EQ(board["tables"][0]["protocol"], "ann");
  ASSERT_EQ(board["tables"][0]["rows"].size(), 2u);
  EXPECT_EQ(board["tables"][0]["rows"][1]["rank"], 2) << board;
}

TEST_F(LeaderboardTest, WhatIsPublishedStandsThereWhoeverRanIt) {
  fs::create_directory(place_.path("some"));
  ASSERT_EQ(place_
                .run({"run", "small.toml", "--no-report", "--models", "majority", "--store",
                      "some/a.sqlite"})
                .code,
            0);
  const Outcome outcome = place_.run({"leaderboard", "build", "some", "--out", "s", "--json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const json board = json::parse(outcome.out);
  EXPECT_EQ(board["tables"].size(), 1u);
  const json mlp = row(board, "mlp", "reported");
  EXPECT_EQ(mlp["mean"], 99.5) << board;
  EXPECT_EQ(mlp["text"], "99.5 ± 0.5");
  EXPECT_EQ(mlp["rank"], 1);
  EXPECT_EQ(row(board, "majority", "recorded in a store")["rank"], 2);
}

TEST_F(LeaderboardTest, WhoSignedIsSaidAndTamperedStoresHaveNoRank) {
  if (const std::string why = made::needs_program("ssh-keygen"); !why.empty()) GTEST_SKIP() << why;
  place_.write("signers", "alice " + make_key(place_, "key") + "\n");
  for (const char* store : {"all/2026-03-01 first.sqlite", "all/2026-05-01 second.sqlite"})
    ASSERT_EQ(place_.run({"sign", store, "--key", "key"}).code, 0);
  const json whole = build(0, {"--signers", "signers"});
  EXPECT_EQ(whole["sources"][0]["signer"], "alice");
  EXPECT_TRUE(contains(place_.read("site/index.html"), ">alice<"));
  EXPECT_EQ(build(0)["sources"][0]["signature"], "unknown") << "no file says who that is";
  // A run less, and all seals whole.
  raw_sql(place_.path("all/2026-05-01 second.sqlite"),
          "DELETE FROM runs WHERE init = 2; DELETE FROM seals WHERE init = 2; DELETE FROM strata "
          "WHERE init = 2; DELETE FROM other_scores WHERE init = 2");
  const json board = build(3, {"--signers", "signers"});
  EXPECT_EQ(board["sources"][1]["signature"], "tampered");
  EXPECT_EQ(board["sources"][1]["holds"], false);
  const json rows = board["tables"][0]["rows"];
  EXPECT_EQ(rows.back()["source"], "2026-05-01 second.sqlite") << rows;
  EXPECT_TRUE(rows.back()["rank"].is_null()) << rows;
  EXPECT_EQ(row(board, "mlp", "recorded in a store")["source"], "2026-03-01 first.sqlite");
  EXPECT_TRUE(contains(place_.read("site/index.html"), "is not as it was signed"));
}

TEST_F(LeaderboardTest, AnEditedStoreIsToldAndGivesNoValue) {
  raw_sql(place_.path("all/2026-05-01 second.sqlite"), "UPDATE runs SET test_score = 0.999");
  place_.write("all/none.sqlite", "no store at all");
  const json board = build(3);
  EXPECT_EQ(board["sources"][1]["holds"], false);
  EXPECT_EQ(board["sources"][2]["holds"], false);
  EXPECT_EQ(row(board, "mlp", "recorded in a store")["source"], "2026-03-01 first.sqlite");
  const json others = row(board, "mlp", "recorded in a store")["others"];
  ASSERT_EQ(others.size(), 1u) << others;
  EXPECT_EQ(others[0]["tier"], "reported");
}

// Whoever takes the seals away can swap rows without one that breaks.
TEST_F(LeaderboardTest, WhatHasNoSealHasNoRank) {
  raw_sql(place_.path("all/2026-05-01 second.sqlite"), "UPDATE cell_seals SET hash = ''");
  const json board = build(3);
  EXPECT_EQ(board["sources"][1]["holds"], false);
  EXPECT_TRUE(contains(board["sources"][1]["problems"][0], "have no seal")) << board;
  EXPECT_TRUE(board["tables"][0]["rows"].back()["rank"].is_null()) << board;
  const Outcome verify = place_.run({"verify", "all/2026-05-01 second.sqlite"});
  EXPECT_TRUE(contains(verify.out, "unsealed: which runs stand in which row")) << verify.out;
}

TEST_F(LeaderboardTest, RowsThatStandForRunsOfOthersAreFoundByDoingThemAgain) {
  raw_sql(place_.path("all/2026-03-01 first.sqlite"),
          "UPDATE cell_seals SET hash = ''; UPDATE cells SET model = 't' WHERE model = 'majority'; "
          "UPDATE cells SET model = 'majority' WHERE model = 'mlp'; "
          "UPDATE cells SET model = 'mlp' WHERE model = 't'");
  const json board = build(3, {"--rerun", "4"});
  bool told = false;
  for (const json& problem : board["sources"][0]["problems"])
    told = told || contains(problem, "stands for runs of another row");
  EXPECT_TRUE(told) << board["sources"][0];
}

// Nothing that is wrong with one source takes the others with it.
TEST_F(LeaderboardTest, OddSourcesAreToldAndTheOthersStand) {
  const std::string deep = std::string(60, 'a') + "/" + std::string(60, 'b') + "/" +
                           std::string(60, 'c') + "/" + std::string(60, 'd');
  fs::create_directories(place_.path("all/" + deep));
  fs::copy(place_.path("all/2026-05-01 second.sqlite"),
           place_.path("all/" + deep + "/9999-99-99.sqlite"));
  fs::create_directory(place_.path("elsewhere"));
  place_.write("elsewhere/x.sqlite", "");
  fs::create_directory(place_.path("nothing"));
  fs::create_directory_symlink(place_.path("elsewhere"), place_.path("all/linked"));
  fs::create_directory_symlink(place_.path("nothing"), place_.path("all/data"));
  fs::create_directory(place_.path("all/folder.sqlite"));
  fs::create_symlink("nowhere", place_.path("all/gone.sqlite"));
  const json board = build(3);
  std::map<std::string, json> found;
  for (const json& source : board["sources"]) found[source["name"]] = source;
  for (const char* name : {"linked", "folder.sqlite", "gone.sqlite"})
    EXPECT_EQ(found[name]["holds"], false) << name;
  EXPECT_FALSE(found.contains("data")) << "a link to what is no source";
  EXPECT_EQ(found[deep + "/9999-99-99.sqlite"]["holds"], true) << board;
  EXPECT_NE(found[deep + "/9999-99-99.sqlite"]["date"], "9999-99-99");
  EXPECT_EQ(row(board, "mlp", "recorded in a store")["rank"].is_null(), false);
}

TEST_F(LeaderboardTest, WhatIsNotOfTheSiteIsNotRemovedWithIt) {
  build(0);
  fs::create_directory(place_.path("site/store-mine.html"));
  EXPECT_EQ(place_.run({"leaderboard", "build", "all", "--out", "site"}).code, 2);
  fs::remove(place_.path("site/store-mine.html"));
  place_.write("site/store-mine.html", "of mine");
  EXPECT_EQ(place_.run({"leaderboard", "build", "all", "--out", "site"}).code, 2);
  EXPECT_EQ(place_.read("site/store-mine.html"), "of mine");
  fs::remove(place_.path("site/store-mine.html"));
  // What a link names is what is served.
  fs::create_directory_symlink(place_.path("site"), place_.path("www"));
  fs::remove(place_.path("all/2026-05-01 second.sqlite"));
  EXPECT_EQ(place_.run({"leaderboard", "build", "all", "--out", "www"}).code, 0);
  EXPECT_TRUE(fs::is_symlink(place_.path("www")));
  EXPECT_FALSE(fs::exists(place_.path("site/store-2026-05-01-second.html")));
}

TEST_F(LeaderboardTest, SubmissionsStandBesideStores) {
  if (const std::string why = made::needs_program("python3"); !why.empty()) GTEST_SKIP() << why;
  fs::create_directory(place_.path("all/ours"));
  place_.write("all/ours/submission.toml",
               "protocol = \"../../small.toml\"\ndataset = \"csbm:classes=3,features=60,nodes=200\""
               "\nmodel = \"ours\"\ncitation = \"A. <b>Author</b>\"\ndeterministic = true\n");
  json board = build(3);
  EXPECT_EQ(board["sources"][2]["holds"], false) << "no prediction is there";
  // A submission has no signature that could hold or not.
  const Outcome text = place_.run({"leaderboard", "build", "all", "--out", "other"});
  EXPECT_TRUE(contains(text.out, "not suitable")) << text.out;
  EXPECT_FALSE(contains(text.out, "SIGNATURE")) << text.out;
  // Scores of the class with the most training nodes, as any constant is: what `majority` has.
  ASSERT_EQ(place_.run({"submit", "tasks", "all/ours"}).code, 0);
  const std::string python =
      "import sys, struct, zipfile, pathlib, array, ast, os\n"
      "for split in pathlib.Path('all/ours').glob('split-*'):\n"
      "    data = zipfile.ZipFile(split / 'task.npz').read('idx_test.npy')\n"
      "    start = 10 + struct.unpack_from('<H', data, 8)[0]\n"
      "    rows = ast.literal_eval(data[10:start].decode())['shape'][0]\n"
      "    head = repr({'descr': '<f8', 'fortran_order': False, 'shape': (rows, 3)})\n"
      "    head += ' ' * (-(len(head) + 11) % 64) + '\\n'\n"
      "    os.makedirs(split / 'init-0')\n"
      "    with open(split / 'init-0' / 'scores.npy', 'wb') as file:\n"
      "        file.write(b'\\x93NUMPY\\x01\\x00' + struct.pack('<H', len(head)) + head.encode())\n"
      "        array.array('d', [1.0, 0.0, 0.0] * rows).tofile(file)\n";
  place_.write("answer.py", python);
  const std::string command =
      "cd '" + place_.path("").string() + "' && python3 answer.py > /dev/null 2>&1";
  ASSERT_EQ(std::system(command.c_str()), 0);
  board = build(0);
  const json ours = row(board, "ours", "recomputed from predictions");
  ASSERT_FALSE(ours.is_null()) << board;
  EXPECT_EQ(ours["runs"], 2);
  EXPECT_EQ(ours["runs_asked"], 6) << "that it is deterministic is its owner's word";
  EXPECT_EQ(ours["said_deterministic"], true);
  EXPECT_TRUE(ours["rank"].is_null()) << ours;
  EXPECT_EQ(ours["unranked"], "incomplete");
  EXPECT_EQ(board["tables"].size(), 1u) << "the same question as the stores'";
  EXPECT_NEAR(ours["mean"].get<double>(), 33, 8) << "three classes of about the same size";
  const std::string page = place_.read("site/index.html");
  EXPECT_TRUE(contains(page, ">2 of 6, said to be deterministic<")) << page;
  EXPECT_TRUE(contains(page, ">incomplete<")) << page;
  EXPECT_TRUE(contains(page, "A. &lt;b&gt;Author&lt;/b&gt;")) << page;

  // Under another's name it is still its own row, and says whose it is.
  std::string claim = place_.read("all/ours/submission.toml");
  place_.write("all/ours/submission.toml", claim.replace(claim.find("ours"), 4, "majority"));
  fs::create_directory(place_.path("all/theirs"));
  fs::copy(place_.path("all/ours"), place_.path("all/theirs"),
           fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  const json before = row(board, "majority", "recorded in a store");
  board = build(0);
  EXPECT_EQ(row(board, "majority", "recorded in a store"), before);
  std::set<std::string> theirs;
  for (const json& one : board["tables"][0]["rows"]) {
    if (one["tier"] != "recomputed from predictions") continue;
    EXPECT_EQ(one["shares_name"], true) << one;
    EXPECT_TRUE(one["others"].empty()) << one;
    theirs.insert(one["source"]);
  }
  EXPECT_EQ(theirs, (std::set<std::string>{"ours", "theirs"}));
  EXPECT_TRUE(contains(place_.read("site/index.html"), "of submission ours<"));
}

// Part of the runs is no match for all of them.
TEST_F(LeaderboardTest, WhatIsIncompleteStandsBelowAndHasNoRank) {
  fs::remove(place_.path("all/2026-03-01 first.sqlite"));
  ASSERT_EQ(place_
                .run({"run", "small.toml", "--no-report", "--models", "majority", "--store",
                      "all/other.sqlite"})
                .code,
            0);
  ASSERT_EQ(place_
                .run({"run", "small.toml", "--no-report", "--models", "labelprop", "--splits", "1",
                      "--store", "all/part.sqlite"})
                .code,
            0);
  const json board = build(0);
  const json& last = board["tables"][0]["rows"].back();
  EXPECT_EQ(last["model"], "labelprop") << board;
  EXPECT_EQ(last["runs"], 1);
  EXPECT_TRUE(last["rank"].is_null());
  EXPECT_EQ(last["unranked"], "incomplete");
  EXPECT_EQ(row(board, "majority", "recorded in a store")["rank"], 2);
  // What is published is complete.
  const json mlp = row(board, "mlp", "reported");
  EXPECT_EQ(mlp["rank"], 1);
  ASSERT_EQ(mlp["others"].size(), 1u);
  EXPECT_EQ(mlp["others"][0]["runs"], 3);
}

TEST_F(LeaderboardTest, WhatDoesNotHoldReportsNothing) {
  fs::create_directory(place_.path("all/0"));
  place_.write("all/0/small.toml", kPublished);
  std::string values = kValues;
  place_.write("all/0/small.csv", values.replace(values.find("99.5"), 4, "10.5"));
  place_.write("all/0/submission.toml",
               "protocol = \"./small.toml\"\ndataset = \"csbm:classes=3,features=60,nodes=200\"\n"
               "model = \"ours\"\ncitation = \"A. Author\"\n");
  const json board = build(3);
  EXPECT_EQ(board["sources"][0]["holds"], false) << "no prediction is there";
  const std::vector<json> found = reported(board, "mlp");
  ASSERT_EQ(found.size(), 1u) << board;
  EXPECT_EQ(found[0]["mean"], 99.5) << board;
  EXPECT_EQ(found[0]["told_by"], "2026-03-01 first.sqlite");
}

// Another value of the table has more digits, so that all are printed with more.
TEST_F(LeaderboardTest, ReportedValuesThatAreTheSameNumberDoNotDiffer) {
  add_other(std::string(kValues) +
            "1,\"csbm:classes=3,features=60,nodes=200\",majority,accuracy,33.33,0.5,"
            "sd_ddof1_pooled_runs,6,2\n");
  const json board = build(0);
  EXPECT_EQ(reported(board, "mlp").size(), 1u) << board;
  EXPECT_TRUE(board["tables"][0]["disputes"].empty()) << board;
}

TEST_F(LeaderboardTest, ReportedValuesThatDifferAreToldAndHaveNoRank) {
  std::string values = kValues;
  add_other(values.replace(values.find("99.5"), 4, "10.5"));
  const json board = build(3);
  const json disputed = row(board, "mlp", "reported");
  EXPECT_TRUE(disputed["rank"].is_null()) << disputed;
  EXPECT_EQ(disputed["unranked"], "disputed");
  EXPECT_FALSE(row(board, "mlp", "recorded in a store")["rank"].is_null()) << board;
  ASSERT_EQ(board["tables"][0]["disputes"].size(), 1u) << board;
  for (const char* part : {"mlp", "10.5 ± 0.5 (2026-01-01 other.sqlite)", "99.5 ± 0.5 ("})
    EXPECT_TRUE(contains(board["tables"][0]["disputes"][0], part)) << board;
  EXPECT_TRUE(contains(place_.read("site/index.html"), ">disputed<"));
  for (const json& source : board["sources"]) EXPECT_EQ(source["holds"], true) << source;
}

// Of a protocol that is part of the program nobody else says what was published.
TEST_F(LeaderboardTest, OwnProtocolsHaveTheirOwnPublishedValues) {
  if (const std::string why = made::needs_data({"cora"}); !why.empty()) GTEST_SKIP() << why;
  place_.set("CUPEL_DATA", std::getenv("CUPEL_DATA"));
  const Protocol own = load_protocol("quickstart");
  place_.write("quickstart.toml", own.text);
  fs::create_directory(place_.path("published"));
  std::string values = own.published_text;
  place_.write("published/quickstart.csv", values.replace(values.find("74.4"), 4, "10.5"));
  fs::create_directory(place_.path("two"));
  for (const auto& [protocol, store] :
       {std::pair("./quickstart.toml", "two/0.sqlite"), std::pair("quickstart", "two/1.sqlite")})
    ASSERT_EQ(place_
                  .run({"run", protocol, "--no-report", "--models", "labelprop", "--splits", "2",
                        "--store", store})
                  .code,
              0);
  const Outcome outcome = place_.run({"leaderboard", "build", "two", "--out", "site", "--json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const json board = json::parse(outcome.out);
  ASSERT_EQ(board["tables"].size(), 1u);
  const std::vector<json> found = reported(board, "labelprop");
  ASSERT_EQ(found.size(), 1u) << board;
  EXPECT_EQ(found[0]["mean"], 74.4) << board;
  EXPECT_TRUE(found[0]["told_by"].is_null());
}

TEST_F(LeaderboardTest, OtherDataOfTheSameNameAreAnotherQuestion) {
  fs::create_directory(place_.path("some"));
  for (const char* seed : {"1", "2"}) {
    ASSERT_EQ(place_
                  .run({"generate", "csbm", "--set", "nodes=150", "--set", "classes=3", "--seed",
                        seed, "--out", "mine.npz"})
                  .code,
              0);
    ASSERT_EQ(place_
                  .run({"run", "small.toml", "--no-report", "--models", "majority", "--datasets",
                        "./mine.npz", "--store", fmt::format("some/{}.sqlite", seed)})
                  .code,
              0);
    fs::remove(place_.path("mine.npz"));
  }
  const Outcome outcome = place_.run({"leaderboard", "build", "some", "--out", "site", "--json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const json tables = json::parse(outcome.out)["tables"];
  ASSERT_EQ(tables.size(), 2u) << tables;
  EXPECT_EQ(tables[0]["dataset"], tables[1]["dataset"]);
  EXPECT_NE(tables[0]["content"], tables[1]["content"]);
  for (const json& table : tables)
    EXPECT_TRUE(contains(place_.read("site/index.html"),
                         table["content"].get<std::string>().substr(0, 12)));
}

TEST_F(LeaderboardTest, TheSiteIsWholeAndNobodyElsesFolderIsTouched) {
  build(0);
  EXPECT_EQ(place_.files(), (std::vector<std::string>{"all", "site", "small.csv", "small.toml"}));
  const std::string index = place_.read("site/index.html");
  // Every page that is linked is there, and nothing else is.
  std::set<std::string> linked = {"index.html"}, there;
  const std::regex link("href=\"([^\"]+)\"");
  for (std::sregex_iterator at(index.begin(), index.end(), link), end; at != end; ++at)
    linked.insert((*at)[1]);
  for (const auto& entry : fs::directory_iterator(place_.path("site")))
    there.insert(entry.path().filename().string());
  EXPECT_EQ(linked, there);
  EXPECT_EQ(linked.size(), 3u);
  for (const char* scheme : {"http:", "https:", "src=", "url("})
    EXPECT_FALSE(contains(index, scheme)) << "nothing of any network";
  // Built again in its place, with what is there now.
  fs::remove(place_.path("all/2026-05-01 second.sqlite"));
  build(0);
  EXPECT_FALSE(fs::exists(place_.path("site/store-2026-05-01-second.html")));
  place_.write("site/CNAME", "example.org");
  for (const char* out : {"site", "all", "small.toml"}) {
    const Outcome outcome = place_.run({"leaderboard", "build", "all", "--out", out});
    EXPECT_EQ(outcome.code, 2) << out;
    EXPECT_TRUE(contains(outcome.err, "--out")) << outcome.err;
  }
  EXPECT_EQ(place_.read("site/CNAME"), "example.org");
  fs::create_directory(place_.path("empty"));
  EXPECT_EQ(place_.run({"leaderboard", "build", "empty", "--out", "other"}).code, 2);
  EXPECT_EQ(place_.run({"leaderboard", "build", "all", "--out", "x", "--signers", "none"}).code, 2);
  EXPECT_FALSE(fs::exists(place_.path("other")) || fs::exists(place_.path("x")));
}

// Names of everything, from everybody.
TEST(Leaderboard, NamesAreInert) {
  const std::string evil = "\"'><script>alert(1)</script>\x1b[31m\u202e&";
  Results results;
  results.protocol = results.title = evil;
  TableResults table;
  table.id = table.title = evil;
  table.datasets = {evil};
  table.models = {evil};
  CellResults cell;
  cell.dataset = cell.model = evil;
  cell.measure = {"accuracy"};
  cell.expected_n = 1;
  PlacedRun run;
  run.record.metric = "accuracy";
  run.record.test_score = 0.5;
  cell.runs = {run};
  table.cells = {cell};
  results.tables = {table};
  BoardMaker maker;
  for (const bool submission : {false, true}) {
    BoardSource source;
    source.name = source.date = source.citation = evil;
    source.submission = submission;
    source.problems = {evil};
    source.signature = {SignatureCheck::State::kSigned, evil, evil, evil};
    maker.add(results, evil, maker.add(source));
  }
  const std::string page = render_board(maker.board());
  EXPECT_EQ(page.rfind(kBoardBegin, 0), 0u);
  for (const char* bad : {"<script", "\x1b", "\u202e", "\"'>"})
    EXPECT_FALSE(contains(page, bad)) << bad;
  EXPECT_TRUE(contains(page, "&lt;script&gt;"));
  EXPECT_TRUE(contains(page, "default-src &apos;none&apos;") ||
              contains(page, "default-src &#39;none&#39;") || contains(page, "default-src 'none'"))
      << page.substr(0, 600);
}

}  // namespace
}  // namespace cupel::test
