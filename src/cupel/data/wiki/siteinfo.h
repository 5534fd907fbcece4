// What a wiki calls its namespaces beyond the one name that its dump has of each.
//
// Source: mediawiki.org, API:Siteinfo, `namespaces` and `namespacealiases`, in both formats of its
// answers. Wikimedia's dumps have it beside them, as xxwiki-DATE-siteinfo-namespaces.json.gz.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cupel/data/wiki/dump_xml.h"

namespace cupel {

struct SiteInfo {
  std::string file;
  std::vector<WikiNamespace> names;    // its own names, which a dump has too
  std::vector<WikiNamespace> aliases;  // further ones
};

// Throws Error naming `file`: no JSON, no list of aliases, or an entry without number or name.
[[nodiscard]] SiteInfo read_siteinfo(std::string_view json, const std::string& file);

// The site of a dump with the aliases behind its own names. Throws Error if the two are not of one
// wiki: they call a namespace differently. `dump` is the dump's file.
[[nodiscard]] WikiSite with_aliases(WikiSite site, const SiteInfo& info, const std::string& dump);

}  // namespace cupel
