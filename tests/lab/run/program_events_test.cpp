// Programs that say what happens next, and what they are shown of it.
#include <gtest/gtest.h>

#include <algorithm>

#include "build_paths.h"
#include "cupel/data/formats/npz.h"
#include "lab/isolation/attack.h"
#include "lab/run/event_place.h"
#include "lab/run/same_outcomes.h"
#include "learn/events/made_events.h"

namespace cupel {
namespace {

using made::between;
using made::EventPlace;
using made::expect_the_past_alone;
using made::facts_in;
using made::FactTuple;
using made::kEventTools;
using made::read_text;
using made::TempFolder;
using made::write_text;

class ProgramEvents : public ::testing::Test {
 protected:
  void SetUp() override {
    if (made::python().empty()) GTEST_SKIP() << "there is no /usr/bin/python3";
  }
};

TEST_F(ProgramEvents, GetsThePast) {
  const EventPlace place;
  const RunRecord record = place.watch();
  ASSERT_EQ(record.status, RunStatus::kOk) << record.message;
  const NpzFile task(place.path("1") / "task.npz");
  std::vector<std::string> keys = task.keys();
  std::ranges::sort(keys);
  EXPECT_EQ(keys, (std::vector<std::string>{"entity_types", "facts_train", "relation_types",
                                            "undirected"}));
  EXPECT_EQ(facts_in(task, "facts_train"), between(0, 120));
  EXPECT_EQ(to_integers(task.read("undirected")), (std::vector<std::int64_t>{1, 0, 0}));
  EXPECT_EQ(to_integers(task.read("relation_types")),
            (std::vector<std::int64_t>{0, 0, 0, 1, 0, 0}));
  EXPECT_EQ(to_integers(task.read("entity_types")).size(), 14u);
  EXPECT_EQ(read_text(place.path("1") / "task.json"), R"({
  "budget_seconds": 20.0,
  "init": 0,
  "metric": "mrr",
  "nodes": 14,
  "question": "which",
  "relations": 3,
  "seed": 7,
  "setting": "single-step",
  "settings": {},
  "split": 0,
  "task": "events",
  "threads": 1
}
)");
}

// At each step the folder has the past, the questions of that step, and nothing else.
TEST_F(ProgramEvents, TheFutureIsNotInTheFolder) {
  for (const char* setting : {"single-step", "multi-step"}) {
    SCOPED_TRACE(setting);
    const bool single = setting == std::string("single-step");
    const EventPlace place(fmt::format("setting='{}'", setting));
    const RunRecord record = place.watch();
    ASSERT_EQ(record.status, RunStatus::kOk) << record.message;
    expect_the_past_alone(place.path(""), single);
  }
}

// A program that goes through its folder, and what lies beside it, for later times.
TEST_F(ProgramEvents, WhoLooksForTheFutureFindsNone) {
  for (const char* isolation : {"required", "none"}) {
    if (isolation == std::string("required") && find_bubblewrap().program.empty()) continue;
    SCOPED_TRACE(isolation);
    const EventPlace place("", isolation);
    const RunRecord record = place.run(R"(
def values(data):
    start = 10 + struct.unpack_from('<H', data, 8)[0]
    out = array.array('q')
    out.frombytes(data[start:])
    return out
latest = looked = 0
for q in asked():
    for root, _, files in os.walk(os.path.dirname(folder) if folder != '/task' else '/task'):
        for name in files:
            if not name.endswith('.npz'): continue
            looked += 1
            with zipfile.ZipFile(os.path.join(root, name)) as archive:
                for member in archive.namelist():
                    if member in ('facts_train.npy', 'known.npy', 'facts.npy'):
                        latest = max([latest] + values(archive.read(member))[3::4].tolist())
    if latest >= q['time']:
        print('FOUND', latest, 'at', q['time'])
    answer(q)
print('looked at', looked)
sys.exit(1)
)");
    // 5 steps, and two files at each; without isolation each has a twin beside the folder.
    const char* const looked = isolation == std::string("none") ? "looked at 20" : "looked at 10";
    EXPECT_NE(record.message.find(looked), std::string::npos) << record.message;
    EXPECT_EQ(record.message.find("FOUND"), std::string::npos) << record.message;
  }
}

TEST_F(ProgramEvents, WhetherIsAskedByBatches) {
  const EventPlace place("question='whether'\nnegatives='random'\nbatch=7");
  const RunRecord record = place.watch();
  ASSERT_EQ(record.status, RunStatus::kOk) << record.message;
  EXPECT_DOUBLE_EQ(*record.test_score, 0.5);  // all scores are equal
  int step = 0;
  std::vector<FactTuple> known = between(0, 120), last;
  while (std::filesystem::exists(place.path(std::to_string(++step)))) {
    const NpzFile questions(place.path(std::to_string(step)) / fmt::format("step-{}.npz", step));
    const auto told = facts_in(questions, "known");
    // What comes to be known was asked about in the file before.
    for (const FactTuple& fact : told) EXPECT_TRUE(std::ranges::count(last, fact)) << step;
    known.insert(known.end(), told.begin(), told.end());
    last = facts_in(questions, "facts");
  }
  // Of all facts the last batch is missing.
  const auto all = between(0, 200);
  ASSERT_LT(known.size(), all.size());
  EXPECT_LE(all.size() - known.size(), 20u);
  EXPECT_TRUE(std::equal(known.begin(), known.end(), all.begin()));
}

struct Fault {
  const char* program;
  const char* message;
  RunStatus status = RunStatus::kFailed;
};

TEST_F(ProgramEvents, WhatGoesWrongIsRecorded) {
  const Fault faults[] = {
      {"for q in asked(): time.sleep(30)", "its time was up when step 1 (valid) was asked",
       RunStatus::kTimeout},
      {"for q in asked(): answer(q) if q['step'] < 3 else time.sleep(30)",
       "its time was up when step 3 (test) was asked", RunStatus::kTimeout},
      {"sys.exit(0)", "the program ended when step 1 (valid) was asked, and did not answer it"},
      {"for q in asked():\n  if q['step'] == 4: break\n  answer(q)",
       "the program ended when step 4 (test) was asked"},
      {"raise SystemExit('no idea')",
       "ended with exit code 1 when step 1 (valid) was asked; it said:\nno idea"},
      {"for q in asked(): answer(q, value=float('nan'))",
       "answer-1.npy[0, 0] is nan, which is not a finite float32"},
      {"for q in asked(): answer(q, value=float('inf'), kind='<f8')", "answer-1.npy[0, 0] is inf"},
      {"for q in asked(): write(q['answer'], q['rows'], 13); print(q['answer'], flush=True)",
       ", 13) instead of ("},
      {"for q in asked(): write(q['answer'], q['rows'] - 1, 14); print(q['answer'], flush=True)",
       "one row for each query, one column for each entity"},
      {"for q in asked():\n  open(folder + '/' + q['answer'], 'w').write('rubbish')\n"
       "  print(q['answer'], flush=True)",
       "answer-1.npy"},
      {"for q in asked(): print(q['answer'], flush=True)",
       "says that it wrote answer-1.npy, and it is not there"},
      {"for q in asked():\n  os.symlink('/etc/hostname', folder + '/' + q['answer'])\n"
       "  print(q['answer'], flush=True)",
       "answer-1.npy: is not a file that can be read"},
      {"for q in asked():\n  open(folder + '/' + q['answer'], 'wb').truncate(1 << 24)\n"
       "  print(q['answer'], flush=True)",
       "answer-1.npy: has 16777216 bytes"},
      // Too early.
      {"for q in asked():\n  write('answer-2.npy', 20, 14)\n  answer(q)",
       "answer-2.npy: is there before step 2 (valid) is asked"},
      {"print('answer-1.npy', flush=True)\ntime.sleep(20)",
       "says that it wrote answer-1.npy, and it is not there"},
      {"print('answer-2.npy', flush=True)\nfor q in asked(): answer(q)",
       "answered 'answer-2.npy' when step 1 (valid) was asked, whose answer is 'answer-1.npy'"},
      {"for q in asked(): answer(q)\nprint('answer-6.npy', flush=True)",
       "answered 'answer-6.npy' when all was answered"},
      // In the way.
      {"open(folder + '/step-3.npz', 'w')\nfor q in asked(): answer(q)",
       "step-3.npz: is there before the questions are"},
      {"os.symlink('/tmp/x', folder + '/step-2.npz')\nfor q in asked(): answer(q)",
       "step-2.npz: is there before the questions are"},
      {"os.mkdir(folder + '/answer-2.npy')\nfor q in asked(): answer(q)",
       "answer-2.npy: is there before step 2"},
  };
  const EventPlace place;
  for (const Fault& fault : faults) {
    SCOPED_TRACE(fault.program);
    const RunRecord record =
        place.run(fault.program,
                  fmt::format("timeout_seconds={}", fault.status == RunStatus::kTimeout ? 2 : 20));
    EXPECT_EQ(record.status, fault.status) << record.message;
    EXPECT_NE(record.message.find(fault.message), std::string::npos) << record.message;
    EXPECT_FALSE(record.test_score);
    EXPECT_FALSE(record.valid_score);
  }
}

// Minus infinity says that nothing is known of an entity, which is counted; of a fact it is no
// score.
TEST_F(ProgramEvents, MinusInfinity) {
  const std::string program = "for q in asked(): answer(q, value=float('-inf'))";
  const RunRecord which = EventPlace().run(program);
  ASSERT_EQ(which.status, RunStatus::kOk) << which.message;
  double unknown = -1;
  for (const auto& [name, value] : which.other_scores) {
    if (name.find("unknown") != std::string::npos) unknown = std::max(unknown, value);
  }
  EXPECT_EQ(unknown, 2.0 * static_cast<double>(between(124, 200).size()));
  const RunRecord whether = EventPlace("question='whether'").run(program);
  EXPECT_EQ(whether.status, RunStatus::kFailed);
  EXPECT_NE(whether.message.find("the score of fact 0 is -inf"), std::string::npos)
      << whether.message;
}

// What a plan refuses, before anything runs.
TEST(EventPlan, RefusesWhatCannotBe) {
  const auto refusal = [](const std::string& split, const std::string& model) {
    TempFolder folder;
    PlanSources sources = plan_sources(folder / "none");
    sources.load_facts = EventPlace::sources().load_facts;
    sources.absent = {};
    const Protocol protocol = parse_protocol(
        "x", "x.toml",
        fmt::format("task='events'\nmetric='mrr'\n[data]\ndatasets=['small']\n[split]\n{}\n"
                    "[models.{}",
                    split, model),
        {}, folder / "");
    try {
      (void)make_plan(protocol, {}, sources);
      return std::string();
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  const std::string time = fmt::format("scheme='time'\ncuts='{}'", made::kSmallCuts);
  const auto expect = [&](const std::string& message, const std::string& part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  EXPECT_EQ(refusal(time, "past-jaccard]\ntyped=true\nvia='met'"), "");
  expect(refusal(time, "past-jaccard]\ntyped=true\nvia='meet'"),
         "via = \"meet\" is no relation of the data; there are met, at, wrote, to");
  expect(refusal(time, "past-jaccard]\nvia='met'"), "it needs typed = true");
  for (const char* scheme : {"random", "per-class", "stratified-kfold", "links"}) {
    const std::string message = refusal(fmt::format("scheme='{}'", scheme), "popularity]");
    expect(message, "facts over time");
    expect(message, "take the scheme 'time'");
  }
  for (const ModelEntry* entry : models()) {
    if (entry->events == nullptr) continue;
    EXPECT_EQ(refusal(time, entry->name + "]"), "") << entry->name;
  }
}

// A search asks nothing of test.
TEST_F(ProgramEvents, ASearchEndsWithValidation) {
  const EventPlace place;
  write_text(place.path("program.py"),
             std::string(kEventTools) +
                 "for q in asked(): answer(q)\nprint('steps', q['step'])\n"
                 "if q['part'] == 'test': sys.exit(1)\n");
  const RunGroup group = place.search();
  const RunRecord record = make_executor()->open(group, {1})->run(0, {7, 9}, {});
  EXPECT_EQ(record.status, RunStatus::kOk) << record.message;
  EXPECT_TRUE(record.valid_score);
  EXPECT_FALSE(record.test_score);
}

// The examples that are shipped score as our own popularity does, whatever is asked.
TEST_F(ProgramEvents, TheExamplesArePopularity) {
  const auto with = [](std::string out, const std::string& from, const std::string& to) {
    const auto at = out.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return out.replace(at, from.size(), to);
  };
  using Changes = std::vector<std::pair<std::string, std::string>>;
  const Changes cases[] = {
      {},
      {{"single-step", "multi-step"}},
      {{"\"which\"", "\"whether\""}, {"\"mrr\"", "\"average-precision\""}},
  };
  const std::string examples = std::string(CUPEL_SOURCE_DIR) + "/examples";
  for (const char* name : {"own_events", "own_events_worker"}) {
    for (const Changes& changes : cases) {
      std::string one = read_text(fmt::format("{}/{}.toml", examples, name));
      one = with(with(one, "\"yago\"", "\"facts\""), "scheme = \"time\"",
                 "scheme = \"time\"\ncuts = \"120,124,133\"\ncount = 2");
      for (const auto& [from, to] : changes) one = with(one, from, to);
      SCOPED_TRACE(one);
      const Protocol protocol = parse_protocol("x", "x.toml", one, {}, examples);
      TempFolder folder;
      Store store(folder / "s");
      PlanSources sources = plan_sources(folder / "none");
      sources.load_facts = EventPlace::sources().load_facts;
      sources.absent = {};
      const Plan plan =
          make_plan(protocol, {{}, {"own-popularity", "popularity"}, {}, 2, 0}, sources);
      made::expect_same_outcomes(plan, store, 2);
    }
  }
}

}  // namespace
}  // namespace cupel
