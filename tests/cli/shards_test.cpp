// A plan done in shards by processes that know nothing of each other.
#include <chrono>
#include <thread>

#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "cli/stored_scores.h"
#include "cupel/base/words.h"
#include "programs.h"

namespace cupel::test {
namespace {

using nlohmann::json;

// Many runs that take a moment each, so that a signal falls among them.
std::string long_protocol() {
  std::string text = kSmallProtocol;
  text.replace(text.find("count = 2"), 9, "count = 30");
  text.replace(text.find("max_epochs = 30"), 15, "max_epochs = 400\npatience = 400");
  return text;
}

class ShardsTest : public ::testing::Test {
 protected:
  ShardsTest() { place_.write("small.toml", kSmallProtocol); }

  json status(const std::string& plan) const {
    return json::parse(place_.run({"status", plan, "--json"}).out);
  }

  // Until the folder of long.plan has a file that is called so.
  void wait_for(const std::string& ending) const {
    while (true) {
      std::error_code error;
      for (const auto& entry :
           std::filesystem::directory_iterator(place_.path("long.shards"), error))
        if (entry.path().extension() == ending) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }

  Workplace place_;
};

TEST_F(ShardsTest, AreTheSerialRunToTheBit) {
  const Outcome planned = place_.run({"plan", "small.toml", "--shards", "4"});
  ASSERT_EQ(planned.code, 0) << planned.err;
  EXPECT_TRUE(contains(planned.out, "small.plan: 10 runs in 4 shards")) << planned.out;
  for (const char* shard : {"3/4", "1/4", "4/4", "2/4"}) {
    const Outcome done = place_.run({"work", "small.plan", "--shard", shard});
    EXPECT_EQ(done.code, 0) << done.err;
  }
  EXPECT_EQ(place_.run({"merge", "all.sqlite", "small.shards"}).code, 0);
  EXPECT_EQ(place_.run({"run", "small.toml", "--store", "serial.sqlite", "--no-report"}).code, 0);
  EXPECT_EQ(report_of(place_, "all.sqlite"), report_of(place_, "serial.sqlite"));
  EXPECT_NE(report_of(place_, "all.sqlite"), "");
  // The whole is there, so that a plan has nothing left.
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"plan", "small.toml", "--out", "new.plan"},
        {"run", "small.toml", "--engine", "commands"}}) {
    std::vector<std::string> words = command;
    words.insert(words.end(), {"--store", "all.sqlite"});
    const Outcome nothing = place_.run(words);
    EXPECT_EQ(nothing.code, 0);
    EXPECT_TRUE(contains(nothing.err, "nothing to share out")) << nothing.err;
    EXPECT_EQ(nothing.out, "");
  }
  for (const char* plan : {"new.plan", "all.plan"})
    EXPECT_FALSE(std::filesystem::exists(place_.path(plan)));
}

TEST_F(ShardsTest, AreNoMoreThanRuns) {
  const Outcome planned = place_.run({"plan", "small.toml", "--shards", "100000"});
  ASSERT_EQ(planned.code, 0) << planned.err;
  EXPECT_TRUE(contains(planned.out, "small.plan: 10 runs in 10 shards")) << planned.out;
  EXPECT_TRUE(contains(planned.err, "10 runs make 10 shards at most")) << planned.err;
  EXPECT_EQ(status("small.plan")["shards"].size(), 10u);
  EXPECT_TRUE(contains(place_.run({"status", "small.plan"}).out, "0 of 10 runs done, in 0 of "));
}

// Their number is chosen by the target: those without runs have none.
TEST_F(ShardsTest, NoneIsEmptyWhereTheirNumberIsChosen) {
  std::string text = kSmallProtocol;
  text +=
      "[models.long]\nmodel = \"mlp\"\nhidden = 512\ntrain = { max_epochs = 2000, patience = 0 }\n";
  place_.write("uneven.toml", text);
  const Outcome planned =
      place_.run({"plan", "uneven.toml", "--pilot", "none", "--target", "0.001s"});
  ASSERT_EQ(planned.code, 0) << planned.err;
  const json plan = json::parse(place_.read("uneven.plan"));
  ASSERT_TRUE(plan.contains("stretches")) << planned.out;
  EXPECT_GT(plan["stretches"], plan["shards"]);
  std::int64_t runs = 0;
  const json shards = status("uneven.plan")["shards"];
  for (const json& shard : shards) {
    EXPECT_GT(shard["runs"], 0);
    runs += shard["runs"].get<std::int64_t>();
  }
  EXPECT_EQ(runs, 16);
  const std::string all = plan["shards"].dump();
  for (int shard = 1; shard <= plan["shards"]; ++shard) {
    const Outcome done =
        place_.run({"work", "uneven.plan", "--shard", std::to_string(shard) + "/" + all});
    EXPECT_EQ(done.code, 0) << done.err;
    EXPECT_FALSE(contains(done.err, "has no runs")) << done.err;
  }
  EXPECT_EQ(place_.run({"status", "uneven.plan"}).code, 0);
  EXPECT_EQ(place_.run({"merge", "all.sqlite", "uneven.shards"}).code, 0);
  EXPECT_EQ(place_.run({"run", "uneven.toml", "--store", "serial.sqlite", "--no-report"}).code, 0);
  EXPECT_EQ(report_of(place_, "all.sqlite"), report_of(place_, "serial.sqlite"));

  // As many as were asked for stay, and engines are not given those without runs.
  const Outcome asked = place_.run({"run", "uneven.toml", "--engine", "commands", "--shards", "16",
                                    "--pilot", "none", "--store", "asked.sqlite"});
  ASSERT_EQ(asked.code, 0) << asked.err;
  EXPECT_TRUE(contains(asked.err, "16 runs in 16 shards, ")) << asked.err;
  EXPECT_TRUE(contains(asked.err, " of which have runs, ")) << asked.err;
  const json kept = status("asked.plan")["shards"];
  EXPECT_EQ(kept.size(), 16u);
  const auto with_runs =
      std::count_if(kept.begin(), kept.end(), [](const json& shard) { return shard["runs"] > 0; });
  EXPECT_LT(with_runs, 16);
  EXPECT_EQ(std::count(asked.out.begin(), asked.out.end(), '\n'), with_runs);
}

// A generator's settings have an order of their own, which names of columns need not have.
TEST_F(ShardsTest, AColumnKeepsItsName) {
  std::string text = kSmallProtocol;
  text.replace(text.find("classes=3,features=60,nodes=200"), 31, "nodes=200,features=60,classes=3");
  place_.write("odd.toml", text);
  ASSERT_EQ(place_.run({"plan", "odd.toml", "--shards", "2"}).code, 0);
  for (const char* shard : {"1/2", "2/2"})
    EXPECT_EQ(place_.run({"work", "odd.plan", "--shard", shard}).code, 0);
  EXPECT_EQ(place_.run({"merge", "all.sqlite", "odd.shards"}).code, 0);
  EXPECT_EQ(place_.run({"run", "odd.toml", "--store", "serial.sqlite", "--no-report"}).code, 0);
  EXPECT_EQ(report_of(place_, "all.sqlite"), report_of(place_, "serial.sqlite"));
  EXPECT_TRUE(contains(report_of(place_, "all.sqlite"), "csbm:nodes=200"));
}

// A shard may be done from anywhere.
TEST_F(ShardsTest, ADataSetMayBeAPath) {
  std::filesystem::create_directory(place_.path("data"));
  ASSERT_EQ(place_.run({"convert", "csbm:nodes=150,seed=3", "data/mine.npz"}).code, 0);
  ASSERT_EQ(
      place_.run({"plan", "small.toml", "--datasets", "./data/mine.npz", "--shards", "2"}).code, 0);
  const std::string plan = place_.path("small.plan").string();
  for (const char* shard : {"1/2", "2/2"}) {
    const Outcome done = place_.run({"work", plan, "--shard", shard});
    EXPECT_EQ(done.code, 0) << done.err;
  }
  EXPECT_EQ(place_.run({"merge", "all.sqlite", "small.shards"}).code, 0);
  EXPECT_EQ(place_
                .run({"run", "small.toml", "--datasets", "./data/mine.npz", "--store",
                      "serial.sqlite", "--no-report"})
                .code,
            0);
  EXPECT_EQ(report_of(place_, "all.sqlite"), report_of(place_, "serial.sqlite"));
  EXPECT_TRUE(contains(report_of(place_, "all.sqlite"), ",mine,"));
}

TEST_F(ShardsTest, AnEngineTellsTheIndex) {
  ASSERT_EQ(place_.run({"plan", "small.toml", "--shards", "5"}).code, 0);
  const auto with = [&](const char* variable, const char* index) {
    Workplace& place = place_;
    for (const char* name :
         {"SLURM_ARRAY_TASK_ID", "SGE_TASK_ID", "PBS_ARRAY_INDEX", "JOB_COMPLETION_INDEX"})
      place.set(name, "");
    place.set(variable, index);
    return place.run({"work", "small.plan"});
  };
  EXPECT_EQ(with("SLURM_ARRAY_TASK_ID", "1").code, 0);
  EXPECT_EQ(with("SGE_TASK_ID", "2").code, 0);
  EXPECT_EQ(with("PBS_ARRAY_INDEX", "3").code, 0);
  EXPECT_EQ(with("JOB_COMPLETION_INDEX", "3").code, 0);  // from 0: the fourth
  const json shards = status("small.plan")["shards"];
  for (int i = 0; i < 4; ++i) EXPECT_EQ(shards[static_cast<std::size_t>(i)]["state"], "done") << i;
  EXPECT_EQ(shards[4]["state"], "missing");
  for (const char* index : {"0", "6", "x", "2x"}) {
    const Outcome outcome = with("SLURM_ARRAY_TASK_ID", index);
    EXPECT_EQ(outcome.code, 2) << index;
    EXPECT_TRUE(contains(outcome.err, "SLURM_ARRAY_TASK_ID")) << outcome.err;
  }
}

TEST_F(ShardsTest, TheCommandsEngineIsALineAShard) {
  const Outcome lines =
      place_.run({"run", "small.toml", "--engine", "commands", "--shards", "3", "--pilot", "none"});
  ASSERT_EQ(lines.code, 0) << lines.err;
  EXPECT_EQ(std::count(lines.out.begin(), lines.out.end(), '\n'), 3);
  EXPECT_EQ(place_
                .run({"run", "small.toml", "--engine", "commands", "--shards", "3", "--pilot",
                      "none", "--dry-run"})
                .out,
            lines.out);
  place_.write("all.sh", lines.out);
  EXPECT_EQ(std::system(("sh " + place_.path("all.sh").string() + " 2>/dev/null").c_str()), 0);
  EXPECT_EQ(place_.run({"merge", "small.sqlite", "small.shards"}).code, 0);
  const Outcome rest = place_.run({"run", "small.toml", "--no-report"});
  EXPECT_TRUE(contains(rest.err, "0 runs done")) << rest.err;
}

TEST_F(ShardsTest, AFolderWithALineEndIsRefusedBeforeThereIsAPlan) {
  const std::filesystem::path folder = place_.path("a\nb");
  std::filesystem::create_directory(folder);
  const std::string command =
      fmt::format("cd '{}' && '{}' run ../small.toml --engine commands --shards 2 2> said > lines",
                  folder.string(), CUPEL_PROGRAM);
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 2);
  EXPECT_TRUE(contains(place_.read("a\nb/said"), "has a line end")) << place_.read("a\nb/said");
  EXPECT_EQ(place_.read("a\nb/lines"), "");
  EXPECT_FALSE(std::filesystem::exists(folder / "small.plan"));
}

// Slurm numbers no log below it; a shell has no trouble with it.
TEST_F(ShardsTest, AFolderWithABackslashIsNotForSlurm) {
  const std::filesystem::path folder = place_.path("a\\b");
  std::filesystem::create_directory(folder);
  const auto run = [&](const char* engine) {
    const std::string command = fmt::format(
        "cd '{}' && '{}' run ../small.toml --engine {} --shards 2 --dry-run 2> said > lines",
        folder.string(), CUPEL_PROGRAM, engine);
    return WEXITSTATUS(std::system(command.c_str()));
  };
  EXPECT_EQ(run("slurm"), 2);
  const std::string said = place_.read("a\\b/said");
  EXPECT_TRUE(contains(said, "has a backslash")) << said;
  EXPECT_TRUE(contains(said, "--engine commands")) << said;
  EXPECT_EQ(place_.read("a\\b/lines"), "");
  EXPECT_EQ(run("commands"), 0) << place_.read("a\\b/said");
}

// "\\xff" would be printed as four characters, which name another folder.
TEST_F(ShardsTest, AFolderThatCannotBePrintedIsRefusedBeforeThereIsAPlan) {
  for (const char* name : {"a\xff", "a\x1b", "a\u202e"}) {
    const std::filesystem::path folder = place_.path(name);
    std::filesystem::create_directory(folder);
    for (const char* engine : {"commands --dry-run", "commands", "slurm"}) {
      const std::string command =
          fmt::format("cd '{}' && '{}' run ../small.toml --engine {} --shards 2 2> said > lines",
                      folder.string(), CUPEL_PROGRAM, engine);
      EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 2) << engine;
      const std::string said = place_.read(std::string(name) + "/said");
      EXPECT_TRUE(contains(said, "has bytes that are not UTF-8")) << said;
      EXPECT_EQ(place_.read(std::string(name) + "/lines"), "");
      EXPECT_FALSE(std::filesystem::exists(folder / "small.plan"));
    }
  }
}

TEST_F(ShardsTest, ALinkStandsForThePlanThatItLeadsTo) {
  ASSERT_EQ(place_.run({"plan", "small.toml", "--shards", "1"}).code, 0);
  std::filesystem::create_directory(place_.path("links"));
  std::filesystem::create_symlink("../small.plan", place_.path("links/other.plan"));
  ASSERT_EQ(place_.run({"work", "links/other.plan", "--shard", "1/1"}).code, 0);
  EXPECT_FALSE(std::filesystem::exists(place_.path("links/other.shards")));
  for (const char* plan : {"small.plan", "links/other.plan"})
    EXPECT_EQ(status(plan)["shards"][0]["state"], "done") << plan;
}

TEST_F(ShardsTest, AnEngineDoesWhatFailedAgain) {
  place_.write(
      "w.py",
      "import sys, os, json, numpy as np\n"
      "folder = sys.argv[1]\n"
      "task = json.load(open(folder + '/task.json'))\n"
      "if not os.path.exists(sys.argv[2] + '/mended'): sys.exit(1)\n"
      "z = np.load(folder + '/task.npz')\n"
      "np.save(folder + '/scores.npy', np.zeros((len(z['idx_test']), task['classes'])))\n");
  if (made::python_with_numpy().empty()) GTEST_SKIP() << made::kNeedsNumPy;
  place_.write("own.toml",
               "[data]\ndatasets = ['csbm:nodes=300']\n[split]\ntrain = 5\nvalid = 5\ncount = "
               "2\n[models.own]\n"
               "command = ['" +
                   made::python_with_numpy() + "', 'w.py', '{task}', '" +
                   place_.path(".").string() + "']\nisolation = 'none'\n");
  const auto handed_out = [&](std::vector<std::string> more) {
    std::vector<std::string> command = {"run", "own.toml", "--engine", "commands", "--shards", "2"};
    command.insert(command.end(), more.begin(), more.end());
    const Outcome lines = place_.run(command);
    EXPECT_EQ(lines.code, 0) << lines.err;
    place_.write("all.sh", lines.out);
    const std::string command_line = "sh " + place_.path("all.sh").string() + " 2>/dev/null";
    EXPECT_GE(std::system(command_line.c_str()), 0);
    EXPECT_EQ(place_.run({"merge", "own.sqlite", "own.shards"}).code, 0);
    return place_.run({"report", "own.sqlite", "--format", "csv-runs"}).out;
  };
  EXPECT_TRUE(contains(handed_out({}), "failed")) << "to begin with";
  place_.write("mended", "");
  const std::string after = handed_out({"--retry-failed"});
  EXPECT_TRUE(contains(after, "ok") && !contains(after, "failed")) << after;
}

// What runs take is tried once, so that the plan keeps its name and what it has done.
TEST_F(ShardsTest, TheSamePlanTwiceIsOnePlan) {
  const std::vector<std::string> command = {"run",      "small.toml", "--engine",
                                            "commands", "--shards",   "3"};
  ASSERT_EQ(place_.run(command).code, 0);
  const std::string plan = place_.read("small.plan");
  ASSERT_EQ(place_.run({"work", "small.plan", "--shard", "2/3"}).code, 0);
  ASSERT_EQ(place_.run(command).code, 0);
  EXPECT_EQ(place_.read("small.plan"), plan);
  ASSERT_EQ(place_.run({"plan", "small.toml", "--shards", "3"}).code, 0);
  EXPECT_EQ(place_.read("small.plan"), plan);
  EXPECT_EQ(status("small.plan")["shards"][1]["state"], "done");
  // A damaged one is no plan to go by, and is made again.
  place_.write("small.plan", plan.substr(0, 100));
  EXPECT_EQ(place_.run({"plan", "small.toml", "--shards", "3"}).code, 0);
  EXPECT_EQ(status("small.plan")["runs"], kSmallRuns);
}

TEST_F(ShardsTest, APlanTakesThePlaceOfPlansAlone) {
  ASSERT_EQ(place_.run({"run", "small.toml", "--models", "majority", "--no-report"}).code, 0);
  const auto refused = [&](const std::vector<std::string>& command, const std::string& file,
                           const std::string& part) {
    const std::string before = place_.read(file);
    const Outcome outcome = place_.run(command);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, file + ": is " + part)) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_EQ(place_.read(file), before);
  };
  refused({"plan", "small.toml", "--out", "small.sqlite"}, "small.sqlite", "a database");
  refused({"plan", "small.toml", "--out", "small.toml"}, "small.toml", "no plan");
  place_.write("mine.plan", "my plan for today");
  refused({"run", "small.toml", "--store", "mine.sqlite", "--engine", "commands"}, "mine.plan",
          "no plan");
  // What belongs to a plan is called after it, and would be in its place.
  const auto in_the_way = [&](const std::vector<std::string>& command, const std::string& file) {
    const Outcome outcome = place_.run(command);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, file + ": is where the")) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(place_.path(file)));
  };
  for (const char* file : {"other.sqlite", "other.shards"})
    in_the_way({"plan", "small.toml", "--pilot", "none", "--out", file}, file);
  for (const char* file : {"other.plan", "other.shards"})
    in_the_way({"run", "small.toml", "--pilot", "none", "--store", file, "--engine", "commands"},
               file);
  place_.write("empty", "");  // of mktemp, say
  EXPECT_EQ(place_.run({"plan", "small.toml", "--out", "empty"}).code, 0);
}

TEST_F(ShardsTest, WhatIsMissingIsALineAShard) {
  ASSERT_EQ(place_.run({"plan", "small.toml", "--shards", "3"}).code, 0);
  ASSERT_EQ(place_.run({"work", "small.plan", "--shard", "2/3"}).code, 0);
  const Outcome lines = place_.run({"status", "small.plan", "--resubmit", "--engine", "commands"});
  ASSERT_EQ(lines.code, 0) << lines.err;
  EXPECT_EQ(std::count(lines.out.begin(), lines.out.end(), '\n'), 2) << lines.out;
  EXPECT_TRUE(contains(lines.out, "--shard 1/3\n")) << lines.out;
  EXPECT_TRUE(contains(lines.out, "--shard 3/3\n")) << lines.out;
  EXPECT_TRUE(contains(lines.err, "small.sqlite")) << lines.err;
  place_.write("rest.sh", lines.out);
  EXPECT_EQ(std::system(("sh " + place_.path("rest.sh").string() + " 2>/dev/null").c_str()), 0);
  for (const json& shard : status("small.plan")["shards"]) EXPECT_EQ(shard["state"], "done");
  const Outcome none = place_.run({"status", "small.plan", "--resubmit", "--engine", "commands"});
  EXPECT_EQ(none.code, 0);
  EXPECT_EQ(none.out, "");
}

// A shard that is handed out again is done as it was first, and goes where it went.
TEST_F(ShardsTest, WhatIsHandedOutAgainIsDoneAsItWas) {
  std::filesystem::create_directory(place_.path("pl"));
  const std::vector<std::string> manner = {"--jobs",    "1",  "--memory",      "2G",
                                           "--timeout", "60", "--retry-failed"};
  const auto said = [&](std::vector<std::string> command) {
    command.insert(command.end(), manner.begin(), manner.end());
    const Outcome outcome = place_.run(command);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return std::pair(outcome.out, outcome.err.substr(outcome.err.find("then `cupel merge")));
  };
  const auto first = said(
      {"run", "small.toml", "--engine", "commands", "--store", "pl/first.sqlite", "--shards", "2"});
  EXPECT_TRUE(contains(first.second, "pl/first.sqlite")) << first.second;
  EXPECT_TRUE(contains(first.first, "--jobs 1 --memory 2G --timeout 60")) << first.first;
  EXPECT_EQ(said({"status", "pl/first.plan", "--resubmit", "--engine", "commands"}), first);
  std::filesystem::create_symlink("pl/first.plan", place_.path("link.plan"));
  EXPECT_EQ(said({"status", "link.plan", "--resubmit", "--engine", "commands"}).second,
            first.second);
  EXPECT_EQ(status("pl/first.plan")["store"], "pl/first.sqlite");
  EXPECT_EQ(status("pl/first.plan")["folder"], "pl/first.shards");
  const Outcome odd = place_.run(
      {"status", "pl/first.plan", "--resubmit", "--engine", "commands", "--memory", "much; ls"});
  EXPECT_EQ(odd.code, 2);
  EXPECT_TRUE(contains(odd.err, "--memory")) << odd.err;
}

TEST_F(ShardsTest, WithoutSlurmTheWayOutIsNamed) {
  ASSERT_EQ(place_.run({"plan", "small.toml", "--shards", "2"}).code, 0);
  place_.set("PATH", place_.path("nothing").string());
  const Outcome outcome = place_.run({"status", "small.plan", "--resubmit"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.err, "--engine commands prints")) << outcome.err;
  EXPECT_EQ(place_.run({"status", "small.plan", "--engine", "ray"}).code, 2);
}

// Reading data may take minutes, and a task that is told to stop then is to come again as well.
TEST_F(ShardsTest, ASignalBeforeTheFirstRunIsToComeAgain) {
  std::string text = kSmallProtocol;
  text.replace(text.find("nodes=200"), 9, "nodes=40000");
  place_.write("large.toml", text);
  std::filesystem::create_directory(place_.path("t"));
  place_.set("TMPDIR", place_.path("t").string());
  ASSERT_EQ(place_.run({"plan", "large.toml", "--pilot", "none", "--shards", "1"}).code, 0);
  const pid_t process = place_.start({"work", "large.plan", "--shard", "1/1"});
  while (std::filesystem::is_empty(place_.path("t")))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::this_thread::sleep_for(std::chrono::milliseconds(5));  // its name is noted a moment later
  ::kill(process, SIGTERM);
  const Outcome stopped = place_.finish(process);
  EXPECT_EQ(stopped.code, 75) << stopped.err;
  EXPECT_TRUE(std::filesystem::is_empty(place_.path("t")));
}

TEST_F(ShardsTest, ASignalPublishesAndTheNextAttemptDoesTheRest) {
  place_.write("long.toml", long_protocol());
  ASSERT_EQ(place_.run({"plan", "long.toml", "--models", "mlp", "--shards", "2"}).code, 0);
  const std::vector<std::string> command = {"work",   "long.plan", "--shard",   "1/2",
                                            "--jobs", "1",         "--publish", "0.01s"};
  const pid_t process = place_.start(command);
  wait_for(".sqlite");
  ::kill(process, SIGUSR1);
  const Outcome stopped = place_.finish(process);
  EXPECT_EQ(stopped.code, 75) << stopped.err;
  const int done = status("long.plan")["shards"][0]["done"];
  EXPECT_GT(done, 0);
  EXPECT_LT(done, 45);
  const Outcome rest = place_.run(command);
  EXPECT_EQ(rest.code, 0) << rest.err;
  EXPECT_TRUE(contains(rest.err, counted(45 - done, "run") + " done")) << rest.err;
  EXPECT_EQ(status("long.plan")["shards"][0]["state"], "done");
}

// Nothing is published before the end, which a second signal of another kind would cut off.
TEST_F(ShardsTest, AWarningThatComesAgainCutsNothingOff) {
  std::string text = long_protocol();
  text.replace(text.find("max_epochs = 400\npatience = 400"), 31,
               "max_epochs = 40000\npatience = 40000");
  place_.write("long.toml", text);
  ASSERT_EQ(
      place_.run({"plan", "long.toml", "--models", "mlp", "--shards", "1", "--pilot", "none"}).code,
      0);
  const pid_t process = place_.start({"work", "long.plan", "--shard", "1/1", "--jobs", "1"});
  wait_for(".heartbeat");
  std::this_thread::sleep_for(std::chrono::seconds(2));  // some runs are done by then, never all
  for (int i = 0; i < 10; ++i) {
    ::kill(process, SIGUSR1);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  const Outcome stopped = place_.finish(process);
  EXPECT_EQ(stopped.code, 75) << stopped.err;
  EXPECT_GT(status("long.plan")["shards"][0]["done"], 0);
}

TEST_F(ShardsTest, WhoIsAtAShardIsTold) {
  place_.write("long.toml", long_protocol());
  ASSERT_EQ(place_.run({"plan", "long.toml", "--models", "mlp", "--shards", "2"}).code, 0);
  const pid_t process = place_.start({"work", "long.plan", "--shard", "2/2", "--jobs", "1"});
  wait_for(".heartbeat");
  ::kill(process, SIGSTOP);
  const json shards = status("long.plan")["shards"];
  EXPECT_EQ(shards[0]["state"], "missing");
  EXPECT_EQ(shards[0]["machine"], "");
  EXPECT_EQ(shards[1]["state"], "running");
  EXPECT_NE(shards[1]["machine"], "");
  const Outcome lines = place_.run({"status", "long.plan", "--resubmit", "--engine", "commands"});
  EXPECT_TRUE(contains(lines.out, "--shard 1/2\n")) << lines.out;
  EXPECT_FALSE(contains(lines.out, "--shard 2/2\n")) << lines.out;
  ::kill(process, SIGKILL);
  (void)place_.finish(process);
  EXPECT_EQ(status("long.plan")["shards"][1]["state"], "missing");
}

TEST_F(ShardsTest, AKillLosesOnlyWhatWasNotPublished) {
  place_.write("long.toml", long_protocol());
  ASSERT_EQ(place_.run({"plan", "long.toml", "--models", "mlp", "--shards", "1"}).code, 0);
  const pid_t process =
      place_.start({"work", "long.plan", "--shard", "1/1", "--jobs", "1", "--publish", "0.01s"});
  wait_for(".sqlite");
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  ::kill(process, SIGKILL);
  (void)place_.finish(process);
  const int done = status("long.plan")["shards"][0]["done"];
  EXPECT_GT(done, 0);
  EXPECT_LT(done, 90);
  const Outcome rest = place_.run({"work", "long.plan", "--shard", "1/1"});
  EXPECT_EQ(rest.code, 0) << rest.err;
  EXPECT_TRUE(contains(rest.err, counted(90 - done, "run") + " done")) << rest.err;
}

// A long run is no reason to keep others' results to oneself.
TEST_F(ShardsTest, PublishesWhileALongRunGoesOn) {
  place_.write("long.toml", std::string(kSmallProtocol) +
                                "[models.slow]\nmodel = \"mlp\"\n"
                                "train = { max_epochs = 100000000, patience = 100000000 }\n");
  ASSERT_EQ(
      place_.run({"plan", "long.toml", "--models", "mlp,slow", "--shards", "1", "--pilot", "none"})
          .code,
      0);
  const pid_t process =
      place_.start({"work", "long.plan", "--shard", "1/1", "--jobs", "3", "--publish", "0.5s"});
  const auto done = [&] { return status("long.plan")["shards"][0]["done"].get<int>(); };
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (done() == 0 && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_GT(done(), 0);
  ::kill(process, SIGKILL);
  (void)place_.finish(process);
}

// A shard's store is a copy of what can be done again.
TEST_F(ShardsTest, ADamagedStoreCountsAsMissingAndIsDoneAgain) {
  // A pilot on a busy machine may find a shard nothing to do.
  ASSERT_EQ(place_.run({"plan", "small.toml", "--shards", "3", "--pilot", "none"}).code, 0);
  for (const char* shard : {"1/3", "2/3", "3/3"})
    ASSERT_EQ(place_.run({"work", "small.plan", "--shard", shard}).code, 0);
  std::vector<std::string> stores;
  for (const auto& entry : std::filesystem::directory_iterator(place_.path("small.shards")))
    stores.push_back("small.shards/" + entry.path().filename().string());
  std::sort(stores.begin(), stores.end());
  ASSERT_EQ(stores.size(), 3u);
  std::string edited = place_.read(stores[2]);
  edited.replace(edited.size() / 2, edited.size() / 4, edited.size() / 4, 'x');
  for (const std::string& damage : {std::string(), std::string("rubbish"), edited}) {
    const std::string& file = damage == edited ? stores[2] : stores[damage.empty() ? 0 : 1];
    place_.write(file, damage);
    const std::string shard = file.substr(file.find('.', 13) + 1, 1) + "/3";
    const Outcome told = place_.run({"status", "small.plan"});
    EXPECT_EQ(told.code, 1) << told.err;
    EXPECT_TRUE(contains(told.out, "damaged")) << told.out;
    EXPECT_TRUE(contains(told.err, file + ": is damaged")) << told.err;
    const Outcome merged = place_.run({"merge", "all.sqlite", "small.shards"});
    EXPECT_EQ(merged.code, 2);
    EXPECT_TRUE(contains(merged.err, file + ": ")) << merged.err;
    EXPECT_TRUE(contains(merged.err, "--resubmit")) << merged.err;
    EXPECT_EQ(std::count(merged.err.begin(), merged.err.end(), '\n'), 1) << merged.err;
    const Outcome lines =
        place_.run({"status", "small.plan", "--resubmit", "--engine", "commands"});
    EXPECT_TRUE(contains(lines.out, "--shard " + shard + "\n")) << lines.out;
    EXPECT_EQ(std::count(lines.out.begin(), lines.out.end(), '\n'), 1) << lines.out;
    const Outcome again = place_.run({"work", "small.plan", "--shard", shard});
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_TRUE(contains(again.err, file + ".damaged: ")) << again.err;
    EXPECT_EQ(place_.read(file + ".damaged"), damage);
    EXPECT_EQ(place_.run({"status", "small.plan"}).code, 0);
  }
  EXPECT_EQ(place_.run({"merge", "all.sqlite", "small.shards"}).code, 0);
  EXPECT_EQ(place_.run({"run", "small.toml", "--store", "serial.sqlite", "--no-report"}).code, 0);
  EXPECT_EQ(report_of(place_, "all.sqlite"), report_of(place_, "serial.sqlite"));
}

TEST_F(ShardsTest, ADamagedStoreOfAnotherCutIsToBeRemoved) {
  ASSERT_EQ(place_.run({"plan", "small.toml", "--shards", "2"}).code, 0);
  ASSERT_EQ(place_.run({"work", "small.plan", "--shard", "1/1"}).code, 0);
  const std::string hash = status("small.plan")["plan"];
  const std::string file = "small.shards/" + hash + ".1-of-5.00000000.sqlite";
  place_.write(file, "rubbish");
  const Outcome told = place_.run({"status", "small.plan"});
  EXPECT_EQ(told.code, 0) << told.err;
  EXPECT_TRUE(contains(told.err, file + ": is damaged")) << told.err;
  EXPECT_TRUE(contains(told.err, "remove it")) << told.err;
}

// The disk that all machines see is full, or gone.
TEST_F(ShardsTest, WhatCannotBePublishedIsKept) {
  std::filesystem::create_directory(place_.path("t"));
  place_.set("TMPDIR", place_.path("t").string());
  place_.write("long.toml", long_protocol());
  ASSERT_EQ(place_.run({"plan", "long.toml", "--models", "mlp", "--shards", "2"}).code, 0);
  const pid_t process = place_.start({"work", "long.plan", "--shard", "1/2", "--publish", "1h"});
  wait_for(".heartbeat");
  std::filesystem::remove_all(place_.path("long.shards"));
  const Outcome lost = place_.finish(process);
  EXPECT_EQ(lost.code, 74) << lost.err;
  EXPECT_FALSE(contains(lost.err, "results are in")) << lost.err;
  const std::size_t from = lost.err.find("`cupel merge ") + 13;
  ASSERT_LT(from, lost.err.size()) << lost.err;
  const std::string paths = lost.err.substr(from, lost.err.find('`', from) - from);
  const std::size_t blank = paths.find(' ');
  EXPECT_TRUE(paths.substr(blank + 1).starts_with(place_.path("t").string())) << paths;
  // The way out that it names.
  std::filesystem::create_directory(place_.path("long.shards"));
  const Outcome merged = place_.run({"merge", paths.substr(0, blank), paths.substr(blank + 1)});
  EXPECT_EQ(merged.code, 0) << merged.err;
  EXPECT_EQ(status("long.plan")["shards"][0]["state"], "done");
}

// Its own disk, while it does runs.
TEST_F(ShardsTest, WhatCannotBeKeptIsAFailureOfTheDisk) {
  std::filesystem::create_directory(place_.path("t"));
  place_.set("TMPDIR", place_.path("t").string());
  place_.write("long.toml", long_protocol());
  ASSERT_EQ(place_.run({"plan", "long.toml", "--models", "mlp", "--shards", "1"}).code, 0);
  const pid_t process = place_.start({"work", "long.plan", "--shard", "1/1", "--publish", "0.01s"});
  wait_for(".sqlite");
  std::error_code problem;
  for (const auto& entry : std::filesystem::directory_iterator(place_.path("t"))) {
    // Again while the worker writes a file into what is being removed.
    do {
      std::filesystem::remove_all(entry.path(), problem);
    } while (problem == std::errc::directory_not_empty);
  }
  const Outcome lost = place_.finish(process);
  EXPECT_EQ(lost.code, 74) << lost.err;
  EXPECT_TRUE(contains(lost.err, "cannot be kept")) << lost.err;
}

TEST_F(ShardsTest, BadInputIsOneSentence) {
  ASSERT_EQ(place_.run({"plan", "small.toml", "--shards", "2"}).code, 0);
  const auto refused = [&](const std::vector<std::string>& command, const std::string& part) {
    const Outcome outcome = place_.run(command);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, part)) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  };
  refused({"work", "small.plan"}, "--shard 1/2 is the first");
  refused({"work", "small.plan", "--shard", "3/2"}, "'3/2' is not a part");
  refused({"work", "absent.plan", "--shard", "1/2"}, "absent.plan");
  refused({"work", "small.toml", "--shard", "1/2"}, "no plan of `cupel plan`");
  refused({"work", "small.plan", "--shard", "1/2", "--publish", "soon"}, "--publish: 'soon'");
  refused({"plan", "small.toml", "--shards", "0"}, "--shards: '0'");
  refused({"plan", "small.toml", "--target", "-3m"}, "--target: '-3m'");
  refused({"run", "small.toml", "--engine", "ray"}, "'slurm' or 'commands', not 'ray'");
  refused({"run", "small.toml", "--engine", "slurm", "--shard", "1/2"}, "neither --until");
  refused({"merge", "all.sqlite", "."}, "no store (*.sqlite)");
  std::string text = place_.read("small.plan");
  text.replace(text.find("\"split"), 6, "\"sPlit");
  place_.write("edited.plan", text);
  refused({"status", "edited.plan"}, "edited.plan");
  // Other data under the same plan: the protocol in it says so, not the file of today.
  place_.write("small.toml", "rubbish");
  EXPECT_EQ(place_.run({"work", "small.plan", "--shard", "1/2"}).code, 0);
}

}  // namespace
}  // namespace cupel::test
