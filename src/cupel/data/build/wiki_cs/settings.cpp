#include "cupel/data/build/wiki_cs/settings.h"

#include <algorithm>

#include "cupel/base/error.h"

namespace cupel::wiki_cs {

std::vector<std::string> words_of(const std::string& list) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    const std::size_t begin = list.find_first_not_of(' ', at);
    if (begin < end) {
      const std::size_t last = list.find_last_not_of(' ', end - 1);
      out.push_back(list.substr(begin, last + 1 - begin));
    }
    at = end + 1;
  }
  return out;
}

void require(const BuildContext& context, std::initializer_list<const char*> inputs,
             const std::string& instead) {
  for (const char* input : inputs) {
    if (!context.has(input))
      fail("wiki-cs: its input '{}' is not given; use --from {}=FILE, or --set {}", input, input,
           instead);
  }
}

SiteInfo read_siteinfo(BuildContext& context) {
  if (!context.has("siteinfo")) return {};
  constexpr std::size_t kMostBytes = std::size_t{16} << 20;
  FileBytes bytes(context.path("siteinfo"), {});
  std::string text;
  for (std::string_view block; bytes.next(block);) {
    text += block;
    if (text.size() > kMostBytes)
      fail(
          "{}: has more than 16 MiB; give the wiki's file whose name ends in "
          "-siteinfo-namespaces.json.gz",
          bytes.name());
  }
  context.read_whole("siteinfo", bytes);
  return cupel::read_siteinfo(text, bytes.name());
}

}  // namespace cupel::wiki_cs
