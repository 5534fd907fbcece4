// A submission: predictions instead of numbers, which are scored here.
//
// A folder with submission.toml
//   protocol = "pitfalls"   a protocol's name, or its path from the folder
//   dataset = "cora"        a column of it
//   table = "1"             where several tables have that column
//   model = "my model"      what tables call it
//   citation = "..."
//   deterministic = true    optional, the submitter's word: init 0 is all that there is of a split
//   version = "3fa9c01b"    optional: the beginning, 6 digits or more, of the protocol's version
//                           that the predictions are for; another one here is an error
// and, for each run that the table asks for, what a program would have written of it
// (lab/run/external.h): split-S/init-I/scores.npy and, if there are any, valid_scores.npy. Where
// split-S/task.npz or task.json lies there as well, it says what was asked, and predictions for
// another task than the protocol's are not scored.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cupel/base/limits.h"
#include "cupel/lab/plan/plan.h"
#include "cupel/lab/plan/sources.h"
#include "cupel/lab/protocol/protocol.h"
#include "cupel/lab/results/results.h"

namespace cupel {

inline constexpr const char* kSubmissionFile = "submission.toml";

struct Submission {
  std::filesystem::path folder;
  Protocol protocol;  // with the table that is meant and no other, whose one row is the model
  std::string dataset, model, citation;
  bool deterministic = false;
  bool pinned = false;  // names the version of its protocol
};

// Reads submission.toml and the protocol that it names. Throws Error with file and key: what cannot
// be read, an unknown key, a model or citation that is not said, another version of the protocol
// than the one named, a table that has no such column, several tables that have it where none is
// named.
[[nodiscard]] Submission read_submission(const std::filesystem::path& folder);

// The beginning of its protocol's version, as `version` of submission.toml pins it.
[[nodiscard]] std::string version_text(const Submission& submission);

// The runs that it has to answer. Loads and prepares the data. Throws Error as make_plan() does,
// for tasks whose questions come one after the other, which no files can answer beforehand, and for
// more than a million runs.
[[nodiscard]] PlannedCell cell_of(const Submission& submission, const PlanSources& sources);

// Predictions that are not there, are for another task, or are not what the run asks for; or those
// of another initialisation that differ where a model is said to be deterministic: one of a split.
struct SubmissionFault {
  int split = 0, init = 0;  // numbers of the folders
  std::string text;         // "there is no split-0/init-2/scores.npy", "split-0/...: has the shape"
};

struct Rescored {
  int asked = 0;  // runs that must have predictions
  std::vector<SubmissionFault> faults;
  // One table with one cell: the runs whose predictions could be scored, by the protocol's metric
  // on the sealed answers, and the protocol's published values. Runs say on what data they are, and
  // have no ids. The cell expects all that the protocol asks for, of a deterministic model too.
  Results results;
};

// Scores every prediction. A pure function of folder, protocol and data. Throws Error as cell_of(),
// and Interrupted.
[[nodiscard]] Rescored rescore(const Submission& submission, const PlanSources& sources,
                               const RunLimits& limits = {});

// Writes split-S/task.npz and task.json, which say what is asked, for every split that lacks one of
// them; returns of how many. Throws Error as cell_of(), for files that lie there and are damaged or
// of another task, or if a file cannot be written.
int write_tasks(const Submission& submission, const PlanSources& sources,
                const RunLimits& limits = {});

}  // namespace cupel
