#include "cupel/data/resolve/name_variants.h"

#include <optional>
#include <string_view>
#include <utility>

#include "cupel/base/error.h"
#include "cupel/data/formats/line_reader.h"
#include "cupel/data/formats/text.h"

namespace cupel {
namespace {

constexpr std::string_view kCanonical = "- canonical:";
constexpr std::size_t kLongest = 1 << 16;  // bytes of a name in braces

std::size_t indent_of(std::string_view line) {
  const std::size_t from = line.find_first_not_of(' ');
  return from == std::string_view::npos ? line.size() : from;
}

bool says_nothing(std::string_view line) {
  const std::string_view text = trimmed(line);
  return text.empty() || text.front() == '#' || line == "---" || line == "...";
}

struct Fault {
  const char* what;
};

// Text in quotes or up to a comma or brace, at the head of `rest`, which it is taken from. Nothing
// if a quote is not closed. Throws Fault for an escape that stands for another character.
std::optional<std::string> scalar(std::string_view& rest) {
  rest = rest.substr(std::min(rest.find_first_not_of(" \t"), rest.size()));
  std::string out;
  if (rest.empty() || (rest.front() != '\'' && rest.front() != '"')) {
    const std::size_t end = std::min(rest.find_first_of(",}"), rest.size());
    out = trimmed(rest.substr(0, end));
    rest.remove_prefix(end);
    if (out == "null" || out == "~") out.clear();
    return out;
  }
  const char quote = rest.front();
  for (std::size_t at = 1; at < rest.size(); ++at) {
    const bool next_is_quote = at + 1 < rest.size() && rest[at + 1] == quote;
    if (rest[at] == '\\' && quote == '"' && at + 1 < rest.size()) {
      if (std::string_view("\"\\/").find(rest[++at]) == std::string_view::npos)
        throw Fault{"has an escape beside \\\" and \\\\; write the character itself"};
      out += rest[at];
    } else if (rest[at] == '\'' && quote == '\'' && next_is_quote) {
      out += rest[++at];
    } else if (rest[at] == quote) {
      rest = rest.substr(std::min(rest.find_first_not_of(" \t", at + 1), rest.size()));
      return out;
    } else {
      out += rest[at];
    }
  }
  return {};
}

// "{first: Ada, last: Lovelace}" as "Ada Lovelace". Throws Fault.
std::string name_in_braces(std::string_view text) {
  std::string first, last;
  text.remove_prefix(1);
  while (true) {
    text = text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
    if (text.starts_with('}')) break;
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) throw Fault{"has no closing brace"};
    const std::string_view key = trimmed(text.substr(0, colon));
    text.remove_prefix(colon + 1);
    const std::optional<std::string> value = scalar(text);
    if (!value) throw Fault{"has a quote that does not close"};
    if (key == "first") first = *value;
    if (key == "last") last = *value;
    if (text.starts_with(',')) {
      text.remove_prefix(1);
    } else if (!text.starts_with('}')) {
      throw Fault{"has no closing brace"};
    }
  }
  if (const std::string_view behind = trimmed(text.substr(1));
      !behind.empty() && behind.front() != '#')
    throw Fault{"has text behind its closing brace"};
  if (last.empty() && first.empty()) throw Fault{"has neither first nor last name"};
  if (last.empty() || first.empty()) return first + last;
  return first + " " + last;
}

// Whether the braces that open in the text close in it, but for those in quotes.
bool closes(std::string_view text) {
  char quote = 0, before = 0;
  for (const char c : text) {
    // A quote begins a text only where one can begin: "O'Hara" has none.
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if ((c == '\'' || c == '"') && (before == ':' || before == ',')) {
      quote = c;
    } else if (c == '}') {
      return true;
    }
    if (c != ' ') before = c;
  }
  return false;
}

class Reader {
 public:
  explicit Reader(const std::filesystem::path& path) : lines_(path) {}

  template <class Take>
  void read(const Take& take) {
    while (next()) {
      const std::string_view line = line_;
      if (line.starts_with(kCanonical)) {
        give(take);
        begun_ = lines_.line_number();
        key_ = Key::kOther;
        person_.names.push_back(name(line.substr(kCanonical.size())));
      } else if (begun_ == 0) {
        lines_.fail_here(
            fmt::format("{} stands where an entry \"{} {{first: ..., last: ...}}\" is "
                        "to begin",
                        in_quotes(line), kCanonical));
      } else if (trimmed(line).starts_with('-') && key_ == Key::kVariants) {
        person_.names.push_back(name(trimmed(line).substr(1)));
      } else if (key_ == Key::kOther && indent_of(line) == 2 && trimmed(line).starts_with("- ")) {
        continue;  // an item of another key
      } else if (indent_of(line) == 2) {
        read_key(trimmed(line));
      } else if (key_ != Key::kOther || indent_of(line) < 2) {
        lines_.fail_here(
            fmt::format("{} is neither a key of an entry nor a name in braces", in_quotes(line)));
      }
    }
    give(take);
  }

 private:
  enum class Key { kOther, kVariants };

  bool next() {
    std::string_view line;
    do {
      if (!lines_.next(line)) return false;
    } while (says_nothing(line));
    if (!decode_utf8(line)) lines_.fail_here("is not UTF-8; save the file as UTF-8");
    line_ = line;
    return true;
  }

  std::string name(std::string_view text) {
    std::string all(trimmed(text));
    if (!all.starts_with('{'))
      lines_.fail_here(
          fmt::format("{} is no name; write {{first: ..., last: ...}}", in_quotes(all)));
    for (std::string_view more; !closes(all) && all.size() < kLongest && lines_.next(more);) {
      if (!decode_utf8(more)) lines_.fail_here("is not UTF-8; save the file as UTF-8");
      all.append(" ").append(trimmed(more));
    }
    try {
      return name_in_braces(all);
    } catch (const Fault& fault) {
      lines_.fail_here(fmt::format("the name {} {}", in_quotes(all), fault.what));
    }
  }

  std::string id(std::string_view text) {
    const bool quoted = text.starts_with('\'') || text.starts_with('"');
    if (!quoted) text = text.starts_with('#') ? "" : trimmed(text.substr(0, text.find(" #")));
    try {
      std::string_view rest = text;
      const std::optional<std::string> out = scalar(rest);
      if (!out) throw Fault{"has a quote that does not close"};
      if (!rest.empty() && rest.front() != '#') throw Fault{"has text behind it"};
      if (!out->empty()) return *out;
    } catch (const Fault& fault) {
      lines_.fail_here(fmt::format("the id {} {}", in_quotes(text), fault.what));
    }
    lines_.fail_here("the id is empty; leave the key out");
  }

  void read_key(std::string_view line) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos)
      lines_.fail_here(fmt::format("{} is no key and value", in_quotes(line)));
    const std::string_view key = line.substr(0, colon);
    key_ = key == "variants" ? Key::kVariants : Key::kOther;
    std::string_view rest = trimmed(line.substr(colon + 1));
    if (key == "id") {
      person_.id = id(rest);
    } else if (key_ == Key::kVariants && !rest.empty() && rest.front() != '#' && rest != "[]") {
      lines_.fail_here(fmt::format(
          "{} stands behind variants, whose names follow on lines of their own", in_quotes(rest)));
    }
  }

  template <class Take>
  void give(const Take& take) {
    if (begun_ > 0) take(person_, fmt::format("{}: line {}", lines_.name(), begun_));
    person_ = {};
  }

  LineReader lines_;
  std::string line_;
  NamedPerson person_;
  std::uint64_t begun_ = 0;
  Key key_ = Key::kOther;
};

}  // namespace

bool is_name_variants(const std::filesystem::path& path) {
  LineReader lines(path);
  std::string_view line;
  while (lines.next(line)) {
    if (!says_nothing(line)) return line.starts_with(kCanonical);
  }
  return false;
}

void read_name_variants(
    const std::filesystem::path& path,
    const std::function<void(const NamedPerson& person, const std::string& place)>& take) {
  Reader(path).read(take);
}

}  // namespace cupel
