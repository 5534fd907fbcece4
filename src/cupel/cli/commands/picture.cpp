// cupel picture: a graph's mapper graph as a picture, coloured by classes or by predictions.
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/base/json_text.h"
#include "cupel/base/parallel.h"
#include "cupel/base/paths.h"
#include "cupel/cli/cards/cards.h"
#include "cupel/cli/command.h"
#include "cupel/cli/options.h"
#include "cupel/cli/output.h"
#include "cupel/cli/terminal.h"
#include "cupel/cli/text.h"
#include "cupel/cli/work.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/data/graph/graph.h"
#include "cupel/data/prepare/prepare.h"
#include "cupel/judge/picture/picture.h"
#include "cupel/judge/picture/settings.h"
#include "cupel/lab/verify/predictions.h"

namespace cupel::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kClasses = "classes";

struct Arguments {
  std::string name, out;
  std::vector<std::string> labels;
  SettingsArgument settings;
  DataArgument data;
  int threads = available_processors();
  bool json = false;
};

// ---- where it goes
// --------------------------------------------------------------------------------

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

// ---- what it is of
// --------------------------------------------------------------------------------

struct Subject {
  std::shared_ptr<const Dataset> data;  // prepared
  std::vector<std::string> steps;
  std::vector<std::optional<FoundRun>> runs;  // by colouring; none: the classes
};

std::vector<std::string> wanted_labels(const Arguments& arguments) {
  return arguments.labels.empty() ? std::vector<std::string>{kClasses} : arguments.labels;
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
Subject subject_of(const Arguments& arguments, Dataset stored, StatusLine& status) {
  Subject out;
  const PlanSources sources = telling_sources(arguments.data.folder(), status);
  std::string content;
  for (const std::string& label : wanted_labels(arguments)) {
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
  out.steps = default_preparation(arguments.name);
  if (out.steps.empty() && !is_symmetric(stored.adjacency)) out.steps = {"symmetrise"};
  out.data = std::make_shared<const Dataset>(prepare(std::move(stored), out.steps));
  return out;
}

// ---- colours
// --------------------------------------------------------------------------------------

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
                                     const RunLimits& limits, StatusLine& status) {
  std::vector<Colouring> out;
  for (const std::optional<FoundRun>& run : subject.runs) {
    if (run)
      status.show(fmt::format("{} on {}: done again", run->family->row, subject.data->name), true);
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

// ---- the command
// ----------------------------------------------------------------------------------

Picture draw(const Arguments& arguments, Dataset stored, const RunLimits& limits,
             StatusLine& status) {
  const Threads threads{std::min(arguments.threads, available_processors())};
  const Options options =
      parse_options("--set", picture_options(stored.name), arguments.settings.all());
  const PictureSettings settings = picture_settings(options);
  const Subject subject = subject_of(arguments, std::move(stored), status);
  check_lens(*subject.data, settings.lens);
  std::vector<Colouring> colourings = colourings_of(subject, threads, limits, status);
  const Matrix lens = picture_lens(
      subject.data, settings.lens, settings.seed, threads, limits,
      [&](const std::string& stage, int done, int all) {
        status.show(fmt::format("{}: step {} of {}", stage, grouped(done), grouped(all)));
      });
  Picture out =
      make_picture(*subject.data, lens, settings.mapper, settings.layout, std::move(colourings));
  out.made_by = made_by(options, subject);
  return out;
}

void tell(const Arguments& arguments, const Picture& picture, const std::vector<fs::path>& paths) {
  if (arguments.json) {
    nlohmann::ordered_json files = nlohmann::ordered_json::array();
    for (const fs::path& path : paths) files.push_back(path.string());
    print_out(json_text(nlohmann::ordered_json{{"kind", "picture"},
                                               {"files", files},
                                               {"dataset", picture.dataset},
                                               {"nodes", picture.nodes},
                                               {"clusters", picture.mapper.clusters.size()},
                                               {"drawn_clusters", picture.drawn_clusters()},
                                               {"drawn_edges", picture.drawn_edges()},
                                               {"drawn_nodes", picture.drawn_nodes()}}));
    return;
  }
  for (const fs::path& path : paths)
    print_out(fmt::format("{}  {}: {} of {} and {}, with {} of {}\n", path.string(),
                          picture.dataset, grouped(picture.drawn_clusters()),
                          counted(std::ssize(picture.mapper.clusters), "cluster"),
                          counted(picture.drawn_edges(), "line"), grouped(picture.drawn_nodes()),
                          counted(picture.nodes, "node")));
  if (picture.drawn_clusters() == 0)
    print_note(
        fmt::format("nothing is drawn: no component has {} nodes; --set smallest=N and "
                    "--set epsilon=E say what is left out",
                    picture.settings.smallest));
}

int perform(const Arguments& arguments) {
  // What can be told before anything is read.
  (void)parse_options("--set", picture_options(arguments.name), arguments.settings.all());
  if (!arguments.out.empty())
    for (const fs::path& path : out_paths(arguments.out, "picture")) check_writable(path);
  Dataset stored = load_dataset(arguments.name, arguments.data.folder());
  if (stored.graphs)
    fail("{}: is a set of graphs, and a picture is of one graph; give a data set that is one graph",
         stored.name);
  const std::vector<fs::path> paths = out_paths(arguments.out, stored.name);
  for (const fs::path& path : paths) {
    check_not_input("picture", path, {arguments.name});
    check_writable(path);
  }
  const Interrupt interrupt("\ncupel: stopping; once more to quit at once\n");
  try {
    StatusLine status;
    const Picture picture = draw(arguments, std::move(stored), {{}, &interrupt.flag()}, status);
    status.clear();
    for (const fs::path& path : paths)
      write_file(path, path.extension() == ".json" ? picture_json(picture) : picture_svg(picture));
    tell(arguments, picture, paths);
  } catch (const Interrupted&) {
    print_note("stopped; no picture was written");
    return interrupt.exit_code();
  }
  return kDone;
}

Action declare(Syntax& syntax) {
  auto arguments = std::make_shared<Arguments>();
  syntax.required("DATA", arguments->name,
                  "A data set of the catalog, a generator, or a path to\ndata in a known format: "
                  "one graph whose nodes have\nfeatures");
  syntax.texts(
      "--labels", "classes|STORE:ROW|STORE:RUN", arguments->labels,
      "What colours clusters: classes of the data (default), or\nwhat a row of a store, or one of "
      "its runs, predicts.\nGiven several times: a panel each");
  syntax.text("--out", "PATH", arguments->out,
              "x.svg or x.json; other names get both ends (default:\nthe data set's name, in the "
              "current folder)");
  add_settings(syntax, arguments->settings);
  syntax.count("--threads", arguments->threads, "Threads (default: one per processor)");
  add_data(syntax, arguments->data);
  add_json(syntax, arguments->json);
  syntax.footer(
      "Settings and their defaults (epsilon and smallest as published for Cora,\n"
      "CiteSeer, PubMed and Wiki-CS):\n" +
      defaults_text(picture_options("")) +
      wrap("A run is done again to know what it predicts, and must come to the score "
           "that the store has. docs/pictures.md says how to read a picture."));
  return [arguments] { return perform(*arguments); };
}

}  // namespace

extern const Command command_picture;
const Command command_picture = {Topic::kDataSets, "picture",
                                 "Draw a graph: its mapper graph by a learnt lens", declare};

}  // namespace cupel::cli
