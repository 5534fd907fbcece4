// What the fuzz targets share: an input cut into the files of a data set, and what every reader
// promises of it. A target is NAME_fuzzer.cpp and defines fuzz_one(); scripts/fuzz runs them.
#pragma once

#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/data/formats/format.h"
#include "cupel/data/formats/zip_writer.h"

namespace cupel::fuzz {

// What a promise is broken by ends the process, which is how a fuzzer learns of it.
inline void demand(bool holds, const char* promise) {
  if (holds) return;
  std::cerr << "broken promise: " << promise << std::endl;
  std::abort();
}

// In memory, and the same for the life of the process.
inline const std::filesystem::path& folder() {
  static const std::filesystem::path path = [] {
    std::string pattern = "/dev/shm/cupel-fuzz-XXXXXX";
    const std::filesystem::path made = ::mkdtemp(pattern.data());
    static const struct Remover {
      std::filesystem::path path;
      ~Remover() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
      }
    } remover{made};
    return made;
  }();
  return path;
}

inline void write(const std::filesystem::path& path, std::string_view content) {
  if (!std::filesystem::exists(path.parent_path()))
    std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
}

// Parts of an input stand between lines of "%%"; a part that is not there is "absent".
inline constexpr std::string_view kBetween = "\n%%\n";

inline std::vector<std::string_view> parts_of(std::string_view input) {
  std::vector<std::string_view> out;
  while (true) {
    const std::size_t at = input.find(kBetween);
    out.push_back(input.substr(0, at));
    if (at == std::string_view::npos) return out;
    input.remove_prefix(at + kBetween.size());
  }
}

// The k-th part is the file or member of the k-th name; without a byte, or without its part, it is
// absent.
inline void write_files(const std::filesystem::path& root, std::string_view input,
                        const std::vector<std::string>& names) {
  const std::vector<std::string_view> parts = parts_of(input);
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (k < parts.size() && !parts[k].empty()) {
      write(root / names[k], parts[k]);
    } else {
      std::error_code ignored;
      std::filesystem::remove(root / names[k], ignored);
    }
  }
}

// Checksums would keep a fuzzer out of the members otherwise.
inline void write_archive(const std::filesystem::path& path, std::string_view input,
                          const std::vector<std::string>& names) {
  const std::vector<std::string_view> parts = parts_of(input);
  ZipWriter writer(path);
  for (std::size_t k = 0; k < names.size() && k < parts.size(); ++k) {
    if (!parts[k].empty()) writer.add(names[k], std::as_bytes(std::span(parts[k])), false);
  }
  writer.finish();
}

inline void check_csr(const Csr& m) {
  demand(m.row_ptr.size() == static_cast<std::size_t>(m.rows) + 1 && m.row_ptr[0] == 0,
         "a matrix has a start for each row");
  demand(m.entries() == static_cast<Offset>(m.columns.size()), "starts end with the entries");
  demand(m.values.empty() || m.values.size() == m.columns.size(), "a value for each entry");
  for (Index i = 0; i < m.rows; ++i) {
    demand(m.row_ptr[i] <= m.row_ptr[i + 1], "starts ascend");
    for (Offset at = m.row_ptr[i]; at < m.row_ptr[i + 1]; ++at) {
      demand(m.columns[at] >= 0 && m.columns[at] < m.cols, "columns are in range");
      demand(at == m.row_ptr[i] || m.columns[at - 1] < m.columns[at], "columns ascend");
    }
  }
  for (const float v : m.values) demand(std::isfinite(v), "values are finite");
}

inline void check_matrix(const Matrix& m) {
  demand(m.values.size() == static_cast<std::size_t>(m.rows) * static_cast<std::size_t>(m.cols),
         "a dense matrix has its values");
}

inline void check(const Dataset& data, ReadMode mode) {
  demand(data.nodes() > 0 || data.graphs.has_value(), "there is a node");
  demand(data.adjacency.rows == data.adjacency.cols, "an adjacency is square");
  check_csr(data.adjacency);
  if (const auto* sparse = std::get_if<Csr>(&data.features)) {
    check_csr(*sparse);
    demand(sparse->rows == data.nodes(), "a row of features for each node");
  } else {
    check_matrix(std::get<Matrix>(data.features));
    demand(std::get<Matrix>(data.features).rows == data.nodes(), "a row of features for each node");
    for (const float v : std::get<Matrix>(data.features).values)
      demand(std::isfinite(v), "features are finite");
  }
  if (data.graphs) {
    demand(data.graphs->start.back() == data.nodes(), "graphs have all nodes");
    check_matrix(data.graphs->node_attributes);
    check_matrix(data.graphs->arc_attributes);
    demand(data.graphs->arc_attributes.rows == data.adjacency.entries(), "a row for each arc");
  }
  demand(data.labels.empty() || data.labels.size() == static_cast<std::size_t>(data.examples()),
         "a label for each example");
  for (const Index label : data.labels)
    demand(label >= -1 && label < data.classes(), "labels are classes");
  for (const Split& split : data.stored_splits) {
    std::vector<char> seen(static_cast<std::size_t>(data.examples()), 0);
    for (const auto* part : {&split.train, &split.valid, &split.test}) {
      demand(mode == ReadMode::kForAudit || !part->empty(), "parts are not empty");
      for (const Index i : *part) {
        demand(i >= 0 && i < data.examples(), "a split names examples");
        demand(mode == ReadMode::kForAudit || seen[static_cast<std::size_t>(i)]++ == 0,
               "parts have nothing in common");
      }
    }
  }
}

// An Error is one sentence of a bearable length that names a file.
template <class Body>
void refuse_or(Body body) {
  try {
    body();
  } catch (const Error& error) {
    const std::string_view message = error.what();
    demand(message.find('\n') == std::string_view::npos, "a message is one line");
    demand(message.size() < 4000, "a message is short");
    demand(message.find(folder().filename().string()) != std::string_view::npos,
           "a message names the file");
  }
}

inline void read(const std::filesystem::path& path, std::size_t input_size) {
  const ReadMode mode = input_size % 2 == 0 ? ReadMode::kForUse : ReadMode::kForAudit;
  refuse_or([&] { check(read_dataset(path, mode), mode); });
}

void fuzz_one(std::string_view input);

}  // namespace cupel::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  cupel::fuzz::fuzz_one({reinterpret_cast<const char*>(data), size});
  return 0;
}
