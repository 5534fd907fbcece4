#include "cupel/api/fetched.h"

#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/base/names.h"
#include "cupel/base/words.h"

namespace cupel {

const Recipe& known_recipe(const std::string& name) {
  if (const Recipe* recipe = find_recipe(name)) return *recipe;
  std::vector<std::string> known;
  for (const Recipe& recipe : recipes()) known.push_back(recipe.name);
  fail("the catalog has no data set '{}'{}", name,
       near_text(name, known, "`cupel list datasets` shows the names"));
}

std::string fetch_text(const FetchProgress& progress) {
  switch (progress.stage) {
    case FetchProgress::Stage::kWaiting:
      return fmt::format("{}: another process is getting it", progress.file);
    case FetchProgress::Stage::kVerifying:
      return fmt::format("{}: verifying", progress.file);
    case FetchProgress::Stage::kDownloading:
      break;
  }
  const std::string done = byte_text(static_cast<double>(progress.done));
  if (progress.total <= 0) return fmt::format("{}: {}", progress.file, done);
  return fmt::format("{}: {} of {}", progress.file, done,
                     byte_text(static_cast<double>(progress.total)));
}

nlohmann::ordered_json fetched_json(const Recipe& recipe, const FetchedFile& file) {
  using Json = nlohmann::ordered_json;
  return {{"dataset", recipe.name},
          {"path", file.path.string()},
          {"bytes", file.bytes},
          {"mirror", file.mirror.empty() ? Json() : Json(file.mirror)}};
}

}  // namespace cupel
