// Small files and data sets made for the tests of the readers.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/data/dataset.h"
#include "cupel/data/formats/npz.h"
#include "error_of.h"
#include "temp_folder.h"

namespace cupel::made {

// In memory where possible: thousands of small files are written and made durable.
class Folder : public TempFolder {
 public:
  Folder()
      : TempFolder(::access("/dev/shm", W_OK) == 0 ? "/dev/shm"
                                                   : std::filesystem::temp_directory_path()) {}
};

inline void write_file(const std::filesystem::path& path, const std::string& content) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
}

inline std::string file_content(const std::filesystem::path& path) {
  std::ostringstream out;
  out << std::ifstream(path, std::ios::binary).rdbuf();
  return out.str();
}

// The message of the Error that `body` throws; "" if it throws none.
// Every piece must be in the message.
inline void expect_error(const std::function<void()>& body,
                         const std::vector<std::string>& pieces) {
  const std::string message = error_of(body);
  EXPECT_NE(message, "") << "no Error was thrown";
  for (const std::string& piece : pieces) {
    EXPECT_NE(message.find(piece), std::string::npos) << "'" << piece << "' is not in: " << message;
  }
}

template <class T>
NpyArray array(std::vector<T> values, std::vector<std::int64_t> shape = {}) {
  return make_npy(std::span<const T>(values), std::move(shape));
}

using Members = std::vector<std::pair<std::string, NpyArray>>;

inline NpyArray& member(Members& members, const std::string& key) {
  return std::find_if(members.begin(), members.end(), [&](const auto& m) { return m.first == key; })
      ->second;
}

inline void erase(Members& members, const std::string& key) {
  std::erase_if(members, [&](const auto& m) { return m.first == key; });
}

// Five nodes on a path 0-1-2-3 (some arcs one way) and a lone node 4; three features; classes 0
// 1 2.
inline Members gnn_benchmark_members() {
  return {
      {"adj_data", array<float>({1, 1, 2, 1})},
      {"adj_indices", array<std::int32_t>({1, 0, 2, 3})},
      {"adj_indptr", array<std::int32_t>({0, 1, 3, 4, 4, 4})},
      {"adj_shape", array<std::int64_t>({5, 5})},
      {"attr_data", array<float>({1, 0.5, 1, 3, 1})},
      {"attr_indices", array<std::int32_t>({0, 2, 1, 0, 2})},
      {"attr_indptr", array<std::int32_t>({0, 2, 3, 3, 4, 5})},
      {"attr_shape", array<std::int64_t>({5, 3})},
      {"labels", array<std::int32_t>({0, 1, 2, 1, 0})},
  };
}

// Four nodes, two features, three edges, two splits.
inline Members heterophilous_members() {
  const auto mask = [](std::vector<std::int32_t> bits) {
    NpyArray out;
    out.type = {'b', 1};
    out.shape = {2, 4};
    for (const std::int32_t bit : bits) out.bytes.push_back(static_cast<std::byte>(bit));
    return out;
  };
  return {
      {"node_features", array<float>({1, 0, 0, 1, 0.5, 0.5, 2, 2}, {4, 2})},
      {"node_labels", array<std::int64_t>({0, 1, 1, 0})},
      {"edges", array<std::int64_t>({0, 1, 1, 2, 3, 0}, {3, 2})},
      {"train_masks", mask({1, 1, 0, 0, 0, 0, 1, 1})},
      {"val_masks", mask({0, 0, 1, 0, 0, 1, 0, 0})},
      {"test_masks", mask({0, 0, 0, 1, 1, 0, 0, 0})},
  };
}

// What every reader promises of what it returns.
inline void check_csr(const Csr& m) {
  ASSERT_EQ(m.row_ptr.size(), static_cast<std::size_t>(m.rows) + 1);
  ASSERT_EQ(m.row_ptr[0], 0);
  ASSERT_EQ(m.entries(), static_cast<Offset>(m.columns.size()));
  ASSERT_TRUE(m.values.empty() || m.values.size() == m.columns.size());
  for (Index i = 0; i < m.rows; ++i) {
    ASSERT_LE(m.row_ptr[i], m.row_ptr[i + 1]);
    for (Offset at = m.row_ptr[i]; at < m.row_ptr[i + 1]; ++at) {
      ASSERT_GE(m.columns[at], 0);
      ASSERT_LT(m.columns[at], m.cols);
      ASSERT_TRUE(at == m.row_ptr[i] || m.columns[at - 1] < m.columns[at]);
    }
  }
  for (const float v : m.values) ASSERT_TRUE(std::isfinite(v));
}

inline void check_dataset(const Dataset& dataset) {
  ASSERT_GT(dataset.nodes(), 0);
  ASSERT_EQ(dataset.adjacency.rows, dataset.adjacency.cols);
  check_csr(dataset.adjacency);
  if (const auto* sparse = std::get_if<Csr>(&dataset.features)) {
    check_csr(*sparse);
    ASSERT_EQ(sparse->rows, dataset.nodes());
  } else {
    const auto& dense = std::get<Matrix>(dataset.features);
    ASSERT_EQ(dense.rows, dataset.nodes());
    ASSERT_EQ(dense.values.size(),
              static_cast<std::size_t>(dense.rows) * static_cast<std::size_t>(dense.cols));
    for (const float v : dense.values) ASSERT_TRUE(std::isfinite(v));
  }
  ASSERT_GT(feature_count(dataset.features), 0);
  ASSERT_EQ(dataset.labels().size(), static_cast<std::size_t>(dataset.nodes()));
  std::vector<char> used(dataset.class_names().size(), 0);
  for (const Index label : dataset.labels()) {
    if (label == -1) continue;  // no label
    ASSERT_GE(label, 0);
    ASSERT_LT(label, dataset.classes());
    used[label] = 1;
  }
  for (const char u : used) ASSERT_TRUE(u) << "a class without a node";
  for (const Split& split : dataset.stored_splits) {
    std::vector<char> owner(dataset.labels().size(), 0);
    for (const auto* part : split.parts()) {
      ASSERT_TRUE(part == &split.stopping || !part->empty());
      for (const Index i : *part) {
        ASSERT_GE(i, 0);
        ASSERT_LT(i, dataset.nodes());
        ASSERT_EQ(owner[i]++, 0);
        ASSERT_NE(dataset.labels()[i], -1);
      }
    }
    ASSERT_TRUE(std::is_sorted(split.test.begin(), split.test.end()));
  }
}

}  // namespace cupel::made
