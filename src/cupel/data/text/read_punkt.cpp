#include <charconv>

#include "cupel/base/error.h"
#include "cupel/data/formats/line_reader.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/text/punkt.h"

namespace cupel {
namespace {

constexpr std::uint64_t kMostText = std::uint64_t{64} << 20;

template <class Put>
void read_lines(const std::filesystem::path& path, Put put) {
  LineReader lines(path);
  std::string_view line;
  while (lines.next(line)) {
    if (lines.text_bytes() > kMostText) {
      fail("{}: has more than {} MiB of text; a Punkt model's files have less than one",
           lines.name(), kMostText >> 20);
    }
    if (line.empty()) lines.fail_here("is empty; each line has an entry of the Punkt model");
    put(lines, line);
  }
}

void check_columns(const LineReader& lines, std::string_view line, std::size_t columns) {
  std::size_t found = 1;
  for (const char c : line) found += c == '\t' ? 1 : 0;
  if (found == columns && line.front() != '\t' && line.back() != '\t') return;
  lines.fail_here(fmt::format("is {} where {} needed", in_quotes(line),
                              columns == 1 ? "one entry is" : "two entries between a tab are"));
}

}  // namespace

PunktModel read_punkt(const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path english = folder / "english";
  const bool inside =
      !fs::exists(folder / kPunktFiles[0], ignored) && fs::is_directory(english, ignored);
  const fs::path& from = inside ? english : folder;
  for (const char* name : kPunktFiles) {
    if (fs::exists(from / name, ignored)) continue;
    fail("{}: has no {}; a Punkt model is a folder with {}, {}, {} and {}, as in NLTK's punkt_tab",
         from.string(), name, kPunktFiles[0], kPunktFiles[1], kPunktFiles[2], kPunktFiles[3]);
  }
  PunktModel model;
  const auto read_words = [&](const char* name, std::size_t columns, PunktModel::Words& words) {
    read_lines(from / name, [&](const LineReader& lines, std::string_view line) {
      check_columns(lines, line, columns);
      words.emplace(line);
    });
  };
  read_words(kPunktFiles[0], 1, model.abbreviations);
  read_words(kPunktFiles[1], 2, model.collocations);
  read_words(kPunktFiles[2], 1, model.starters);
  read_lines(from / kPunktFiles[3], [&](const LineReader& lines, std::string_view line) {
    check_columns(lines, line, 2);
    const std::size_t tab = line.find('\t');
    const std::string_view flags = line.substr(tab + 1);
    int value = -1;
    const auto [end, problem] = std::from_chars(flags.data(), flags.data() + flags.size(), value);
    if (problem != std::errc() || end != flags.data() + flags.size() || value < 0 || value > 127) {
      lines.fail_here(
          fmt::format("has the flags {} where a sum of 2, 4, 8, 16, 32 and 64 is "
                      "needed",
                      in_quotes(flags)));
    }
    model.contexts[std::string(line.substr(0, tab))] = static_cast<std::uint8_t>(value);
  });
  return model;
}

}  // namespace cupel
