#include "cupel/data/wiki/schemes.h"

#include <algorithm>
#include <array>

#include "cupel/data/wiki/letter_case.h"

namespace cupel {
namespace {

// Ascending. Some need slashes, some do not.
constexpr auto kSchemes = std::to_array<std::string_view>(
    {"//",        "bitcoin:",  "ftp://",   "ftps://",      "geo:",         "git://",
     "gopher://", "http://",   "https://", "irc://",       "ircs://",      "magnet:",
     "mailto:",   "matrix:",   "mms://",   "news:",        "nntp://",      "redis://",
     "sftp://",   "sip:",      "sips:",    "sms:",         "ssh://",       "svn://",
     "tel:",      "telnet://", "urn:",     "wikipedia://", "worldwind://", "xmpp:"});

}  // namespace

std::size_t scheme_size(std::string_view text) {
  constexpr std::size_t kLongest = 12;
  text = text.substr(0, kLongest);
  if (text.find(':') == std::string_view::npos && !text.starts_with("//")) return 0;
  const auto same = [](char a, char b) { return a == ascii_lower(b); };
  for (const std::string_view scheme : kSchemes) {
    if (text.size() >= scheme.size() &&
        std::equal(scheme.begin(), scheme.end(), text.begin(), same))
      return scheme.size();
  }
  return 0;
}

}  // namespace cupel
