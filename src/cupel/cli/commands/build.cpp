// cupel build: a data set from raw sources.
#include <chrono>
#include <filesystem>
#include <memory>

#include <nlohmann/json.hpp>

#include "cupel/api/build_to.h"
#include "cupel/api/how.h"
#include "cupel/base/error.h"
#include "cupel/base/json_text.h"
#include "cupel/base/visible.h"
#include "cupel/cli/cards/cards.h"
#include "cupel/cli/command.h"
#include "cupel/cli/options.h"
#include "cupel/cli/output.h"
#include "cupel/cli/terminal.h"
#include "cupel/cli/text.h"
#include "cupel/data/build/recipe.h"
#include "cupel/data/catalog/catalog.h"

namespace cupel::cli {
namespace {

struct Arguments {
  std::string recipe, out, steps;
  std::vector<std::string> from;
  SettingsArgument settings;
  std::string memory;
  bool json = false;
};

std::string step_text(const BuildStep& step) {
  if (step.what == kWriting) return step.what;
  const auto amount = [&](std::uint64_t number) {
    return step.bytes ? byte_text(static_cast<double>(number))
                      : grouped(static_cast<std::int64_t>(number));
  };
  return fmt::format("{}: {} of {}", step.what, amount(step.done), amount(step.size));
}

// How long a step will still take at the rate so far.
class StepClock {
 public:
  std::string rest(const BuildStep& step) {
    const auto now = std::chrono::steady_clock::now();
    if (step.what != what_) {
      what_ = step.what;
      begin_ = now;
      done_ = step.done;
    }
    const double seconds = std::chrono::duration<double>(now - begin_).count();
    constexpr double kTooSoon = 5;
    if (seconds < kTooSoon || step.done <= done_ || step.size <= step.done) return "";
    const auto left = static_cast<double>(step.size - step.done);
    const double rest = seconds * left / static_cast<double>(step.done - done_);
    return fmt::format(", about {} left", duration_text(rest));
  }

 private:
  std::string what_;
  std::chrono::steady_clock::time_point begin_;
  std::uint64_t done_ = 0;
};

std::string headline(const std::filesystem::path& path, const BuildRecipe& recipe,
                     const BuildProduct& product) {
  if (!product.dataset) {
    std::vector<std::string> names;
    for (const BuildTable& table : product.tables) names.push_back(table.name);
    return fmt::format("{}  {}: {}\n", path.string(), recipe.name, fmt::join(names, ", "));
  }
  const Facts facts = facts_of(*product.dataset);
  return fmt::format("{}  {}: {}, {}\n", path.string(), recipe.name, size_text(facts),
                     counted(facts.at("splits"), "split"));
}

std::string listing_text(const std::optional<BuildListing>& listing) {
  if (!listing) return "";
  Columns columns("rw");
  columns.row({listing->unit, listing->title});
  for (const auto& [name, number] : listing->rows)
    columns.row({grouped(number), visible_line(name)});
  return "\n" + columns.text() + wrap(listing->advice) + "\n";
}

int perform(const Arguments& arguments) {
  BuildRequest request{.recipe = arguments.recipe,
                       .from = arguments.from,
                       .settings = arguments.settings.all(),
                       .out = arguments.out,
                       .steps = arguments.steps};
  if (!arguments.memory.empty()) request.memory_bytes = parse_size("--memory", arguments.memory);
  if (const std::string told = memory_for_build(request); !told.empty()) print_note(told);
  BuildOutcome outcome;
  {
    StatusLine status;
    StepClock clock;
    outcome = build_to(request, [&](const BuildStep& step) {
      status.show(step_text(step) + clock.rest(step), step.what == kWriting);
    });
  }
  const Built& built = outcome.built;
  for (const std::string& note : built.notes) print_note(note);
  if (arguments.json) {
    print_out(json_text(outcome_json(outcome)));
    return kDone;
  }
  Columns columns("rw");
  for (const auto& [what, number] : built.counts) columns.row({grouped(number), what});
  print_out(
      headline(outcome.path, *outcome.recipe, built.product) + columns.text() +
      listing_text(built.product.listing) +
      wrap(fmt::format("{} tells inputs, settings, these counts and what the paper leaves open.",
                       outcome.account.string())));
  return kDone;
}

std::string recipes_footer() {
  std::string out;
  for (const BuildRecipe* recipe : build_recipes()) {
    out += fmt::format("{}{}: {}\n", out.empty() ? "" : "\n", recipe->name, recipe->title);
    out += wrap(recipe->description, 2);
    out += "  Inputs (--from), and the names by which files are told apart:\n";
    Columns inputs("lw");
    for (const BuildInput& input : recipe->inputs)
      inputs.row({input.name, fmt::format("{}{}: {}", input.optional ? "(optional) " : "",
                                          input.doc, fmt::join(input.patterns, " "))});
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
  syntax.required("RECIPE", arguments->recipe, fmt::format("One of {}", fmt::join(names, ", ")));
  syntax.texts("--from", "RAW", arguments->from,
               "A raw file, a folder with all of them, or INPUT=PATH;\nmay be given several times");
  syntax.required_text(
      "--out", "FILE", arguments->out,
      "The npz file; FILE.provenance.json goes beside it.\nwiki-cs and expert make a folder");
  syntax.text("--steps", "DIR", arguments->steps,
              "Keep steps that take long here, for later builds with\nthe same inputs and settings "
              "(default: OUT.steps,\nremoved when the result is there)");
  syntax.text("--memory", "SIZE", arguments->memory,
              "expert: refuse to take more memory, such as 2G\n(default: what is free)");
  add_settings(syntax, arguments->settings);
  add_json(syntax, arguments->json);
  syntax.footer(recipes_footer());
  return [arguments] { return perform(*arguments); };
}

}  // namespace

extern const Command command_build;
const Command command_build = {Topic::kDataSets, "build", "Make a data set from raw sources",
                               declare};

}  // namespace cupel::cli
