// A protocol, a part of it, and doing it.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <nlohmann/json.hpp>

#include "bindings.h"
#include "cupel/api/given_data.h"
#include "cupel/api/given_models.h"
#include "cupel/api/given_split.h"
#include "cupel/api/how.h"
#include "cupel/api/load.h"
#include "cupel/api/part.h"
#include "cupel/api/protocol_json.h"
#include "cupel/api/settle.h"
#include "cupel/api/study.h"
#include "cupel/api/study_words.h"
#include "cupel/base/error.h"
#include "cupel/base/json_text.h"
#include "cupel/base/paths.h"
#include "cupel/base/write_file.h"
#include "cupel/lab/run/executor.h"
#include "cupel/lab/verify/check_model.h"
#include "results.h"
#include "work.h"

namespace cupel::python {
namespace {

// What a protocol is read from again: its name, text, published values and folder.
using ProtocolState = std::tuple<std::string, std::string, std::string, nb::bytes>;

using GivenFunctions = std::vector<std::shared_ptr<ModelFunction>>;

struct How {
  std::string store, folder, until;
  int max_splits = 0;
  std::optional<double> delta;
  bool only_look = false, sharded = false;
  Job* job = nullptr;  // told which data set is read
};

struct PyStudy {
  PyStudy(const Protocol& protocol, PartRequest part, const std::vector<const Data*>& given,
          const GivenModels& functions, const How& how) {
    const nb::gil_scoped_release release;
    StudyRequest request;
    request.protocol = protocol;
    request.data_folder = existing_data_folder(how.folder);
    request.sources = sources_of(request.data_folder, protocol, given, functions, how.job);
    request.hidden = places_of(given);
    for (const Data* data : given)
      if (data->source.empty()) part.datasets.push_back(given_reference(data->data->name));
    ProtocolPart found = part_of(protocol, part, [&] { return request.sources; });
    request.selection = std::move(found.selection);
    left_out = std::move(found.left_out);
    choices = std::move(part.choices);
    request.store = kept_store(how.store, protocol.name);
    store_place = absolute_path(request.store);
    request.only_look = how.only_look;
    request.until = read_until({.until = how.until,
                                .splits = part.splits,
                                .inits = part.inits,
                                .max_splits = how.max_splits,
                                .sharded = how.sharded,
                                .delta = how.delta});
    request.delta = how.delta;
    protocol_name = protocol.name;
    study = std::make_unique<Study>(std::move(request));
  }
  std::unique_ptr<Study> study;
  std::filesystem::path store_place;  // wherever functions lead the process meanwhile
  std::string protocol_name;
  std::string left_out;  // what is not at hand, of what is available
  std::vector<std::string> choices;
};

// What the store lacks of the study's plan, put down in `file` for many machines.
std::string settled(PyStudy& s, const std::string& file, const std::string& shards,
                    const std::string& target, const std::string& pilot, bool retry_failed,
                    Job& job) {
  const nb::gil_scoped_release release;
  SettleRequest request{.file = file, .choices = s.choices, .pilot = pilot, .retry = retry_failed};
  if (!shards.empty()) request.cut.shards = shards;
  if (!target.empty()) request.cut.target = target;
  request.pilot_how.interrupt = &job.stop;
  const SettledPlan plan = settle(*s.study, request, [&job] { job.tell(kTryingOut, 0, 0); });
  if (job.stop) fail("{}: the plan is not written, as planning was stopped", file);
  if (plan.plan) write_file(file, plan.text);
  return json_text(settled_json(plan, file, s.study->store_path()), -1);
}

ExecuteOptions options_of(int jobs, const std::string& memory, std::optional<double> timeout,
                          bool retry_failed, const std::string& shard) {
  ExecuteOptions out;
  out.jobs = jobs;
  out.memory_bytes = memory.empty() ? 0 : parse_size("memory", memory);
  out.timeout_seconds = timeout;
  out.retry = retry_failed;
  out.shard = parse_shard(shard);
  return out;
}

// What `until` left out, and what it decided.
void add_decided(nb::dict& out, const std::vector<std::string>& left_out,
                 const std::optional<UntilSummary>& decided) {
  out["left_out"] = list_of(left_out);
  out["decided"] = nb::none();
  if (!decided) return;
  nb::dict told;
  told["cells"] = decided->cells;
  told["equivalent"] = decided->equivalent;
  told["different"] = decided->different;
  told["undecided"] = decided->undecided;
  told["asked_runs"] = decided->asked_runs;
  told["full_runs"] = decided->full_runs;
  told["words"] = until_text(*decided);
  out["decided"] = told;
}

}  // namespace

void bind_study(nb::module_& m) {
  nb::class_<Protocol>(m, "Protocol",
                       "A protocol as it was read; `version` is a hash of what it says.")
      .def_ro("name", &Protocol::name)
      .def_ro("title", &Protocol::title)
      .def_ro("version", &Protocol::version)
      .def_ro("text", &Protocol::text)
      .def_ro("published_text", &Protocol::published_text)
      // As os.fsdecode has it.
      .def_prop_ro("folder",
                   [](const Protocol& p) {
                     const std::string& path = p.folder.native();
                     return nb::steal<nb::str>(PyUnicode_DecodeFSDefaultAndSize(
                         path.data(), static_cast<Py_ssize_t>(path.size())));
                   })
      .def("__getstate__",
           [](const Protocol& p) {
             const std::string& path = p.folder.native();
             return ProtocolState(p.name, p.text, p.published_text,
                                  nb::bytes(path.data(), path.size()));
           })
      .def("__setstate__", [](Protocol& p, const ProtocolState& state) {
        const auto& [name, text, published, folder] = state;
        new (&p) Protocol(parse_protocol(
            name, name + ".toml", text, published.empty() ? std::nullopt : std::optional(published),
            std::string(folder.c_str(), folder.size())));
      });
  m.def("load_protocol", &load_protocol, nb::arg("name_or_path"));
  m.def("protocol_of_json", &protocol_of_json, nb::arg("name"), nb::arg("json"));
  m.def(
      "with_rows_of",
      [](const Protocol& protocol, const GivenFunctions& given) {
        return with_rows_of(protocol, {given.begin(), given.end()});
      },
      nb::arg("protocol"), nb::arg("functions"));
  m.def(
      "with_split",
      [](const Protocol& protocol, const std::string& split) {
        return with_split(protocol, split, "split");
      },
      nb::arg("protocol"), nb::arg("split"));
  m.def(
      "rows_of",
      [](const Protocol& protocol, const GivenFunctions& given) {
        return rows_of(protocol, {given.begin(), given.end()});
      },
      nb::arg("protocol"), nb::arg("functions"));

  // The checks of the row of a function, as JSON.
  m.def(
      "check_function",
      [](const Protocol& protocol, const std::shared_ptr<ModelFunction>& given,
         std::optional<double> timeout, const Job& job) {
        const nb::gil_scoped_release release;
        const GivenModels functions = {given};
        const ModelRow* row = protocol.find_model(rows_of(protocol, functions).at(0));
        const std::unique_ptr<Executor> executor = make_executor({});
        return json_text(checks_json(check_model(protocol, *row,
                                                 sources_of({}, protocol, {}, functions, nullptr),
                                                 *executor, {{}, &job.stop}, timeout)),
                         -1);
      },
      nb::arg("protocol"), nb::arg("function"), nb::arg("timeout").none(), nb::arg("job"));

  nb::class_<ExecuteOptions>(m, "How");
  m.def("how", &options_of, nb::arg("jobs") = 0, nb::arg("memory") = "",
        nb::arg("timeout") = nb::none(), nb::arg("retry_failed") = false, nb::arg("shard") = "");

  nb::class_<PyStudy>(m, "Study")
      .def(
          "__init__",
          [](PyStudy* self, const Protocol& protocol, std::vector<std::string> datasets,
             const std::vector<const Data*>& given, std::vector<std::string> models,
             const GivenFunctions& functions, std::vector<std::string> tables,
             std::vector<std::string> choices, int splits, int inits, const std::string& store,
             const std::string& folder, bool only_look, const std::string& until, int max_splits,
             std::optional<double> delta, bool sharded, bool available, Job* job) {
            new (self) PyStudy(protocol,
                               {std::move(datasets), std::move(models), std::move(tables),
                                std::move(choices), splits, inits, available},
                               given, {functions.begin(), functions.end()},
                               {store, folder, until, max_splits, delta, only_look, sharded, job});
          },
          nb::arg("protocol"), nb::arg("datasets") = nb::list(), nb::arg("given") = nb::list(),
          nb::arg("models") = nb::list(), nb::arg("functions") = nb::list(),
          nb::arg("tables") = nb::list(), nb::arg("choices") = nb::list(), nb::arg("splits") = 0,
          nb::arg("inits") = 0, nb::arg("store") = "", nb::arg("folder") = "",
          nb::arg("only_look") = false, nb::arg("until") = "", nb::arg("max_splits") = 0,
          nb::arg("delta") = nb::none(), nb::arg("sharded") = false, nb::arg("available") = false,
          nb::arg("job").none() = nb::none())
      .def_prop_ro("store", [](const PyStudy& s) { return s.study->store_path().string(); })
      .def_ro("left_out", &PyStudy::left_out)
      .def(
          "estimate",
          [](PyStudy& s, const ExecuteOptions& how, const std::string& pilot) {
            const nb::gil_scoped_release release;
            Study& study = *s.study;
            const Pilot tried = pilot_for(pilot, study.plan(), study.look(), study.executor(), how);
            return json_text(estimate_json(study.estimate(how, tried)), -1);
          },
          nb::arg("how"), nb::arg("pilot"))
      .def("settle", &settled, nb::arg("file"), nb::arg("shards"), nb::arg("target"),
           nb::arg("pilot"), nb::arg("retry_failed"), nb::arg("job"))
      // What there is to say before anything runs; then does what is left.
      .def(
          "execute",
          [](PyStudy& s, const ExecuteOptions& how, Job& job) {
            ExecuteSummary done;
            SaidBefore before;
            std::vector<std::string> left_out;
            {
              const nb::gil_scoped_release release;
              ExecuteOptions options = watched(how, job);
              const StudyOutlook outlook = s.study->outlook(options);
              options.refused = outlook.refused;
              before = {refused_texts(outlook.refused), program_notes(outlook.pending)};
              if (!outlook.has_runs())
                fail("run: nothing can be run: {}", fmt::join(before.refused, "; "));
              left_out = s.study->left_out();
              if (std::string note = left_out_text(left_out); !note.empty())
                before.notes.push_back(std::move(note));
              done = s.study->execute(options);
            }
            nb::dict out = summary_of(done, s.study->store_path(), before);
            add_decided(out, left_out, s.study->decided());
            return out;
          },
          nb::arg("how"), nb::arg("job"), nb::sig("def execute(self, how: How, job: Job) -> dict"))
      .def("results", [](PyStudy& s) {
        const nb::gil_scoped_release release;
        const StudyRequest& request = s.study->request();
        const std::filesystem::path& store = s.study->store_path();
        StorePageRequest page;
        page.read.what = s.store_place.string();
        page.protocol = request.protocol;
        page.delta = request.delta;
        return PyResults{s.study->results(), store.string(), std::move(page)};
      });
}

}  // namespace cupel::python
