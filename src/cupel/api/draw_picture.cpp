#include "cupel/api/draw_picture.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/base/paths.h"
#include "cupel/base/write_file.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/data/graph/graph.h"
#include "cupel/data/prepare/prepare.h"
#include "cupel/judge/picture/settings.h"
#include "cupel/lab/store/store.h"
#include "cupel/lab/verify/predictions.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

constexpr const char* kClasses = "classes";

// The files that --out means; of none, those of the data set's name in the current folder.
std::vector<fs::path> out_paths(const std::string& given, const std::string& dataset) {
  fs::path path(given);
  std::error_code error;
  if (given.empty() || !path.has_filename() || fs::is_directory(path, error))
    path /= fs::path(dataset).filename();
  const std::string end = path.extension().string();
  if (end == ".svg" || end == ".json") return {path};
  for (const char* other : {".png", ".pdf", ".jpg", ".jpeg", ".gif", ".html", ".eps", ".webp"})
    if (end == other)
      fail("--out: pictures are written as .svg or .json, not as {} ({})", end, path.string());
  return {path.string() + ".svg", path.string() + ".json"};
}

// ---- what it is of ------------------------------------------------------------------------------

struct Subject {
  std::shared_ptr<const Dataset> data;  // prepared
  std::vector<std::string> steps;
  std::vector<std::optional<FoundRun>> runs;  // by colouring; none: the classes
};

std::vector<std::string> wanted_labels(const PictureRequest& request) {
  return request.labels.empty() ? std::vector<std::string>{kClasses} : request.labels;
}

FoundRun run_of(const std::string& label, const std::string& content, const Dataset& stored,
                const PlanSources& sources) {
  const std::size_t colon = label.rfind(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == label.size())
    fail(
        "--labels: '{}' is neither '{}' nor a row or run of a store, as in results.sqlite:gcn or "
        "results.sqlite:RUN-ID",
        label, kClasses);
  const Store store(label.substr(0, colon), Store::Mode::kOpen);
  return find_run(store, label.substr(colon + 1), content, stored.name, sources);
}

// What the literature draws, or what runs were made with. Of a path the graph as it is, undirected.
Subject subject_of(const PictureRequest& request, Dataset stored, const PlanSources& sources) {
  Subject out;
  std::string content;
  for (const std::string& label : wanted_labels(request)) {
    if (label == kClasses) {
      out.runs.emplace_back();
      continue;
    }
    if (content.empty()) content = content_hash(stored);
    const FoundRun& run = *out.runs.emplace_back(run_of(label, content, stored, sources));
    const auto& dataset = run.family->dataset;
    if (out.data && out.steps != dataset->steps)
      fail(
          "--labels: {} was prepared in another way than the runs before it ({}; {}), and would "
          "be another picture; draw it by itself",
          label, fmt::join(dataset->steps, ", "), fmt::join(out.steps, ", "));
    if (!out.data) out.data = dataset->data->shared();
    out.steps = dataset->steps;
  }
  if (out.data) return out;
  out.steps = default_preparation(request.source);
  if (out.steps.empty() && !is_symmetric(stored.adjacency)) out.steps = {"symmetrise"};
  out.data = std::make_shared<const Dataset>(prepare(std::move(stored), out.steps));
  return out;
}

// ---- colours ------------------------------------------------------------------------------------

Colouring colouring_of(const FoundRun& run, Threads threads, const RunLimits& limits) {
  const std::string place =
      fmt::format("split {}, initialisation {}", run.split, run.family->stored_init(run.init));
  Colouring out{.title = fmt::format("predictions of {}", run.family->row),
                .of_node = predictions_of(run, threads, limits),
                .foretold = true};
  out.note = fmt::format(
      "Predictions of {} for all nodes, from {} (run {}; {} {:.4f} on its test "
      "nodes).",
      run.family->row, place, run.record.id.substr(0, 12), run.record.metric,
      *run.record.test_score);
  out.source = {{"row", run.family->row},
                {"run", run.record.id},
                {"split", std::to_string(run.split)},
                {"init", std::to_string(run.family->stored_init(run.init))},
                {"metric", run.record.metric},
                {"test_score", fmt::format("{}", *run.record.test_score)}};
  return out;
}

std::vector<Colouring> colourings_of(const Subject& subject, Threads threads,
                                     const RunLimits& limits, const LensProgress& progress) {
  std::vector<Colouring> out;
  for (const std::optional<FoundRun>& run : subject.runs) {
    if (run)
      progress(fmt::format("{} on {}: done again", run->family->row, subject.data->name), 0, 0);
    out.push_back(run ? colouring_of(*run, threads, limits) : classes_of(*subject.data));
  }
  return out;
}

// What its mapper does not know and it follows from all the same.
std::vector<std::pair<std::string, std::string>> made_by(const Options& options,
                                                         const Subject& subject) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const char* name : {"epochs", "dimension", "perplexity", "early-exaggeration",
                           "learning-rate", "iterations", "seed"})
    out.emplace_back(name, to_text(options.all().at(name)));
  out.emplace_back("preparation", fmt::format("{}", fmt::join(subject.steps, ", ")));
  out.emplace_back("content", content_hash(*subject.data));
  return out;
}

}  // namespace

void check(const PictureRequest& request) {
  (void)parse_options("--set", picture_options(request.source), request.settings);
  if (request.out.empty()) return;
  for (const fs::path& path : out_paths(request.out, "picture")) check_writable(path);
}

std::vector<fs::path> picture_paths(const PictureRequest& request, const Dataset& stored) {
  if (stored.graphs)
    fail("{}: is a set of graphs, and a picture is of one graph; give a data set that is one graph",
         stored.name);
  if (stored.facts)
    fail("{}: is facts over time, and a picture is of one graph; give a data set that is one graph",
         stored.name);
  std::vector<fs::path> paths = out_paths(request.out, stored.name);
  for (const fs::path& path : paths) {
    check_not_input("picture", path, {request.source});
    check_writable(path);
  }
  return paths;
}

Picture draw_picture(const PictureRequest& request, Dataset stored, const PlanSources& sources,
                     const RunLimits& limits, const LensProgress& progress) {
  const Threads threads{std::min(request.threads, available_processors())};
  const Options options = parse_options("--set", picture_options(stored.name), request.settings);
  const PictureSettings settings = picture_settings(options);
  const Subject subject = subject_of(request, std::move(stored), sources);
  check_lens(*subject.data, settings.lens);
  std::vector<Colouring> colourings = colourings_of(subject, threads, limits, progress);
  const Matrix lens =
      picture_lens(subject.data, settings.lens, settings.seed, threads, limits, progress);
  Picture out =
      make_picture(*subject.data, lens, settings.mapper, settings.layout, std::move(colourings));
  out.made_by = made_by(options, subject);
  return out;
}

void write_picture(const Picture& picture, const std::vector<fs::path>& paths) {
  for (const fs::path& path : paths)
    write_file(path, path.extension() == ".json" ? picture_json(picture) : picture_svg(picture));
}

nlohmann::ordered_json picture_outcome_json(const Picture& picture,
                                            const std::vector<fs::path>& paths) {
  auto files = nlohmann::ordered_json::array();
  for (const fs::path& path : paths) files.push_back(path.string());
  return {{"kind", "picture"},
          {"files", files},
          {"dataset", picture.dataset},
          {"nodes", picture.nodes},
          {"clusters", picture.mapper.clusters.size()},
          {"drawn_clusters", picture.drawn_clusters()},
          {"drawn_edges", picture.drawn_edges()},
          {"drawn_nodes", picture.drawn_nodes()}};
}

}  // namespace cupel
