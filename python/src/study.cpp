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
#include "cupel/api/protocol_json.h"
#include "cupel/api/study.h"
#include "cupel/api/study_words.h"
#include "cupel/base/error.h"
#include "cupel/base/json_text.h"
#include "cupel/base/paths.h"
#include "cupel/lab/plan/at_hand.h"
#include "cupel/lab/run/executor.h"
#include "cupel/lab/verify/check_model.h"
#include "results.h"
#include "work.h"

namespace cupel::python {
namespace {

struct Parts {
  std::vector<std::string> datasets, models, tables, choices;
  int splits = 0, inits = 0;
};

using GivenFunctions = std::vector<std::shared_ptr<ModelFunction>>;

struct How {
  std::string store, folder, until;
  int max_splits = 0;
  std::optional<double> delta;
  bool only_look = false, sharded = false, available = false;
  Job* job = nullptr;  // told which data set is read
};

struct PyStudy {
  PyStudy(const Protocol& protocol, Parts parts, const std::vector<const Data*>& given,
          const GivenModels& functions, const How& how) {
    const nb::gil_scoped_release release;
    StudyRequest request;
    request.protocol = protocol;
    request.data_folder = existing_data_folder(how.folder);
    request.sources = sources_of(request.data_folder, protocol, given, functions, how.job);
    request.hidden = places_of(given);
    for (const Data* data : given)
      if (data->source.empty()) parts.datasets.push_back(given_reference(data->data->name));
    request.selection.datasets = std::move(parts.datasets);
    request.selection.models = std::move(parts.models);
    request.selection.tables = std::move(parts.tables);
    request.selection.choices = parse_choice_filters(parts.choices);
    request.selection.splits = parts.splits;
    request.selection.inits = parts.inits;
    if (how.available) {
      AtHand known = at_hand(protocol, request.selection, request.sources);
      left_out = left_out_text(known);
      request.selection = std::move(known.selection);
    }
    request.store = kept_store(how.store, protocol.name);
    request.only_look = how.only_look;
    request.until = read_until({.until = how.until,
                                .splits = parts.splits,
                                .inits = parts.inits,
                                .max_splits = how.max_splits,
                                .sharded = how.sharded,
                                .delta = how.delta});
    request.delta = how.delta;
    protocol_name = protocol.name;
    study = std::make_unique<Study>(std::move(request));
  }
  std::unique_ptr<Study> study;
  std::string protocol_name;
  std::string left_out;  // what is not at hand, of what is available
};

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
      .def_prop_ro("folder", [](const Protocol& p) { return p.folder.string(); });
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

  // Data sets and tables that are at hand, and what is said of the others. Empty lists: all.
  m.def(
      "at_hand",
      [](const Protocol& protocol, std::vector<std::string> datasets,
         std::vector<std::string> tables, const std::string& folder) {
        Selection selection;
        selection.datasets = std::move(datasets);
        selection.tables = std::move(tables);
        const AtHand known =
            at_hand(protocol, selection, plan_sources(existing_data_folder(folder)));
        return std::tuple(known.selection.datasets, known.selection.tables, left_out_text(known));
      },
      nb::arg("protocol"), nb::arg("datasets"), nb::arg("tables"), nb::arg("folder"));

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
            new (self) PyStudy(
                protocol,
                {std::move(datasets), std::move(models), std::move(tables), std::move(choices),
                 splits, inits},
                given, {functions.begin(), functions.end()},
                {store, folder, until, max_splits, delta, only_look, sharded, available, job});
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
        page.read.what = absolute_path(store).string();
        page.protocol = request.protocol;
        page.delta = request.delta;
        return PyResults{s.study->results(), store.string(), std::move(page)};
      });
}

}  // namespace cupel::python
