// Programs that are started once and say what happens next, run after run.
#include <gtest/gtest.h>

#include "build_paths.h"
#include "lab/run/event_place.h"

namespace cupel {
namespace {

using made::EventPlace;
using made::read_text;
using made::write_text;

constexpr const char* kWorker = "worker=true\ntimeout_seconds=20";

class WorkerEvents : public ::testing::Test {
 protected:
  void SetUp() override {
    if (made::python().empty()) GTEST_SKIP() << "there is no /usr/bin/python3";
  }
};

// Notes each start of a program.
std::string notes_its_start(const EventPlace& place) {
  return fmt::format("open('{}', 'a').write('x')\n", place.path("starts").string());
}

std::size_t starts(const EventPlace& place) { return read_text(place.path("starts")).size(); }

std::string example(const std::string& name) {
  return read_text(fmt::format("{}/examples/{}.py", CUPEL_SOURCE_DIR, name));
}

// The last run as the first: nothing that one was told is in the answers of the next.
TEST_F(WorkerEvents, EachRunIsThatOfAProgramStartedForIt) {
  for (const char* events :
       {"setting='single-step'", "setting='multi-step'", "question='whether'\nbatch=7",
        "question='whether'\nsetting='multi-step'"}) {
    SCOPED_TRACE(events);
    const EventPlace place(events);
    const RunRecord alone = place.run(example("own_events"));
    ASSERT_EQ(alone.status, RunStatus::kOk) << alone.message;
    EXPECT_GT(alone.test_score.value_or(0), 0);
    const auto runs = place.runs(notes_its_start(place) + example("own_events_worker"), 3, kWorker);
    for (const RunRecord& record : runs) {
      ASSERT_EQ(record.status, RunStatus::kOk) << record.message;
      EXPECT_EQ(record.test_score, alone.test_score);
      EXPECT_EQ(record.valid_score, alone.valid_score);
      EXPECT_EQ(record.other_scores, alone.other_scores);
    }
    EXPECT_EQ(starts(place), 1u);
  }
}

// Neither there nor beside it, though the run before has asked it all.
TEST_F(WorkerEvents, TheFutureIsNotInTheFolder) {
  for (const char* setting : {"single-step", "multi-step"}) {
    SCOPED_TRACE(setting);
    const EventPlace place(fmt::format("setting='{}'", setting));
    const auto runs = place.runs(fmt::format("copies = '{}'", place.path("copies").string()) + R"(
def latest(data):
    start = 10 + struct.unpack_from('<H', data, 8)[0]
    values = array.array('q')
    values.frombytes(data[start:])
    return max(values[3::4], default=0)
for task in runs():
    looked = 0
    for q in steps():
        for root, _, files in os.walk(os.path.dirname(folder)):
            for name in files:
                if not name.endswith('.npz'): continue
                looked += 1
                with zipfile.ZipFile(os.path.join(root, name)) as archive:
                    for member in archive.namelist():
                        if member in ('facts_train.npy', 'known.npy', 'facts.npy'):
                            assert latest(archive.read(member)) < q['time'], name
        at = copies + '/' + str(task['run']) + '/' + str(q['step'])
        shutil.copytree(folder, at)
        json.dump(q, open(at + '/line', 'w'))
        answer(q)
    assert looked == 20, looked  # two files of each of five steps, and their twins beside the folder
    done(task)
)",
                                 2, kWorker);
    for (std::size_t run = 0; run < runs.size(); ++run) {
      ASSERT_EQ(runs[run].status, RunStatus::kOk) << runs[run].message;
      made::expect_the_past_alone(place.path("copies") / std::to_string(run),
                                  setting == std::string("single-step"));
    }
  }
}

struct Fault {
  const char* second;  // what the second run is; the others are good
  const char* message;
  RunStatus status = RunStatus::kFailed;
};

TEST_F(WorkerEvents, WhatGoesWrongIsRecordedAndTheNextRunIsOfAFreshWorker) {
  const Fault faults[] = {
      {"for q in steps():\n  if q['step'] == 3: sys.exit(7)\n  answer(q)",
       "ended with exit code 7 when step 3 (test) was asked"},
      {"os.kill(os.getpid(), 9)", "died of signal 9 (Killed) when step 1 (valid) was asked"},
      {"for q in steps():\n  if q['step'] == 2: sys.exit(0)\n  answer(q)",
       "the worker ended when step 2 (valid) was asked, and did not answer it"},
      {"for q in steps(): answer(q)\nsys.exit(0)", "the worker ended, and had a run to do"},
      {"for q in steps():\n  if q['step'] == 3: time.sleep(30)\n  answer(q)",
       "its time was up when step 3 (test) was asked; an answer is read once its name is a line",
       RunStatus::kTimeout},
      {"for q in steps(): answer(q)\ntime.sleep(30)",
       "its time was up; an answer is one line of JSON, flushed", RunStatus::kTimeout},
      {"done(task)", "answered run 1 when step 1 (valid) was asked"},
      {"for q in steps(): done(task) if q['step'] == 4 else answer(q)",
       "answered run 1 when step 4 (test) was asked; a run is answered after its last step"},
      {"for q in steps(): answer(q)\ndone({'run': 0})", "answered 0 when it was given run 1"},
      {"for q in steps(): answer(q)\nprint('answer-5.npy', flush=True)",
       "answered 'answer-5.npy' when all was answered"},
      {"for q in steps(): done(task, error='no idea')", "gave the run up: no idea"},
      {"for q in steps(): answer(q, value=float('nan'))", "answer-1.npy[0, 0] is nan"},
      {"for q in steps(): write(q['answer'], q['rows'], 13); print(q['answer'], flush=True)",
       ", 13) instead of ("},
      {"for q in steps():\n  open(folder + '/' + q['answer'], 'w').write('rubbish')\n"
       "  print(q['answer'], flush=True)",
       "answer-1.npy"},
      {"for q in steps(): print(q['answer'], flush=True)",
       "says that it wrote answer-1.npy, and it is not there"},
      {"for q in steps(): print('answer-2.npy', flush=True)",
       "answered 'answer-2.npy' when step 1 (valid) was asked, whose answer is 'answer-1.npy'"},
      {"for q in steps():\n  write('answer-2.npy', 20, 14)\n  answer(q)",
       "answer-2.npy: is there before step 2 (valid) is asked"},
      {"open(folder + '/step-3.npz', 'w')\nfor q in steps(): answer(q)",
       "step-3.npz: is there before the questions are"},
      {"for q in steps(): print('a\\0b', flush=True)", "bytes that are no text"},
      {"for q in steps(): print('{\"run\": 1,', flush=True)",
       "begins like an answer and is no JSON"},
  };
  for (const Fault& fault : faults) {
    SCOPED_TRACE(fault.second);
    const EventPlace place;
    std::string second = std::string("    ") + fault.second;
    for (auto at = second.find('\n'); at != std::string::npos; at = second.find('\n', at + 1))
      second.insert(at + 1, "    ");
    const auto runs = place.runs(notes_its_start(place) + fmt::format(R"(
for task in runs():
  if task['run'] == 1:
{}
  for q in steps(): answer(q)
  done(task)
)",
                                                                      second),
                                 3,
                                 fmt::format("worker=true\ntimeout_seconds={}",
                                             fault.status == RunStatus::kTimeout ? 2 : 20));
    ASSERT_EQ(runs.size(), 3u);
    EXPECT_EQ(runs[1].status, fault.status) << runs[1].message;
    EXPECT_NE(runs[1].message.find(fault.message), std::string::npos) << runs[1].message;
    EXPECT_FALSE(runs[1].test_score);
    EXPECT_FALSE(runs[1].valid_score);
    for (const RunRecord& record : {runs[0], runs[2]})
      EXPECT_EQ(record.status, RunStatus::kOk) << record.message;
    EXPECT_EQ(runs[2].test_score, runs[0].test_score);
    EXPECT_EQ(starts(place), 2u);
  }
}

// It had enough, before it answered anything of the run: no fault, and asked anew from the first
// question on.
TEST_F(WorkerEvents, OneThatEndsByItselfAfterARunIsStartedAnew) {
  const EventPlace place;
  const auto runs = place.runs(notes_its_start(place) + R"(
for n, task in enumerate(runs()):
    for q in steps():
        if n == 1:
            write(q['answer'], 3, 3)
            sys.exit(0)
        if sorted(os.listdir(folder)) != [q['questions'], 'task.json', 'task.npz']: sys.exit(9)
        answer(q)
    done(task)
)",
                               3, kWorker);
  for (const RunRecord& record : runs) {
    EXPECT_EQ(record.status, RunStatus::kOk) << record.message;
    EXPECT_EQ(record.test_score, runs[0].test_score);
    EXPECT_EQ(record.valid_score, runs[0].valid_score);
  }
  EXPECT_EQ(starts(place), 3u);
}

TEST_F(WorkerEvents, WhatStandsAroundAnAnswerDoesNotMatter) {
  const EventPlace place;
  const auto runs = place.runs(R"(
for task in runs():
    for q in steps():
        write(q['answer'], q['rows'], q['columns'])
        print('{"step": 0}\nworking ...\n \t' + q['answer'] + ' \r', flush=True)
    done(task)
)",
                               2, kWorker);
  for (const RunRecord& record : runs) EXPECT_EQ(record.status, RunStatus::kOk) << record.message;
}

// A search asks nothing of test.
TEST_F(WorkerEvents, ASearchEndsWithValidation) {
  const EventPlace place;
  write_text(place.path("program.py"), std::string(made::kEventTools) + R"(
for task in runs():
    for q in steps():
        if q['part'] == 'test': sys.exit(1)
        answer(q)
    done(task)
)");
  const RunGroup group = place.search("worker=true");
  const auto executor = make_executor();
  const auto session = executor->open(group, {1});
  for (int run = 0; run < 2; ++run) {
    const RunRecord record = session->run(0, {7, 9}, {});
    EXPECT_EQ(record.status, RunStatus::kOk) << record.message;
    EXPECT_TRUE(record.valid_score);
    EXPECT_FALSE(record.test_score);
  }
}

}  // namespace
}  // namespace cupel
