#include "cupel/api/save.h"

#include <algorithm>
#include <iterator>

namespace cupel {

std::vector<std::string> save_dataset(const Dataset& dataset, const Origin& origin,
                                      const GraphFormat& format,
                                      const std::filesystem::path& path) {
  std::vector<std::string> lost =
      write_dataset(dataset, format, path, credits_of(origin.name_or_path),
                    authorships_of(origin.name_or_path, dataset));
  std::ranges::move(left_behind(origin, dataset), std::back_inserter(lost));
  return lost;
}

}  // namespace cupel
