// Protocols and published tables from files or from the program itself.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

#include "cupel/base/byte_order_mark.h"
#include "cupel/base/embedded.h"
#include "cupel/base/error.h"
#include "cupel/base/paths.h"
#include "cupel/base/regular_file.h"
#include "cupel/lab/protocol/extend.h"
#include "cupel/lab/protocol/section.h"
#include "cupel/learn/score/metrics.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

const embedded::File* find_embedded(const std::string& name) {
  for (const embedded::File& file : embedded::protocols()) {
    if (file.name == name) return &file;
  }
  return nullptr;
}

// The file that [published] names, before the protocol is checked as a whole. Bad TOML is reported
// by parse_protocol.
std::optional<std::string> published_file(const std::string& text) {
  try {
    const toml::table file = toml::parse(std::string_view(text));
    return file["published"]["file"].value<std::string>();
  } catch (const toml::parse_error&) {
    return {};
  }
}

constexpr std::size_t kNoteColumn = 9;

// Fields of a line of CSV (RFC 4180, without line ends in fields): names of generated data sets and
// notes have commas.
std::vector<std::string> split_line(const std::string& where, const std::string& line) {
  std::vector<std::string> fields(1);
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == ',') {
      fields.emplace_back();
    } else if (line[i] == '"' && fields.back().empty()) {
      for (++i; i < line.size(); ++i) {
        if (line[i] == '"' && (i + 1 == line.size() || line[i + 1] != '"')) break;
        i += line[i] == '"';
        fields.back() += line[i];
      }
      const bool ends = i + 1 == line.size() ||
                        (i + 1 < line.size() && (line[i + 1] == ',' || line[i + 1] == '\r'));
      if (!ends)
        fail("{}: field {} does not end with its quote; quotes within it are doubled", where,
             fields.size());
    } else if (line[i] != '\r') {
      fields.back() += line[i];
    }
  }
  return fields;
}

template <class T>
std::optional<T> number(const std::string& where, const char* column, const std::string& text) {
  if (text.empty() || text == "NA") return {};
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() ||
      !std::isfinite(static_cast<double>(value)))
    fail("{}: '{}' is '{}', not a number", where, column, text);
  return value;
}

// A metric in its own spelling, or what derived tables make of one.
Measure read_measure(const std::string& where, const std::string& word) {
  Measure out = Measure::of_word(word);
  if (out == kRank || out == kAverageRank) return out;
  const std::string before = out.metric.starts_with(kRelative) ? kRelative : "";
  out.metric = before + parse_metric(where, out.metric.substr(before.size()),
                                     {AnswerForm::kClasses, AnswerForm::kTasks, AnswerForm::kPool,
                                      AnswerForm::kRanks})
                            .name();
  return out;
}

// Of a field that may say "NA" as well as nothing.
std::string said(const std::string& field) { return field == "NA" ? "" : field; }

// A number that no score can be is a slip, such as one of another column.
void check_bounds(const std::string& where, const PublishedValue& value) {
  const MetricScale scale = scale_of(value.measure);
  const double least = scale.least * scale.unit, most = scale.most * scale.unit;
  if (value.mean && !scale.is_in_bounds(*value.mean / scale.unit))
    fail("{}: 'mean' is {}; values of {} are from {:g} to {:g}", where, *value.mean,
         value.measure.word(), least, most);
  if (value.spread && *value.spread < 0)
    fail("{}: 'spread' is {}; it is 0 or more", where, *value.spread);
  if (value.spread && *value.spread > most - least)
    fail("{}: 'spread' is {}; values of {} are from {:g} to {:g}", where, *value.spread,
         value.measure.word(), least, most);
}

}  // namespace

std::vector<std::string> protocol_names() {
  std::vector<std::string> names;
  for (const embedded::File& file : embedded::protocols()) {
    const fs::path path{std::string(file.name)};
    if (path.extension() == ".toml") names.push_back(path.stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool is_protocol_path(const std::string& name_or_path) {
  return name_or_path.find('/') != std::string::npos ||
         fs::path(name_or_path).extension() == ".toml";
}

ProtocolSource find_protocol(const std::string& name_or_path, const fs::path& folder) {
  ProtocolSource out;
  if (is_protocol_path(name_or_path)) {
    const fs::path path = folder / name_or_path;
    out.name = path.stem().string();
    out.label = path.filename().string();
    out.text = read_small_file(path);
    if (const auto csv = published_file(out.text))
      out.published = read_small_file(path.parent_path() / *csv);
    out.folder = absolute_path(path).parent_path();
    std::error_code ignored;
    out.place = fs::weakly_canonical(path, ignored).string();
    return out;
  }
  const std::vector<std::string> names = protocol_names();
  for (const std::string& name : names) {
    if (!same_name(name, name_or_path)) continue;
    out.name = out.place = name;
    out.label = name + ".toml";
    out.text = find_embedded(out.label)->content;
    if (const auto csv = published_file(out.text)) {
      if (const auto* file = find_embedded(fs::path(*csv).filename().string()))
        out.published = std::string(file->content);
    }
    out.folder = current_folder();
    return out;
  }
  fail(
      "no protocol is called '{}'{}", name_or_path,
      near_text(name_or_path, names,
                fmt::format("there are: {}; a file is given by its path", fmt::join(names, ", "))));
}

Protocol load_protocol(const std::string& name_or_path) {
  return parse_source(find_protocol(name_or_path, {}));
}

std::vector<PublishedValue> parse_published(const std::string& label, const std::string& text) {
  static const std::vector<std::string> kColumns = {"table",       "dataset", "model",
                                                    "metric",      "mean",    "spread",
                                                    "spread_kind", "n_runs",  "effective_n"};
  std::vector<std::string> noted = kColumns;
  noted.push_back("note");
  std::size_t columns = kColumns.size();
  std::vector<PublishedValue> out;
  std::istringstream in{std::string(without_byte_order_mark(text))};
  std::string line;
  for (int at = 1; std::getline(in, line); ++at) {
    const std::string where = fmt::format("{}:{}", label, at);
    if (at == 1) {
      const std::vector<std::string> head = split_line(where, line);
      if (head != kColumns && head != noted)
        fail("{}: the columns must be {}, and may end with ,note", where, fmt::join(kColumns, ","));
      columns = head.size();
      continue;
    }
    const std::vector<std::string> fields = split_line(where, line);
    if (fields.size() == 1 && fields[0].empty()) continue;
    if (fields.size() != columns)
      fail("{}: {} fields instead of {}", where, fields.size(), columns);
    PublishedValue value;
    value.table = fields[0];
    value.dataset = fields[1];
    value.model = fields[2];
    value.measure = read_measure(where, fields[3]);
    value.mean = number<double>(where, "mean", fields[4]);
    value.spread = number<double>(where, "spread", fields[5]);
    check_bounds(where, value);
    value.spread_kind = said(fields[6]);
    if (std::ranges::find(kSpreadKinds, value.spread_kind) == kSpreadKinds.end())
      fail("{}: 'spread_kind' is '{}', and must be one of: {}", where, value.spread_kind,
           fmt::join(kSpreadKinds.begin(), kSpreadKinds.end() - 1, ", "));
    value.n_runs = said(fields[7]);
    value.effective_n = number<int>(where, "effective_n", fields[8]);
    if (value.effective_n && *value.effective_n < 1)
      fail("{}: 'effective_n' is {}; it counts draws, and is 1 or more", where, fields[8]);
    if (columns > kNoteColumn) value.note = said(fields[kNoteColumn]);
    out.push_back(std::move(value));
  }
  if (out.empty()) fail("{}: holds no published value", label);
  return out;
}

}  // namespace cupel
