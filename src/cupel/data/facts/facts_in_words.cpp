#include "cupel/data/facts/facts_in_words.h"

#include <algorithm>
#include <array>
#include <new>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/base/paths.h"
#include "cupel/base/words.h"
#include "cupel/data/facts/fact_times.h"
#include "cupel/data/formats/text.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

using Fields = std::vector<std::string_view>;
enum Place : std::size_t { kSource, kRelation, kTarget, kTime, kFifth };
constexpr std::array kWhat = {"source", "relation", "target", "time"};

struct PartFile {
  std::string part;
  fs::path path;
};

std::vector<PartFile> part_files(const fs::path& folder) {
  std::vector<PartFile> out;
  std::error_code problem;
  for (const char* part : {"train", "valid", "test"}) {
    const fs::path plain = folder / part, text = folder / (std::string(part) + ".txt");
    if (is_there(text))
      out.push_back({part, text});
    else if (fs::is_regular_file(plain, problem))
      out.push_back({part, plain});
  }
  return out;
}

// Fields between tabs, without the blanks around them, or between blanks.
void cut(std::string_view line, bool tabs, Fields& out) {
  out.clear();
  if (tabs) {
    for (std::size_t at = 0; at <= line.size();) {
      const std::size_t end = std::min(line.find('\t', at), line.size());
      out.push_back(trimmed(line.substr(at, end - at)));
      at = end + 1;
    }
    return;
  }
  for (std::size_t at = line.find_first_not_of(' '); at < line.size();
       at = line.find_first_not_of(' ', at)) {
    const std::size_t end = std::min(line.find(' ', at), line.size());
    out.push_back(line.substr(at, end - at));
    at = end;
  }
}

bool has_tab(std::string_view line) { return line.find('\t') != std::string_view::npos; }

// Whether the first line of the file that is not blank looks like a fact.
bool looks_like_facts(const fs::path& path, bool of_its_own) {
  try {
    LineReader lines(path);
    std::string_view line;
    do {
      if (!lines.next(line)) return false;
    } while (trimmed(line).empty());
    Fields fields;
    cut(line, has_tab(line), fields);
    if (fields.size() < kFifth || fields.size() > kFifth + 1) return false;
    std::int64_t ignored;
    const bool numbers = std::all_of(fields.begin(), fields.begin() + kTime,
                                     [&](auto field) { return whole_number(field, ignored); });
    if (of_its_own && (!has_tab(line) || numbers)) return false;
    return point_in_time(fields[kTime]).has_value();
  } catch (const Error&) {
    return false;
  }
}

class Reader {
 public:
  explicit Reader(TemporalFacts& facts) : facts_(facts) {}

  // Adds the facts of a file, and says when they were.
  FactPart read(const fs::path& path, const std::string& part) {
    LineReader lines(path);
    FactPart out{part};
    bool tabs = false, first = true;
    for (std::string_view line; lines.next(line);) {
      if (trimmed(line).empty()) continue;
      if (first) tabs = has_tab(line);
      first = false;
      check_utf8(lines, line);
      cut(line, tabs, fields_);
      check_fields(lines, line, tabs);
      check_room(lines, facts_);
      const std::int64_t time = times_.read(lines, fields_[kTime]);
      const Index source = entities_.id(fields_[kSource]);
      facts_.push(source, relations_.id(fields_[kRelation]), entities_.id(fields_[kTarget]), time);
      out.add(time);
    }
    return out;
  }

  void finish(const std::string& name, FactNotes* notes) {
    if (facts_.facts() == 0) fail("{}: holds no fact", name);
    times_.settle_fractions(name, notes);
    facts_.time_unit = times_.unit();
    facts_.types = {"entity"};
    facts_.entity_types.assign(static_cast<std::size_t>(entities_.size()), 0);
    for (Index k = 0; k < entities_.size(); ++k)
      facts_.entity_names.add(one_line_name(entities_.texts()[k]));
    for (Index r = 0; r < relations_.size(); ++r)
      facts_.relations.push_back({one_line_name(relations_.texts()[r])});
  }

 private:
  void check_fields(const LineReader& lines, std::string_view line, bool tabs) const {
    if (fields_.size() < kFifth)
      lines.fail_here(fmt::format("{} has {} where four are needed, {}; {}?", in_quotes(line),
                                  counted(std::ssize(fields_), "field"), fmt::join(kWhat, ", "),
                                  tabs && !has_tab(line) ? "are there blanks where tabs are needed"
                                                         : "is the file cut off"));
    for (std::size_t place = 0; place < kFifth; ++place)
      if (fields_[place].empty())
        lines.fail_here(
            fmt::format("has nothing for the {}; fill it in, or leave the line out", kWhat[place]));
    if (fields_.size() == kFifth) return;
    if (fields_.size() > kFifth + 1 || (fields_[kFifth] != "0" && fields_[kFifth] != "-1"))
      lines.fail_here(
          fmt::format("has {} behind the time, where nothing, 0 or -1 stands; facts are points in "
                      "time, and one that lasts needs a line for each step",
                      in_quotes(fields_[kFifth])));
  }

  TemporalFacts& facts_;
  FactTimes times_;
  TextIds entities_, relations_;
  Fields fields_;
};

}  // namespace

bool is_facts_in_words(const fs::path& path) {
  std::error_code problem;
  if (!fs::is_directory(path, problem)) return looks_like_facts(path, true);
  const std::vector<PartFile> files = part_files(path);
  return !is_there(path / "stat.txt") && !files.empty() && looks_like_facts(files[0].path, false);
}

std::vector<fs::path> worded_fact_files(const fs::path& folder) {
  std::vector<fs::path> out;
  for (const PartFile& file : part_files(folder)) out.push_back(file.path);
  return out;
}

TemporalFacts read_facts_in_words(const fs::path& path, FactNotes* notes) {
  try {
    std::error_code problem;
    TemporalFacts facts;
    Reader reader(facts);
    if (fs::is_directory(path, problem)) {
      facts.name = plain_path(path).filename().string();
      for (const PartFile& file : part_files(path))
        facts.parts.push_back(reader.read(file.path, file.part));
    } else {
      facts.name = path.stem().string();
      reader.read(path, "");
    }
    reader.finish(path.string(), notes);
    settle(facts, notes);
    return facts;
  } catch (const std::bad_alloc&) {
    fail_memory(path);
  }
}

}  // namespace cupel
