// cupel picture: a graph's mapper graph as a picture, coloured by classes or by predictions.
#include <filesystem>
#include <memory>
#include <utility>

#include <nlohmann/json.hpp>

#include "cupel/api/draw_picture.h"
#include "cupel/base/error.h"
#include "cupel/base/json_text.h"
#include "cupel/cli/cards/cards.h"
#include "cupel/cli/command.h"
#include "cupel/cli/options.h"
#include "cupel/cli/output.h"
#include "cupel/cli/terminal.h"
#include "cupel/cli/text.h"
#include "cupel/cli/work.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/judge/picture/settings.h"

namespace cupel::cli {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  PictureRequest request;
  SettingsArgument settings;
  DataArgument data;
  bool json = false;
};

void tell(const Arguments& arguments, const Picture& picture, const std::vector<fs::path>& paths) {
  if (arguments.json) {
    print_out(json_text(picture_outcome_json(picture, paths)));
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
  PictureRequest request = arguments.request;
  request.settings = arguments.settings.all();
  check(request);
  const fs::path folder = arguments.data.folder();
  Dataset stored = load_dataset(request.source, folder);
  const std::vector<fs::path> paths = picture_paths(request, stored);
  const Interrupt interrupt("\ncupel: stopping; once more to quit at once\n");
  try {
    StatusLine status;
    const Picture picture = draw_picture(
        request, std::move(stored), telling_sources(folder, status), {{}, &interrupt.flag()},
        [&](const std::string& what, int done, int all) {
          status.show(
              all > 0 ? fmt::format("{}: step {} of {}", what, grouped(done), grouped(all)) : what,
              all == 0);
        });
    status.clear();
    write_picture(picture, paths);
    tell(arguments, picture, paths);
  } catch (const Interrupted&) {
    print_note("stopped; no picture was written");
    return interrupt.exit_code();
  }
  return kDone;
}

Action declare(Syntax& syntax) {
  auto arguments = std::make_shared<Arguments>();
  syntax.required("DATA", arguments->request.source,
                  "A data set of the catalog, a generator, or a path to\ndata in a known format: "
                  "one graph whose nodes have\nfeatures");
  syntax.texts(
      "--labels", "classes|STORE:ROW|STORE:RUN", arguments->request.labels,
      "What colours clusters: classes of the data (default), or\nwhat a row of a store, or one of "
      "its runs, predicts.\nGiven several times: a panel each");
  syntax.text("--out", "PATH", arguments->request.out,
              "x.svg or x.json; other names get both ends (default:\nthe data set's name, in the "
              "current folder)");
  add_settings(syntax, arguments->settings);
  syntax.count("--threads", arguments->request.threads, "Threads (default: one per processor)");
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
