#include "cupel/data/wiki/markup/tables.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "cupel/data/wiki/markup/marks.h"

namespace cupel::markup {
namespace {

constexpr auto kNone = std::string_view::npos;

struct Range {
  std::size_t begin, end;
};

struct Tables {
  std::vector<Range> whole;  // outermost ones that are closed, ascending
  std::size_t open = kNone;  // from here on the text is in a table that is not closed
};

// Where the line's own text begins: behind blanks, and behind colons that indent a table.
std::size_t content_begin(std::string_view text, std::size_t at, std::size_t end) {
  const std::size_t line = at;
  while (at < end && text[at] == ':') ++at;
  while (at < end && (text[at] == ' ' || text[at] == '\t' || text[at] == kNothing)) ++at;
  if (text[line] != ':' || text.substr(at, 2) == "{|") return at;
  return line;
}

Tables find_tables(std::string_view text) {
  Tables out;
  std::vector<std::size_t> open;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = line_end(text, at);
    const std::size_t begin = content_begin(text, at, end);
    const std::string_view mark = text.substr(begin, 2);
    if (mark == "{|") {
      open.push_back(at);
    } else if (mark == "|}" && !open.empty()) {
      while (!out.whole.empty() && out.whole.back().begin >= open.back()) out.whole.pop_back();
      out.whole.push_back({open.back(), begin + 2});
      open.pop_back();
    }
    at = end + 1;
  }
  if (!open.empty()) out.open = open.front();
  return out;
}

// Where the next cell of the same line is parted off.
std::size_t separator(std::string_view row, bool heads) {
  for (std::size_t at = 0; at + 1 < row.size(); ++at) {
    if (row[at] == row[at + 1] && (row[at] == '|' || (heads && row[at] == '!'))) return at;
  }
  return kNone;
}

// What of a cell is seen: all, or what follows its attributes.
std::string_view cell_text(std::string_view cell) {
  const std::size_t pipe = cell.find('|');
  if (pipe == kNone || cell.substr(0, pipe).find("[[") != kNone) return cell;
  return cell.substr(pipe + 1);
}

void append_rows(std::string& out, std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = line_end(text, at);
    const std::size_t begin = content_begin(text, at, end);
    if (begin < end && (text[begin] == '|' || text[begin] == '!')) {
      append_cells(out, text.substr(begin, end - begin));
    } else if (text.substr(begin, 2) != "{|") {
      out.append(text, at, end - at);
      out += '\n';
    }
    at = end + 1;
  }
}

}  // namespace

void append_cells(std::string& out, std::string_view row) {
  if (row.starts_with("|-")) return;
  if (row.starts_with("|}")) {
    out.append(row.substr(2)) += '\n';
    return;
  }
  const bool heads = row.starts_with('!');
  row.remove_prefix(row.starts_with("|+") ? 2 : 1);
  while (true) {
    const std::size_t next = separator(row, heads);
    ((out += ' ') += cell_text(row.substr(0, next))) += '\n';
    if (next == kNone) return;
    row.remove_prefix(next + 2);
  }
}

void take_out_tables(std::string& text, TableText tables) {
  if (text.find("{|") == kNone) return;
  const Tables found = find_tables(text);
  const bool keep = tables == TableText::kKeep;
  std::string out;
  out.reserve(text.size());
  std::size_t at = 0;
  const auto copy_to = [&](std::size_t end) {
    const std::string_view all = text;
    const std::size_t plain = std::min(end, std::max(at, found.open));
    out.append(all.substr(at, plain - at));
    append_rows(out, all.substr(plain, end - plain));
    at = end;
  };
  for (const Range& table : found.whole) {
    copy_to(table.begin);
    if (keep) append_rows(out, std::string_view(text).substr(at, table.end - at));
    at = table.end;
  }
  copy_to(text.size());
  text = std::move(out);
}

}  // namespace cupel::markup
