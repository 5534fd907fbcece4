// The pages of a dump by expat, for tests and fuzzing: what DumpReader has to give, written down a
// second time. It shares no code with it.
#pragma once

#include <expat.h>

#include <cctype>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cupel::oracle {

struct Page {
  std::string title, id, ns, redirect_title, text;
  bool redirect = false;
  int titles = 0, ids = 0, spaces = 0, redirects = 0;
};

struct Dump {
  bool well_formed = false;  // says expat
  bool export_root = false;
  bool beyond = false;   // what DumpReader says that it refuses, or takes and expat does not
  bool refused = false;  // a page without what it must have, and the like
  std::string language, version, dbname;
  std::vector<Page> pages;
  std::vector<std::vector<std::string>> namespaces;  // key, case ("none" without), name
  std::vector<std::string> cases;                    // of the site
};

struct Reading {
  Dump dump;
  XML_Parser parser = nullptr;
  std::vector<std::string> path;
  bool in_first_site = false;
  int sites = 0;
  std::size_t others = 0;  // bytes of an element that is not <text>

  bool at(std::initializer_list<const char*> names) const {
    return path.size() == names.size() && std::equal(path.begin(), path.end(), names.begin());
  }
};

inline std::string local(std::string name) {
  return name.find(':') == std::string::npos ? name : name.substr(name.find(':') + 1);
}

inline std::map<std::string, std::string> map_of(const char** attributes) {
  std::map<std::string, std::string> out;
  for (; attributes[0]; attributes += 2) out[attributes[0]] = attributes[1];
  return out;
}

inline void on_start(void* user, const char* name, const char** list) {
  Reading& r = *static_cast<Reading*>(user);
  const auto attributes = map_of(list);
  const auto value = [&](const char* key) {
    const auto found = attributes.find(key);
    return found == attributes.end() ? std::string() : found->second;
  };
  r.path.push_back(local(name));
  if (r.path.size() == 3 || r.path.size() == 4) r.others = 0;
  r.dump.beyond |= r.path.size() > 256 || attributes.size() > 64;
  if (r.path.size() == 1) {
    r.dump.export_root = r.path[0] == "mediawiki";
    r.dump.language = value("xml:lang");
    r.dump.version = value("version");
  }
  if (r.at({"mediawiki", "page"})) r.dump.pages.emplace_back();
  // Only what comes before the first page, and only once.
  if (r.at({"mediawiki", "siteinfo"})) r.in_first_site = r.sites++ == 0 && r.dump.pages.empty();
  if (r.at({"mediawiki", "siteinfo", "dbname"})) r.in_first_site ? r.dump.dbname.clear() : void();
  if (r.at({"mediawiki", "siteinfo", "namespaces", "namespace"}) && r.in_first_site)
    r.dump.namespaces.push_back(
        {value("key"), attributes.contains("case") ? value("case") : "none", ""});
  if (r.at({"mediawiki", "siteinfo", "case"}) && r.in_first_site) r.dump.cases.emplace_back();
  if (r.dump.pages.empty()) return;
  Page& page = r.dump.pages.back();
  if (r.at({"mediawiki", "page", "title"})) ++page.titles;
  if (r.at({"mediawiki", "page", "id"})) ++page.ids;
  if (r.at({"mediawiki", "page", "ns"})) ++page.spaces;
  if (r.at({"mediawiki", "page", "redirect"}) && ++page.redirects == 1) {
    page.redirect = true;
    page.redirect_title = value("title");
  }
}

inline void on_end(void* user, const char*) { static_cast<Reading*>(user)->path.pop_back(); }

inline void on_text(void* user, const char* bytes, int size) {
  Reading& r = *static_cast<Reading*>(user);
  const std::string text(bytes, static_cast<std::size_t>(size));
  // Names and numbers of more than 4096 bytes are refused.
  if (!r.at({"mediawiki", "page", "revision", "text"}))
    r.dump.beyond |= (r.others += text.size()) > 4096;
  if (r.at({"mediawiki", "siteinfo", "dbname"}) && r.in_first_site) r.dump.dbname += text;
  if (r.at({"mediawiki", "siteinfo", "case"}) && r.in_first_site) r.dump.cases.back() += text;
  if (r.at({"mediawiki", "siteinfo", "namespaces", "namespace"}) && r.in_first_site)
    r.dump.namespaces.back()[2] += text;
  if (r.dump.pages.empty()) return;
  Page& page = r.dump.pages.back();
  if (r.at({"mediawiki", "page", "title"}) && page.titles == 1) page.title += text;
  if (r.at({"mediawiki", "page", "id"}) && page.ids == 1) page.id += text;
  if (r.at({"mediawiki", "page", "ns"}) && page.spaces == 1) page.ns += text;
  if (r.at({"mediawiki", "page", "revision", "text"})) page.text += text;
}

inline void on_declaration(void* user, const char*, const char* encoding, int) {
  if (encoding == nullptr) return;
  std::string lower = encoding;
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  static_cast<Reading*>(user)->dump.beyond |= lower != "utf-8";
}

inline void on_doctype(void* user, const char*, const char*, const char*, int) {
  Reading& r = *static_cast<Reading*>(user);
  r.dump.beyond = true;
  XML_StopParser(r.parser, XML_FALSE);
}

inline std::string stripped(const std::string& text) {
  const std::size_t from = text.find_first_not_of(" \t\r\n");
  if (from == std::string::npos) return "";
  return text.substr(from, text.find_last_not_of(" \t\r\n") - from + 1);
}

// Whether `text` is a whole number of that range.
inline bool is_number(const std::string& text, const std::string& least, const std::string& most) {
  const std::string unsigned_part = text.starts_with('-') ? text.substr(1) : text;
  if (unsigned_part.empty() || unsigned_part.find_first_not_of("0123456789") != std::string::npos)
    return false;
  const auto digits = [](const std::string& s) {
    const std::string all = s.substr(s[0] == '-' ? 1 : 0);
    const std::size_t from = all.find_first_not_of('0');
    return from == std::string::npos ? std::string() : all.substr(from);
  };
  const auto not_more = [&](const std::string& a, const std::string& b) {
    return digits(a).size() != digits(b).size() ? digits(a).size() < digits(b).size()
                                                : digits(a) <= digits(b);
  };
  return text[0] == '-' && !digits(text).empty() ? least[0] == '-' && not_more(text, least)
                                                 : not_more(text, most);
}

inline bool is_case(const std::string& text) {
  return text == "first-letter" || text == "case-sensitive";
}

inline bool is_ns(const std::string& text) { return is_number(text, "-2147483648", "2147483647"); }

inline bool is_whole(const Page& page) {
  const std::string title = stripped(page.title);
  for (const char c : title) {
    if (c >= 0 && c < ' ') return false;
  }
  return !title.empty() && page.title.size() <= 1024 && page.ids > 0 &&
         is_number(stripped(page.id), "0", "9223372036854775807") &&
         (page.spaces == 0 || is_ns(stripped(page.ns)));
}

inline Dump read_dump(std::string_view bytes) {
  Reading r;
  r.parser = XML_ParserCreate("UTF-8");
  XML_SetUserData(r.parser, &r);
  XML_SetElementHandler(r.parser, on_start, on_end);
  XML_SetCharacterDataHandler(r.parser, on_text);
  XML_SetXmlDeclHandler(r.parser, on_declaration);
  XML_SetStartDoctypeDeclHandler(r.parser, on_doctype);
  r.dump.well_formed =
      XML_Parse(r.parser, bytes.data(), static_cast<int>(bytes.size()), 1) == XML_STATUS_OK;
  XML_ParserFree(r.parser);
  // References of more than 64 bytes.
  r.dump.beyond |= bytes.find("&#0000000000") != std::string_view::npos ||
                   bytes.find("&#x0000000000") != std::string_view::npos;
  for (const Page& page : r.dump.pages) r.dump.refused |= !is_whole(page);
  for (const auto& one : r.dump.namespaces)
    r.dump.refused |= !is_ns(stripped(one[0])) || (one[1] != "none" && !is_case(one[1]));
  for (const std::string& one : r.dump.cases) r.dump.refused |= !is_case(stripped(one));
  return std::move(r.dump);
}

}  // namespace cupel::oracle
