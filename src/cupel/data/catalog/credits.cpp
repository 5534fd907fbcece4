#include "cupel/data/catalog/credits.h"

#include "cupel/data/catalog/catalog.h"
#include "cupel/data/facts/facts_folder.h"
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

std::shared_ptr<const Authorships> authorships_of(const std::string& name_or_path,
                                                  const Dataset& dataset) {
  const bool is_path = name_or_path.find('/') != name_or_path.npos || !find_recipe(name_or_path);
  if (!dataset.facts || !is_path || !is_facts_folder(name_or_path)) return nullptr;
  auto out = std::make_shared<const Authorships>(read_authorships(name_or_path, *dataset.facts));
  return out->paper.empty() ? nullptr : out;
}

}  // namespace cupel
