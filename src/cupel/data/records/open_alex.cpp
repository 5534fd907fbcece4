#include "cupel/data/records/open_alex.h"

#include <algorithm>

#include "cupel/base/error.h"
#include "cupel/base/utf8.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/records/author_lists.h"
#include "cupel/data/records/doi.h"
#include "cupel/data/records/list_ends.h"
#include "cupel/data/records/names.h"
#include "cupel/data/records/record_text.h"

namespace cupel {
namespace {

constexpr std::size_t kLongestAbstract = std::size_t{1} << 20;

// "https://openalex.org/A5023888391": an author, an institution, or whatever else there is.
bool is_other_entity(std::string_view id) {
  const std::size_t slash = id.rfind('/');
  if (slash == std::string_view::npos || id.find("openalex.org/") == std::string_view::npos)
    return false;
  return slash + 1 < id.size() && id[slash + 1] != 'W' && id[slash + 1] != 'w';
}

// OpenAlex's "NULL author", for whom it cannot tell apart, and its deleted one: many people's ids.
bool is_nobodys(std::string_view id) {
  const std::string_view last = id.substr(id.rfind('/') + 1);
  if (!last.starts_with('A') && !last.starts_with('a')) return false;
  const std::string_view number = last.substr(1);
  return number == "9999999999" || number == "5317838346";
}

bool is_object(std::string_view line) {
  try {
    JsonLine json(line);
    const bool out = json.peek() == '{';
    json.skip();
    json.end();
    return out;
  } catch (const JsonProblem&) {
    return false;
  }
}

}  // namespace

OpenAlexReader::OpenAlexReader(const std::filesystem::path& path, ReadProgress progress)
    : lines_(path, std::move(progress)) {}

std::string OpenAlexReader::place() const {
  return fmt::format("{}: line {}", name(), lines_.line_number());
}

bool OpenAlexReader::next(Publication& out) {
  for (std::string_view line; lines_.next(line);) {
    if (trimmed_text(line).empty()) continue;
    if (!broken_.empty()) count("lines that cannot be read");
    broken_.clear();
    if (!is_utf8(line)) lines_.fail_here("is not UTF-8; save the file as UTF-8");
    try {
      if (read_work(line, out)) {
        any_ = true;
        return true;
      }
    } catch (const JsonProblem& problem) {
      broken_ = fmt::format("{}: line {}: is no JSON: byte {}: {}; get the file again", name(),
                            lines_.line_number(), problem.byte + 1, problem.what);
      if (!any_ && problem.cut_off) check_document(line.find_first_not_of(" \t") == line.find('['));
      if (!any_) throw Error(broken_);
    }
  }
  // The last line: the file is cut off.
  if (!broken_.empty()) throw Error(broken_);
  if (!any_) note("files without a work");
  return false;
}

// Throws Error if the first line, which ends within a value, is that of a list or object over
// several lines: the next one is no object by itself.
void OpenAlexReader::check_document(bool list) {
  const std::uint64_t begin = lines_.line_number();
  std::string_view line;
  do {
    if (!lines_.next(line)) return;
  } while (trimmed_text(line).empty());
  if (!list && is_object(line)) return;
  fail(
      "{}: line {}: begins one JSON document that goes on over the next lines, where one work a "
      "line is wanted; write its works one a line, as jq -c '{}' does",
      name(), begin, list ? ".[]" : ".results[]? // .");
}

bool OpenAlexReader::read_work(std::string_view line, Publication& out) {
  out.id.clear(), out.doi.clear();
  out.title.clear(), out.abstract.clear(), out.keywords.clear();
  out.year.reset();
  other_title_.clear();
  retracted_ = paratext_ = truncated_ = odd_year_ = false;
  line_bytes_ = line.size();
  JsonLine json(line);
  std::size_t authors = 0;
  bool listing = false;
  const char first = json.peek();
  if (first == '{') {
    json.object([&](std::string_view key) {
      if (key == "authorships") {
        authors = read_authors(json, out);
      } else {
        listing = listing || key == "results" || key == "meta";
        read_member(json, key, out);
      }
    });
  } else {
    json.skip();
  }
  json.end();
  out.authors.resize(authors);
  if (out.id.empty() || is_other_entity(out.id)) {
    const char* advice = "give OpenAlex works, one a line";
    if (!any_ && listing)
      lines_.fail_here(fmt::format("is an answer of the API; {}: the items of 'results'", advice));
    if (!any_ && first == '[')
      lines_.fail_here(fmt::format("is a list, no work; {}, as jq -c '.[]' makes of it", advice));
    if (!any_ && first != '{') lines_.fail_here(fmt::format("is no object; {}", advice));
    if (!any_ && out.id.empty())
      lines_.fail_here(fmt::format("is an object without 'id', no work; {}", advice));
    if (!any_)
      lines_.fail_here(
          fmt::format("has the id {}, which is no work's; {}", in_quotes(out.id), advice));
    count("lines that are no works");
    return false;
  }
  if (!out.year) count(odd_year_ ? "years that are none" : "records without year");
  if (authors == 0) count("records without authors");
  if (retracted_) count("works that are retracted, taken like others");
  if (paratext_) count("works that are paratext, taken like others");
  if (truncated_) count("works with more authors than are listed");
  if (out.title.empty()) out.title = other_title_;
  unsigned mends = 0;
  make_plain(out.title, mends);
  tell("texts", mends);
  mends = 0;
  make_plain(out.abstract, mends);
  tell("texts", mends);
  for (std::string& one : out.keywords) make_plain(one, mends = 0);
  keep_first(out.keywords);
  return true;
}

// A value of any kind.
bool OpenAlexReader::is_true(JsonLine& json) {
  const bool out = json.peek() == 't';
  json.skip();
  return out;
}

// Whether a value of this kind comes; else it is passed over, and counted unless it is null.
bool OpenAlexReader::is(JsonLine& json, char first) {
  const char next = json.peek();
  if (next == first) return true;
  if (next != 'n') count("fields of another kind than documented");
  json.skip();
  return false;
}

bool OpenAlexReader::read_text(JsonLine& json, std::string& out) {
  out.clear();
  if (!is(json, '"')) return false;
  out = json.text(scratch_);
  return true;
}

void OpenAlexReader::read_member(JsonLine& json, std::string_view key, Publication& out) {
  if (key == "id") {
    read_text(json, out.id);
  } else if (key == "doi") {
    read_text(json, one_);
    if (!read_doi(one_, out.doi)) count(kNoDoi);
  } else if (key == "title") {
    read_text(json, out.title);
  } else if (key == "display_name") {
    read_text(json, other_title_);
  } else if (key == "publication_year") {
    const char first = json.peek();
    if (first == '-' || (first >= '0' && first <= '9')) {
      const std::optional<std::int64_t> year = json.integer();
      odd_year_ = !year || *year < 0 || *year > 9999;
      if (!odd_year_) out.year = static_cast<int>(*year);
    } else {
      is(json, '0');
    }
  } else if (key == "abstract_inverted_index") {
    read_abstract(json, out.abstract);
  } else if (key == "keywords") {
    read_names(json, "keyword", out.keywords);
  } else if (key == "is_retracted") {
    retracted_ = is_true(json);
  } else if (key == "is_paratext") {
    paratext_ = is_true(json);
  } else if (key == "is_authors_truncated") {
    truncated_ = is_true(json);
  } else {
    json.skip();
  }
}

// Objects with display_name, or the older `key`. Returns how many have neither.
std::int64_t OpenAlexReader::read_names(JsonLine& json, const char* key,
                                        std::vector<std::string>& out) {
  std::int64_t nameless = 0;
  if (!is(json, '[')) return nameless;
  json.list([&] {
    if (!is(json, '{')) return;
    one_.clear();
    json.object([&](std::string_view member) {
      if ((member == "display_name" || member == key) && one_.empty()) {
        read_text(json, one_);
      } else {
        json.skip();
      }
    });
    if (one_.empty()) {
      ++nameless;
    } else {
      out.push_back(one_);
    }
  });
  return nameless;
}

// What {"word": [places]} are in order. `out` may stay empty.
void OpenAlexReader::read_abstract(JsonLine& json, std::string& out) {
  if (!is(json, '{')) return;
  out.clear(), words_.clear(), unescaped_.clear();
  unescaped_.reserve(line_bytes_);  // so that what is in it stays where it is
  std::size_t bytes = 0;
  bool bad = false;
  json.object([&](std::string_view key) {
    // A word without escapes is a part of the line, and stays; any other is about to go.
    std::string_view word = key;
    if (!json.in_line(word)) {
      const std::size_t from = unescaped_.size();
      unescaped_ += word;
      word = std::string_view(unescaped_).substr(from);
    }
    if (!is(json, '[')) return;
    json.list([&] {
      const std::optional<std::int64_t> place = json.integer();
      bytes += word.size() + 1;
      // Places begin at 0, and each takes bytes of the line and of the text.
      if (!place || *place < 0 || bytes > kLongestAbstract ||
          static_cast<std::uint64_t>(*place) >= std::min(line_bytes_, kLongestAbstract)) {
        bad = true;
        return;
      }
      const auto k = static_cast<std::size_t>(*place);
      if (words_.size() <= k) words_.resize(k + 1);
      bad = bad || words_[k].data() != nullptr;
      words_[k] = word;
    });
  });
  if (bad) {
    count("abstracts that cannot be put together");
    return;
  }
  out.reserve(bytes);
  for (const std::string_view word : words_) {
    if (word.empty()) continue;
    if (!out.empty()) out += ' ';
    out += word;
  }
}

// Returns their number, which are the first in `out`; so strings keep their memory.
std::size_t OpenAlexReader::read_authors(JsonLine& json, Publication& out) {
  std::size_t authors = 0;
  std::int64_t position = 0;
  bool cut = false;
  if (!is(json, '[')) return authors;
  json.list([&] {
    if (!is(json, '{')) return;
    if (out.authors.size() == authors) out.authors.emplace_back();
    out.authors[authors].position = position++;
    Author& author = out.authors[authors];
    if (!read_author(json, author)) {
      count(author.id.empty() ? "authors without name" : "authors without name, but with an id");
    } else if (is_somebody(author, cut)) {
      ++authors;
    }
  });
  if (cut) count(kCutShort);
  return authors;
}

bool OpenAlexReader::read_author(JsonLine& json, Author& out) {
  out.id.clear(), given_.clear(), printed_.clear();
  raw_.clear(), listed_.clear(), institutions_.clear();
  const auto raw_text = [&] {
    if (!is(json, '"')) return;
    raw_.emplace_back(json.text(scratch_));
  };
  json.object([&](std::string_view key) {
    if (key == "author") {
      if (!is(json, '{')) return;
      json.object([&](std::string_view member) {
        if (member == "id") {
          read_text(json, out.id);
        } else if (member == "display_name") {
          read_text(json, given_);
        } else {
          json.skip();
        }
      });
    } else if (key == "raw_author_name") {
      read_text(json, printed_);
    } else if (key == "institutions") {
      const std::int64_t nameless = read_names(json, "", institutions_);
      if (nameless > 0) count("institutions without name", nameless);
    } else if (key == "raw_affiliation_strings") {
      if (is(json, '[')) json.list(raw_text);
    } else if (key == "raw_affiliation_string") {
      raw_text();
    } else if (key == "affiliations" && raw_.empty() && institutions_.empty()) {
      read_names(json, "raw_affiliation_string", listed_);
    } else {
      json.skip();
    }
  });
  const bool nobodys = is_nobodys(out.id);
  if (nobodys) out.id.clear();
  unsigned mends = 0;
  bool named = clean_name(printed_, mends, &out.with_marks);
  if (!named) named = clean_name(given_, mends = 0, &out.with_marks), std::swap(printed_, given_);
  if (!named) return false;
  tell("names", mends);
  if (nobodys) count("authors whose id is OpenAlex's for nobody, known by name");
  out.name = printed_;
  const auto clean = [this](std::vector<std::string>& names) {
    std::size_t kept = 0;
    for (std::string& one : names) {
      unsigned done = 0;
      const bool any = clean_affiliation(one, done);
      tell("affiliations", done);
      if (any)
        std::swap(names[kept++], one);
      else if (!one.empty())
        count(kNoAffiliation);
    }
    names.resize(kept);
    keep_first(names);
  };
  clean(institutions_);
  if (raw_.empty()) raw_.swap(listed_);
  if (institutions_.empty()) clean(raw_), institutions_.swap(raw_);
  out.affiliations.swap(institutions_);
  return true;
}

void OpenAlexReader::tell(const char* what, unsigned mends) {
  if (mends != 0) count_mends(mends, what, [this](const std::string& done) { count(done); });
}

}  // namespace cupel
