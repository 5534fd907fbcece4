#include "cupel/data/formats/dense_member.h"

#include <vector>

#include "cupel/base/error.h"
#include "cupel/data/formats/npz.h"

namespace cupel {

void check_member_bytes(const std::filesystem::path& path, const char* member, std::int64_t rows,
                        std::int64_t columns, std::int64_t unit) {
  if (columns == 0 || rows <= kMostMemberBytes / unit / columns) return;
  fail(
      "{}: {} would be {} x {} and larger than the 4 GiB that a member of this file may have; "
      "write the gnn-benchmark format, which is sparse",
      path.string(), member, rows, columns);
}

NpyArray dense_features(const Dataset& dataset, const std::filesystem::path& path,
                        const char* member) {
  const std::vector<std::int64_t> shape = {dataset.nodes(), feature_count(dataset.features)};
  check_member_bytes(path, member, shape[0], shape[1], sizeof(float));
  if (const auto* dense = std::get_if<Matrix>(&dataset.features))
    return make_npy(std::span<const float>(dense->values), shape);
  const auto& sparse = std::get<Csr>(dataset.features);
  Matrix dense(sparse.rows, sparse.cols);
  for (Index i = 0; i < sparse.rows; ++i) {
    for (Offset at = sparse.row_ptr[i]; at < sparse.row_ptr[i + 1]; ++at)
      dense(i, sparse.columns[static_cast<std::size_t>(at)]) = sparse.value(at);
  }
  return make_npy(std::span<const float>(dense.values), shape);
}

}  // namespace cupel
