// Pages of a Wikipedia, from the XML that MediaWiki exports ("pages-articles").
//
// Source: https://www.mediawiki.org/wiki/Help:Export, export schemas 0.3 to 0.11.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/data/formats/byte_source.h"
#include "cupel/data/wiki/titles.h"
#include "cupel/data/wiki/xml_pull.h"

namespace cupel {

// What a dump says of its wiki before the first page. What it does not say is empty.
struct WikiSite {
  std::string version;   // of the export schema, "0.10"
  std::string language;  // xml:lang
  std::string name, dbname, base, generator;
  bool case_sensitive = false;            // <case>; of namespaces that do not say otherwise
  std::vector<WikiNamespace> namespaces;  // in the order of the file
};

struct WikiPage {
  std::int64_t id = 0;
  std::int32_t ns = 0;     // schemas before 0.6 do not say it; then that of the title's prefix
  bool redirect = false;   // there is an element <redirect>, which schema 0.3 does not have
  std::string_view title;  // with the prefix of its namespace, blanks as blanks
  std::string_view redirect_title;  // empty in schemas before 0.6
  std::string_view text;            // of all revisions that the dump holds, one after the other
  std::uint64_t offset = 0;         // of "<page>" in the unpacked file, from 0
};

// What it is called in links between languages: "nds-nl" of "nds_nlwiki".
[[nodiscard]] std::string own_language(const WikiSite& site);
// Its namespaces by all their names.
[[nodiscard]] WikiNames names_of(const WikiSite& site);

inline constexpr std::size_t kLongestTitle = 1024;  // bytes; MediaWiki's 255 and a namespace
inline constexpr std::size_t kLongestPage = std::size_t{256} << 20;

// Reads the document front to back. The first <title>, <id>, <ns> of a page count; those of
// revisions and contributors are others. Elements that are not known are passed over with all that
// is in them, and so is a revision's <content> (slots other than the main one). The document has to
// be well-formed UTF-8 without a document type, see xml_pull.h. Memory: a block of the source and
// the longest page so far, at most kLongestPage. Linear. Not thread-safe.
//
// Throws Error naming the file, the byte (from 1, of the unpacked file) and the title of the page.
// After that the reader is of no more use.
class DumpReader {
 public:
  // Reads to the first page. `source` lives longer than the reader.
  explicit DumpReader(ByteSource& source);

  [[nodiscard]] const WikiSite& site() const { return site_; }
  // The next page, whose texts are valid until the next call; false at the end of the document.
  bool next(WikiPage& page);

 private:
  void read_root();
  void read_site();
  void read_namespaces();
  bool read_case(std::string_view text) const;
  void read_page(WikiPage& page);
  void read_revision();
  void finish(WikiPage& page, bool has_id, bool has_ns);
  std::string_view short_text();
  std::int64_t whole_number(std::string_view what, std::int64_t least, std::int64_t most);
  // What `body` gives; of a problem it makes an Error.
  template <class Body>
  bool guarded(const Body& body);

  XmlPull xml_;
  WikiSite site_;
  std::optional<WikiNames> names_;  // where pages do not say their namespace
  TextBuffer title_, text_, short_;
  std::string redirect_title_, value_;
  bool at_page_ = false;  // <page> has been read and nothing of what is in it
  bool titled_ = false;   // title_ holds that of the page that is read
};

}  // namespace cupel
