// cupel list: what there is.
#include <memory>

#include <nlohmann/json.hpp>

#include "cupel/api/dataset_account.h"
#include "cupel/base/error.h"
#include "cupel/base/json_text.h"
#include "cupel/cli/cards/cards.h"
#include "cupel/cli/command.h"
#include "cupel/cli/kinds.h"
#include "cupel/cli/options.h"
#include "cupel/cli/output.h"
#include "cupel/cli/text.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/data/generate/generator.h"
#include "cupel/lab/protocol/protocol.h"
#include "cupel/learn/model.h"

namespace cupel::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Arguments {
  std::string what;
  DataArgument data;
  bool json = false;
};

std::string fact_text(const Recipe& recipe, const char* name) {
  for (const Facts* facts : {&recipe.facts, &recipe.raw_facts}) {
    if (const auto found = facts->find(name); found != facts->end()) return grouped(found->second);
  }
  return "";
}

// What a user writes for the generator's data set.
std::string name_of(const Generator& generator) {
  return parse_generator_call(generator.name).canonical_name();
}

std::string datasets_text(const std::filesystem::path& folder) {
  Columns columns("lrrrrrl");
  columns.row({"NAME", "GRAPHS", "NODES", "EDGES", "FEATURES", "CLASSES", "FILES"});
  for (const Recipe& recipe : recipes()) {
    columns.row({recipe.name, fact_text(recipe, "graphs"), fact_text(recipe, "nodes"),
                 fact_text(recipe, "edges"), fact_text(recipe, "features"),
                 fact_text(recipe, "classes"),
                 std::string(files_present(recipe, folder)          ? "here"
                             : recipe.files.front().mirrors.empty() ? "get by hand"
                                                                    : "fetch") +
                     (is_pinned(recipe) ? "" : " *")});
  }
  for (const Generator* generator : generators())
    columns.row({name_of(*generator), "", "", "", "", "", "generated"});
  return fmt::format(
      "Data sets, prepared (files: {})\n{}* not pinned: only counts are compared when it is read\n",
      folder.string(), columns.text());
}

std::string models_text() {
  Columns columns("lw");
  for (const ModelEntry* model : models())
    columns.row({model->name, model->title + (model->unit == Unit::kPair ? " (of links)" : "")});
  return "Models\n" + columns.text();
}

std::string protocols_text() {
  Columns columns("lw");
  for (const std::string& name : protocol_names()) columns.row({name, load_protocol(name).title});
  return "Protocols\n" + columns.text();
}

Json datasets_json(const std::filesystem::path& folder) {
  Json list = Json::array();
  for (const Recipe& recipe : recipes()) {
    list.push_back({{"name", recipe.name},
                    {"title", recipe.title},
                    {"raw", recipe.raw_facts},
                    {"prepared", recipe.facts},
                    {"pinned", is_pinned(recipe)},
                    {"present", files_present(recipe, folder)}});
  }
  for (const Generator* generator : generators()) {
    list.push_back(
        {{"name", name_of(*generator)}, {"title", generator->title}, {"generated", true}});
  }
  return list;
}

Json models_json() {
  Json list = Json::array();
  for (const ModelEntry* model : models()) {
    list.push_back({{"name", model->name}, {"title", model->title}});
    if (model->unit == Unit::kPair) list.back()["unit"] = unit_name(model->unit);
  }
  return list;
}

Json protocols_json() {
  Json list = Json::array();
  for (const std::string& name : protocol_names())
    list.push_back({{"name", name}, {"title", load_protocol(name).title}});
  return list;
}

int perform(const Arguments& arguments) {
  static const std::vector<std::string> kKinds = {"datasets", "models", "protocols"};
  const std::string& what = arguments.what;
  if (const KindList* kinds = find_kind_list(what)) {
    print_out(arguments.json ? json_text(Json{{kinds->name, kinds_json(*kinds)}})
                             : kinds_text(*kinds));
    return kDone;
  }
  if (!what.empty() && !std::count(kKinds.begin(), kKinds.end(), what)) {
    std::vector<std::string> all = kKinds;
    for (const KindList& kinds : kind_lists()) all.push_back(kinds.name);
    fail("list: '{}' is none of {}", what, fmt::join(all, ", "));
  }
  const auto wanted = [&](const char* kind) { return what.empty() || what == kind; };
  const auto folder = wanted("datasets") ? arguments.data.folder() : std::filesystem::path();
  if (arguments.json) {
    Json out = Json::object();
    if (wanted("datasets")) out["datasets"] = datasets_json(folder);
    if (wanted("models")) out["models"] = models_json();
    if (wanted("protocols")) out["protocols"] = protocols_json();
    print_out(json_text(out));
    return kDone;
  }
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "\n") + part; };
  if (wanted("datasets")) add(datasets_text(folder));
  if (wanted("models")) add(models_text());
  if (wanted("protocols")) add(protocols_text());
  if (what.empty()) text += "\n`cupel show NAME` prints the card of any of these.\n";
  print_out(text);
  return kDone;
}

Action declare(Syntax& syntax) {
  auto arguments = std::make_shared<Arguments>();
  syntax.optional(
      "WHAT", arguments->what,
      "datasets, models or protocols (default: all); or what\nprotocols name: decoders, negatives, "
      "splits, tasks");
  add_data(syntax, arguments->data);
  add_json(syntax, arguments->json);
  return [arguments] { return perform(*arguments); };
}

}  // namespace

extern const Command command_list;
const Command command_list = {Topic::kThereIs, "list",
                              "What there is: data sets, models, protocols", declare};

}  // namespace cupel::cli
