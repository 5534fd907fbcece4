#include "cupel/data/facts/keywords.h"

#include <algorithm>
#include <span>

#include "cupel/base/byte_order_mark.h"
#include "cupel/base/error.h"
#include "cupel/base/regular_file.h"
#include "cupel/base/sort_unique.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/text/characters.h"
#include "cupel/data/text/normal_form.h"

namespace cupel {
namespace {

#include "cupel/data/facts/keyword_lists.inc"

constexpr std::uint64_t kLargestList = 256 << 10;

std::string tidy(std::string_view text) {
  std::string lower, out;
  append_lower(nfc(text), lower);
  for (std::size_t at = 0; at < lower.size();) {
    const std::size_t space = space_at(lower, at);
    if (space == 0) {
      out += lower[at++];
    } else {
      if (!out.empty() && out.back() != ' ') out += ' ';
      at += space;
    }
  }
  if (out.ends_with(' ')) out.pop_back();
  return out;
}

std::vector<std::string> read_list(const std::string& path) {
  const std::string text = read_small_file(path, kLargestList);
  std::vector<std::string> out;
  std::vector<std::string> seen;
  std::size_t line = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view one = std::string_view(text).substr(at, end - at);
    at = end + 1;
    if (++line == 1) one = without_byte_order_mark(one);
    if (!decode_utf8(one))
      fail("{}: line {}: {} is not UTF-8; convert the list", path, line, in_quotes(one));
    std::string keyword = tidy(one);
    if (!keyword.empty() && keyword.front() != '#') out.push_back(std::move(keyword));
  }
  if (out.empty()) fail("{}: holds no keyword; write one in each line", path);
  // Each once, where it stands first.
  seen = out;
  sort_unique(seen);
  std::vector<bool> had(seen.size());
  std::erase_if(out, [&](const std::string& keyword) {
    const auto place = std::lower_bound(seen.begin(), seen.end(), keyword) - seen.begin();
    const bool before = had[static_cast<std::size_t>(place)];
    had[static_cast<std::size_t>(place)] = true;
    return before;
  });
  return out;
}

// Empty: no list has the name.
std::vector<std::string> list_called(const std::string& name) {
  if (name == "ai") return {std::begin(kAi), std::end(kAi)};
  if (name == "nuclear") return {std::begin(kNuclear), std::end(kNuclear)};
  return {};
}

}  // namespace

std::vector<std::string> read_keywords(const std::string& list_or_file) {
  if (is_keyword_list(list_or_file)) return list_called(list_or_file);
  if (list_or_file.empty()) fail("keywords: give ai, nuclear, or the path of a list");
  return read_list(list_or_file);
}

bool is_keyword_list(const std::string& list_or_file) { return !list_called(list_or_file).empty(); }

KeywordFinder::KeywordFinder(const std::vector<std::string>& keywords) {
  for (const std::string& keyword : keywords) {
    for (const char c : keyword) {
      std::uint8_t& one = class_of_[static_cast<unsigned char>(c)];
      if (one == 0) one = static_cast<std::uint8_t>(classes_++);
    }
  }
  const auto add_state = [&] {
    next_.resize(next_.size() + classes_, 0);
    ends_.push_back(-1);
    return static_cast<std::int32_t>(ends_.size() - 1);
  };
  const auto next = [&](std::int32_t state, std::size_t byte_class) -> std::int32_t& {
    return next_[static_cast<std::size_t>(state) * classes_ + byte_class];
  };
  add_state();
  for (std::size_t k = 0; k < keywords.size(); ++k) {
    std::int32_t state = 0;
    for (const char c : keywords[k]) {
      const std::size_t one = class_of_[static_cast<unsigned char>(c)];
      std::int32_t to = next(state, one);
      if (to == 0) {
        to = add_state();
        next(state, one) = to;
      }
      state = to;
    }
    ends_[static_cast<std::size_t>(state)] = static_cast<std::int32_t>(k);
  }
  // States nearer to the root come first, so that the way back of each is known in full.
  std::vector<std::int32_t> back(ends_.size(), 0), queue;
  shorter_.assign(ends_.size(), 0);
  for (std::size_t c = 0; c < classes_; ++c)
    if (next(0, c) != 0) queue.push_back(next(0, c));
  for (std::size_t at = 0; at < queue.size(); ++at) {
    const std::int32_t state = queue[at];
    const std::int32_t fallen = back[static_cast<std::size_t>(state)];
    shorter_[static_cast<std::size_t>(state)] = ends_[static_cast<std::size_t>(fallen)] >= 0
                                                    ? fallen
                                                    : shorter_[static_cast<std::size_t>(fallen)];
    for (std::size_t c = 0; c < classes_; ++c) {
      std::int32_t& to = next(state, c);
      if (to == 0) {
        to = next(fallen, c);
      } else {
        back[static_cast<std::size_t>(to)] = next(fallen, c);
        queue.push_back(to);
      }
    }
  }
}

void KeywordFinder::find(std::string_view text, std::vector<std::int32_t>& out) const {
  out.clear();
  std::vector<bool> found;
  std::size_t state = 0;
  for (const char c : text) {
    state = static_cast<std::size_t>(
        next_[state * classes_ + class_of_[static_cast<unsigned char>(c)]]);
    for (std::size_t end = ends_[state] >= 0 ? state : static_cast<std::size_t>(shorter_[state]);
         end != 0; end = static_cast<std::size_t>(shorter_[end])) {
      if (found.empty()) found.resize(ends_.size());
      if (found[end]) break;  // and all behind it
      found[end] = true;
      out.push_back(ends_[end]);
    }
  }
  std::sort(out.begin(), out.end());
}

}  // namespace cupel
