#include "work.h"

#include <nanobind/stl/string.h>

#include <utility>

#include "cupel/api/given_data.h"
#include "cupel/api/study_words.h"
#include "cupel/base/error.h"
#include "cupel/lab/plan/selection.h"

namespace cupel::python {

nb::list list_of(const std::vector<std::string>& texts) {
  nb::list out;
  for (const std::string& text : texts) out.append(text);
  return out;
}

PlanSources sources_of(const std::filesystem::path& folder, const Protocol& protocol,
                       const std::vector<const Data*>& given, const GivenModels& functions,
                       Job* job) {
  GivenData known;
  for (const Data* data : given) {
    if (data->source.empty()) {
      if (!known.emplace(given_reference(data->data->name), data->data).second)
        fail("run: two data sets in memory are called '{}'; give one another name",
             data->data->name);
      continue;
    }
    for (const std::string& reference : references_of(protocol, data->source)) {
      const auto& held = known.emplace(reference, data->data).first->second;
      if (held != data->data && content_hash(*held) != content_hash(*data->data))
        fail(
            "run: two data sets that differ were loaded as '{}'; load one of them by its whole "
            "path",
            data->source);
    }
  }
  PlanSources out = with_given(with_given(plan_sources(folder), std::move(known)), functions);
  if (job != nullptr)
    out.load = [load = out.load, job](const std::string& name) {
      job->tell("reading " + name, 0, 0);
      return load(name);
    };
  return out;
}

std::vector<std::filesystem::path> places_of(const std::vector<const Data*>& given) {
  std::vector<std::filesystem::path> out;
  for (const Data* data : given)
    if (!data->place.empty()) out.push_back(data->place);
  return out;
}

ExecuteOptions watched(ExecuteOptions options, Job& job) {
  options.interrupt = &job.stop;
  options.on_progress = options.on_tick = [&job](const Progress& now) {
    job.tell(progress_text(now), now.done, now.total);
  };
  return options;
}

nb::dict summary_of(const ExecuteSummary& done, const std::filesystem::path& store,
                    const SaidBefore& before) {
  nb::dict out;
  out["planned"] = done.planned;
  out["stored"] = done.stored;
  out["done"] = done.done;
  out["ok"] = done.ok;
  out["diverged"] = done.diverged;
  out["failed"] = done.failed;
  out["timed_out"] = done.timed_out;
  out["not_started"] = done.not_started;
  out["failed_before"] = done.failed_before;
  out["interrupted"] = done.interrupted;
  out["seconds"] = done.seconds;
  out["words"] = summary_text(done, store.string());
  out["checkpoint_problem"] = checkpoint_text(done);
  out["without_score"] = runs_without_score(done);
  nb::list failures = list_of(done.failures);
  for (const std::string& text : not_started_texts(done)) failures.append(text);
  out["failures"] = failures;
  out["refused"] = list_of(before.refused);
  out["notes"] = list_of(before.notes);
  return out;
}

}  // namespace cupel::python
