#include "cupel/data/wiki/dump_xml.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <stdexcept>

#include "cupel/base/error.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/wiki/xml_text.h"

namespace cupel {

std::string own_language(const WikiSite& site) {
  constexpr std::string_view kEnding = "wiki";
  if (!site.dbname.ends_with(kEnding)) return site.language;
  std::string language = site.dbname.substr(0, site.dbname.size() - kEnding.size());
  std::ranges::replace(language, '_', '-');
  return language;
}

WikiNames names_of(const WikiSite& site) {
  return WikiNames(site.namespaces, own_language(site), site.language);
}

namespace {

using Event = XmlPull::Event;

constexpr std::size_t kShort = 4096;
constexpr std::string_view kXmlSpace = " \t\r\n";
constexpr std::size_t kMostNamespaces = 10'000;  // the largest wikis have some hundred

}  // namespace

DumpReader::DumpReader(ByteSource& source)
    : xml_(source),
      title_(kLongestTitle,
             "a title has more than 1024 bytes, and MediaWiki's have 255 behind the namespace; "
             "correct it"),
      text_(kLongestPage,
            "the text of a page has more than 256 MiB; take the page out of the file"),
      short_(kShort, "a number or a name has more than 4096 bytes; correct it") {
  guarded([&] {
    read_root();
    return true;
  });
}

template <class Body>
bool DumpReader::guarded(const Body& body) {
  try {
    return body();
  } catch (const XmlProblem& problem) {
    const std::string_view title = trimmed(title_.view(), kXmlSpace);
    fail("{}: byte {}{}: {}", xml_.source_name(), problem.offset + 1,
         titled_ && !title.empty() ? fmt::format(", in the page {}", in_quotes(title)) : "",
         problem.message);
  }
}

bool DumpReader::next(WikiPage& page) {
  return guarded([&] {
    while (xml_.depth() > 0) {
      if (at_page_) {
        at_page_ = false;
        read_page(page);
        titled_ = false;
        return true;
      }
      if (xml_.next() == Event::kEnd) break;
      at_page_ = xml_.name() == "page";
      if (!at_page_) xml_.skip();
    }
    if (xml_.next() != Event::kDone) throw std::logic_error("something follows a whole document");
    return false;
  });
}

// To the first page, or to the end of a document without one.
void DumpReader::read_root() {
  if (xml_.next() != Event::kStart || xml_.name() != "mediawiki") {
    xml_problem(xml_.offset(),
                "this is no MediaWiki export: it is {}, not <mediawiki>; give a file like "
                "xxwiki-DATE-pages-articles.xml",
                in_quotes(xml_.name()));
  }
  xml_.attribute("xml:lang", site_.language);
  xml_.attribute("version", site_.version);
  bool seen = false;
  while (!at_page_ && xml_.next() == Event::kStart) {
    at_page_ = xml_.name() == "page";
    if (xml_.name() == "siteinfo" && !std::exchange(seen, true))
      read_site();
    else if (!at_page_)
      xml_.skip();
  }
}

void DumpReader::read_site() {
  while (xml_.next() == Event::kStart) {
    const std::string_view name = xml_.name();
    if (name == "sitename")
      site_.name = short_text();
    else if (name == "dbname")
      site_.dbname = short_text();
    else if (name == "base")
      site_.base = short_text();
    else if (name == "generator")
      site_.generator = short_text();
    else if (name == "case")
      site_.case_sensitive = read_case(short_text());
    else if (name == "namespaces")
      read_namespaces();
    else
      xml_.skip();
  }
}

void DumpReader::read_namespaces() {
  while (xml_.next() == Event::kStart) {
    if (xml_.name() != "namespace") {
      xml_.skip();
      continue;
    }
    WikiNamespace one;
    if (site_.namespaces.size() == kMostNamespaces)
      xml_problem(xml_.offset(), "there are more than {} namespaces; correct it", kMostNamespaces);
    if (!xml_.attribute("key", value_))
      xml_problem(xml_.offset(), "a <namespace> has no key; give it one");
    short_.clear();
    short_.append(value_);
    one.number = static_cast<int>(whole_number("the key of a <namespace>",
                                               std::numeric_limits<std::int32_t>::min(),
                                               std::numeric_limits<std::int32_t>::max()));
    one.case_sensitive = xml_.attribute("case", value_) ? read_case(value_) : site_.case_sensitive;
    one.name = short_text();
    site_.namespaces.push_back(std::move(one));
  }
}

// Whether titles are case-sensitive in their first letter.
bool DumpReader::read_case(std::string_view text) const {
  if (text == "case-sensitive") return true;
  // "case-insensitive" is reserved, and no wiki has it.
  if (text != "first-letter")
    xml_problem(xml_.offset(),
                "{} is not a case of titles; 'first-letter' and 'case-sensitive' are",
                in_quotes(text));
  return false;
}

void DumpReader::read_page(WikiPage& page) {
  page = {};
  page.offset = xml_.offset();
  title_.clear();
  text_.clear();
  redirect_title_.clear();
  bool has_id = false, has_ns = false, has_title = false;
  while (xml_.next() == Event::kStart) {
    const std::string_view name = xml_.name();
    if (name == "revision") {
      read_revision();
    } else if (name == "title" && !has_title) {
      xml_.read_text(title_);
      has_title = titled_ = true;
    } else if (name == "id" && !has_id) {
      short_text();
      page.id = whole_number("<id>", 0, std::numeric_limits<std::int64_t>::max());
      has_id = true;
    } else if (name == "ns" && !has_ns) {
      short_text();
      page.ns =
          static_cast<std::int32_t>(whole_number("<ns>", std::numeric_limits<std::int32_t>::min(),
                                                 std::numeric_limits<std::int32_t>::max()));
      has_ns = true;
    } else if (name == "redirect") {
      if (!page.redirect) xml_.attribute("title", redirect_title_);
      page.redirect = true;
      xml_.skip();
    } else {
      xml_.skip();
    }
  }
  finish(page, has_id, has_ns);
}

void DumpReader::read_revision() {
  while (xml_.next() == Event::kStart) {
    if (xml_.name() == "text")
      xml_.read_text(text_);
    else
      xml_.skip();
  }
}

void DumpReader::finish(WikiPage& page, bool has_id, bool has_ns) {
  page.title = trimmed(title_.view(), kXmlSpace);
  if (page.title.empty())
    xml_problem(page.offset, "a <page> has no <title>, or an empty one; give it one");
  for (const char c : page.title) {
    if (static_cast<unsigned char>(c) < 0x20)
      xml_problem(page.offset, "the title has a line end or a tab; correct it");
  }
  if (!has_id) xml_problem(page.offset, "the <page> has no <id>; give it one");
  if (!has_ns) {
    if (!names_) names_.emplace(site_.namespaces);
    page.ns = page_title(page.title, *names_).space;
  }
  page.redirect_title = redirect_title_;
  page.text = text_.view();
}

// Of the element that began, without blanks around it.
std::string_view DumpReader::short_text() {
  short_.clear();
  xml_.read_text(short_);
  return trimmed(short_.view(), kXmlSpace);
}

// In short_.
std::int64_t DumpReader::whole_number(std::string_view what, std::int64_t least,
                                      std::int64_t most) {
  const std::string_view text = trimmed(short_.view(), kXmlSpace);
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || value < least || value > most) {
    xml_problem(xml_.offset(), "{} of {} is no whole number from {} to {}; correct it",
                in_quotes(text), what, least, most);
  }
  return value;
}

}  // namespace cupel
