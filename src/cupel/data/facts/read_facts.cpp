#include <algorithm>
#include <array>
#include <new>

#include "cupel/base/error.h"
#include "cupel/base/paths.h"
#include "cupel/data/facts/facts_folder.h"
#include "cupel/data/facts/facts_in_words.h"
#include "cupel/data/facts/renet_text.h"
#include "cupel/data/facts/temporal_csv.h"
#include "cupel/data/facts/temporal_edges.h"
#include "cupel/data/formats/csv.h"
#include "cupel/data/formats/text.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

constexpr std::array kTables = {"quadruples.csv", "entities.csv", "relations.csv"};

void check_header(const CsvReader& csv, const std::vector<std::string>& wanted) {
  if (csv.header() == wanted) return;
  csv.fail_here(fmt::format("the columns are {} where {} are needed", quoted_list(csv.header()),
                            quoted_list(wanted)));
}

std::int64_t number(const CsvReader& csv, std::size_t column) {
  std::int64_t out;
  if (!whole_number(csv.fields()[column], out))
    csv.fail_here(fmt::format("{} in column {} is no whole number", in_quotes(csv.fields()[column]),
                              in_quotes(csv.header()[column])));
  return out;
}

void check_next(const CsvReader& csv, std::int64_t next) {
  if (number(csv, 0) != next)
    csv.fail_here(fmt::format("id {} stands where {} comes next; ids ascend from 0",
                              in_quotes(csv.fields()[0]), next));
}

std::uint8_t type_of(const CsvReader& csv, std::size_t column, TemporalFacts& facts) {
  const std::string name = one_line_name(csv.fields()[column]);
  const auto found = std::find(facts.types.begin(), facts.types.end(), name);
  if (found == facts.types.end()) {
    if (name.empty()) csv.fail_here("has no type; name one");
    if (facts.types.size() >= 255)
      csv.fail_here(fmt::format("{} is type number 256, and 255 are possible", in_quotes(name)));
    facts.types.push_back(name);
    return static_cast<std::uint8_t>(facts.types.size() - 1);
  }
  return static_cast<std::uint8_t>(found - facts.types.begin());
}

void read_entities(const fs::path& path, TemporalFacts& facts) {
  CsvReader csv(path);
  check_header(csv, {"id", "type", "name"});
  bool named = false;
  while (csv.next()) {
    check_next(csv, facts.entity_names.size());
    facts.entity_types.push_back(type_of(csv, 1, facts));
    named = named || csv.fields()[2] != csv.fields()[0];
    facts.entity_names.add(one_line_name(csv.fields()[2]));
  }
  if (facts.entity_types.empty()) fail("{}: holds no entity", path.string());
  if (!named) facts.entity_names = {};
}

void read_relations(const fs::path& path, TemporalFacts& facts) {
  CsvReader csv(path);
  check_header(csv, {"id", "name", "head_type", "tail_type", "direction", "time_unit"});
  while (csv.next()) {
    check_next(csv, std::ssize(facts.relations));
    const std::string_view direction = csv.fields()[4];
    if (direction != "either" && direction != "directed")
      csv.fail_here(
          fmt::format("{} is no direction; write directed or either", in_quotes(direction)));
    facts.relations.push_back({one_line_name(csv.fields()[1]), type_of(csv, 2, facts),
                               type_of(csv, 3, facts), direction == "either"});
    const std::string unit = one_line_name(csv.fields()[5]);
    if (facts.relations.size() > 1 && unit != facts.time_unit)
      csv.fail_here(fmt::format("times are in {} here and in {} before; write all in one unit",
                                in_quotes(unit), in_quotes(facts.time_unit)));
    facts.time_unit = unit;
  }
  if (facts.relations.empty()) fail("{}: holds no relation", path.string());
}

void check_end(const LineReader& lines, const TemporalFacts& facts, std::int64_t entity,
               std::uint8_t type, const FactRelation& relation) {
  const std::uint8_t found = facts.entity_types[static_cast<std::size_t>(entity)];
  if (found == type) return;
  lines.fail_here(fmt::format("entity {} is of type {} where {} needs {}", entity,
                              in_quotes(facts.types[found]), in_quotes(relation.name),
                              in_quotes(facts.types[type])));
}

void read_quadruples(const fs::path& path, TemporalFacts& facts) {
  constexpr std::string_view kHeader = "timestamp,head,tail,relation_type";
  LineReader lines(path);
  std::string_view line;
  if (!lines.next(line) || line != kHeader)
    fail("{}: line 1: {} is not the header {}", lines.name(), in_quotes(line), kHeader);
  std::array<std::int64_t, 8> n{};
  int count = 0;
  while (lines.next(line)) {
    if (!whole_numbers(line, n, count) || count != 4) {
      if (is_comment(line)) continue;
      fail_not_a_fact(lines, line, 4, "timestamp, head, tail and relation_type");
    }
    check_id(lines, n[1], facts.entities(), "entity", "entities.csv");
    check_id(lines, n[2], facts.entities(), "entity", "entities.csv");
    check_id(lines, n[3], std::ssize(facts.relations), "relation", "relations.csv");
    const FactRelation& relation = facts.relations[static_cast<std::size_t>(n[3])];
    check_end(lines, facts, n[1], relation.source_type, relation);
    check_end(lines, facts, n[2], relation.target_type, relation);
    check_room(lines, facts);
    facts.push(static_cast<Index>(n[1]), static_cast<Index>(n[3]), static_cast<Index>(n[2]), n[0]);
  }
  if (facts.facts() == 0)
    fail("{}: holds no fact behind its header; is the file cut off?", lines.name());
}

void read_parts(const fs::path& path, TemporalFacts& facts) {
  if (!is_there(path)) return;
  CsvReader csv(path);
  check_header(csv, {"part", "facts", "first", "last"});
  std::int64_t all = 0;
  while (csv.next()) {
    const std::int64_t size = number(csv, 1);
    if (size < 0 || size > facts.facts() - all)
      csv.fail_here(
          fmt::format("{} facts do not fit: quadruples.csv has {} in all", size, facts.facts()));
    all += size;
    const std::string name = one_line_name(csv.fields()[0]);
    if (std::ranges::find(facts.parts, name, &FactPart::name) != facts.parts.end())
      csv.fail_here(fmt::format("part {} stands twice; write one row for each, with all its facts",
                                in_quotes(name)));
    facts.parts.push_back({name, size, number(csv, 2), number(csv, 3)});
  }
  if (all != facts.facts())
    fail("{}: its parts have {} facts and quadruples.csv has {}; remove the file, or say all parts",
         path.string(), all, facts.facts());
}

// Parts that come one after the other are stretches of the facts, which are in order by now.
void check_parts(const fs::path& path, const TemporalFacts& facts) {
  const std::vector<FactPart>& parts = facts.parts;
  const auto times = facts.time.all();
  const FactPart* before = nullptr;
  for (const FactPart& part : parts) {
    if (part.facts == 0) continue;
    const bool within =
        part.first <= part.last && part.first >= times.front() && part.last <= times.back();
    if (!within)
      fail(
          "{}: part {} has facts from {} to {}, and quadruples.csv those from {} to {}; "
          "correct it, or remove the file",
          path.string(), in_quotes(part.name), part.first, part.last, times.front(), times.back());
    if (before != nullptr && before->last > part.first) return;  // they lie in one another
    before = &part;
  }
  std::size_t begin = 0;
  for (const FactPart& part : parts) {
    if (part.facts == 0) continue;
    const std::size_t end = begin + static_cast<std::size_t>(part.facts);
    if (times[begin] != part.first || times[end - 1] != part.last)
      fail(
          "{}: part {} has {} facts from {} to {}, and these in quadruples.csv go from {} to {}; "
          "correct it, or remove the file",
          path.string(), in_quotes(part.name), part.facts, part.first, part.last, times[begin],
          times[end - 1]);
    begin = end;
  }
}

}  // namespace

bool is_facts_folder(const fs::path& folder) {
  return std::ranges::any_of(kTables, [&](const char* name) { return is_there(folder / name); });
}

TemporalFacts read_facts_folder(const fs::path& folder, FactNotes* notes) {
  for (const char* name : kTables)
    if (!is_there(folder / name))
      fail("{}: lacks {}; a folder of facts has {}: build it again, or remove the others",
           folder.string(), name, fmt::join(kTables, ", "));
  try {
    TemporalFacts facts;
    facts.name = plain_path(folder).filename().string();
    // Relations name the types in their order; not every type need have an entity.
    read_relations(folder / "relations.csv", facts);
    read_entities(folder / "entities.csv", facts);
    read_quadruples(folder / "quadruples.csv", facts);
    read_parts(folder / "parts.csv", facts);
    settle(facts, notes);
    check_parts(folder / "parts.csv", facts);
    return facts;
  } catch (const std::bad_alloc&) {
    fail_memory(folder);
  }
}

Authorships read_authorships(const fs::path& folder, const TemporalFacts& facts) {
  Authorships out;
  const fs::path path = folder / "authorships.csv";
  if (!is_there(path)) return out;
  CsvReader csv(path);
  check_header(csv, {"paper", "position", "entity"});
  TextIds papers;
  while (csv.next()) {
    const std::int64_t position = number(csv, 1), entity = number(csv, 2);
    if (position < 0 || position > kMostFacts)
      csv.fail_here(fmt::format("{} is no position; authors are counted from 0", position));
    if (entity < 0 || entity >= facts.entities())
      csv.fail_here(
          fmt::format("entity {} is out of range: entities.csv has {}", entity, facts.entities()));
    out.paper.push_back(papers.id(csv.fields()[0]));
    out.position.push_back(static_cast<Index>(position));
    out.entity.push_back(static_cast<Index>(entity));
  }
  out.papers = std::move(papers).take();
  return out;
}

bool is_facts(const fs::path& path) {
  std::error_code problem;
  if (fs::is_directory(path, problem))
    return is_facts_folder(path) || is_renet_text(path) || is_facts_in_words(path);
  return fs::is_regular_file(path, problem) &&
         (is_temporal_csv(path) || is_facts_in_words(path) || is_temporal_edges(path));
}

TemporalFacts read_facts(const fs::path& path, FactNotes* notes) {
  std::error_code problem;
  if (!is_there(path)) fail("{}: there is no such file or folder", path.string());
  if (fs::is_directory(path, problem)) {
    if (is_facts_folder(path)) return read_facts_folder(path, notes);
    if (is_renet_text(path)) return read_renet_text(path, notes);
    if (is_facts_in_words(path)) return read_facts_in_words(path, notes);
    fail(
        "{}: is no folder of facts; it needs quadruples.csv, entities.csv and relations.csv, or "
        "stat.txt and train.txt (or quadruples.txt), or train, valid and test with facts in words; "
        "where it holds a csv or an edge list, give the file itself",
        path.string());
  }
  if (is_temporal_csv(path)) return read_temporal_csv(path, notes);
  if (is_facts_in_words(path)) return read_facts_in_words(path, notes);
  if (names_columns_of_facts(path)) return read_temporal_csv(path, notes);
  return read_temporal_edges(path, notes);
}

}  // namespace cupel
