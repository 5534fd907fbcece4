// cupel convert: a data set in another format, its splits as a file, its tasks as folders.
#include <charconv>
#include <memory>

#include <nlohmann/json.hpp>

#include "cupel/api/load.h"
#include "cupel/api/save.h"
#include "cupel/api/splits.h"
#include "cupel/base/error.h"
#include "cupel/base/json_text.h"
#include "cupel/base/paths.h"
#include "cupel/cli/command.h"
#include "cupel/cli/options.h"
#include "cupel/cli/output.h"
#include "cupel/cli/text.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/data/export/graph_formats.h"
#include "cupel/data/facts/facts.h"
#include "cupel/data/formats/beside.h"
#include "cupel/data/formats/format.h"
#include "cupel/data/formats/split_json.h"
#include "cupel/data/prepare/prepare.h"
#include "cupel/lab/run/task_files.h"

namespace cupel::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct Arguments {
  std::string name, out, label, format, prepare, scheme, splits, task, split;
  std::vector<std::string> set;
  DataArgument data;
  FactsMemoryArgument memory;
  bool json = false;
};

// Nothing takes the place of what is read, or of what is written beside it.
void check_places(const Arguments& arguments) {
  std::vector<fs::path> written;
  for (const std::string& out : {arguments.out, arguments.splits, arguments.task}) {
    if (out.empty()) continue;
    check_not_input("convert", out, {arguments.name});
    for (const fs::path& other : written)
      if (same_place(other, out))
        fail("convert: {} is given for two things that are written; give each a path of its own",
             out);
    written.emplace_back(out);
  }
}

// Arguments that contradict each other, found before anything is read.
void check(const Arguments& arguments) {
  if (arguments.out.empty() && arguments.splits.empty() && arguments.task.empty())
    fail("convert: nothing is to be written; give a path, --splits FILE or --task FOLDER");
  if (!arguments.format.empty() && arguments.out.empty())
    fail("convert: --format goes with a path to write to");
  if (!arguments.set.empty() && arguments.scheme.empty())
    fail("convert: --set goes with --scheme, whose settings it gives");
  if (!arguments.split.empty() && arguments.task.empty())
    fail("convert: --split goes with --task, the folder of that split's task");
  check_places(arguments);
  std::error_code ignored;
  if (!arguments.splits.empty()) check_writable(arguments.splits);
  if (!arguments.task.empty() && fs::exists(arguments.task, ignored) &&
      !(fs::is_directory(arguments.task, ignored) && fs::is_empty(arguments.task, ignored)))
    fail("convert: {} is there already; give the path of a new folder", arguments.task);
}

// "train=20,count=10" is two settings. A piece without '=' goes on with the value before it, as the
// years do in "cuts=2018,2019,2021".
std::vector<std::string> settings_in(const std::vector<std::string>& given) {
  std::vector<std::string> out;
  for (const std::string& text : given) {
    bool first = true;
    for (const std::string& piece : split_list({text})) {
      if (first || piece.find('=') != std::string::npos)
        out.push_back(piece);
      else
        out.back() += "," + piece;
      first = false;
    }
  }
  return out;
}

// The section [split] of a protocol, as arguments.
SplitScheme scheme_of(const Arguments& arguments) {
  std::map<std::string, OptionValue> settings;
  for (const std::string& one : settings_in(arguments.set)) {
    const std::size_t at = one.find('=');
    if (at == std::string::npos) fail("convert: --set '{}' is not of the form NAME=VALUE", one);
    const std::string key = one.substr(0, at);
    if (!settings.emplace(key, option_value_of(one.substr(at + 1))).second)
      fail("convert: '{}' is set twice", key);
  }
  return read_split_scheme("convert", arguments.scheme, settings);
}

void check_size(const SplitScheme& scheme, Index examples, const char* noun) {
  constexpr std::int64_t kMostIds = std::int64_t{1} << 30;  // each takes four bytes
  if (std::int64_t{scheme.count} * examples > kMostIds)
    fail("convert: --set count={} splits of {} are too many to write; set a smaller count",
         scheme.count, counted(examples, noun));
}

// What is written of the splits: of examples they are the data set's own, of links and facts they
// are not.
struct Splits {
  std::string text;
  std::int64_t count = 0;
};

Splits link_splits(const Arguments& arguments, const SplitFamily& family,
                   const std::vector<Split>& splits) {
  const SplitScheme& scheme = family.scheme();
  const bool new_links = scheme.members && scheme.members->new_links;
  if (!arguments.out.empty() || !arguments.task.empty())
    fail("convert: scheme '{}' splits links, which --splits FILE alone can hold; leave out {}",
         scheme.kind, arguments.out.empty() ? "--task" : arguments.out);
  return {split_json(splits, *family.links(), new_links), family.size()};
}

// Facts have parts where they came in them, and no other splits.
Splits fact_splits(const Arguments& arguments, const SplitFamily& family,
                   const std::vector<Split>& splits) {
  if (arguments.splits.empty() && arguments.task.empty())
    fail("convert: scheme '{}' splits facts, which --splits FILE alone can hold; give it",
         family.scheme().kind);
  return {split_json(splits), family.size()};
}

// The splits of the scheme take the place of those that were stored, or are of links or facts.
std::optional<Splits> draw_splits(const Arguments& arguments, Dataset& dataset) {
  if (arguments.scheme.empty()) return {};
  const SplitFamily family(dataset, scheme_of(arguments));
  const bool of_links = family.links() != nullptr;
  check_size(family.scheme(), of_links ? family.links()->size() : dataset.examples(),
             unit_name(of_links ? Unit::kPair : example_unit(dataset)));
  std::vector<Split> splits;
  for (int i = 0; i < family.size(); ++i) splits.push_back(family.member(i));
  if (of_links) return link_splits(arguments, family, splits);
  if (dataset.facts) return fact_splits(arguments, family, splits);
  dataset.stored_splits = std::move(splits);
  return {};
}

void demand_splits(const Dataset& dataset, const char* option) {
  if (dataset.stored_splits.empty())
    fail("{}: no split is stored with it; give {} a --scheme, for example --scheme per-class",
         dataset.name, option);
}

Splits stored_splits(const Dataset& dataset) {
  demand_splits(dataset, "--splits");
  return {split_json(dataset.stored_splits), std::ssize(dataset.stored_splits)};
}

int wanted_split(const Arguments& arguments, const Dataset& dataset) {
  demand_splits(dataset, "--task");
  if (arguments.split.empty()) return 0;
  int out = -1;
  const char* const end = arguments.split.data() + arguments.split.size();
  const auto [at, problem] = std::from_chars(arguments.split.data(), end, out);
  if (problem != std::errc() || at != end || out < 0 || out >= std::ssize(dataset.stored_splits))
    fail("convert: --split '{}' is none of the {}, numbered from 0", arguments.split,
         counted(std::ssize(dataset.stored_splits), "split"));
  return out;
}

// What a program of the user gets, but for what a run decides: see docs/protocols.md.
void write_task(const Arguments& arguments, const Dataset& dataset) {
  if (dataset.graphs)
    fail("convert: --task is of one graph, and {} is a set of {}", dataset.name,
         counted(dataset.graphs->size(), "graph"));
  if (dataset.facts)
    fail("convert: --task is of one graph, and {} is facts over time", dataset.name);
  const int split = wanted_split(arguments, dataset);
  const auto data = std::make_shared<const TaskData>(std::make_shared<const Dataset>(dataset));
  const ClassTask task = make_task(data, dataset.stored_splits[static_cast<std::size_t>(split)]);
  const Beside beside(plain_path(arguments.task));
  const fs::path folder = beside.path();
  std::error_code problem;
  fs::create_directory(folder, problem);
  if (problem)
    fail("{}: cannot be made ({}); give another path", arguments.task, problem.message());
  write_task_npz(folder / "task.npz", task.view);
  write_file(folder / "task.json", task_json(task.view, {.split = split}));
  beside.move();
}

std::vector<std::string> steps_of(const Arguments& arguments) {
  if (arguments.prepare.empty()) return {};
  if (arguments.prepare == "default") return default_preparation(arguments.name);
  return split_list({arguments.prepare});
}

std::string counts(const Dataset& dataset) {
  if (dataset.facts)
    return fmt::format("{}, {}, {}", counted(dataset.facts->facts(), "fact"),
                       counted(std::ssize(dataset.facts->relations), "relation"),
                       dataset.nodes() == 1 ? "1 entity" : grouped(dataset.nodes()) + " entities");
  return fmt::format(
      "{}, {}, {}, {}",
      dataset.graphs ? counted(dataset.graphs->size(), "graph") : counted(dataset.nodes(), "node"),
      counted(dataset.adjacency.entries(), "arc"),
      counted(feature_count(dataset.features), "feature"),
      counted(std::ssize(dataset.stored_splits), "split"));
}

// Before they are read.
void check_fact_arguments(const Arguments& arguments, const fs::path& place) {
  FactsConversion written{.facts = !arguments.out.empty()};
  if (!arguments.scheme.empty()) written.splits = scheme_of(arguments).count;
  arguments.memory.hold_against(place, written);
}

int perform(const Arguments& arguments) {
  check(arguments);
  const fs::path folder = arguments.data.folder();
  if (const auto place = arguments.label.empty() ? place_of_facts(arguments.name, folder)
                                                 : std::optional<fs::path>()) {
    check_fact_arguments(arguments, *place);
  } else if (!arguments.memory.given.empty()) {
    fail("convert: --memory is about facts over time, and {} is none; leave it out",
         arguments.name);
  }
  Dataset dataset = arguments.label.empty()
                        ? load_any(arguments.name, folder)
                        : read_dataset_with_label(arguments.name, arguments.label);
  const std::vector<std::string> steps = steps_of(arguments);
  if (dataset.facts && !steps.empty())
    fail("convert: --prepare '{}' is of graphs, and {} is facts over time; leave it out",
         arguments.prepare, arguments.name);
  dataset = prepare(std::move(dataset), steps);
  const std::optional<Splits> apart = draw_splits(arguments, dataset);
  Json written = Json::object(), kept = Json::array();
  std::string text;
  if (!arguments.out.empty()) {
    const GraphFormat& format = graph_format(arguments.format, dataset, arguments.out);
    const std::vector<std::string> lost =
        save_dataset(dataset, {arguments.name, folder, arguments.label}, format, arguments.out);
    written = {{"path", arguments.out}, {"format", format.name}, {"not_held", lost}};
    text += fmt::format("{}  {}: {}\n", arguments.out, format.name, counts(dataset));
    for (const std::string& form : lost)
      print_note(fmt::format("'{}' is written without {}", format.name, form));
  }
  if (!arguments.splits.empty()) {
    const Splits splits = apart ? *apart : stored_splits(dataset);
    write_file(arguments.splits, splits.text);
    text += fmt::format("{}  {}\n", arguments.splits, counted(splits.count, "split"));
  }
  if (!arguments.task.empty()) {
    write_task(arguments, dataset);
    text += fmt::format("{}  task.npz and task.json\n", arguments.task);
  }
  if (arguments.json) {
    const Json out = {{"name", dataset.name},
                      {"content_hash", content_hash(dataset)},
                      {"written", written},
                      {"splits", arguments.splits.empty() ? Json() : Json(arguments.splits)},
                      {"task", arguments.task.empty() ? Json() : Json(arguments.task)}};
    text = json_text(out);
  }
  print_out(text);
  return kDone;
}

std::string formats_footer() {
  std::string out = "Formats:\n";
  Columns columns("lw");
  for (const GraphFormat& format : graph_formats()) columns.row({format.name, format.doc});
  return out + columns.text();
}

Action declare(Syntax& syntax) {
  auto arguments = std::make_shared<Arguments>();
  syntax.required("DATASET", arguments->name, "A name of the catalog, a generator, or a path");
  syntax.optional(
      "OUT", arguments->out,
      "The file (.npz) or the folder to write; what is lost is\ntold. A file that is there is "
      "replaced, a folder is not");
  add_facts_memory(syntax, arguments->memory);
  add_data(syntax, arguments->data);
  add_json(syntax, arguments->json);
  syntax.text("--label", "NAME", arguments->label,
              "The attribute (GraphML), column (two tables) or variable\n(MAT-file) that holds the "
              "classes");
  syntax.group("What is written");
  syntax.text(
      "--format", "NAME", arguments->format,
      "Its format (default: gnn-benchmark for a file, csv for a\nfolder, arrays where there are "
      "no features or labels, tu\nfor a set of graphs, facts for facts over time)");
  syntax.text("--prepare", "STEPS", arguments->prepare,
              "Steps to do first, with commas, or \"default\" for those\nof the catalog");
  syntax.group("Splits");
  syntax.text("--scheme", "KIND", arguments->scheme,
              "The splits of this scheme instead of the stored ones");
  syntax.texts("--set", "NAME=VALUE", arguments->set,
               "A setting of the scheme, as in the section [split] of a\nprotocol: train=20, "
               "count=10, cuts=2018,2019,2021");
  syntax.text("--splits", "FILE", arguments->splits, "Write the splits to a JSON file");
  syntax.text("--task", "FOLDER", arguments->task,
              "Write the folder that an external program gets");
  syntax.text("--split", "N", arguments->split, "Which split the task is of (default: 0)");
  syntax.footer(formats_footer());
  return [arguments] { return perform(*arguments); };
}

}  // namespace

extern const Command command_convert;
const Command command_convert = {Topic::kDataSets, "convert",
                                 "Write a data set in another format; its splits", declare};

}  // namespace cupel::cli
