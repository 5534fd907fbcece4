#include "cupel/data/facts/facts_forecast.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/base/regular_file.h"
#include "cupel/data/facts/facts_folder.h"
#include "cupel/data/facts/facts_in_words.h"
#include "cupel/data/facts/renet_text.h"
#include "cupel/data/formats/file_bytes.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

constexpr double kOfFact = 32;
// Of an entity with a name: what statistics keep of it, its type, and where its name ends. The name
// itself stands twice while the list of names grows.
constexpr double kOfEntity = 40, kOfNames = 2;
constexpr double kOfReader = 4 << 20;
// A copy of a fact, and of an entity.
constexpr double kOfCopy = 20, kOfEntityCopy = 9;
// An authorship, with its share of the paper's id.
constexpr double kOfAuthorship = 24;

struct Text {
  double bytes = 0, lines = 0;
};

double lines_in(std::string_view some) {
  return static_cast<double>(std::ranges::count(some, '\n'));
}

// By the first block.
Text packed_text(const fs::path& file, double size) {
  constexpr double kUnpacked = 4;
  try {
    FileBytes bytes(file, Threads{1});
    std::string_view block;
    if (!bytes.next(block) || block.empty()) return {};
    const double unpacked = std::max(size * kUnpacked, static_cast<double>(block.size()));
    return {unpacked, unpacked * lines_in(block) / static_cast<double>(block.size())};
  } catch (const Error&) {
    return {};
  }
}

// By windows all over the file: ids are often short at first.
Text text_of(const fs::path& file) {
  std::error_code problem;
  if (!fs::is_regular_file(file, problem)) return {};
  const auto size = static_cast<double>(fs::file_size(file, problem));
  if (problem) return {};
  if (file_starts_with(file, "\x1f\x8b") || file_starts_with(file, "BZh"))
    return packed_text(file, size);
  constexpr double kWindow = 1 << 15;
  constexpr int kWindows = 8;
  std::ifstream in(file, std::ios::binary);
  std::string window(static_cast<std::size_t>(kWindow), '\0');
  Text some;
  for (int k = 0; k < kWindows; ++k) {
    in.clear();
    in.seekg(static_cast<std::streamoff>((k + 0.5) / kWindows * std::max(size - kWindow, 0.0)));
    in.read(window.data(), std::ssize(window));
    const auto read = static_cast<std::size_t>(in.gcount());
    some.bytes += static_cast<double>(read);
    some.lines += lines_in(std::string_view(window).substr(0, read));
  }
  return some.bytes == 0 ? Text() : Text{size, size * some.lines / some.bytes};
}

struct Files {
  std::vector<fs::path> facts;
  fs::path names, authorships;
};

Files files_of(const fs::path& place) {
  std::error_code problem;
  if (!fs::is_directory(place, problem)) return {{place}, {}, {}};
  if (is_facts_folder(place))
    return {{place / "quadruples.csv"}, place / "entities.csv", place / "authorships.csv"};
  if (is_renet_text(place)) return {renet_fact_files(place), place / "entity2id.txt", {}};
  return {worded_fact_files(place), {}, {}};
}

}  // namespace

FactsForecast facts_forecast(const fs::path& place) {
  const Files files = files_of(place);
  double facts = 0;
  for (const fs::path& file : files.facts) facts += text_of(file).lines;
  const Text names = text_of(files.names);
  const double bytes =
      kOfReader + kOfFact * facts + kOfEntity * names.lines + kOfNames * names.bytes;
  const double copied = bytes + kOfCopy * facts + kOfEntityCopy * names.lines +
                        kOfNames * names.bytes + kOfAuthorship * text_of(files.authorships).lines;
  return {static_cast<std::int64_t>(facts), static_cast<std::size_t>(bytes),
          static_cast<std::size_t>(copied)};
}

}  // namespace cupel
