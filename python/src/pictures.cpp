// What is drawn: effectiveness, and a graph.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <nlohmann/json.hpp>

#include "bindings.h"
#include "cupel/api/draw_picture.h"
#include "cupel/api/effectiveness.h"
#include "cupel/api/given_data.h"
#include "cupel/base/json_text.h"
#include "cupel/base/split_list.h"
#include "cupel/lab/protocol/protocol.h"
#include "work.h"

namespace cupel::python {
namespace {

// The answer, the files that were written, and what was left out of them.
std::tuple<std::string, std::vector<std::string>, std::vector<std::string>> assessed(
    const std::string& what, const std::string& store, const std::string& protocol,
    const std::string& structure, const std::string& attributes, const std::string& metric,
    const std::string& table, const std::vector<std::string>& datasets, const std::string& figure,
    const std::string& figures, const std::string& folder) {
  const nb::gil_scoped_release release;
  PairsRequest request{
      .read = {.command = "effectiveness", .what = what, .store = store, .protocol = protocol},
      .structure = structure,
      .attributes = attributes,
      .metric = metric,
      .table = table,
      .datasets = {}};
  for (const std::string& name : datasets) request.datasets.push_back(listed(name));
  const EffectivenessFigures wanted{.figure = figure, .figures = figures, .data = folder};
  const AssessedPairs found = assess_pairs(request, wanted);
  std::vector<std::string> files, notes;
  write_figures(
      found, wanted,
      {.wrote = [&](const std::filesystem::path& file) { files.push_back(file.string()); },
       .note = [&](const std::string& note) { notes.push_back(note); }});
  return {json_text(effectiveness_json(found.report), -1), std::move(files), std::move(notes)};
}

std::string drawn(const Data& data, const std::string& out, const std::vector<std::string>& labels,
                  const std::vector<std::string>& settings, int threads, Job& job) {
  const nb::gil_scoped_release release;
  PictureRequest request;
  request.source = data.source;
  request.labels = labels;
  request.settings = settings;
  request.out = out;
  if (threads > 0) request.threads = threads;
  const std::vector<std::filesystem::path> paths = picture_paths(request, *data.data);
  // Runs of data that were made know them by their name.
  PlanSources sources = sources_of(data.folder, Protocol(), {}, {}, &job);
  if (data.source.empty())
    sources = with_given(std::move(sources), GivenData{{data.data->name, data.data}});
  const Picture picture =
      draw_picture(request, *data.data, sources, {{}, &job.stop},
                   [&](const std::string& what, int done, int all) { job.tell(what, done, all); });
  write_picture(picture, paths);
  return json_text(picture_outcome_json(picture, paths), -1);
}

}  // namespace

void bind_pictures(nb::module_& m) {
  m.def("effectiveness", &assessed, nb::arg("what"), nb::arg("store"), nb::arg("protocol"),
        nb::arg("structure"), nb::arg("attributes"), nb::arg("metric"), nb::arg("table"),
        nb::arg("datasets"), nb::arg("figure"), nb::arg("figures"), nb::arg("folder"));
  m.def("picture", &drawn, nb::arg("data"), nb::arg("out"), nb::arg("labels"), nb::arg("settings"),
        nb::arg("threads"), nb::arg("job"));
}

}  // namespace cupel::python
