#include "cupel/data/wiki/text_links.h"

#include <algorithm>
#include <array>

#include "cupel/data/wiki/brackets.h"
#include "cupel/data/wiki/hidden_parts.h"

namespace cupel {
namespace {

// What begins so is taken for a web address and stays text.
constexpr auto kSchemes = std::to_array<std::string_view>({
    "//",     "http://", "https://", "ftp://",  "ftps://",      "mailto:",
    "news:",  "irc://",  "ircs://",  "git://",  "ssh://",       "svn://",
    "tel:",   "sms:",    "sip:",     "sips:",   "urn:",         "geo:",
    "xmpp:",  "magnet:", "bitcoin:", "nntp://", "gopher://",    "telnet://",
    "mms://", "sftp://", "redis://", "matrix:", "wikipedia://", "worldwind://",
});

bool is_address(std::string_view target) {
  if (target.find(':') == std::string_view::npos && !target.starts_with("//")) return false;
  const auto same = [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b + 32 : b); };
  return std::ranges::any_of(kSchemes, [&](std::string_view scheme) {
    return target.size() >= scheme.size() &&
           std::equal(scheme.begin(), scheme.end(), target.begin(), same);
  });
}

}  // namespace

void TextLinks::read(std::string_view wikitext, const std::function<void(const WikiTitle&)>& each) {
  Brackets brackets(without_hidden(wikitext, space_));
  for (std::string_view target; brackets.next(target);) {
    target = percent_decoded(target, decoded_);
    const std::size_t first = target.find_first_not_of(' ');
    if (first == std::string_view::npos || is_address(target.substr(first))) continue;
    if (read_title(target, names_, title_) && title_.space == kArticles) each(title_);
  }
}

}  // namespace cupel
