// Data sets that are made: generated, built of raw sources, fetched.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <nlohmann/json.hpp>

#include "bindings.h"
#include "cupel/api/build_to.h"
#include "cupel/api/fetched.h"
#include "cupel/api/how.h"
#include "cupel/base/json_text.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/data/generate/generator.h"

namespace cupel::python {
namespace {

Data generated(const std::string& kind, const std::vector<std::string>& settings) {
  const nb::gil_scoped_release release;
  const GeneratorCall call = known_generator(kind, settings);
  return {std::make_shared<const Dataset>(generate(call)), call.canonical_name(),
          data_folder(std::nullopt)};
}

std::string fetched(const std::vector<std::string>& wanted, const std::vector<std::string>& tables,
                    const std::string& folder, bool offline, Job& job) {
  const nb::gil_scoped_release release;
  const std::filesystem::path where =
      data_folder(folder.empty() ? std::nullopt : std::optional(folder));
  FetchOptions options;
  options.offline = offline;
  const FetchList asked = fetch_list(wanted, tables, where);
  const auto files = fetch_all(asked, where, options, [&](const FetchProgress& now) {
    job.tell(fetch_text(now), static_cast<double>(now.done), static_cast<double>(now.total));
    return !job.stop;
  });
  return json_text(nlohmann::ordered_json{{"files", fetched_json(files)}, {"left", asked.left}},
                   -1);
}

BuildRequest build_request(const std::string& recipe, const std::vector<std::string>& from,
                           const std::string& out, const std::vector<std::string>& settings,
                           const std::string& steps, const std::string& memory) {
  BuildRequest request{
      .recipe = recipe, .from = from, .settings = settings, .out = out, .steps = steps};
  if (!memory.empty()) request.memory_bytes = parse_size("memory", memory);
  return request;
}

std::string told_of_build(const std::string& recipe, const std::vector<std::string>& from,
                          const std::string& out, const std::vector<std::string>& settings,
                          const std::string& steps, const std::string& memory) {
  const nb::gil_scoped_release release;
  return memory_for_build(build_request(recipe, from, out, settings, steps, memory));
}

std::string built(const std::string& recipe, const std::vector<std::string>& from,
                  const std::string& out, const std::vector<std::string>& settings,
                  const std::string& steps, const std::string& memory, Job& job) {
  const nb::gil_scoped_release release;
  const BuildOutcome outcome = build_to(
      build_request(recipe, from, out, settings, steps, memory), [&](const BuildStep& step) {
        job.tell(step.what, static_cast<double>(step.done), static_cast<double>(step.size));
      });
  return json_text(outcome_json(outcome), -1);
}

}  // namespace

void bind_sources(nb::module_& m) {
  m.def("generate", &generated, nb::arg("kind"), nb::arg("settings") = nb::list());
  m.def("fetch", &fetched, nb::arg("names"), nb::arg("tables"), nb::arg("folder"),
        nb::arg("offline"), nb::arg("job"));
  m.def("memory_for_build", &told_of_build, nb::arg("recipe"), nb::arg("sources"), nb::arg("out"),
        nb::arg("settings"), nb::arg("steps"), nb::arg("memory"));
  m.def("build", &built, nb::arg("recipe"), nb::arg("sources"), nb::arg("out"), nb::arg("settings"),
        nb::arg("steps"), nb::arg("memory"), nb::arg("job"));
}

}  // namespace cupel::python
