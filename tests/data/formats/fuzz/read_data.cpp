// Reads real data sets as the fuzz targets read made ones: in both modes, under the sanitizers,
// held against what every reader promises. Arguments are folders or files; folders without a data
// set are passed over. Exit status 1: one was refused. See scripts/fuzz --data.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <span>

#include "cupel/base/error.h"
#include "cupel/data/formats/format.h"
#include "data/formats/fuzz/promises.h"

namespace cupel::fuzz {
namespace {

// Whether it could be read.
bool read(const std::filesystem::path& path, ReadMode mode) {
  const auto begin = std::chrono::steady_clock::now();
  try {
    const Dataset data = read_dataset(path, mode);
    check(data, mode);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    fmt::print("{:<32}{:>10}{:>12}{:>8.1f} s\n", path.filename().string(), data.nodes(),
               data.adjacency.entries(), time.count());
    return true;
  } catch (const Error& error) {
    fmt::print("{}\n", error.what());
    return false;
  }
}

int read_all(std::span<char*> paths) {
  int refused = 0, read_in = 0;
  fmt::print("{:<32}{:>10}{:>12}{:>10}\n", "DATA SET", "NODES", "ARCS", "TIME");
  for (const std::filesystem::path path : paths) {
    if (std::filesystem::is_directory(path) && !holds_dataset(path)) continue;
    for (const ReadMode mode : {ReadMode::kForUse, ReadMode::kForAudit})
      ++(read(path, mode) ? read_in : refused);
  }
  fmt::print("{} times read, {} times refused\n", read_in, refused);
  return refused == 0 ? 0 : 1;
}

}  // namespace
}  // namespace cupel::fuzz

int main(int count, char** arguments) {
  return cupel::fuzz::read_all({arguments + 1, arguments + count});
}
