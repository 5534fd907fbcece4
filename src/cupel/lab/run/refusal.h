// What is known before anything runs: models that would refuse their data, and programs that are
// not kept apart, or that may be edited unnoticed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cupel/lab/run/executor.h"
#include "cupel/lab/run/pending.h"

namespace cupel {

// A model that would refuse a data set as too large, known before anything runs.
struct Refusal {
  std::shared_ptr<const Family> family;
  std::string reason;  // with an estimate and the way out
  int runs = 0;        // to do

  // "kernel-s on HIV: REASON"
  [[nodiscard]] std::string text() const;
};

// What of the pending runs is refused, family by family.
[[nodiscard]] std::vector<Refusal> refusals(const Pending& pending, const Executor& executor);

// What a user must know before these runs begin: which programs are not kept apart, and why. ""
// if all are.
[[nodiscard]] std::string isolation_note(const Pending& pending);

// Which programs have no file in their identity, and what to do about it. "" if all have one.
[[nodiscard]] std::string files_note(const Pending& pending);

}  // namespace cupel
