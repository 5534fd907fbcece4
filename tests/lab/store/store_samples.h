// Runs that tests put into stores.
#pragma once

#include <string>

#include "cupel/lab/record/identity.h"
#include "cupel/lab/record/record.h"

namespace cupel::made {

// The identity of a family, by the name of its model.
inline std::string family_of(const std::string& model) {
  FamilyFields fields;
  fields.dataset = "0123";
  fields.model = model;
  return family_identity(fields);
}

// The family of most samples, and the id of one of its runs. Functions, as split schemes are not
// there yet when globals are made.
inline std::string family() { return family_of("gcn"); }
inline std::string family_id() { return identity_hash(family()); }
inline std::string run_id(int split) { return identity_hash(run_identity(family(), split, 0)); }

inline RunRecord sample_run(double score, RunStatus status = RunStatus::kOk) {
  RunRecord out;
  out.status = status;
  out.metric = "accuracy";
  if (status == RunStatus::kOk) {
    out.test_score = score;
    out.other_scores = {{"balanced-accuracy", score / 2}, {"macro-f1", score / 4}};
    out.strata = {{"abc", score, 0.5, 10, 20}};
  }
  out.valid_score = score;
  out.valid_loss = 1.0 / 3;
  out.epochs = 7;
  out.best_epoch = 5;
  out.seconds = 0.5;
  out.memory_bytes = 1000;
  out.message = status == RunStatus::kOk ? "" : "it broke";
  return out;
}

}  // namespace cupel::made
