#include "cupel/data/catalog/credits.h"

#include "cupel/data/catalog/catalog.h"
#include "cupel/data/generate/generator.h"

namespace cupel {

Credits credits_of(const std::string& name_or_path) {
  if (name_or_path.empty() || name_or_path.find('/') != std::string::npos) return {};
  if (const Recipe* recipe = find_recipe(name_or_path))
    return {recipe->title, recipe->description, recipe->licence, recipe->citation};
  const GeneratorCall call = parse_generator_call(name_or_path);
  if (call.generator == nullptr) return {};
  return {name_or_path, call.generator->description, "", call.generator->citation};
}

}  // namespace cupel
