// cupel generate: a synthetic data set as a file.
#include <memory>

#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/cli/cards/cards.h"
#include "cupel/cli/command.h"
#include "cupel/cli/options.h"
#include "cupel/cli/output.h"
#include "cupel/cli/text.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/data/formats/format.h"
#include "cupel/data/formats/heterophilous_writer.h"
#include "cupel/data/generate/generator.h"

namespace cupel::cli {
namespace {

struct Arguments {
  std::string kind, out;
  SettingsArgument settings;
  bool json = false;
};

// "csbm" and settings, in the spelling that the catalog reads: "csbm:nodes=300,seed=2".
std::string call_text(const Arguments& arguments) {
  std::string text = arguments.kind;
  for (const std::string& setting : arguments.settings.all())
    text += (text.find(':') == std::string::npos ? ":" : ",") + setting;
  return text;
}

GeneratorCall call_of(const Arguments& arguments) {
  const GeneratorCall call = parse_generator_call(call_text(arguments));
  if (call.generator != nullptr) return call;
  std::vector<std::string> known;
  for (const Generator* generator : generators()) known.push_back(generator->name);
  fail("there is no generator '{}'; there are: {}", arguments.kind, fmt::join(known, ", "));
}

// --out, or in a folder that is there or is named with a '/' at its end a file of the generator's
// name.
std::filesystem::path out_path(const Arguments& arguments, const GeneratorCall& call) {
  const std::filesystem::path out(arguments.out);
  std::error_code error;
  if (!out.empty() && !out.has_filename()) std::filesystem::create_directory(out, error);
  if (std::filesystem::is_directory(out, error)) return out / (call.generator->name + ".npz");
  if (!out.empty() && !out.has_filename()) {
    fail("{}: the folder cannot be made; give a path in a folder that you may write to",
         arguments.out);
  }
  return out;
}

int perform(const Arguments& arguments) {
  const GeneratorCall call = call_of(arguments);
  const std::filesystem::path path = out_path(arguments, call);
  check_writable(path);
  const Dataset dataset = generate(call);
  // Each in the format of the data sets it is like.
  if (std::holds_alternative<Matrix>(dataset.features) && !dataset.stored_splits.empty()) {
    write_heterophilous_npz(dataset, path);
  } else {
    write_gnn_benchmark_npz(dataset, path);
  }
  if (arguments.json) {
    nlohmann::ordered_json out = {{"path", path.string()},
                                  {"generator", call.canonical_name()},
                                  {"content_hash", content_hash(dataset)},
                                  {"facts", facts_of(dataset)}};
    print_out(out.dump(2) + "\n");
    return kDone;
  }
  const Facts facts = facts_of(dataset);
  const std::int64_t splits = facts.at("splits");
  print_out(fmt::format("{}  {}: {} nodes, {} edges, {} features, {} classes{}\n", path.string(),
                        call.canonical_name(), grouped(facts.at("nodes")),
                        grouped(facts.at("edges")), grouped(facts.at("features")),
                        grouped(facts.at("classes")),
                        splits > 0 ? ", " + counted(splits, "split") : ""));
  return kDone;
}

std::string footer() {
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
      fmt::format("What to generate: {}; or with\nsettings, as in csbm:nodes=300,seed=2",
                  fmt::join(names, ", ")));
  syntax.required_text("--out", "PATH", arguments->out,
                       "The npz file to write, or a folder for it");
  add_settings(syntax, arguments->settings);
  add_json(syntax, arguments->json);
  syntax.footer(footer());
  return [arguments] { return perform(*arguments); };
}

}  // namespace

extern const Command command_generate;
const Command command_generate = {4, "generate", "Write a synthetic data set", declare};

}  // namespace cupel::cli
