#include "cupel/data/formats/number_table.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "cupel/data/formats/parts.h"
#include "cupel/data/formats/text.h"

namespace cupel {
namespace {

// Calls field(number, text) for each field of a line and returns how many there were.
template <class Field>
std::size_t for_fields(std::string_view line, Field&& field) {
  std::size_t count = 0;
  for (std::size_t at = 0;;) {
    const std::size_t comma = line.find(',', at);
    field(count++, trimmed(line.substr(at, comma - at)));
    if (comma == std::string_view::npos) return count;
    at = comma + 1;
  }
}

bool is_gap(std::string_view text) {
  return text.empty() || text == "\"\"" || text == "nan" || text == "NaN" || text == "NA";
}

[[noreturn]] void wrong_length(const LineReader& reader, std::size_t found, std::size_t wanted) {
  reader.fail_here(fmt::format("has {} fields where {} are needed", found, wanted));
}

}  // namespace

void read_integer_rows(
    const std::filesystem::path& path, std::size_t columns,
    const std::function<void(LineReader& reader, std::span<const std::int64_t> row)>& row) {
  LineReader reader(path);
  std::vector<std::int64_t> values(columns);
  for (std::string_view line; reader.next(line);) {
    if (trimmed(line).empty()) continue;
    const std::size_t found = for_fields(line, [&](std::size_t c, std::string_view text) {
      if (c >= columns) return;
      const auto [end, problem] =
          std::from_chars(text.data(), text.data() + text.size(), values[c]);
      if (problem != std::errc() || end != text.data() + text.size() || text.empty())
        reader.fail_here(fmt::format("{} is no whole number", in_quotes(text)));
    });
    if (found != columns) wrong_length(reader, found, columns);
    row(reader, values);
  }
}

void read_number_rows(
    const std::filesystem::path& path, Gaps gaps,
    const std::function<void(LineReader& reader, std::span<const float> row)>& row) {
  LineReader reader(path);
  std::vector<float> values;
  std::size_t columns = 0;
  for (std::string_view line; reader.next(line);) {
    if (trimmed(line).empty()) continue;
    values.clear();
    const std::size_t found = for_fields(line, [&](std::size_t, std::string_view text) {
      if (gaps == Gaps::kUnknown && is_gap(text)) {
        values.push_back(std::numeric_limits<float>::quiet_NaN());
        return;
      }
      const std::optional<float> number = parse_float32(text);
      if (!number) reader.fail_here(fmt::format("{} is no finite number", in_quotes(text)));
      values.push_back(*number);
    });
    if (columns == 0) columns = found;
    if (found != columns) wrong_length(reader, found, columns);
    row(reader, values);
  }
}

Matrix read_number_table(const std::filesystem::path& path, Gaps gaps) {
  Matrix out;
  read_number_rows(path, gaps, [&](LineReader& reader, std::span<const float> row) {
    if (out.rows == kMostRows)
      reader.fail_here(
          fmt::format("there are more than {} rows; use a smaller data set", kMostRows));
    out.values.insert(out.values.end(), row.begin(), row.end());
    out.cols = static_cast<Index>(row.size());
    ++out.rows;
  });
  return out;
}

}  // namespace cupel
