// Stores that are verified and signed, submissions, and leaderboards of both.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <nlohmann/json.hpp>

#include "bindings.h"
#include "cupel/api/leaderboard.h"
#include "cupel/api/load.h"
#include "cupel/api/study_words.h"
#include "cupel/api/submit.h"
#include "cupel/api/verify.h"
#include "cupel/base/error.h"
#include "cupel/base/json_text.h"
#include "work.h"

namespace cupel::python {
namespace {

// Data of the folder; `job` is told what is read.
PlanSources sources_in(const std::string& folder, Job& job) {
  return sources_of(existing_data_folder(folder), Protocol(), {}, {}, &job);
}

std::string verified(const std::string& store, const std::string& signers,
                     const RerunRequest& again, const std::string& folder, Job& job) {
  const nb::gil_scoped_release release;
  std::optional<RerunOptions> runs = rerun_options("verify", again);
  if (!runs && !folder.empty()) fail("verify: --data goes with --rerun N; nothing is done again");
  Verification found = verify_store(store, signers);
  if (runs) {
    runs->execute = watched(runs->execute, job);
    verify_runs(found, sources_in(folder, job), *runs);
  }
  nlohmann::ordered_json told = verification_json(found);
  told["all"] = verdict_of(found).all;
  return json_text(told, -1);
}

std::string signed_by(const std::string& store, const std::string& key, const std::string& name) {
  const nb::gil_scoped_release release;
  return json_text(signed_json(sign_store({store, key, name})), -1);
}

std::string submission_checked(const std::string& submission, const std::string& folder, Job& job) {
  const nb::gil_scoped_release release;
  return json_text(
      checked_json(check_submission(submission, sources_in(folder, job), {{}, &job.stop})), -1);
}

// How many tasks were written, and the note.
std::pair<int, std::string> tasks_written(const std::string& submission, const std::string& folder,
                                          Job& job) {
  const nb::gil_scoped_release release;
  const WrittenTasks written =
      write_submission_tasks(submission, sources_in(folder, job), {{}, &job.stop});
  return {written.tasks, written.note};
}

std::string board_of(const std::string& stores, const std::string& out, const std::string& signers,
                     const RerunRequest& again, const std::string& folder, Job& job) {
  const nb::gil_scoped_release release;
  LeaderboardRequest request;
  request.folder = stores;
  request.out = out;
  if (!signers.empty()) request.signers = signers;
  request.sources = sources_in(folder, job);
  request.rerun = rerun_options("leaderboard", again);
  if (request.rerun) request.rerun->execute = watched(request.rerun->execute, job);
  request.on_source = [&job](const std::string& name) { job.tell(name, 0, 0); };
  request.interrupt = &job.stop;
  const Board board = build_leaderboard(request);
  nlohmann::ordered_json told = board_json(board, out);
  told["holds"] = holds(board);
  return json_text(told, -1);
}

}  // namespace

void bind_stores(nb::module_& m) {
  nb::class_<RerunRequest>(m, "Again", "Which runs are done again.")
      .def(nb::new_([](int runs, const std::string& seed, int jobs, const std::string& memory) {
             return RerunRequest{runs, seed, jobs, memory};
           }),
           nb::arg("runs"), nb::arg("seed"), nb::arg("jobs"), nb::arg("memory"));
  m.def("verify", &verified, nb::arg("store"), nb::arg("signers"), nb::arg("again"),
        nb::arg("folder"), nb::arg("job"));
  m.def("sign", &signed_by, nb::arg("store"), nb::arg("key"), nb::arg("name"));
  m.def("check_submission", &submission_checked, nb::arg("submission"), nb::arg("folder"),
        nb::arg("job"));
  m.def("write_submission_tasks", &tasks_written, nb::arg("submission"), nb::arg("folder"),
        nb::arg("job"));
  m.def("leaderboard", &board_of, nb::arg("stores"), nb::arg("out"), nb::arg("signers"),
        nb::arg("again"), nb::arg("folder"), nb::arg("job"));
}

}  // namespace cupel::python
