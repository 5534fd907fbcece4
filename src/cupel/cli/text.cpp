#include "cupel/cli/text.h"

#include <fmt/format.h>

#include <algorithm>

#include "cupel/base/visible.h"

namespace cupel::cli {
namespace {

constexpr std::size_t kLabelWidth = 14;

// Lines of at most `width` columns; a word that is longer has a line of its own.
std::vector<std::string> broken(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  for (const std::string& paragraph : pieces_of(text, '\n')) {
    std::string line;
    for (const std::string& word : pieces_of(paragraph, ' ')) {
      if (word.empty()) continue;
      if (!line.empty() && display_width(line) + 1 + display_width(word) > width) {
        lines.push_back(std::move(line));
        line.clear();
      }
      if (!line.empty()) line += ' ';
      line += word;
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::size_t used = display_width(text);
  const std::string blanks(width > used ? width - used : 0, ' ');
  return right ? blanks + text : text + blanks;
}

void trim_end(std::string& line) {
  while (!line.empty() && line.back() == ' ') line.pop_back();
}

}  // namespace

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string wrap(std::string_view text, std::size_t indent) {
  std::string out;
  for (const std::string& line : broken(text, kWidth - indent)) {
    out += line.empty() ? "\n" : std::string(indent, ' ') + line + "\n";
  }
  return out;
}

std::string labelled(std::string_view label, std::string_view text) {
  std::string out = padded(std::string(label), kLabelWidth, false);
  bool first = true;
  for (const std::string& line : broken(text, kWidth - kLabelWidth)) {
    out += (first ? "" : std::string(kLabelWidth, ' ')) + line + "\n";
    first = false;
  }
  return out;
}

void Columns::row(std::vector<std::string> cells) {
  cells.resize(alignment_.size());
  // A name with a line end must not look like two rows.
  for (std::size_t i = 0; i < cells.size(); ++i)
    cells[i] = alignment_[i] == 'w' ? visible(cells[i]) : visible_line(cells[i]);
  rows_.push_back(std::move(cells));
}

std::string Columns::text() const {
  std::vector<std::size_t> widths(alignment_.size());
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], display_width(row[i]));
  }
  std::string out;
  for (const auto& row : rows_) {
    std::string line = "  ";
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) line += "  ";
      if (alignment_[i] != 'w') {
        line += padded(row[i], widths[i], alignment_[i] == 'r');
        continue;
      }
      const std::size_t begin = display_width(line);
      const auto pieces =
          broken(row[i], std::max<std::size_t>(kWidth - std::min(begin, kWidth), 24));
      for (std::size_t k = 0; k < pieces.size(); ++k) {
        if (k > 0) line += "\n" + std::string(begin, ' ');
        line += pieces[k];
      }
    }
    trim_end(line);
    out += line + "\n";
  }
  return out;
}

}  // namespace cupel::cli
