#include "cupel/lab/run/task_files.h"

#include <string>
#include <utility>
#include <vector>

#include "cupel/data/formats/gnn_benchmark.h"
#include "cupel/data/formats/npz.h"

namespace cupel {
namespace {

using Members = std::vector<std::pair<std::string, NpyArray>>;

template <class T>
NpyArray array_of(const std::vector<T>& values) {
  return make_npy(std::span<const T>(values));
}

NpyArray indices_of(const std::vector<Index>& values) {
  return array_of(std::vector<std::int64_t>(values.begin(), values.end()));
}

}  // namespace

void write_task_npz(const std::filesystem::path& path, const View& view) {
  Members members;
  add_csr_members(members, "adj", view.adjacency());
  if (const auto* sparse = std::get_if<Csr>(&view.features())) {
    add_csr_members(members, "attr", *sparse);
  } else {
    const Matrix& dense = std::get<Matrix>(view.features());
    members.emplace_back("attr_matrix",
                         make_npy(std::span<const float>(dense.values), {dense.rows, dense.cols}));
  }
  const auto& task = dynamic_cast<const TaskView&>(view);
  members.emplace_back("idx_train", indices_of(task.train));
  members.emplace_back("idx_valid", indices_of(task.valid));
  members.emplace_back("idx_test", indices_of(task.test));
  members.emplace_back("y_train", indices_of(task.train_labels));
  members.emplace_back("y_valid", indices_of(task.valid_labels));
  write_npz(path, members, false);
}

}  // namespace cupel
