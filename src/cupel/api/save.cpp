#include "cupel/api/save.h"

#include <algorithm>
#include <iterator>

#include "cupel/data/catalog/credits.h"

namespace cupel {

std::vector<std::string> save_dataset(const Dataset& dataset, const std::string& name_or_path,
                                      const GraphFormat& format,
                                      const std::filesystem::path& path) {
  std::vector<std::string> lost = write_dataset(dataset, format, path, credits_of(name_or_path),
                                                authorships_of(name_or_path, dataset));
  std::ranges::move(left_behind(name_or_path, dataset), std::back_inserter(lost));
  return lost;
}

}  // namespace cupel
