// What runs of a protocol and searches share: where data and models come from, how the work goes
// on, and what came of it.
#pragma once

#include <nanobind/nanobind.h>

#include <filesystem>
#include <string>
#include <vector>

#include "bindings.h"
#include "cupel/api/given_models.h"
#include "cupel/lab/plan/sources.h"
#include "cupel/lab/run/scheduler.h"

namespace cupel::python {

// plan_sources(folder) and what is in memory: data sets that were loaded stand for what they were
// loaded from, others under given_reference() of their names. `job`, if there is one, is told which
// data set is read.
[[nodiscard]] PlanSources sources_of(const std::filesystem::path& folder, const Protocol& protocol,
                                     const std::vector<const Data*>& given,
                                     const GivenModels& functions, Job* job);

// What data sets in memory were read from.
[[nodiscard]] std::vector<std::filesystem::path> places_of(const std::vector<const Data*>& given);

// The same options, whose work tells `job` how it goes on, and ends when `job` is to.
[[nodiscard]] ExecuteOptions watched(ExecuteOptions options, Job& job);

[[nodiscard]] nb::list list_of(const std::vector<std::string>& texts);

// What there was to say before anything ran.
struct SaidBefore {
  std::vector<std::string> refused;  // runs that get no score
  std::vector<std::string> notes;    // of what is run all the same, or was not asked for
};
[[nodiscard]] nb::dict summary_of(const ExecuteSummary& done, const std::filesystem::path& store,
                                  const SaidBefore& before);

}  // namespace cupel::python
