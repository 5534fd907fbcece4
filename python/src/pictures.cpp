// Pictures of graphs.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <nlohmann/json.hpp>

#include "bindings.h"
#include "cupel/api/draw_picture.h"
#include "cupel/api/given_data.h"
#include "cupel/base/json_text.h"
#include "cupel/base/paths.h"
#include "cupel/lab/protocol/protocol.h"
#include "work.h"

namespace cupel::python {
namespace {

std::string drawn(const Data& data, const std::string& out, const std::vector<std::string>& labels,
                  const std::vector<std::string>& settings, int threads, Job& job) {
  const nb::gil_scoped_release release;
  PictureRequest request;
  request.source = data.origin();
  request.labels = labels;
  request.settings = settings;
  request.out = out;
  if (threads > 0) request.threads = threads;
  const std::vector<std::filesystem::path> paths = picture_paths(request, *data.data);
  // Drawing takes long, and the process may go elsewhere meanwhile.
  std::vector<std::filesystem::path> places;
  for (const std::filesystem::path& path : paths) places.push_back(absolute_path(path));
  // Runs of data that were made know them by their name.
  PlanSources sources = sources_of(data.folder, Protocol(), {}, {}, &job);
  if (data.source.empty())
    sources = with_given(std::move(sources), GivenData{{data.data->name, data.data}});
  const Picture picture =
      draw_picture(request, *data.data, sources, {{}, &job.stop},
                   [&](const std::string& what, int done, int all) { job.tell(what, done, all); });
  write_picture(picture, places);
  return json_text(picture_outcome_json(picture, paths), -1);
}

}  // namespace

void bind_pictures(nb::module_& m) {
  m.def("picture", &drawn, nb::arg("data"), nb::arg("out"), nb::arg("labels"), nb::arg("settings"),
        nb::arg("threads"), nb::arg("job"));
}

}  // namespace cupel::python
