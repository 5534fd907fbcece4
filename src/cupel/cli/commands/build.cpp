// cupel build: a data set from raw sources.
#include <memory>

#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/base/json_text.h"
#include "cupel/cli/cards/cards.h"
#include "cupel/cli/command.h"
#include "cupel/cli/options.h"
#include "cupel/cli/output.h"
#include "cupel/cli/terminal.h"
#include "cupel/cli/text.h"
#include "cupel/data/build/recipe.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/data/formats/provenance.h"

namespace cupel::cli {
namespace {

struct Arguments {
  std::string recipe, out;
  std::vector<std::string> from;
  SettingsArgument settings;
  bool json = false;
};

int perform(const Arguments& arguments) {
  const BuildRecipe& recipe = find_build_recipe(arguments.recipe);
  const std::vector<std::string> settings = arguments.settings.all();
  (void)parse_options(recipe.name, recipe.settings, settings);  // before anything is read
  const BuildPaths inputs = find_inputs(recipe, arguments.from);
  const std::filesystem::path path(arguments.out), beside = provenance_path(path);
  check_writable(path);
  check_writable(beside);
  for (const auto& [input, file] : inputs) {
    for (const auto& out : {path, beside}) {
      std::error_code error;
      if (std::filesystem::equivalent(file, out, error) && !error)
        fail("build: '{}' is both an input and the result; give another --out", file.string());
    }
  }
  Built built;
  {
    StatusLine status;
    built = build(recipe, inputs, settings,
                  [&](const std::string& what, std::uint64_t done, std::uint64_t size) {
                    status.show(fmt::format("reading {}: {} of {}", what,
                                            byte_text(static_cast<double>(done)),
                                            byte_text(static_cast<double>(size))));
                  });
    status.show("writing", true);
    write_built(built, path);
  }
  const Facts facts = facts_of(built.dataset);
  if (arguments.json) {
    auto out = nlohmann::ordered_json::parse(built.provenance);
    nlohmann::ordered_json all = {{"path", path.string()}, {"provenance", beside.string()}};
    all.update(out);
    print_out(json_text(all));
    return kDone;
  }
  std::string text = fmt::format("{}  {}: {} nodes, {} edges, {} features, {} classes, {} splits\n",
                                 path.string(), recipe.name, grouped(facts.at("nodes")),
                                 grouped(facts.at("edges")), grouped(facts.at("features")),
                                 grouped(facts.at("classes")), grouped(facts.at("splits")));
  Columns columns("rw");
  for (const auto& [what, number] : built.counts) columns.row({grouped(number), what});
  text += columns.text();
  text += wrap(fmt::format(
      "{} tells inputs, settings, these counts and what the paper leaves open.", beside.string()));
  print_out(text);
  return kDone;
}

std::string footer() {
  std::string out;
  for (const BuildRecipe* recipe : build_recipes()) {
    out += fmt::format("{}{}: {}\n", out.empty() ? "" : "\n", recipe->name, recipe->title);
    out += wrap(recipe->description, 2);
    out += "  Inputs (--from), and the names by which files are told apart:\n";
    Columns inputs("llw");
    for (const BuildInput& input : recipe->inputs)
      inputs.row({input.name, fmt::format("{}", fmt::join(input.patterns, " ")), input.doc});
    out += inputs.text();
    out += "  Settings and their defaults:\n";
    out += defaults_text(recipe->settings);
  }
  return out;
}

Action declare(Syntax& syntax) {
  auto arguments = std::make_shared<Arguments>();
  std::vector<std::string> names;
  for (const BuildRecipe* recipe : build_recipes()) names.push_back(recipe->name);
  syntax.required("RECIPE", arguments->recipe,
                  fmt::format("What to build: {}", fmt::join(names, ", ")));
  syntax.texts("--from", "RAW", arguments->from,
               "A raw file, a folder with all of them, or INPUT=FILE;\nmay be given several times");
  syntax.required_text("--out", "FILE", arguments->out,
                       "The npz file; FILE.provenance.json goes beside it");
  add_settings(syntax, arguments->settings);
  add_json(syntax, arguments->json);
  syntax.footer(footer());
  return [arguments] { return perform(*arguments); };
}

}  // namespace

extern const Command command_build;
const Command command_build = {Topic::kDataSets, "build", "Make a data set from raw sources",
                               declare};

}  // namespace cupel::cli
