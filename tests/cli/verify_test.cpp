// Stores that lie, and commands that read them.
#include <chrono>
#include <regex>
#include <set>
#include <thread>

#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "cupel/lab/store/store.h"
#include "programs.h"
#include "raw_sql.h"

namespace cupel::test {
namespace {

using cupel::made::raw_sql;
using nlohmann::json;

class VerifyTest : public ::testing::Test {
 protected:
  VerifyTest() {
    place_.write("small.toml", kSmallProtocol);
    place_.run({"run", "small.toml", "--no-report"});
  }
  std::string edit(const std::string& sql, const std::string& store = "small.sqlite") const {
    return raw_sql(place_.path(store), sql);
  }
  // Gives a run another score and a seal that fits it, as somebody does who has this program.
  std::string forge(const std::string& store) const {
    const std::string id =
        edit("SELECT id FROM runs WHERE test_score > 0 ORDER BY id LIMIT 1", store);
    RunRecord record = *Store(place_.path(store), Store::Mode::kOpen).find(id);
    const json identity = json::parse(record.identity);
    record.test_score = *record.test_score / 2;
    edit("DELETE FROM runs WHERE id = '" + id + "'", store);
    Store(place_.path(store))
        .put(family_of(record.identity), identity["split"], identity["init"], record);
    return id;
  }
  // The part of a run's identity that is its family's, to the byte.
  static std::string family_of(const std::string& identity) {
    const std::size_t from = std::string(R"({"family":)").size();
    return identity.substr(from, identity.rfind(R"(,"init":)") - from);
  }
  Workplace place_;
};

TEST_F(VerifyTest, AStoreHolds) {
  const Outcome text = place_.run({"verify", "small.sqlite"});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_TRUE(contains(text.out, "All of it holds")) << text.out;
  const Outcome all = place_.run({"verify", "small.sqlite", "--json", "--rerun", "10"});
  ASSERT_EQ(all.code, 0) << all.out << all.err;
  const json card = json::parse(all.out);
  EXPECT_EQ(card["holds"], true);
  EXPECT_EQ(card["runs"], kSmallRuns);
  EXPECT_EQ(card["unsealed"], 0);
  ASSERT_EQ(card["rerun"]["runs"].size(), 10u);
  for (const json& run : card["rerun"]["runs"]) EXPECT_EQ(run["same"], true) << run;
  EXPECT_EQ(place_.files(), (std::vector<std::string>{"small.sqlite", "small.toml"}));
}

TEST_F(VerifyTest, TheSeedDecidesWhatIsDoneAgain) {
  const auto ids = [&](const std::string& seed) {
    std::vector<std::string> out;
    const Outcome outcome =
        place_.run({"verify", "small.sqlite", "--json", "--rerun", "3", "--seed", seed});
    const json card = json::parse(outcome.out);
    for (const json& run : card["rerun"]["runs"]) out.push_back(run["id"]);
    return out;
  };
  EXPECT_EQ(ids("a").size(), 3u);
  EXPECT_EQ(ids("a"), ids("a"));
  std::set<std::vector<std::string>> draws;
  for (const char* seed : {"a", "b", "c", "d"}) draws.insert(ids(seed));
  EXPECT_GT(draws.size(), 1u);
}

TEST_F(VerifyTest, AForgedSealIsFoundByDoingTheRunAgain) {
  const std::string id = forge("small.sqlite");
  EXPECT_EQ(place_.run({"verify", "small.sqlite"}).code, 0) << "a seal has no key";
  const Outcome outcome = place_.run({"verify", "small.sqlite", "--rerun", "10"});
  EXPECT_EQ(outcome.code, 3) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, id)) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "It does not hold")) << outcome.out;
}

TEST_F(VerifyTest, ARowThatStandsForAnotherIsFoundByDoingARunAgain) {
  // Both rows are deterministic, and somebody who may seal anew has taken the seals for old ones.
  edit(
      "UPDATE cells SET family = (SELECT family FROM cells WHERE model = 'labelprop') WHERE model "
      "= 'majority'; UPDATE cell_seals SET hash = ''");
  EXPECT_EQ(place_.run({"verify", "small.sqlite"}).code, 1) << "each row is possible";
  const Outcome outcome = place_.run({"verify", "small.sqlite", "--rerun", "1"});
  EXPECT_EQ(outcome.code, 3) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "row 'majority'")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "runs of another row")) << outcome.out;
}

// A program that gives other scores from one day to the next: nothing here does it again.
TEST_F(VerifyTest, ProgramsInConflictAreLeftOut) {
  if (made::python_with_numpy().empty()) GTEST_SKIP() << made::kNeedsNumPy;
  place_.write(
      "w.py",
      "import sys, json, numpy as np\n"
      "folder, day = sys.argv[1:3]\n"
      "task, z = json.load(open(folder + '/task.json')), np.load(folder + '/task.npz')\n"
      "r = np.random.default_rng(int(open(day + '/day').read()))\n"
      "np.save(folder + '/scores.npy', r.random((len(z['idx_test']), task['classes'])))\n");
  place_.write("own.toml",
               "[data]\ndatasets = ['csbm:nodes=300']\n[split]\ntrain = 5\nvalid = 5\ncount = "
               "2\n[models.own]\ncommand = "
               "['" +
                   made::python_with_numpy() + "', 'w.py', '{task}', '" +
                   place_.path(".").string() + "']\nisolation = 'none'\n");
  for (const char* day : {"1", "2"}) {
    place_.write("day", day);
    EXPECT_EQ(place_.run({"run", "own.toml", "--store", std::string(day) + ".sqlite"}).code, 0);
  }
  EXPECT_EQ(place_.run({"merge", "both.sqlite", "1.sqlite", "2.sqlite"}).code, 3);
  const Outcome outcome = place_.run({"verify", "both.sqlite", "--rerun", "2"});
  EXPECT_TRUE(contains(outcome.out, "2 of programs")) << outcome.out;
  EXPECT_FALSE(contains(outcome.out, "is not the same here")) << outcome.out;
  EXPECT_EQ(place_.run({"merge", "", "1.sqlite"}).code, 2) << "a store has a name";
}

TEST_F(VerifyTest, FewerRunsThanWantedIsSaid) {
  const auto verified = [&](int code) {
    const Outcome text = place_.run({"verify", "small.sqlite", "--rerun", "11"});
    EXPECT_EQ(text.code, code) << text.out;
    const json card =
        json::parse(place_.run({"verify", "small.sqlite", "--rerun", "11", "--json"}).out);
    const std::string unwrapped = std::regex_replace(text.out, std::regex("\\s+"), " ");
    EXPECT_TRUE(contains(unwrapped, card["verdict"])) << text.out << card;
    EXPECT_EQ(card["holds"], true);
    EXPECT_EQ(card["rerun"]["enough"], code == 0) << card;
    return card["verdict"].get<std::string>();
  };
  EXPECT_EQ(verified(0), "All of it holds.") << "there are ten";
  edit(
      "DELETE FROM seals WHERE EXISTS (SELECT 1 "
      "FROM runs r JOIN cells c USING (family) WHERE model = 'majority' AND r.family = "
      "seals.family); DELETE FROM other_scores WHERE family IN (SELECT family FROM cells WHERE "
      "model = 'majority'); DELETE FROM runs WHERE family IN (SELECT family FROM cells WHERE model "
      "= 'majority')");
  EXPECT_EQ(verified(0), "All of it holds.") << "there are eight";
  // Those of data that are not here are somebody's elsewhere to do.
  place_.write("far.toml",
               "[data]\ndatasets = ['./far']\n[split]\ntrain = 2\nvalid = 2\ncount = "
               "1\n[models.majority]\n");
  ASSERT_EQ(place_.run({"generate", "csbm:nodes=60", "--out", "far"}).code, 0);
  ASSERT_EQ(place_.run({"run", "far.toml", "--store", "small.sqlite", "--no-report"}).code, 0);
  std::filesystem::remove_all(place_.path("far"));
  EXPECT_EQ(verified(1),
            "All of it holds, but 8 of the 11 runs that were to be done again were "
            "done.");
  EXPECT_EQ(place_.run({"verify", "small.sqlite", "--seed", "x"}).code, 2);
  EXPECT_EQ(place_.run({"verify", "none.sqlite"}).code, 2);
  EXPECT_EQ(place_.run({"verify", "small.toml"}).code, 2);
}

TEST_F(VerifyTest, AnEditedScoreIsRefusedByEveryReader) {
  const std::string id = edit("SELECT id FROM runs ORDER BY id LIMIT 1");
  edit("UPDATE runs SET test_score = 0.99 WHERE id = '" + id + "'");
  const std::vector<std::vector<std::string>> commands = {
      {"report", "small.sqlite"},
      {"show", "small.sqlite"},
      {"show", id, "--store", "small.sqlite"},
      {"run", "small.toml"},
      {"compare", "small.sqlite", "mlp", "majority"},
      {"merge", "other.sqlite", "small.sqlite"},
  };
  for (const auto& command : commands) {
    const Outcome outcome = place_.run(command);
    EXPECT_EQ(outcome.code, 2) << command[0] << outcome.out;
    EXPECT_TRUE(contains(outcome.err, id)) << command[0] << ": " << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "cupel verify")) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
  const Outcome verify = place_.run({"verify", "small.sqlite", "--json"});
  EXPECT_EQ(verify.code, 3);
  EXPECT_TRUE(contains(json::parse(verify.out)["problems"].dump(), id));
}

TEST_F(VerifyTest, NoHostileStoreDoesMoreThanASentence) {
  const std::vector<std::string> attacks = {
      "UPDATE cells SET model = 'nobody' || at",
      "UPDATE cells SET model = 'nobody' || at, table_id = 'none'",
      "UPDATE cells SET full_splits = 9223372036854775807",
      "UPDATE cells SET full_splits = -1",
      "UPDATE cells SET first_split = 99999999999",
      "UPDATE cells SET classes = -5",
      "UPDATE asked SET splits = 99999999999",
      "UPDATE asked SET splits = -3",
      "UPDATE runs SET test_score = 1.7e308",
      "UPDATE runs SET test_score = 1.7e308; DELETE FROM seals",
      "UPDATE runs SET status = 77; DELETE FROM seals",
      "UPDATE runs SET split = split + 99999999999; DELETE FROM seals",
      "UPDATE families SET identity = ''",
      "INSERT INTO families VALUES ('e3b0c44298fc1c149afbf4c8996fb924', ''); UPDATE OR REPLACE "
      "runs "
      "SET family = 'e3b0c44298fc1c149afbf4c8996fb924'; UPDATE cells SET family = "
      "'e3b0c44298fc1c149afbf4c8996fb924'",
      "UPDATE runs SET message = printf('%.*c', 20000000, 'x')",
      "CREATE VIEW loop AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT "
      "i "
      "FROM n",
      "ALTER TABLE runs RENAME TO r2; CREATE VIEW runs AS SELECT * FROM r2",
      "CREATE TRIGGER t AFTER INSERT ON runs BEGIN UPDATE runs SET test_score = 1; END",
      "UPDATE protocols SET text = 'models = 3'",
      "UPDATE protocols SET text = ''",
      // A row that stands for the runs of another, or on other data, or for some of its runs.
      "UPDATE cells SET family = (SELECT max(family) FROM cells)",
      "UPDATE cells SET dataset = 'cora'",
      "UPDATE cells SET metric = 'macro-f1'",
      "UPDATE cells SET first_split = 1",
      "UPDATE asked SET splits = 1, inits = 1",
      "UPDATE cells SET classes = 2; DELETE FROM cell_seals",
      "UPDATE runs SET test_score = 0.99; DELETE FROM seals",
      "INSERT INTO looks SELECT protocol, table_id, dataset, model, 9, 9 FROM cells",
      "INSERT INTO looks SELECT protocol, table_id, dataset, model, -7, 0 FROM cells; UPDATE "
      "cell_seals SET hash = ''",
  };
  const std::vector<std::vector<std::string>> commands = {
      {"report", "evil.sqlite"},
      {"show", "evil.sqlite"},
      {"effectiveness", "evil.sqlite"},
      {"compare", "evil.sqlite", "mlp", "majority"},
      {"audit", "csbm:classes=3,features=60,nodes=200", "--store", "evil.sqlite"},
  };
  for (const std::string& attack : attacks) {
    std::filesystem::copy_file(place_.path("small.sqlite"), place_.path("evil.sqlite"),
                               std::filesystem::copy_options::overwrite_existing);
    edit(attack, "evil.sqlite");
    const auto start = std::chrono::steady_clock::now();
    bool refused = false;
    for (const auto& command : commands) {
      const Outcome outcome = place_.run(command);
      EXPECT_TRUE(outcome.code == 0 || outcome.code == 2)
          << attack << ": " << command[0] << " ends with " << outcome.code << outcome.err;
      refused = refused || outcome.code == 2;
    }
    EXPECT_TRUE(refused) << attack;
    EXPECT_EQ(place_.run({"verify", "evil.sqlite"}).code, 3) << attack;
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60)) << attack;
  }
}

TEST_F(VerifyTest, WhatIsAskedMayBeMoreThanCanBeListed) {
  edit(
      "INSERT INTO asked SELECT at, 1000000, 1000000 FROM cells; "
      "UPDATE cells SET full_splits = 1000000, full_inits = 1000000; UPDATE cell_seals SET hash = "
      "''");
  const Outcome outcome = place_.run({"report", "small.sqlite", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "1000000000000")) << outcome.out;
  EXPECT_EQ(place_.run({"show", "small.sqlite"}).code, 0);
}

TEST_F(VerifyTest, StoresThatContradictEachOtherAreMergedWithExitCode3) {
  std::filesystem::copy_file(place_.path("small.sqlite"), place_.path("forged.sqlite"));
  const std::string id = forge("forged.sqlite");
  std::vector<std::string> reports;
  for (const auto& [out, a, b] : {std::tuple("ab.sqlite", "small.sqlite", "forged.sqlite"),
                                  std::tuple("ba.sqlite", "forged.sqlite", "small.sqlite")}) {
    const Outcome merged = place_.run({"merge", out, a, b, "--json"});
    EXPECT_EQ(merged.code, 3) << merged.err;
    EXPECT_TRUE(contains(merged.err, id)) << merged.err;
    EXPECT_TRUE(contains(json::parse(merged.out)["merged"][1]["run_conflicts"].dump(), id));
    // Each way is told with the store that says so.
    const json run = json::parse(merged.out)["conflicts"].at(0);
    EXPECT_EQ(run["id"], id);
    std::map<std::string, json> score_in;
    for (const json& side : run["sides"]) {
      ASSERT_EQ(side["stores"].size(), 1u) << side;
      score_in[side["stores"][0]] = side["test_score"];
    }
    EXPECT_EQ(score_in.size(), 2u);
    for (const char* store : {"small.sqlite", "forged.sqlite"}) {
      const json kept = json::parse(place_.run({"show", id, "--store", store, "--json"}).out);
      EXPECT_EQ(score_in[store], kept["test_score"]) << kept;
      EXPECT_TRUE(contains(merged.err, std::string("in ") + store)) << merged.err;
    }
    const Outcome report = place_.run({"report", out});
    EXPECT_EQ(report.code, 0) << report.err;
    EXPECT_TRUE(contains(report.out, "ended in different ways")) << report.out;
    // A run of its own in the list of runs.
    const std::string runs = place_.run({"report", out, "--format", "csv", "--runs"}).out;
    EXPECT_TRUE(contains(runs, ",in conflict,,,,," + id + ",\n")) << runs;
    EXPECT_EQ(std::count(runs.begin(), runs.end(), '\n'), 1 + kSmallRuns) << runs;
    // It stays one whatever else is merged.
    const std::string copy = std::string("copy-") + out;
    std::filesystem::copy_file(place_.path(out), place_.path(copy));
    EXPECT_EQ(place_
                  .run({"run", "small.toml", "--datasets", "csbm:nodes=120", "--models", "majority",
                        "--no-report", "--store", "other.sqlite"})
                  .code,
              0);
    const Outcome more = place_.run({"merge", copy, "other.sqlite", "--json"});
    EXPECT_EQ(more.code, 3) << more.err;
    EXPECT_TRUE(contains(more.err, "1 run ended in different ways")) << more.err;
    EXPECT_EQ(json::parse(more.out)["conflicts"].at(0)["id"], id);
    reports.push_back(report.out);
    EXPECT_EQ(place_.run({"verify", out}).code, 3);
    const Outcome shown = place_.run({"show", out});
    EXPECT_TRUE(contains(shown.out, "Conflicts"));
    for (const char* store : {"small.sqlite", "forged.sqlite"})
      EXPECT_TRUE(contains(shown.out, std::string("in ") + store)) << shown.out;
    const Outcome again = place_.run({"verify", out, "--rerun", "1"});
    EXPECT_TRUE(contains(again.out, id)) << again.out;
    EXPECT_TRUE(contains(again.out, "holds")) << again.out;
  }
  EXPECT_EQ(reports[0], reports[1]) << "the order decides nothing";
  // Doing it again settles it: the table is that of the honest store.
  const Outcome settled = place_.run({"run", "small.toml", "--store", "ba.sqlite"});
  EXPECT_EQ(settled.code, 0) << settled.err;
  EXPECT_EQ(settled.out, place_.run({"report", "small.sqlite"}).out);
  EXPECT_EQ(place_.run({"verify", "ba.sqlite"}).code, 0);
}

TEST_F(VerifyTest, RunsFromBeforeSealsAreCalledUnsealed) {
  const std::string before = place_.run({"report", "small.sqlite"}).out;
  cupel::made::to_schema_3(place_.path("small.sqlite"));
  EXPECT_EQ(place_.run({"report", "small.sqlite"}).out, before);
  EXPECT_TRUE(contains(place_.run({"show", "small.sqlite"}).out, "Unsealed"));
  const Outcome verify = place_.run({"verify", "small.sqlite", "--rerun", "10"});
  EXPECT_EQ(verify.code, 1) << verify.out;
  EXPECT_TRUE(contains(verify.out, "10 unsealed")) << verify.out;
  EXPECT_TRUE(contains(verify.out, "What is sealed holds.")) << verify.out;
  EXPECT_EQ(edit("PRAGMA user_version"), "3");
}

constexpr const char* kLongProtocol = R"(
[data]
datasets = ["csbm:classes=3,features=60,nodes=200"]
[split]
scheme = "per-class"
train = 5
valid = 5
count = 40
[train]
max_epochs = 200
inits = 5
[models.mlp]
hidden = 64
)";

class LongRunTest : public ::testing::Test {
 protected:
  LongRunTest() { place_.write("long.toml", kLongProtocol); }
  std::int64_t runs() const {
    try {
      return Store(place_.path("long.sqlite"), Store::Mode::kOpen).run_count();
    } catch (const std::exception&) {
      return 0;  // it is being made
    }
  }
  void await(std::int64_t count) const {
    for (int i = 0; i < 2000 && runs() < count; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ASSERT_GE(runs(), count);
  }
  Workplace place_;
};

TEST_F(LongRunTest, AStoreThatIsDeletedMeanwhileEndsIt) {
  // Longer than anybody waits.
  std::string text = kLongProtocol;
  text.replace(text.find("count = 40"), 10, "count = 4000");
  place_.write("long.toml", text);
  const pid_t process = place_.start({"run", "long.toml", "--jobs", "1"});
  await(3);
  std::filesystem::remove(place_.path("long.sqlite"));
  const Outcome outcome = place_.finish(process);
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "deleted, replaced or cut short")) << outcome.err;
  EXPECT_FALSE(contains(outcome.err, "all results are in")) << outcome.err;
  EXPECT_EQ(outcome.out, "");
}

TEST_F(LongRunTest, TwoAtOnceShareTheWork) {
  // Two programs have two folders of output files.
  Workplace other;
  other.write("long.toml", kLongProtocol);
  const std::vector<std::string> command = {
      "run", "long.toml", "--jobs", "1", "--store", place_.path("long.sqlite").string()};
  const pid_t a = place_.start(command), b = other.start(command);
  const Outcome first = place_.finish(a), second = other.finish(b);
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_EQ(second.code, 0) << second.err;
  EXPECT_EQ(first.out, second.out) << "each ends when all is done";
  int done = 0;
  for (const std::string& said : {first.err, second.err}) {
    std::smatch found;
    ASSERT_TRUE(std::regex_search(said, found, std::regex("(\\d+) runs? done"))) << said;
    done += std::stoi(found[1]);
  }
  EXPECT_EQ(done, 200) << first.err << second.err;
}

TEST_F(LongRunTest, RunsDoneAgainEndWithTheSignal) {
  // Twenty runs that take seconds in all.
  std::string text = kLongProtocol;
  for (const auto& [what, with] :
       {std::pair("count = 40", "count = 20"), std::pair("inits = 5", "inits = 1"),
        std::pair("max_epochs = 200", "max_epochs = 12000\npatience = 12000")})
    text.replace(text.find(what), std::string(what).size(), with);
  place_.write("long.toml", text);
  ASSERT_EQ(place_.run({"run", "long.toml", "--no-report"}).code, 0);
  const pid_t again =
      place_.start({"verify", "long.sqlite", "--rerun", "20", "--jobs", "1", "--json"});
  std::this_thread::sleep_for(std::chrono::seconds(1));
  ::kill(again, SIGINT);
  const Outcome outcome = place_.finish(again);
  EXPECT_EQ(outcome.code, 128 + SIGINT) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "stopped before all runs were done again")) << outcome.err;
  const json card = json::parse(outcome.out);
  EXPECT_EQ(card["rerun"]["stopped"], true) << outcome.err;
  EXPECT_LT(card["rerun"]["runs"].size(), 20u);
  EXPECT_EQ(
      json::parse(
          place_.run({"verify", "long.sqlite", "--rerun", "1", "--json"}).out)["rerun"]["stopped"],
      false);
}

}  // namespace
}  // namespace cupel::test
