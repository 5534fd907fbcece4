// A search for settings.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <nlohmann/json.hpp>

#include "bindings.h"
#include "cupel/api/given_data.h"
#include "cupel/api/load.h"
#include "cupel/api/protocol_json.h"
#include "cupel/api/study_words.h"
#include "cupel/api/tuning.h"
#include "cupel/base/json_text.h"
#include "cupel/lab/protocol/extend.h"
#include "work.h"

namespace cupel::python {
namespace {

std::unique_ptr<Tuning> make_tuning(Protocol protocol, TuneOptions tune,
                                    const std::vector<const Data*>& given,
                                    const GivenModels& functions, const std::string& store,
                                    const std::string& folder, Job* job) {
  const nb::gil_scoped_release release;
  TuningRequest request;
  request.data_folder = existing_data_folder(folder);
  request.sources = sources_of(request.data_folder, protocol, given, functions, job);
  request.hidden = places_of(given);
  for (const Data* data : given) {
    if (!data->source.empty()) continue;
    const std::string& name = data->data->name;
    protocol.paths[name] = given_reference(name);
    tune.datasets.push_back(name);
  }
  request.store = kept_store(store, protocol.name);
  request.protocol = std::move(protocol);
  request.tune = std::move(tune);
  return std::make_unique<Tuning>(std::move(request));
}

}  // namespace

void bind_tuning(nb::module_& m) {
  m.def("with_search", &with_search, nb::arg("protocol"), nb::arg("json"));
  nb::class_<Tuning>(m, "Tuning")
      .def(
          nb::new_([](const Protocol& protocol, std::vector<std::string> datasets,
                      const std::vector<const Data*>& given, std::vector<std::string> models,
                      const std::vector<std::shared_ptr<ModelFunction>>& functions,
                      const std::string& method, int budget, int splits, int inits, bool by_dataset,
                      const std::string& store, const std::string& folder, Job* job) {
            return make_tuning(
                protocol,
                {std::move(models), std::move(datasets), method, budget, splits, inits, by_dataset},
                given, {functions.begin(), functions.end()}, store, folder, job);
          }),
          nb::arg("protocol"), nb::arg("datasets"), nb::arg("given"), nb::arg("models"),
          nb::arg("functions"), nb::arg("method"), nb::arg("budget"), nb::arg("splits"),
          nb::arg("inits"), nb::arg("by_dataset"), nb::arg("store"), nb::arg("folder"),
          nb::arg("job").none())
      .def(
          "execute",
          [](Tuning& t, const ExecuteOptions& how, Job& job) {
            ExecuteSummary done;
            SaidBefore before;
            {
              const nb::gil_scoped_release release;
              before.notes = program_notes(t.pending(how));
              done = t.execute(watched(how, job));
            }
            return summary_of(done, t.store_path(), before);
          },
          nb::arg("how"), nb::arg("job"), nb::sig("def execute(self, how: How, job: Job) -> dict"))
      .def_prop_ro("store", [](const Tuning& t) { return t.store_path().string(); })
      .def("result",
           [](Tuning& t) {
             const nb::gil_scoped_release release;
             return json_text(tune_json(t.result()), -1);
           })
      .def("toml",
           [](Tuning& t) {
             const nb::gil_scoped_release release;
             return t.toml();
           })
      .def("changes", [](Tuning& t) {
        const nb::gil_scoped_release release;
        return t.changes();
      });
  m.def(
      "write_tuned",
      [](const std::string& path, const std::string& base, const std::string& changes) {
        write_tuned(path, base, changes);
      },
      nb::arg("path"), nb::arg("base"), nb::arg("changes"));
  m.def("extend_protocol", &extend_protocol, nb::arg("base"), nb::arg("name"), nb::arg("text"));
}

}  // namespace cupel::python
