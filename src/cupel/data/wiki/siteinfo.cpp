#include "cupel/data/wiki/siteinfo.h"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/data/formats/strict_json.h"
#include "cupel/data/formats/text.h"

namespace cupel {
namespace {

using nlohmann::json;

[[noreturn]] void fail_entry(const std::string& file, const char* list, const json& entry) {
  fail("{}: {} has {}, where a namespace with id and name belongs; get the file again", file, list,
       in_quotes(entry.dump(-1, ' ', false, json::error_handler_t::replace)));
}

// Of an entry, what the two formats call differently: {"id": 6, "*": "Image"} in the first.
WikiNamespace namespace_of(const json& entry, const char* second, const std::string& file,
                           const char* list) {
  WikiNamespace out;
  if (!entry.is_object()) fail_entry(file, list, entry);
  const auto id = entry.find("id");
  const auto name = entry.contains("*") ? entry.find("*") : entry.find(second);
  if (id == entry.end() || !id->is_number_integer() || name == entry.end() || !name->is_string())
    fail_entry(file, list, entry);
  const auto number = id->get<std::int64_t>();
  if (number != static_cast<std::int32_t>(number)) fail_entry(file, list, entry);
  out.number = static_cast<int>(number);
  out.name = name->get<std::string>();
  return out;
}

}  // namespace

SiteInfo read_siteinfo(std::string_view text, const std::string& file) {
  const json document = parse_strict_json(text, file);
  const bool answer = document.is_object() && document.contains("query");
  const json& query = answer ? document.at("query") : document;
  SiteInfo out{.file = file, .names = {}, .aliases = {}};
  if (!query.is_object() || !query.contains("namespacealiases") ||
      !query.at("namespacealiases").is_array())
    fail(
        "{}: has no list 'namespacealiases'; give the wiki's file whose name ends in "
        "-siteinfo-namespaces.json.gz",
        file);
  for (const json& entry : query.at("namespacealiases"))
    out.aliases.push_back(namespace_of(entry, "alias", file, "'namespacealiases'"));
  if (const auto names = query.find("namespaces"); names != query.end()) {
    for (const json& entry : *names)
      out.names.push_back(namespace_of(entry, "name", file, "'namespaces'"));
  }
  return out;
}

WikiSite with_aliases(WikiSite site, const SiteInfo& info, const std::string& dump) {
  for (const WikiNamespace& one : info.names) {
    const auto own = std::ranges::find(site.namespaces, one.number, &WikiNamespace::number);
    if (own != site.namespaces.end() && own->name != one.name)
      fail("{}: calls namespace {} {}, and {} calls it {}; give the file of the same wiki and day",
           info.file, one.number, in_quotes(one.name), dump, in_quotes(own->name));
  }
  site.namespaces.insert(site.namespaces.end(), info.aliases.begin(), info.aliases.end());
  return site;
}

}  // namespace cupel
