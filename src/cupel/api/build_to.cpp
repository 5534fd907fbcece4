#include "cupel/api/build_to.h"

#include <nlohmann/json.hpp>

#include "cupel/api/facts_memory.h"
#include "cupel/base/error.h"
#include "cupel/base/paths.h"
#include "cupel/base/words.h"
#include "cupel/base/write_file.h"
#include "cupel/data/formats/provenance.h"

namespace cupel {
namespace {

void check_not_an_input(const BuildPaths& inputs,
                        const std::vector<std::filesystem::path>& results) {
  for (const auto& [input, files] : inputs)
    for (const std::filesystem::path& result : results) check_not_input("build", result, files);
}

// The folder itself goes if nobody has put anything else there. What is no folder, or leads to one,
// was not made by a build.
void remove_steps(const Built& built) {
  std::error_code ignored;  // what is left is taken by the next build, or passed over
  for (const std::filesystem::path& file : built.steps) {
    std::filesystem::remove(file, ignored);
    const std::filesystem::path folder = file.parent_path();
    if (std::filesystem::is_directory(std::filesystem::symlink_status(folder, ignored)))
      std::filesystem::remove(folder, ignored);
  }
}

}  // namespace

std::string memory_for_build(const BuildRequest& request) {
  const BuildRecipe& recipe = find_build_recipe(request.recipe);
  if (recipe.forecast == nullptr) {
    if (request.memory_bytes > 0)
      fail("build: --memory is about facts over time, and {} makes none; leave it out",
           recipe.name);
    return {};
  }
  const MemoryRoom room = memory_room(request.memory_bytes);
  const BuildForecast told = *forecast(recipe, find_inputs(recipe, request.from), request.settings);
  if (told.memory == 0) return {};
  std::string work = fmt::format("{}: {} of records in {}", recipe.name,
                                 byte_text(static_cast<double>(told.bytes)),
                                 counted(static_cast<std::int64_t>(told.files), "file"));
  if (!told.without.empty())
    work += fmt::format(", without those of '{}', of which nothing is known yet,", told.without);
  return hold_against(room, work, told.memory, "records");
}

BuildOutcome build_to(const BuildRequest& request, const BuildProgress& progress) {
  const BuildRecipe& recipe = find_build_recipe(request.recipe);
  (void)parse_options(recipe.name, recipe.settings, request.settings);  // before anything is read
  const BuildPaths inputs = find_inputs(recipe, request.from);
  BuildOutcome out;
  out.recipe = &recipe;
  out.path = recipe.makes_folder ? plain_path(request.out) : std::filesystem::path(request.out);
  const bool folder = makes_folder_at(recipe, out.path);
  out.account = folder ? out.path / "provenance.json" : provenance_path(out.path);
  check_result_path(recipe, inputs, out.path);
  check_writable(out.path);
  if (!folder) check_writable(out.account);
  check_not_an_input(inputs, {out.path, out.account});
  const std::filesystem::path steps =
      request.steps.empty() ? out.path.string() + ".steps" : request.steps;
  out.built = build(recipe, inputs, request.settings, {available_processors()}, progress, steps,
                    memory_room(request.memory_bytes).bytes);
  if (progress) progress({.what = kWriting});
  write_built(out.built, out.path);
  if (request.steps.empty()) remove_steps(out.built);
  return out;
}

nlohmann::ordered_json outcome_json(const BuildOutcome& outcome) {
  nlohmann::ordered_json out = {{"path", outcome.path.string()},
                                {"provenance", outcome.account.string()}};
  out.update(nlohmann::ordered_json::parse(outcome.built.provenance));
  return out;
}

}  // namespace cupel
