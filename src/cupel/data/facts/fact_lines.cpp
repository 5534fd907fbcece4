#include "cupel/data/facts/fact_lines.h"

#include <algorithm>
#include <charconv>

#include "cupel/base/error.h"
#include "cupel/base/utf8.h"
#include "cupel/data/formats/text.h"

namespace cupel {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// Moves `at` behind a number. Ids and times have few digits, and most of the time goes here.
bool number_at(const char*& at, const char* end, std::int64_t& out) {
  const char* const start = at;
  const bool negative = at < end && *at == '-';
  if (negative) ++at;
  std::int64_t value = 0;
  for (; at < end && *at >= '0' && *at <= '9'; ++at) {
    if (at - start >= 18) {
      const auto [stop, problem] = std::from_chars(start, end, out);
      at = stop;
      return problem == std::errc();
    }
    value = value * 10 + (*at - '0');
  }
  out = negative ? -value : value;
  return at != start + (negative ? 1 : 0);
}

// "1990-1995", "[1990,1995]", "####-##-##": what stands for more than one time, or for none.
bool looks_like_interval(std::string_view field) {
  const std::size_t digit = field.find_first_of("0123456789#");
  return digit != std::string_view::npos &&
         field.find_first_of("-:/[(#", digit) != std::string_view::npos;
}

}  // namespace

bool whole_numbers(std::string_view line, std::array<std::int64_t, 8>& out, int& count) {
  const char* at = line.data();
  const char* const end = at + line.size();
  count = 0;
  while (at < end && is_blank(*at)) ++at;
  while (at < end) {
    if (count == static_cast<int>(out.size())) return false;
    if (!number_at(at, end, out[static_cast<std::size_t>(count)])) return false;
    ++count;
    const char* const behind = at;
    while (at < end && is_blank(*at)) ++at;
    if (at == end) return true;
    if (*at == ',') {
      for (++at; at < end && is_blank(*at);) ++at;
      if (at == end) return false;
    }
    if (at == behind) return false;
  }
  return true;
}

bool whole_number(std::string_view text, std::int64_t& out) {
  const char* at = text.data();
  const char* const end = at + text.size();
  return number_at(at, end, out) && at == end;
}

bool is_comment(std::string_view line) {
  const auto first = std::find_if_not(line.begin(), line.end(), is_blank);
  return first == line.end() || *first == '#' || *first == '%';
}

void fail_not_a_fact(const LineReader& lines, std::string_view line, int wanted, const char* what) {
  std::vector<std::string_view> fields;
  for (std::size_t at = 0; at < line.size() && fields.size() < 100;) {
    const std::size_t from = line.find_first_not_of(" \t\r,", at);
    if (from == std::string_view::npos) break;
    at = std::min(line.find_first_of(" \t\r,", from), line.size());
    fields.push_back(line.substr(from, at - from));
  }
  if (std::ssize(fields) < wanted)
    lines.fail_here(fmt::format("{} has {} of the {} numbers of a fact ({}); is the file cut off?",
                                in_quotes(line), fields.size(), wanted, what));
  for (const std::string_view field : fields) {
    std::int64_t ignored;
    if (whole_number(field, ignored)) continue;
    if (looks_like_interval(field))
      lines.fail_here(fmt::format(
          "{} is no point in time; times are whole numbers, and a fact that lasts needs "
          "a line for each step",
          in_quotes(field)));
    const std::string_view digits = field.substr(field.starts_with('-') ? 1 : 0);
    if (!digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos)
      lines.fail_here(fmt::format("{} is out of range; numbers have at most 64 bits and a sign",
                                  in_quotes(field)));
    lines.fail_here(fmt::format("{} is no whole number; a fact is {}", in_quotes(field), what));
  }
  if (std::ssize(fields) == wanted)
    lines.fail_here(fmt::format("{} has a comma without a number beside it; a fact is {}",
                                in_quotes(line), what));
  lines.fail_here(fmt::format("{} has {} numbers where {} are needed: {}", in_quotes(line),
                              fields.size(), wanted, what));
}

void check_utf8(const LineReader& lines, std::string_view line) {
  if (!is_utf8(line)) lines.fail_here("is not UTF-8; save the file as UTF-8");
}

std::string one_line_name(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Char one = utf8_char(text, at);
    at += static_cast<std::size_t>(one.bytes);
    const bool control = one.value < 0x20 || (one.value >= 0x7f && one.value < 0xa0);
    append_utf8(out, control ? U' ' : one.value);
  }
  return out;
}

void settle(TemporalFacts& facts, FactNotes* notes) {
  const std::int64_t back = out_of_order(facts);
  facts.source.fit(), facts.relation.fit(), facts.target.fit(), facts.time.fit();
  sort_by_time(facts);
  if (notes == nullptr) return;
  const RepeatedFacts repeated = repeated_facts(facts);
  if (back > 0) (*notes)[kSortedFacts] += back;
  if (repeated.facts > 0) {
    (*notes)["facts equal to an earlier one, kept"] += repeated.facts;
    (*notes)["facts that stand more than once"] += repeated.distinct;
  }
}

void fail_memory(const std::filesystem::path& path) {
  fail("{}: is too large for the memory that is free; close programs or use a larger machine",
       path.string());
}

}  // namespace cupel
