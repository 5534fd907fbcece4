// Effectiveness of data sets, and whether it can be predicted.
#include "cupel/api/effectiveness.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <nlohmann/json.hpp>

#include "bindings.h"
#include "cupel/api/predict.h"
#include "cupel/base/json_text.h"
#include "cupel/base/split_list.h"

namespace cupel::python {
namespace {

// `request`, whose list of data sets is of whole names, as `command` asks it.
PairsRequest asked_by(const char* command, PairsRequest request) {
  request.read.command = command;
  for (std::string& name : request.datasets) name = listed(name);
  return request;
}

// The answer, the files that were written, and what was left out of them.
std::tuple<std::string, std::vector<std::string>, std::vector<std::string>> assessed(
    const PairsRequest& pairs, const std::string& figure, const std::string& figures,
    const std::string& folder) {
  const nb::gil_scoped_release release;
  const EffectivenessFigures wanted{.figure = figure, .figures = figures, .data = folder};
  const AssessedPairs found = assess_pairs(asked_by("effectiveness", pairs), wanted);
  std::vector<std::string> files, notes;
  write_figures(
      found, wanted,
      {.wrote = [&](const std::filesystem::path& file) { files.push_back(file.string()); },
       .note = [&](const std::string& note) { notes.push_back(note); }});
  return {json_text(effectiveness_json(found.report), -1), std::move(files), std::move(notes)};
}

std::string predicted(const PairsRequest& pairs, int repeats, const std::string& folder) {
  const nb::gil_scoped_release release;
  return json_text(outcome_json(predict_effectiveness(
                       {.pairs = asked_by("predict", pairs), .data = folder, .repeats = repeats})),
                   -1);
}

}  // namespace

void bind_effectiveness(nb::module_& m) {
  nb::class_<PairsRequest>(m, "Pairs", "Rows of a store in pairs.")
      .def(nb::new_([](const std::string& what, const std::string& store,
                       const std::string& protocol, const std::string& structure,
                       const std::string& attributes, const std::string& metric,
                       const std::string& table, const std::vector<std::string>& datasets) {
             return PairsRequest{
                 .read = {.command = {}, .what = what, .store = store, .protocol = protocol},
                 .structure = structure,
                 .attributes = attributes,
                 .metric = metric,
                 .table = table,
                 .datasets = datasets};
           }),
           nb::arg("what"), nb::arg("store"), nb::arg("protocol"), nb::arg("structure"),
           nb::arg("attributes"), nb::arg("metric"), nb::arg("table"), nb::arg("datasets"));
  m.def("effectiveness", &assessed, nb::arg("pairs"), nb::arg("figure"), nb::arg("figures"),
        nb::arg("folder"));
  m.def("predict", &predicted, nb::arg("pairs"), nb::arg("repeats"), nb::arg("folder"));
}

}  // namespace cupel::python
