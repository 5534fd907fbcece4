// What the fuzz targets share: an input cut into the files of a data set, which are read and held
// against what every reader promises. A target is NAME_fuzzer.cpp and defines fuzz_one();
// scripts/fuzz runs them.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/data/formats/format.h"
#include "cupel/data/formats/zip_writer.h"
#include "data/formats/fuzz/promises.h"

namespace cupel::fuzz {

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
