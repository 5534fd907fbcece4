#include "cupel/data/wiki/xml_text.h"

#include "cupel/data/formats/text.h"
#include "cupel/data/wiki/xml_characters.h"
#include "cupel/data/wiki/xml_window.h"

namespace cupel {
namespace {

// "&#x00000...41;" is right, however many zeros it has; nobody writes so many.
constexpr std::size_t kLongestReference = 64;

constexpr std::ptrdiff_t kSlack = 32;

struct Reference {
  char32_t value = 0;
  std::size_t bytes = 0;  // 0: the text ends before it does
};

char32_t number(std::string_view digits, char32_t base) {
  char32_t value = 0;
  if (digits.empty()) return 0;
  for (const char c : digits) {
    const int lower = c | 0x20;
    const int digit = c >= '0' && c <= '9'           ? c - '0'
                      : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10
                                                     : 99;
    if (digit >= static_cast<int>(base)) return 0;
    value = value * base + static_cast<char32_t>(digit);
    if (value > 0x10FFFF) return 0;
  }
  return value;
}

[[noreturn]] void no_reference(std::uint64_t offset) {
  xml_problem(offset, "'&' begins no reference; write it as '&amp;'");
}

// `text` begins with '&'.
Reference reference(std::string_view text, std::uint64_t offset) {
  const auto is = [&](std::string_view name) { return text.starts_with(name); };
  switch (text.size() > 1 ? text[1] : '\0') {
    case 'l':
      if (is("&lt;")) return {'<', 4};
      break;
    case 'g':
      if (is("&gt;")) return {'>', 4};
      break;
    case 'q':
      if (is("&quot;")) return {'"', 6};
      break;
    case 'a':
      if (is("&amp;")) return {'&', 5};
      if (is("&apos;")) return {'\'', 6};
      break;
    default:
      break;
  }
  const std::size_t end = text.substr(0, kLongestReference).find(';');
  if (end == std::string_view::npos) {
    if (text.size() < kLongestReference) return {};
    no_reference(offset);
  }
  const std::string_view name = text.substr(1, end - 1);
  char32_t value = 0;
  if (name.starts_with("#x"))
    value = number(name.substr(2), 16);
  else if (name.starts_with('#'))
    value = number(name.substr(1), 10);
  else
    xml_problem(offset, "{} is not defined; XML has &lt;, &gt;, &amp;, &quot;, &apos; and numbers",
                in_quotes(text.substr(0, end + 1)));
  if (value == 0 || !is_xml_character(value))
    xml_problem(offset, "{} is no character that XML allows; correct it",
                in_quotes(text.substr(0, end + 1)));
  return {value, end + 1};
}

char* put(char* out, char32_t c) {
  const auto byte = [&out](char32_t value) { *out++ = static_cast<char>(value); };
  const auto rest = [&](int shift) { byte(0x80 | (c >> shift & 0x3F)); };
  if (c < 0x80) {
    byte(c);
  } else if (c < 0x800) {
    byte(0xC0 | c >> 6), rest(0);
  } else if (c < 0x10000) {
    byte(0xE0 | c >> 12), rest(6), rest(0);
  } else {
    byte(0xF0 | c >> 18), rest(12), rest(6), rest(0);
  }
  return out;
}

const char* find(const char* from, const char* end, char byte) {
  return static_cast<const char*>(std::memchr(from, byte, static_cast<std::size_t>(end - from)));
}

char* copy(const char* from, const char* end, char* out) {
  const auto size = static_cast<std::size_t>(end - from);
  std::memcpy(out, from, size);
  return out + size;
}

// With line feeds for all line ends.
char* copy_lines(const char* from, const char* end, char* out) {
  while (const char* found = find(from, end, '\r')) {
    out = copy(from, found, out);
    *out++ = '\n';
    from = found + 1;
    if (from < end && *from == '\n') ++from;
  }
  return copy(from, end, out);
}

// Where "]]>" begins, which ends a CDATA section and may not stand elsewhere; npos if it does not.
std::size_t brackets_in(std::string_view run) {
  for (std::size_t at = 0; (at = run.find('>', at)) != std::string_view::npos; ++at)
    if (at >= 2 && run[at - 1] == ']' && run[at - 2] == ']') return at - 2;
  return std::string_view::npos;
}

// Without the last bytes where they may be the start of "]]>" or of CR LF.
std::string_view settled(std::string_view run) {
  if (run.ends_with('\r'))
    run.remove_suffix(1);
  else if (run.ends_with("]]"))
    run.remove_suffix(2);
  else if (run.ends_with(']'))
    run.remove_suffix(1);
  return run;
}

}  // namespace

std::size_t append_text(std::string_view run, bool whole, std::uint64_t offset, TextBuffer& out) {
  if (!whole) run = settled(run);
  if (run.empty()) return 0;
  // What is wrong before the brackets is told before them.
  const std::size_t brackets = brackets_in(run);
  const bool refused = brackets != std::string_view::npos;
  run = run.substr(0, brackets);
  const bool returns = run.find('\r') != std::string_view::npos;
  const char *at = run.data(), *const end = at + run.size();
  char* const start = out.room(run.size() + kSlack);  // what is replaced becomes shorter
  char* to = start;
  while (at < end) {
    const char* found = find(at, end, '&');
    const char* stop = found ? found : end;
    if (returns) {
      to = copy_lines(at, stop, to);
    } else if (stop - at <= kSlack && end - at >= kSlack) {
      std::memcpy(to, at, kSlack);  // of a size that is known, and some bytes more
      to += stop - at;
    } else {
      to = copy(at, stop, to);
    }
    at = stop;
    if (!found) break;
    const std::uint64_t place = offset + static_cast<std::uint64_t>(at - run.data());
    const Reference one = reference({at, static_cast<std::size_t>(end - at)}, place);
    if (one.bytes == 0 && (whole || refused)) no_reference(place);
    if (one.bytes == 0) break;
    to = put(to, one.value);
    at += one.bytes;
  }
  if (refused)
    xml_problem(offset + brackets, "']]>' stands outside of CDATA; write it as ']]&gt;'");
  out.grow(static_cast<std::size_t>(to - start));
  return static_cast<std::size_t>(at - run.data());
}

std::size_t append_literal(std::string_view run, bool whole, TextBuffer& out) {
  if (!whole) run = settled(run);
  if (run.empty()) return 0;
  char* const start = out.room(run.size());
  out.grow(
      static_cast<std::size_t>(copy_lines(run.data(), run.data() + run.size(), start) - start));
  return run.size();
}

void decode_attribute(std::string_view raw, std::uint64_t offset, std::string& out) {
  out.clear();
  char bytes[4];
  for (std::size_t at = 0; at < raw.size();) {
    if (raw[at] == '&') {
      const Reference one = reference(raw.substr(at), offset + at);
      if (one.bytes == 0) no_reference(offset + at);
      out.append(bytes, put(bytes, one.value));
      at += one.bytes;
    } else {
      const bool both = raw[at] == '\r' && at + 1 < raw.size() && raw[at + 1] == '\n';
      out += is_xml_space(raw[at]) ? ' ' : raw[at];
      at += both ? 2 : 1;
    }
  }
}

}  // namespace cupel
