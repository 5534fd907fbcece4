// Programs that say what happens next, of small facts over time.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <vector>

#include "cupel/data/formats/npz.h"
#include "cupel/lab/run/pending.h"
#include "cupel/lab/run/tune.h"
#include "lab/isolation/attack.h"
#include "learn/events/made_events.h"

namespace cupel::made {

// What every program of these tests begins with: tools to read questions and to answer, and those
// of a worker.
inline constexpr const char* kEventTools = R"(
import array, json, os, shutil, struct, sys, time, zipfile
folder = sys.argv[1]
def asked():
    for line in sys.stdin:
        yield json.loads(line)
def write(name, rows, columns, value=0.0, kind='<f4'):
    header = repr({'descr': kind, 'fortran_order': False, 'shape': (rows, columns)})
    header += ' ' * (-(len(header) + 11) % 64) + '\n'
    with open(folder + '/' + name, 'wb') as file:
        file.write(b'\x93NUMPY\x01\x00' + struct.pack('<H', len(header)) + header.encode())
        array.array('f' if kind == '<f4' else 'd', [value] * (rows * columns)).tofile(file)
def answer(q, **more):
    write(q['answer'], q['rows'], q['columns'], **more)
    print(q['answer'], flush=True)
def runs():
    return asked()
def steps():
    for q in asked():
        if 'end' in q: return
        yield q
def done(task, **more):
    print(json.dumps({'run': task['run'], **more}), flush=True)
)";

// A protocol with one program on small facts, in a folder of its own.
class EventPlace {
 public:
  explicit EventPlace(std::string events = "", std::string isolation = "none")
      : events_(std::move(events)), isolation_(std::move(isolation)) {}

  std::filesystem::path path(const std::string& name) const { return folder_ / name; }

  // The facts that are asked about.
  static TemporalFacts facts() { return small_facts(5); }

  static PlanSources sources() {
    PlanSources out = fake_sources();
    out.load_facts = [](const std::string&) {
      return dataset_of(std::make_shared<const TemporalFacts>(facts()));
    };
    return out;
  }

  Plan plan(const std::string& more = "", const std::string& options = "timeout_seconds=20") const {
    const Protocol protocol = parse_protocol(
        "x", "x.toml",
        fmt::format("task='events'\nmetric='{}'\n[data]\ndatasets=['small']\n[split]\n"
                    "scheme='time'\ncuts='{}'\ncount=1\n[events]\n{}\n[models.mine]\n"
                    "isolation='{}'\n{}\ncommand=['{}', 'program.py', '{{task}}']\n{}",
                    events_.find("whether") == std::string::npos ? "mrr" : "roc-auc", kSmallCuts,
                    events_, isolation_, options, python(), more),
        {}, folder_ / "");
    return make_plan(protocol, {}, sources());
  }

  // A run of a search for the program's `steps`, which `options` says more of.
  RunGroup search(const std::string& options = "") const {
    const Protocol protocol = parse_protocol(
        "x", "x.toml",
        fmt::format("task='events'\nmetric='mrr'\n[data]\ndatasets=['small']\n[split]\n"
                    "scheme='time'\ncuts='{}'\ncount=1\n[models.mine]\nisolation='none'\nsteps=1\n"
                    "{}\ncommand=['{}', 'program.py', '{{task}}']\n[tune]\nbudget=1\nsplits=1\n"
                    "first_split=0\ninits=1\n[tune.grid.mine]\nsteps=[1]\n",
                    kSmallCuts, options, python()),
        {}, path(""));
    const TunePlan tune = make_tune_plan(protocol, {}, sources());
    return {tune.plan.cells.at(0).family, 0, {0}, {}};
  }

  RunRecord run(const std::string& program,
                const std::string& options = "timeout_seconds=20") const {
    return runs(program, 1, options).front();
  }

  // So many runs of one session, one after the other, under one key.
  std::vector<RunRecord> runs(const std::string& program, int count,
                              const std::string& options) const {
    write_text(path("program.py"), kEventTools + program);
    const Plan planned = plan("", options);
    const RunGroup group{planned.cells.at(0).family, 0, {0}, {}};
    const auto executor = make_executor();
    const auto session = executor->open(group, {1});
    std::vector<RunRecord> out;
    for (int run = 0; run < count; ++run) {
      RunLimits limits;
      limits.deadline = std::chrono::steady_clock::now() +
                        std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                            std::chrono::duration<double>(group.family->timeout_seconds));
      out.push_back(session->run(0, {7, 9}, limits));
    }
    return out;
  }

  // A run of a program that keeps what its folder holds at each step, and the line it was told.
  RunRecord watch() const {
    return run(fmt::format(R"(
for q in asked():
    at = '{}/' + str(q['step'])
    shutil.copytree(folder, at)
    json.dump(q, open(at + '/line', 'w'))
    answer(q)
)",
                           folder_.path().string()));
  }

 private:
  TempFolder folder_;
  std::string events_, isolation_;
};

inline std::vector<FactTuple> facts_in(const NpzFile& file, const std::string& name) {
  const NpyArray array = file.read(name);
  EXPECT_EQ(array.shape.size(), 2u);
  EXPECT_EQ(array.shape.back(), 4);
  const auto values = to_integers(array);
  std::vector<FactTuple> out;
  for (std::size_t i = 0; i < values.size(); i += 4)
    out.emplace_back(values[i], values[i + 1], values[i + 2], values[i + 3]);
  return out;
}

// The facts with from < time <= to.
inline std::vector<FactTuple> between(std::int64_t from, std::int64_t to) {
  std::vector<FactTuple> out;
  for (const FactTuple& fact : tuples_of(EventPlace::facts()))
    if (from < std::get<3>(fact) && std::get<3>(fact) <= to) out.push_back(fact);
  return out;
}

// Copies of the task folder, one for each step of a run that was asked which, and the lines that
// the program was told: at each step there are the past, the questions of that step, and nothing
// else.
inline void expect_the_past_alone(const std::filesystem::path& copies, bool single) {
  std::set<std::int64_t> times;
  for (const FactTuple& fact : between(120, 200)) times.insert(std::get<3>(fact));
  int step = 0;
  std::int64_t known_to = 120;
  for (const std::int64_t time : times) {
    SCOPED_TRACE(time);
    const auto at = copies / std::to_string(++step);
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(at))
      names.insert(entry.path().filename());
    const std::string file = fmt::format("step-{}.npz", step);
    EXPECT_EQ(names, (std::set<std::string>{"line", "task.json", "task.npz", file}));
    EXPECT_EQ(facts_in(NpzFile(at / "task.npz"), "facts_train"), between(0, 120));
    const NpzFile questions(at / file);
    // What was known when it was asked: all before it, or before its part.
    const std::int64_t now = single ? time - 1 : time > 124 ? 124 : 120;
    EXPECT_EQ(facts_in(questions, "known"), between(known_to, now));
    known_to = now;
    std::set<std::vector<std::int64_t>> right, got;
    for (const auto& [s, r, o, t] : between(time - 1, time)) {
      right.insert({s, r, 0});
      right.insert({o, r, r == 0 ? 0 : 1});
    }
    const auto values = to_integers(questions.read("queries"));
    for (std::size_t i = 0; i < values.size(); i += 3)
      got.insert({values[i], values[i + 1], values[i + 2]});
    EXPECT_EQ(got, right);
    EXPECT_EQ(got.size(), values.size() / 3);  // each once
    EXPECT_EQ(read_text(at / "line"),
              fmt::format(R"({{"answer": "answer-{0}.npy", "columns": 14, "part": "{1}", )"
                          R"("questions": "step-{0}.npz", "rows": {2}, "step": {0}, )"
                          R"("time": {3}}})",
                          step, time > 124 ? "test" : "valid", got.size(), time));
  }
  EXPECT_FALSE(std::filesystem::exists(copies / std::to_string(step + 1)));
}

}  // namespace cupel::made
