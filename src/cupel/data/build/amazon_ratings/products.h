// The products that become nodes of a data set like amazon-ratings.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cupel/base/matrix.h"
#include "cupel/data/build/recipe.h"
#include "cupel/data/graph/graph.h"

namespace cupel::amazon_ratings {

// What the first reading keeps of the products that may become nodes, in the order of the file.
struct Products {
  std::vector<std::int64_t> record;  // which product of the file, from 0
  std::vector<double> rating;
  std::vector<Edge> links;  // between positions in these lists; smaller first
};

// Groups of the whole file, of which a part of it may have no product.
inline constexpr const char* kUsualGroups[] = {"Book", "Music", "DVD", "Video"};

// Reads the input "products" of these groups, and counts what is left out. Throws Error for a file
// that does not read, for a group that no product is of (of the usual ones, if that holds for all
// that are given).
[[nodiscard]] Products read_products(BuildContext& context, const std::vector<std::string>& groups);

// Cuts the products down to the largest component of the core; returns its graph. Their links are
// dropped. Throws Error if nothing is left.
[[nodiscard]] Csr cut_to_core(BuildContext& context, Products& products);

}  // namespace cupel::amazon_ratings
