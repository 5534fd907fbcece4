#include "cupel/data/facts/temporal_csv.h"

#include <algorithm>
#include <new>
#include <optional>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/data/facts/fact_times.h"
#include "cupel/data/formats/csv.h"
#include "cupel/data/formats/text.h"

namespace cupel {
namespace {

enum Role { kTime, kSource, kTarget, kRelation, kRoles };
constexpr const char* kRoleNames[] = {"time", "source", "target", "relation"};
const std::vector<std::string_view> kKnown[] = {
    {"timestamp", "ts", "time", "t", "day", "date", "year"},
    {"source", "source_id", "source_subreddit", "src", "u", "head", "user", "user_id", "userid",
     "subject", "s"},
    {"target", "target_id", "target_subreddit", "dst", "destination", "i", "v", "tail", "item",
     "item_id", "itemid", "object", "o"},
    {"relation_type", "relation", "rel", "edge_type", "r"}};

// Where one of these stands beside the ends, facts last, and are no points in time.
const std::vector<std::string_view> kEndsOfIntervals = {"end",   "end_time", "end_date", "end_year",
                                                        "until", "to_time",  "valid_to"};

// What stands between the columns that the header names. Blanks do in no csv, and this is told.
char separator_of(std::string_view header) {
  for (const char separator : {'\t', ',', ';'})
    if (header.find(separator) != std::string_view::npos) return separator;
  return ' ';
}

const char* shown_separator(char separator) {
  return separator == '\t' ? "tab" : separator == ';' ? "semicolon" : "comma";
}

struct Header {
  std::optional<std::size_t> place[kRoles];
  bool two_types = false;
  std::string second[kRoles];  // the name of a further column that may be meant
  std::string interval_end;    // the name of a column that says how long facts last
  std::size_t last = 0;        // column that is needed
  std::size_t columns = 0;
  std::string time_unit;
  char separator = ',';

  bool has_ends() const { return place[kSource] && place[kTarget]; }
  bool of_intervals() const { return has_ends() && !interval_end.empty(); }
  bool complete() const { return place[kTime] && has_ends(); }
  bool names_some() const {
    return std::ranges::any_of(place, [](const auto& at) { return at.has_value(); });
  }
};

Header header_of(std::string_view line) {
  std::string text(line);
  std::vector<std::string_view> fields;
  Header out;
  out.separator = separator_of(line);
  if (out.separator == ' ' && is_comment(line)) return out;
  if (cut_csv(text, out.separator, fields) != nullptr) return out;
  out.columns = fields.size();
  std::string names[kRoles];
  for (std::size_t k = 0; k < fields.size(); ++k) {
    std::string name(fields[k]);
    for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (std::ranges::find(kEndsOfIntervals, name) != kEndsOfIntervals.end())
      out.interval_end = name;
    for (int role = 0; role < kRoles; ++role) {
      const auto& known = kKnown[role];
      if (std::find(known.begin(), known.end(), name) == known.end()) continue;
      if (out.place[role]) {
        if (out.second[role].empty()) out.second[role] = name;
        break;
      }
      out.place[role] = k;
      names[role] = name;
      out.last = std::max(out.last, k);
      break;
    }
  }
  out.two_types = names[kSource].starts_with("user") && names[kTarget].starts_with("item");
  for (const char* unit : {"day", "year"})
    if (names[kTime] == unit) out.time_unit = unit;
  return out;
}

// That of a file; one without columns where it cannot be read.
Header header_in(const std::filesystem::path& path) {
  try {
    LineReader lines(path);
    std::string_view line;
    if (lines.next(line)) return header_of(line);
  } catch (const Error&) {
  }
  return {};
}

class Reader {
 public:
  Reader(const std::filesystem::path& path, TemporalFacts& facts) : lines_(path), facts_(facts) {}

  void read(FactNotes* notes) {
    std::string_view line;
    if (!lines_.next(line)) fail("{}: is empty", lines_.name());
    header_ = header_of(line);
    if (header_.separator == ' ' && header_.columns > 1)
      lines_.fail_here(
          fmt::format("{} has blanks between the names of its columns; put commas, tabs or "
                      "semicolons there, and in all lines",
                      in_quotes(line)));
    if (header_.of_intervals())
      lines_.fail_here(fmt::format(
          "has a column {}, as if facts lasted, and they are points in time here; write a line for "
          "each step that a fact lasts, or take the column out",
          in_quotes(header_.interval_end)));
    for (const Role role : {kTime, kSource, kTarget}) {
      if (header_.place[role]) continue;
      lines_.fail_here(fmt::format("{} names no column of the {}; call it {}", in_quotes(line),
                                   kRoleNames[role], kKnown[role].front()));
    }
    for (int role = 0; role < kRoles; ++role) {
      if (header_.second[role].empty()) continue;
      lines_.fail_here(fmt::format(
          "names two columns that may be the {}, and {} is the second; rename the one that is not",
          kRoleNames[role], in_quotes(header_.second[role])));
    }
    facts_.time_unit = header_.time_unit;
    facts_.types = header_.two_types ? std::vector<std::string>{"user", "item"}
                                     : std::vector<std::string>{"node"};
    while (lines_.next(line)) {
      if (!trimmed(line).empty()) read_fact(line);
    }
    if (facts_.facts() == 0) fail("{}: holds no fact behind its header", lines_.name());
    if (*times_.unit() != 0) facts_.time_unit = times_.unit();
    times_.settle_fractions(lines_.name(), notes);
    finish();
  }

 private:
  void read_fact(std::string_view line) {
    check_utf8(lines_, line);
    line_ = line;
    if (const char* problem = cut_csv(line_, header_.separator, fields_)) lines_.fail_here(problem);
    // Fields behind the header are features without names, as JODIE's files have them. Behind a
    // column that is needed they come of a text that a separator has cut.
    if (fields_.size() > header_.columns && header_.last + 1 == header_.columns)
      lines_.fail_here(fmt::format(
          "{} has {} fields where the header names {}; put texts with a {} in double quotes",
          in_quotes(line), fields_.size(), header_.columns, shown_separator(header_.separator)));
    if (width_ == 0) width_ = fields_.size();
    if (fields_.size() != width_ || fields_.size() <= header_.last)
      lines_.fail_here(fmt::format("{} has {} fields where {} are needed; is the file cut off?",
                                   in_quotes(line), fields_.size(),
                                   std::max(width_, header_.last + 1)));
    check_room(lines_, facts_);
    const std::int64_t time = times_.read(lines_, field(kTime));
    const Index source = end(text(kSource), 0);
    const Index target = end(text(kTarget), header_.two_types ? 1 : 0);
    const Index relation = header_.place[kRelation] ? relations_.id(text(kRelation)) : 0;
    if (relation >= kMostRelations)
      lines_.fail_here(fmt::format("there are more than {} relations; is {} the right column?",
                                   kMostRelations, in_quotes(field(kRelation))));
    facts_.push(source, relation, target, time);
  }

  std::string_view field(Role role) const { return fields_[*header_.place[role]]; }
  std::string_view text(Role role) {
    if (field(role).empty())
      lines_.fail_here(fmt::format("has nothing for the {}; fill it in, or leave the line out",
                                   kRoleNames[role]));
    return field(role);
  }

  Index end(std::string_view text, int type) {
    if (!header_.two_types) return ids_[0].id(text);
    const Index id = ids_[type].id(text);
    auto& numbers = numbers_[type];
    if (id == static_cast<Index>(numbers.size())) {
      numbers.push_back(static_cast<Index>(facts_.entity_types.size()));
      facts_.entity_types.push_back(static_cast<std::uint8_t>(type));
    }
    return numbers[static_cast<std::size_t>(id)];
  }

  void finish() {
    const TextTable& first = ids_[0].texts();
    if (header_.two_types) {
      Index next[2] = {0, 0};
      for (const std::uint8_t type : facts_.entity_types)
        facts_.entity_names.add(one_line_name(ids_[type].texts()[next[type]++]));
    } else {
      facts_.entity_types.assign(static_cast<std::size_t>(first.size()), 0);
      for (Index k = 0; k < first.size(); ++k) facts_.entity_names.add(one_line_name(first[k]));
    }
    const std::uint8_t target_type = header_.two_types ? 1 : 0;
    if (!header_.place[kRelation]) facts_.relations = {{"edge", 0, target_type}};
    for (Index r = 0; r < relations_.size(); ++r)
      facts_.relations.push_back({one_line_name(relations_.texts()[r]), 0, target_type});
  }

  static constexpr Index kMostRelations = 1'000'000;

  LineReader lines_;
  TemporalFacts& facts_;
  Header header_;
  std::string line_;  // what the fields point into
  std::vector<std::string_view> fields_;
  std::size_t width_ = 0;  // fields of the first fact
  FactTimes times_;
  TextIds ids_[2], relations_;
  std::vector<Index> numbers_[2];  // entities of the ids
};

}  // namespace

TemporalFacts read_temporal_csv(const std::filesystem::path& path, FactNotes* notes) {
  try {
    TemporalFacts facts;
    facts.name = path.stem().string();
    Reader(path, facts).read(notes);
    settle(facts, notes);
    return facts;
  } catch (const std::bad_alloc&) {
    fail_memory(path);
  }
}

bool is_temporal_csv(const std::filesystem::path& path) {
  const Header header = header_in(path);
  return header.complete() || header.of_intervals();
}

bool names_columns_of_facts(const std::filesystem::path& path) {
  return header_in(path).names_some();
}

}  // namespace cupel
