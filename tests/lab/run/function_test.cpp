// Models that are functions of this process.
#include "cupel/lab/run/function.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <thread>

#include "cupel/lab/plan/model_function.h"
#include "cupel/lab/run/scheduler.h"
#include "error_of.h"
#include "lab/run/link_place.h"

namespace cupel {
namespace {

using made::asking;
using made::fake_sources;
using made::Place;
using made::TempFolder;
using namespace std::chrono_literals;

// 34 nodes in 3 classes: 6 train, 9 valid, 19 test. Node i has class i % 3.
constexpr Index kNodes = 34;
constexpr std::int64_t kValid = 9, kTest = 19;

NpyArray constant(std::int64_t rows, int winner, float value = 1) {
  Matrix m(static_cast<Index>(rows), 3);
  for (Index i = 0; i < m.rows; ++i) m(i, winner) = value;
  return make_npy(std::span<const float>(m.values), {rows, 3});
}

std::vector<std::int64_t> ids(const FunctionTask& task, const std::string& name) {
  for (const auto& [known, array] : task.told->arrays)
    if (known == name) return to_integers(array);
  return {};
}

FunctionScores right(const FunctionTask& task) {
  const auto scores = [&](const char* part) {
    const auto nodes = ids(task, part);
    Matrix m(static_cast<Index>(nodes.size()), 3);
    for (Index i = 0; i < m.rows; ++i) m(i, static_cast<Index>(nodes[i] % 3)) = 1;
    return make_npy(std::span<const float>(m.values), {std::ssize(nodes), 3});
  };
  return {scores("idx_valid"), scores("idx_test")};
}

ModelFunction function(std::function<FunctionScores(const FunctionTask&)> call) {
  OptionSpec c;
  c.name = "c";
  c.fallback = 1.0;
  return {"mine", {c}, {{"source", "1"}, {"version", "a"}}, false, std::move(call)};
}

Protocol protocol(const std::string& row = "", int splits = 1, int inits = 3) {
  return parse_protocol(
      "x", "x.toml",
      fmt::format("[data]\ndatasets=['ring']\n[split]\ntrain=2\nvalid=3\ncount={}\n[train]\n"
                  "inits={}\n[models.own]\nfunction='mine'\n{}",
                  splits, inits, row));
}

PlanSources sources(ModelFunction function) {
  PlanSources out = fake_sources();
  out.load = [](const std::string& name) { return made::ring(name, kNodes); };
  const auto held = std::make_shared<const ModelFunction>(std::move(function));
  out.function = [held](const std::string& name) { return name == held->name ? held : nullptr; };
  return out;
}

struct Outcome {
  std::vector<RunRecord> records;  // by (split, init)
  ExecuteSummary summary;
};

Outcome run(const ModelFunction& function, const Protocol& asked = protocol(), int jobs = 1) {
  const TempFolder folder;
  Store store(folder / "s");
  const Plan plan = make_plan(asked, {}, sources(function));
  ExecuteOptions options;
  options.jobs = jobs;
  Outcome out;
  out.summary = execute(plan, store, *make_executor(), options);
  for (const StoredRun& run : store.runs(plan.cells.at(0).family->id))
    out.records.push_back(run.record);
  return out;
}

TEST(Function, IsScoredAsWhatItGives) {
  for (const RunRecord& record : run(function(right)).records) {
    EXPECT_EQ(record.status, RunStatus::kOk) << record.message;
    EXPECT_EQ(record.test_score, 1.0);
    EXPECT_EQ(record.valid_score, 1.0);
    EXPECT_EQ(record.isolation, "none");
  }
  // One class for all: the share of that class, which split design keeps even in validation alone.
  const auto one = run(function([](const FunctionTask&) {
    return FunctionScores{constant(kValid, 1), constant(kTest, 1)};
  }));
  EXPECT_DOUBLE_EQ(one.records.at(0).valid_score.value(), 1.0 / 3);
  EXPECT_NEAR(one.records.at(0).test_score.value(), (34 / 3 - 5) / 19.0, 1e-12);
}

// The arrays and facts are those that a program finds in its folder, and nothing more.
TEST(Function, SeesWhatAProgramSees) {
  std::vector<std::string> names;
  std::string said;
  run(function([&](const FunctionTask& task) {
        names.clear();
        for (const auto& [name, array] : task.told->arrays) names.push_back(name);
        said = task.description;
        EXPECT_EQ(task.view->nodes(), kNodes);
        EXPECT_EQ(ids(task, "y_train").size(), 6u);
        EXPECT_EQ(ids(task, "y_valid").size(), static_cast<std::size_t>(kValid));
        return right(task);
      }),
      protocol("c = 3\ntimeout_seconds = 20\n", 1, 1));
  EXPECT_EQ(names,
            (std::vector<std::string>{"idx_train", "idx_valid", "idx_test", "y_train", "y_valid"}));
  EXPECT_NE(said.find("\"c\": 3.0"), std::string::npos) << said;
  EXPECT_NE(said.find("\"budget_seconds\": 20.0"), std::string::npos) << said;
  EXPECT_EQ(said.find("ring"), std::string::npos) << said;
}

TEST(Function, EveryMisbehaviourIsARecordedFailureAndTheNextRunGoesOn) {
  const float nan = std::nanf(""), infinite = std::numeric_limits<float>::infinity();
  const std::vector<std::int64_t> whole(kTest * 3, 1);
  struct Misbehaviour {
    std::function<FunctionScores(const FunctionTask&)> second;
    const char* said;
  };
  const Misbehaviour all[] = {
      {[](const FunctionTask&) -> FunctionScores { fail("no idea"); }, "no idea"},
      {[](const FunctionTask&) -> FunctionScores { throw std::runtime_error("odd"); }, "odd"},
      {[](const FunctionTask&) -> FunctionScores { throw std::bad_alloc(); }, "out of memory"},
      {[](const FunctionTask&) { return FunctionScores{}; }, "no test scores"},
      {[&](const FunctionTask&) {
         return FunctionScores{{}, constant(kTest, 0, nan)};
       },
       "the array of test scores"},
      {[&](const FunctionTask&) {
         return FunctionScores{constant(kValid, 0, infinite), constant(kTest, 0)};
       },
       "the array of validation scores"},
      {[](const FunctionTask&) {
         return FunctionScores{{}, constant(kTest - 1, 0)};
       },
       "the shape (18, 3) instead of (19, 3)"},
      {[&](const FunctionTask&) {
         return FunctionScores{{}, make_npy(std::span<const std::int64_t>(whole), {kTest, 3})};
       },
       "must hold floats, not <i8; save it as float32 or float64"},
  };
  for (const Misbehaviour& one : all) {
    int calls = 0;
    const Outcome out = run(function(
        [&](const FunctionTask& task) { return ++calls == 2 ? one.second(task) : right(task); }));
    ASSERT_EQ(out.records.size(), 3u) << one.said;
    EXPECT_EQ(out.summary.ok, 2) << one.said;
    EXPECT_EQ(out.records[1].status, RunStatus::kFailed) << one.said;
    EXPECT_NE(out.records[1].message.find(one.said), std::string::npos) << out.records[1].message;
    EXPECT_FALSE(out.records[1].test_score) << one.said;
    EXPECT_TRUE(out.records[1].other_scores.empty()) << one.said;
  }
}

TEST(Function, ThatIsLateIsRecordedWhenItReturns) {
  int calls = 0;
  const Outcome out = run(function([&](const FunctionTask& task) {
                            if (++calls == 1) std::this_thread::sleep_for(120ms);
                            return right(task);
                          }),
                          protocol("timeout_seconds = 0.05\n"));
  EXPECT_EQ(out.summary.timed_out, 1);
  EXPECT_EQ(out.records.at(0).status, RunStatus::kTimeout);
  EXPECT_GE(out.records.at(0).seconds, 0.12);
  EXPECT_NE(out.records.at(0).message.find("not ended"), std::string::npos);
  EXPECT_EQ(out.summary.ok, 2);
}

// Who calls it may let it wait for its turn.
TEST(Function, IsNotLateForTheTimeThatItWaited) {
  const Outcome out = run(function([](const FunctionTask& task) {
                            std::this_thread::sleep_for(120ms);
                            FunctionScores scores = right(task);
                            scores.waited = 0.11;
                            return scores;
                          }),
                          protocol("timeout_seconds = 0.1\n", 1, 1));
  EXPECT_EQ(out.summary.ok, 1);
}

// Who calls it elsewhere ends it there, early by its own clock or not.
TEST(Function, ThatWasEndedIsTimedOutWhateverItGave) {
  int calls = 0;
  const Outcome out = run(function([&](const FunctionTask& task) {
    FunctionScores scores = right(task);
    scores.ended = ++calls == 2;
    return scores;
  }));
  EXPECT_EQ(out.summary.ok, 2);
  EXPECT_EQ(out.records.at(1).status, RunStatus::kTimeout);
  EXPECT_FALSE(out.records[1].test_score || out.records[1].valid_score);
  EXPECT_NE(out.records[1].message.find("was ended"), std::string::npos);
}

// What did not begin, as somebody wants to stop, is no outcome.
TEST(Function, ThatIsInterruptedIsNotRecorded) {
  const Plan plan = make_plan(protocol(), {}, sources(function([](const FunctionTask& task) {
                                return task.limits.interrupted() ? fail("interrupted"),
                                       FunctionScores{}          : right(task);
                              })));
  const auto session = make_executor()->open({plan.cells.at(0).family, 0, {0}, {}}, {1});
  std::atomic<bool> interrupt = false;
  EXPECT_EQ(session->run(0, {7, 9}, {{}, &interrupt}).status, RunStatus::kOk);
  interrupt = true;
  EXPECT_THROW((void)session->run(0, {7, 9}, {{}, &interrupt}), Interrupted);
}

TEST(Function, IsAnotherModelWithAnotherSourceVersionOrSetting) {
  const auto id = [](const ModelFunction& one, const std::string& row = "") {
    return make_plan(protocol(row), {}, sources(one)).cells.at(0).family->id;
  };
  const ModelFunction mine = function(right);
  const std::string plain = id(mine);
  EXPECT_EQ(id(function(right)), plain);
  EXPECT_EQ(id(mine, "c = 1\n"), plain);
  ModelFunction other = mine;
  other.identity["source"] = "2";
  EXPECT_NE(id(other), plain);
  other = mine;
  other.identity["version"] = "b";
  EXPECT_NE(id(other), plain);
  EXPECT_NE(id(mine, "c = 2\n"), plain);
  EXPECT_NE(id(mine, "timeout_seconds = 1\n"), plain);
  // How it is called, and what memory it takes, changes no result.
  EXPECT_EQ(id(mine, "memory_mb = 100\n"), plain);
}

TEST(Function, ThatIsDeterministicIsCalledOnceForAllInitialisations) {
  int calls = 0;
  ModelFunction one = function([&](const FunctionTask& task) {
    ++calls;
    return right(task);
  });
  one.deterministic = true;
  run(one, protocol("", 4, 5));
  EXPECT_EQ(calls, 4);
}

TEST(Function, ChoosesAmongSettings) {
  const Outcome out = run(function([](const FunctionTask& task) {
                            return task.description.find("\"c\": 2.0") != std::string::npos
                                       ? right(task)
                                       : FunctionScores{constant(kValid, 0), constant(kTest, 0)};
                          }),
                          protocol("[models.own.choices]\nc = [1.0, 2.0]\n"));
  EXPECT_EQ(out.summary.ok, 6);
}

TEST(Function, ThatIsNotThereOrTakesNoSuchSettingIsRefused) {
  PlanSources without = fake_sources();
  EXPECT_NE(error_of([&] {
              (void)make_plan(protocol(), {}, without);
            }).find("the function 'mine', which is not in this process"),
            std::string::npos);
  EXPECT_NE(error_of([&] {
              (void)make_plan(protocol("d = 1\n"), {}, sources(function(right)));
            }).find("'d'"),
            std::string::npos);
  EXPECT_NE(error_of([] { protocol("command = ['true']\n"); }).find("'command' and 'function'"),
            std::string::npos);
}

// The same in whatever order and number of threads.
TEST(Function, GoesOnBesideOthers) {
  const auto by_seed = function([](const FunctionTask& task) {
    const int winner = static_cast<int>(std::hash<std::string>()(task.description) % 3);
    return FunctionScores{constant(kValid, winner), constant(kTest, winner)};
  });
  const Protocol many = protocol("", 5, 4);
  const auto one = run(by_seed, many, 1), four = run(by_seed, many, 4);
  ASSERT_EQ(one.records.size(), 20u);
  ASSERT_EQ(four.records.size(), 20u);
  for (std::size_t i = 0; i < 20; ++i)
    EXPECT_EQ(one.records[i].test_score, four.records[i].test_score);
}

TEST(Function, ScoresPairs) {
  const Place place(asking("pool"));
  Protocol links = place.protocol("true", "none");
  links.models.at(0).external->function = "mine";
  PlanSources from = place.sources();
  // Of the six test pairs rows 1, 3 and 4 are links (lab/run/link_place.h).
  const auto column = [](std::vector<float> scores) {
    return make_npy(std::span<const float>(scores));
  };
  const auto held = std::make_shared<const ModelFunction>(function([&](const FunctionTask& task) {
    EXPECT_EQ(ids(task, "pairs_test"),
              (std::vector<std::int64_t>{0, 7, 4, 9, 5, 11, 5, 16, 6, 13, 9, 18}));
    return FunctionScores{column({0, 1, 1, 0}), column({0, 1, 0, 1, 1, 0})};
  }));
  from.function = [held](const std::string&) { return held; };
  const RunRecord record = Place::run(make_plan(links, {}, from));
  EXPECT_EQ(record.status, RunStatus::kOk) << record.message;
  EXPECT_EQ(record.test_score, 1.0);
  EXPECT_EQ(record.valid_score, 1.0);
}

}  // namespace
}  // namespace cupel
