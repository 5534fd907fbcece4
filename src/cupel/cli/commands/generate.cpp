// cupel generate: a synthetic data set as a file.
#include <memory>
#include <optional>

#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/base/json_text.h"
#include "cupel/base/parallel.h"
#include "cupel/cli/cards/cards.h"
#include "cupel/cli/command.h"
#include "cupel/cli/options.h"
#include "cupel/cli/output.h"
#include "cupel/cli/text.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/data/formats/beside.h"
#include "cupel/data/formats/format.h"
#include "cupel/data/generate/generator.h"
#include "cupel/data/stats/graph_set_statistics.h"

namespace cupel::cli {
namespace {

struct Arguments {
  std::string kind, out;
  SettingsArgument settings;
  bool json = false;
};

// The folder that --out names with a '/' at its end, which is made if need be.
std::unique_ptr<NeededFolder> needed_folder(const Arguments& arguments) {
  const std::filesystem::path path(arguments.out);
  if (path.empty() || path.has_filename()) return nullptr;
  return std::make_unique<NeededFolder>(path);
}

// --out, or in a folder a file of the generator's name.
std::filesystem::path out_path(const Arguments& arguments, const GeneratorCall& call) {
  const std::filesystem::path out(arguments.out);
  std::error_code error;
  if (std::filesystem::is_directory(out, error)) return out / (call.generator->name + ".npz");
  return out;
}

// The folder to write to: --out, or in a folder that is there a folder of the generator's name.
std::filesystem::path out_folder(const Arguments& arguments, const GeneratorCall& call) {
  const char* const what = call.generator->without_features
                               ? "a graph without features is a folder of arrays"
                               : "a set of graphs is a folder of text files";
  const std::filesystem::path given(arguments.out);
  std::error_code error;
  const bool inside = std::filesystem::is_directory(given, error);
  if (!inside && given.extension() == ".npz")
    fail("{}: {}, and this is the name of a file; leave out .npz", given.string(), what);
  // The same command again would put a second data set into the first.
  if (inside && given.has_filename() && holds_dataset(given))
    fail("{}: a data set is there already; give another path, or '{}/' for a folder in it",
         given.string(), given.string());
  const std::filesystem::path out = inside ? given / call.generator->name : given;
  if (std::filesystem::is_regular_file(out, error))
    fail("{}: {}, and this is a file; give another path", out.string(), what);
  if (!std::filesystem::is_directory(new_folder(out), error)) check_writable(out);
  return out;
}

// What was asked for and what came out, for each property that labels follow.
struct Realised {
  double requested;
  PropertyStatistics found;
};

std::vector<Realised> realised(const GeneratorCall& call, const GraphSetStatistics& statistics) {
  std::vector<Realised> out;
  for (const auto& [property, r] : call.generator->requested(call.settings)) {
    for (const PropertyStatistics& found : statistics.properties) {
      if (found.name == property) out.push_back({r, found});
    }
  }
  return out;
}

// JSON's null and the card's dash where a correlation is not defined.
nlohmann::ordered_json json_of(const std::optional<double>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}
std::string text_of(const std::optional<double>& value) {
  return value ? fmt::format("{:+.3f}", *value) : "-";
}

int perform_set(const Arguments& arguments, const GeneratorCall& call) {
  const std::unique_ptr<NeededFolder> needed = needed_folder(arguments);
  const std::filesystem::path folder = out_folder(arguments, call);
  const Dataset dataset = generate(call);
  write_generated(dataset, folder);
  const GraphSetStatistics statistics = graph_set_statistics(dataset, {{available_processors()}});
  const std::vector<Realised> correlations = realised(call, statistics);
  if (arguments.json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const auto& [requested, found] : correlations)
      list.push_back({{"property", found.name},
                      {"requested", requested},
                      {"pearson", json_of(found.pearson)},
                      {"spearman", json_of(found.spearman)}});
    nlohmann::ordered_json out = {{"path", folder.string()},
                                  {"generator", call.canonical_name()},
                                  {"content_hash", content_hash(dataset)},
                                  {"graphs", statistics.graphs},
                                  {"classes", statistics.classes},
                                  {"average_nodes", statistics.average_nodes},
                                  {"average_edges", statistics.average_edges},
                                  {"class_sizes", statistics.class_sizes},
                                  {"correlations", list}};
    print_out(json_text(out));
    return kDone;
  }
  std::string text = fmt::format("{}  {}: {} of {:.1f} nodes and {:.1f} edges on average, {}\n",
                                 folder.string(), call.canonical_name(),
                                 counted(statistics.graphs, "graph"), statistics.average_nodes,
                                 statistics.average_edges, counted(statistics.classes, "class"));
  Columns columns("lrrr");
  columns.row({"CORRELATION WITH THE LABEL", "REQUESTED", "PEARSON", "SPEARMAN"});
  for (const auto& [requested, found] : correlations)
    columns.row({found.name, fmt::format("{:+.3f}", requested), text_of(found.pearson),
                 text_of(found.spearman)});
  print_out(text + columns.text());
  return kDone;
}

int perform(const Arguments& arguments) {
  const GeneratorCall call = known_generator(arguments.kind, arguments.settings.all());
  if (call.generator->requested != nullptr) return perform_set(arguments, call);
  const std::unique_ptr<NeededFolder> needed = needed_folder(arguments);
  const bool folder = call.generator->without_features;
  const std::filesystem::path path =
      folder ? out_folder(arguments, call) : out_path(arguments, call);
  if (!folder) check_writable(path);
  const Dataset dataset = generate(call);
  write_generated(dataset, path);
  if (arguments.json) {
    nlohmann::ordered_json out = {{"path", path.string()},
                                  {"generator", call.canonical_name()},
                                  {"content_hash", content_hash(dataset)},
                                  {"facts", facts_of(dataset)}};
    print_out(json_text(out));
    return kDone;
  }
  const Facts facts = facts_of(dataset);
  const std::int64_t splits = facts.at("splits");
  print_out(fmt::format("{}  {}: {}{}\n", path.string(), call.canonical_name(), size_text(facts),
                        splits > 0 ? ", " + counted(splits, "split") : ""));
  return kDone;
}

std::string generators_footer() {
  std::string out;
  for (const Generator* generator : generators()) {
    out += fmt::format("{}{}: {}; settings and their defaults:\n", out.empty() ? "" : "\n",
                       generator->name, generator->title);
    out += defaults_text(generator->settings);
  }
  return out;
}

Action declare(Syntax& syntax) {
  auto arguments = std::make_shared<Arguments>();
  std::vector<std::string> names;
  for (const Generator* generator : generators()) names.push_back(generator->name);
  syntax.required(
      "KIND", arguments->kind,
      fmt::format("What to generate:\n{};\nor with settings, as in csbm:nodes=300,seed=2",
                  fmt::join(names, ", ")));
  syntax.required_text("--out", "PATH", arguments->out,
                       "The npz file to write, or a folder for it; for sets of\ngraphs the folder "
                       "of text files to write, for rmat\nthe folder of arrays");
  add_settings(syntax, arguments->settings);
  add_json(syntax, arguments->json);
  syntax.footer(generators_footer());
  return [arguments] { return perform(*arguments); };
}

}  // namespace

extern const Command command_generate;
const Command command_generate = {Topic::kDataSets, "generate", "Write a synthetic data set",
                                  declare};

}  // namespace cupel::cli
