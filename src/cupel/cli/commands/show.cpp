// cupel show: the card of one thing.
#include <algorithm>
#include <cctype>
#include <memory>
#include <nlohmann/json.hpp>

#include "cupel/api/load.h"
#include "cupel/api/shown.h"
#include "cupel/base/error.h"
#include "cupel/base/json_text.h"
#include "cupel/base/names.h"
#include "cupel/cli/cards/cards.h"
#include "cupel/cli/command.h"
#include "cupel/cli/options.h"
#include "cupel/cli/output.h"
#include "cupel/lab/store/store.h"

namespace cupel::cli {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string name, store;
  DataArgument data;
  FactsMemoryArgument memory;
  bool json = false;
};

// A run id, or the beginning of one.
bool is_run_id(const std::string& name) {
  return name.size() >= 6 && name.size() <= 32 &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isxdigit(c); });
}

std::string run_in_store(const std::string& id, const std::string& path, bool json) {
  return run_card(Store(path, Store::Mode::kOpen).run(id), json);
}

[[noreturn]] void unknown(const std::string& name) {
  if (is_run_id(name))
    fail("'{}' looks like a run; name the store that holds it with --store FILE", name);
  std::vector<std::string> known = protocol_names();
  for (const Recipe& recipe : recipes()) known.push_back(recipe.name);
  for (const Generator* generator : generators()) known.push_back(generator->name);
  for (const ModelEntry* model : models()) known.push_back(model->name);
  fail("nothing is called '{}'{}", name,
       near_text(name, known, "`cupel list` shows what there is"));
}

// A protocol may be called like the data set that it is about: then both are shown.
std::string dataset_card(const Shown& shown, const fs::path& data, bool json) {
  std::string out = recipe_card(*shown.recipe, data, json);
  if (shown.protocol.empty()) return out;
  const std::string other = protocol_card(load_protocol(shown.protocol), json);
  if (!json) return out + "\n" + other;
  auto both = nlohmann::ordered_json::parse(out);
  both["protocol"] = nlohmann::ordered_json::parse(other);
  return json_text(both);
}

std::string card(const Arguments& arguments) {
  const std::string& name = arguments.name;
  if (!arguments.memory.given.empty() && !is_path_of_facts(name))
    fail("show: --memory is about facts over time in files, and {} is none; leave it out", name);
  if (!arguments.store.empty()) return run_in_store(name, arguments.store, arguments.json);
  const Shown shown = shown_by(name);
  if (shown.recipe != nullptr) return dataset_card(shown, arguments.data.folder(), arguments.json);
  if (shown.model != nullptr) return model_card(*shown.model, arguments.json);
  if (!shown.protocol.empty()) return protocol_card(load_protocol(shown.protocol), arguments.json);
  if (shown.generator.generator != nullptr) return generator_card(shown.generator, arguments.json);
  if (shown.is_store) return store_card(Store(name, Store::Mode::kOpen), arguments.json);
  if (!shown.is_path) unknown(name);
  if (is_path_of_facts(name)) arguments.memory.hold_against(name);
  return file_card(name, arguments.json);
}

Action declare(Syntax& syntax) {
  auto arguments = std::make_shared<Arguments>();
  syntax.required("NAME", arguments->name,
                  "A data set, model or protocol by name; a file, protocol\nor store by path; or a "
                  "run by its id");
  syntax.text("--store", "FILE", arguments->store, "Take NAME for a run of this store");
  add_facts_memory(syntax, arguments->memory);
  add_data(syntax, arguments->data);
  add_json(syntax, arguments->json);
  return [arguments] {
    print_out(card(*arguments));
    return int(kDone);
  };
}

}  // namespace

extern const Command command_show;
const Command command_show = {Topic::kThereIs, "show",
                              "Card of a data set, model, protocol, store or run", declare};

}  // namespace cupel::cli
