#include "cupel/data/records/json_objects.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "cupel/base/byte_order_mark.h"
#include "cupel/base/error.h"
#include "cupel/base/utf8.h"
#include "cupel/data/formats/strict_json.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/records/record_text.h"

namespace cupel {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

std::uint64_t line_ends(std::string_view text) {
  return static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
}

}  // namespace

JsonObjects::JsonObjects(const std::filesystem::path& path, ReadProgress progress)
    : bytes_(path, Threads{1}, std::move(progress),
             [this] { return fmt::format("line {}", line_); }) {}

std::string JsonObjects::place() const { return fmt::format("{}: line {}", name(), first_line_); }

void JsonObjects::fail_at(std::uint64_t line, std::string_view message) const {
  fail("{}: line {}: {}", name(), line, message);
}

void JsonObjects::fail_here(std::string_view message) const { fail_at(first_line_, message); }

bool JsonObjects::fill() {
  while (block_.empty()) {
    if (!bytes_.next(block_)) return false;
  }
  return true;
}

char JsonObjects::peek_solid() {
  while (fill()) {
    const char c = block_.front();
    if (!is_blank(c)) return c;
    if (c == '\n') ++line_;
    block_.remove_prefix(1);
  }
  return '\0';
}

// False if the file holds nothing.
bool JsonObjects::begin() {
  begun_ = true;
  for (const char c : kByteOrderMark) {
    if (!fill() || block_.front() != c) break;
    block_.remove_prefix(1);
  }
  const char c = peek_solid();
  if (c == '\xff' || c == '\xfe') fail_at(line_, "is UTF-16; save the file as UTF-8");
  if (c == '[') {
    list_ = true;
    block_.remove_prefix(1);
  } else if (c != '{') {
    if (!fill()) return false;
    fail_at(line_, fmt::format("begins with {} where a list of objects, or an object on each line, "
                               "is needed; give a JSON file, or JSON Lines",
                               in_quotes(block_.substr(0, 1))));
  }
  return true;
}

// The object's bytes, from its brace to the one that closes it.
void JsonObjects::take_text() {
  text_.clear();
  int depth = 0;
  bool in_text = false, escaped = false;
  while (true) {
    if (!fill())
      fail_here("the object that begins here has no end; the file is cut off, get it again");
    std::size_t at = 0;
    bool whole = false;
    while (at < block_.size() && !whole) {
      const char c = block_[at++];
      if (in_text) {
        if (escaped) {
          escaped = false;
        } else if (c == '\\') {
          escaped = true;
        } else if (c == '"') {
          in_text = false;
        }
      } else if (c == '"') {
        in_text = true;
      } else if (c == '{' || c == '[') {
        if (++depth > kDeepest)
          fail_here(fmt::format("an object is nested deeper than {}; flatten it", kDeepest));
      } else if (c == '}' || c == ']') {
        whole = --depth == 0;
      }
    }
    if (text_.size() + at > kLongest)
      fail_here(fmt::format("an object is longer than {} MiB; split it", kLongest >> 20));
    text_ += block_.substr(0, at);
    block_.remove_prefix(at);
    if (whole) break;
  }
  line_ += line_ends(text_);
}

void JsonObjects::parse(nlohmann::json& out) const {
  if (!is_utf8(text_)) fail_here("is not UTF-8; save the file as UTF-8");
  std::vector<std::set<std::string>> keys;  // of the objects that are open
  const auto watch = [&](int, nlohmann::json::parse_event_t event, nlohmann::json& value) {
    using Event = nlohmann::json::parse_event_t;
    if (event == Event::object_start) keys.emplace_back();
    if (event == Event::object_end) keys.pop_back();
    if (event == Event::key && !keys.back().insert(value.get<std::string>()).second)
      fail_here(fmt::format("key {} is given twice in one object; give it once",
                            in_quotes(value.get<std::string>())));
    return true;
  };
  try {
    out = nlohmann::json::parse(text_, watch);
  } catch (const nlohmann::json::parse_error& problem) {
    const std::size_t at = std::min<std::size_t>(problem.byte, text_.size());
    const std::string_view before = std::string_view(text_).substr(0, at);
    const std::size_t shown = std::min<std::size_t>(at, 30);
    fail_at(first_line_ + line_ends(before),
            fmt::format("is no JSON behind {}; correct it", in_quotes(before.substr(at - shown))));
  } catch (const nlohmann::json::exception&) {
    fail_here("holds a number that is too large; correct it");
  }
}

bool JsonObjects::next(nlohmann::json& out) {
  if (done_) return false;
  if (!begun_ && !begin()) return !(done_ = true);
  char c = peek_solid();
  if (list_ && !first_ && c == ',') {
    block_.remove_prefix(1);
    c = peek_solid();
  } else if (list_ && c == ']') {
    block_.remove_prefix(1);
    if (peek_solid() != '\0' || fill())
      fail_at(line_, fmt::format("{} follows the list; give one list in a file",
                                 in_quotes(block_.substr(0, 20))));
    return !(done_ = true);
  } else if (list_ && !first_) {
    if (!fill()) fail_at(line_, "the list has no end; the file is cut off, get it again");
    fail_at(line_, fmt::format("{} where a comma or the end of the list is needed; correct it",
                               in_quotes(block_.substr(0, 20))));
  }
  if (!fill()) {
    if (list_) fail_at(line_, "the list has no end; the file is cut off, get it again");
    return !(done_ = true);
  }
  if (c != '{')
    fail_at(line_, fmt::format("{} where an object is needed; correct it",
                               in_quotes(block_.substr(0, 20))));
  first_ = false;
  first_line_ = line_;
  take_text();
  parse(out);
  return true;
}

std::string json_field(const nlohmann::json& object, const char* key, const JsonObjects& where) {
  const auto found = object.find(key);
  if (found == object.end() || found->is_null()) return {};
  if (found->is_string()) return found->get<std::string>();
  if (found->is_number_integer()) return found->dump();
  where.fail_here(fmt::format("{} holds {} where a text is needed; write it in double quotes",
                              in_quotes(key), shown_json(*found)));
}

}  // namespace cupel
