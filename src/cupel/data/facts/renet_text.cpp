#include "cupel/data/facts/renet_text.h"

#include <algorithm>
#include <new>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/base/paths.h"
#include "cupel/data/formats/claims.h"
#include "cupel/data/formats/text.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

struct Sizes {
  std::int64_t entities = 0, relations = 0;
};

std::vector<std::string> fact_files(const fs::path& folder) {
  std::vector<std::string> out;
  for (const char* name : {"train", "valid", "test"}) {
    if (is_there(folder / (std::string(name) + ".txt"))) out.emplace_back(name);
  }
  if (out.empty() && is_there(folder / "quadruples.txt")) out.emplace_back("quadruples");
  return out;
}

Sizes read_sizes(const fs::path& path) {
  LineReader lines(path);
  std::array<std::int64_t, 8> numbers{};
  int count = 0;
  for (std::string_view line; lines.next(line);) {
    if (is_comment(line)) continue;
    if (!whole_numbers(line, numbers, count) || count < 2 || count > 3)
      lines.fail_here(
          fmt::format("{} is not the numbers of entities and relations", in_quotes(line)));
    for (int k = 0; k < 2; ++k) {
      const std::int64_t number = numbers[static_cast<std::size_t>(k)];
      if (number < 1 || number > kMostFacts)
        lines.fail_here(
            fmt::format("there cannot be {} {}", number, k == 0 ? "entities" : "relations"));
    }
    return {numbers[0], numbers[1]};
  }
  fail("{}: holds no numbers; write those of entities and relations in one line", path.string());
}

// The names in the file by id; none if there is no file. What has no name has its number.
TextTable read_names(const fs::path& path, std::int64_t size, const char* what) {
  TextTable out;
  if (!is_there(path)) return out;
  TextTable names;
  std::vector<Index> place(static_cast<std::size_t>(size), -1);
  LineReader lines(path);
  for (std::string_view line; lines.next(line);) {
    if (is_comment(line) && line.find('\t') == std::string_view::npos) continue;
    check_utf8(lines, line);
    const std::size_t tab = line.find('\t');
    std::int64_t id;
    if (lines.line_number() == 1 && whole_number(line, id)) continue;  // how many there are
    std::string_view rest = tab == std::string_view::npos ? "" : line.substr(tab + 1);
    rest = rest.substr(0, rest.find('\t'));
    if (!whole_number(rest, id))
      lines.fail_here(fmt::format("{} is no name and id with a tab between them", in_quotes(line)));
    check_id(lines, id, size, what, "stat.txt");
    if (place[static_cast<std::size_t>(id)] >= 0)
      lines.fail_here(fmt::format("{} {} has a name already; each id stands once", what, id));
    place[static_cast<std::size_t>(id)] = names.add(one_line_name(line.substr(0, tab)));
  }
  for (std::size_t id = 0; id < place.size(); ++id)
    place[id] < 0 ? out.add(std::to_string(id)) : out.add(names[place[id]]);
  return out;
}

FactPart read_part(const fs::path& path, const std::string& name, const Sizes& sizes,
                   TemporalFacts& facts) {
  LineReader lines(path);
  FactPart part{name};
  std::array<std::int64_t, 8> n{};
  int count = 0;
  for (std::string_view line; lines.next(line);) {
    if (!whole_numbers(line, n, count) || count < 4 || count > 5) {
      if (is_comment(line)) continue;
      fail_not_a_fact(lines, line, 4, "source, relation, target and time");
    }
    check_id(lines, n[0], sizes.entities, "entity", "stat.txt");
    check_id(lines, n[1], sizes.relations, "relation", "stat.txt");
    check_id(lines, n[2], sizes.entities, "entity", "stat.txt");
    if (count == 5 && n[4] != 0 && n[4] != -1)
      lines.fail_here(
          fmt::format("has a fifth number, {}, which is 0 or -1 where facts are points in time; a "
                      "fact that lasts needs a line for each step",
                      n[4]));
    check_room(lines, facts);
    facts.push(static_cast<Index>(n[0]), static_cast<Index>(n[1]), static_cast<Index>(n[2]), n[3]);
    part.add(n[3]);
  }
  return part;
}

}  // namespace

bool is_renet_text(const fs::path& folder) {
  return is_there(folder / "stat.txt") && !fact_files(folder).empty();
}

std::vector<fs::path> renet_fact_files(const fs::path& folder) {
  std::vector<fs::path> out;
  for (const std::string& name : fact_files(folder)) out.push_back(folder / (name + ".txt"));
  return out;
}

TemporalFacts read_renet_text(const fs::path& folder, FactNotes* notes) {
  try {
    const std::vector<std::string> files = fact_files(folder);
    if (files.empty())
      fail("{}: has no train.txt, valid.txt, test.txt or quadruples.txt", folder.string());
    const Sizes sizes = read_sizes(folder / "stat.txt");
    std::uint64_t bytes = 0;
    for (const fs::path& file : renet_fact_files(folder))
      bytes += static_cast<std::uint64_t>(size_of_file(file));
    const std::string where = (folder / "stat.txt").string();
    check_claim(where, sizes.entities, "entities", bytes);
    check_claim(where, sizes.relations, "relations", bytes);

    TemporalFacts facts;
    facts.name = plain_path(folder).filename().string();
    facts.types = {"entity"};
    for (const std::string& file : files) {
      FactPart part = read_part(folder / (file + ".txt"), file, sizes, facts);
      if (file != "quadruples") facts.parts.push_back(std::move(part));
    }
    if (facts.facts() == 0) fail("{}: holds no fact in its files", folder.string());
    settle(facts, notes);
    if (notes != nullptr && files.front() != "quadruples" && is_there(folder / "quadruples.txt"))
      (*notes)[kUnreadQuadruples] = 1;
    facts.entity_types.assign(static_cast<std::size_t>(sizes.entities), 0);
    facts.entity_names = read_names(folder / "entity2id.txt", sizes.entities, "entity");
    const TextTable relations = read_names(folder / "relation2id.txt", sizes.relations, "relation");
    for (std::int64_t r = 0; r < sizes.relations; ++r)
      facts.relations.push_back(
          {relations.empty() ? std::to_string(r) : std::string(relations[static_cast<Index>(r)])});
    return facts;
  } catch (const std::bad_alloc&) {
    fail_memory(folder);
  }
}

}  // namespace cupel
