#include "cupel/data/facts/told_persons.h"

#include <algorithm>
#include <optional>

#include "cupel/base/error.h"
#include "cupel/data/facts/academic.h"
#include "cupel/data/facts/fact_lines.h"
#include "cupel/data/formats/csv.h"
#include "cupel/data/formats/text.h"

namespace cupel {
namespace {

std::optional<std::size_t> column_of(const CsvReader& csv, std::string_view name) {
  const auto found = std::ranges::find(csv.header(), name);
  if (found == csv.header().end()) return std::nullopt;
  return static_cast<std::size_t>(found - csv.header().begin());
}

bool is_called(const Author& author, std::string_view compared) {
  return compared_name(author.name) == compared || compared_name(author.with_marks) == compared;
}

}  // namespace

ToldPersons::ToldPersons(const std::filesystem::path& file) : file_(file.string()) {
  CsvReader csv(file);
  const auto paper = column_of(csv, "paper"), position = column_of(csv, "position"),
             person = column_of(csv, "person"), name = column_of(csv, "name");
  if (!paper || !position || !person)
    csv.fail_here(fmt::format("the columns are {} where paper, position and person are needed",
                              quoted_list(csv.header())));
  while (csv.next()) {
    const auto& fields = csv.fields();
    Line line;
    if (!whole_number(fields[*position], line.position) || line.position < 0)
      csv.fail_here(fmt::format("{} is no position; authors of a paper are counted from 0",
                                in_quotes(fields[*position])));
    line.paper = one_line_name(fields[*paper]);
    line.person = one_line_name(fields[*person]);
    if (line.paper.empty() || line.person.empty())
      csv.fail_here(fmt::format("has nothing in column {}",
                                in_quotes(line.paper.empty() ? "paper" : "person")));
    if (name) line.name = one_line_name(fields[*name]);
    line.number = csv.line();
    std::vector<Index>& others = of_paper_[line.paper];
    for (const Index other : others) {
      const bool one_author = at(other).position == line.position &&
                              (at(other).name.empty() || line.name.empty() ||
                               compared_name(at(other).name) == compared_name(line.name));
      if (one_author)
        csv.fail_here(
            fmt::format("says who author {} of paper {} is, and so does line {}; leave "
                        "one of them",
                        line.position, in_quotes(line.paper), at(other).number));
    }
    others.push_back(static_cast<Index>(lines_.size()));
    lines_.push_back(std::move(line));
  }
}

Index ToldPersons::find(std::string_view paper, std::int64_t position, const Author& author) {
  const auto found = of_paper_.find(paper);
  if (found == of_paper_.end()) return -1;
  for (const Index one : found->second) {
    Line& line = lines_[static_cast<std::size_t>(one)];
    if (line.position != position) continue;
    if (!line.name.empty() && !is_called(author, compared_name(line.name))) {
      line.other_name = author.name;
      continue;
    }
    std::string compared = compared_name(author.name);
    if (!line.compared.empty() && line.compared != compared) fail_of_several(line);
    line.compared = std::move(compared);
    return one;
  }
  return -1;
}

void ToldPersons::take(Index line, Index paper) {
  Line& one = lines_[static_cast<std::size_t>(line)];
  if (one.paper_number >= 0 && one.paper_number != paper) fail_of_several(one);
  one.paper_number = paper;
}

void ToldPersons::leave_out(std::string_view paper) {
  const auto found = of_paper_.find(paper);
  if (found == of_paper_.end()) return;
  for (const Index line : found->second) lines_[static_cast<std::size_t>(line)].left_out = true;
}

void ToldPersons::check() const {
  for (const Line& line : lines_) {
    if (line.paper_number >= 0 || line.left_out) continue;
    if (!line.other_name.empty())
      fail_at(line, fmt::format("author {} of paper {} is called {} and not {}; correct the line",
                                line.position, in_quotes(line.paper), in_quotes(line.other_name),
                                in_quotes(line.name)));
    fail_at(line,
            fmt::format("no paper {} has an author at position {}; authorships.csv of a build "
                        "without this table has both",
                        in_quotes(line.paper), line.position));
  }
}

std::int64_t ToldPersons::taken() const {
  return std::ranges::count_if(lines_, [](const Line& line) { return line.paper_number >= 0; });
}

std::int64_t ToldPersons::left_out() const {
  return std::ranges::count_if(
      lines_, [](const Line& line) { return line.paper_number < 0 && line.left_out; });
}

void ToldPersons::fail_of_several(const Line& line) const {
  fail_at(line, fmt::format("several papers have the id {} and an author at position {}; say in a "
                            "column name who is meant, or give them ids of their own",
                            in_quotes(line.paper), line.position));
}

void ToldPersons::fail_at(const Line& line, const std::string& what) const {
  fail("{}: line {}: {}", file_, line.number, what);
}

}  // namespace cupel
