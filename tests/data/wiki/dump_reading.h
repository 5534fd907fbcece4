// A dump in memory, read in blocks of any size and held against the oracle.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/wiki/dump_xml.h"
#include "data/wiki/dump_oracle.h"

namespace cupel::made {

// Blocks of `size` bytes, each in memory of its own, so that a sanitizer sees who reads beyond one
// or reads one too late.
class TextBlocks final : public ByteSource {
 public:
  TextBlocks(std::string_view text, std::size_t size, std::string name = "dump.xml")
      : text_(text), size_(size), name_(std::move(name)) {}
  bool next(std::string_view& block) override {
    const std::string_view part = text_.substr(0, size_);
    block_ = std::vector<char>(part.begin(), part.end());
    text_.remove_prefix(part.size());
    block = {block_.data(), block_.size()};
    return !part.empty();
  }
  const std::string& name() const override { return name_; }

 private:
  std::string_view text_;
  std::size_t size_;
  std::string name_;
  std::vector<char> block_;
};

struct ReadPage {
  std::int64_t id;
  std::int32_t ns;
  bool redirect;
  std::string title, redirect_title, text;
  std::uint64_t offset;
  friend bool operator==(const ReadPage&, const ReadPage&) = default;
};

struct ReadDump {
  WikiSite site;
  std::vector<ReadPage> pages;
  std::string error;  // empty if there was none
};

inline ReadDump read_all(ByteSource& source) {
  ReadDump out;
  try {
    DumpReader reader(source);
    out.site = reader.site();
    for (WikiPage p; reader.next(p);)
      out.pages.push_back({p.id, p.ns, p.redirect, std::string(p.title),
                           std::string(p.redirect_title), std::string(p.text), p.offset});
    WikiPage after;
    if (reader.next(after)) out.error = "a page after the end";
  } catch (const Error& error) {
    out.error = error.what();
  }
  return out;
}

inline ReadDump read_all(std::string_view text, std::size_t block = 1 << 16) {
  TextBlocks source(text, block);
  return read_all(source);
}

// Whether letters beyond ASCII are what expat refuses: it does not take all of them in names.
inline bool differs_in_names(std::string_view text) {
  if (!decode_utf8(text) || text.find("\xef\xbf\xbe") != std::string_view::npos ||
      text.find("\xef\xbf\xbf") != std::string_view::npos)
    return false;
  std::string ascii(text);
  for (char& c : ascii) c = c < 0 ? 'x' : c;
  return oracle::read_dump(ascii).well_formed;
}

// What is wrong with what was read of `text`; empty if nothing is.
inline std::string difference(std::string_view text, const ReadDump& read) {
  const oracle::Dump dump = oracle::read_dump(text);
  if (dump.beyond) return "";
  if (dump.well_formed && (!dump.export_root || dump.refused))
    return read.error.empty() ? "it should be refused" : "";
  if (!dump.well_formed)
    return read.error.empty() && !differs_in_names(text) ? "expat refuses it" : "";
  if (!read.error.empty()) return "it should not be refused: " + read.error;
  if (read.site.language != dump.language || read.site.version != dump.version ||
      read.site.dbname != oracle::stripped(dump.dbname))
    return "the site differs";
  if (read.site.namespaces.size() != dump.namespaces.size()) return "namespaces are missing";
  for (std::size_t k = 0; k < dump.namespaces.size(); ++k) {
    const WikiNamespace& one = read.site.namespaces[k];
    const bool sensitive = dump.namespaces[k][1] == "case-sensitive" ||
                           (dump.namespaces[k][1] == "none" && one.case_sensitive);
    if (one.number != std::stoi(dump.namespaces[k][0]) || one.case_sensitive != sensitive ||
        one.name != oracle::stripped(dump.namespaces[k][2]))
      return "a namespace differs";
  }
  if (read.pages.size() != dump.pages.size()) return "pages are missing";
  for (std::size_t k = 0; k < dump.pages.size(); ++k) {
    const oracle::Page& a = dump.pages[k];
    const ReadPage& b = read.pages[k];
    if (oracle::stripped(a.title) != b.title) return "title of page " + std::to_string(k);
    if (std::stoll(a.id) != b.id) return "id of page " + b.title;
    if (a.spaces > 0 && std::stol(a.ns) != b.ns) return "namespace of page " + b.title;
    if (a.redirect != b.redirect || a.redirect_title != b.redirect_title)
      return "redirect of page " + b.title;
    if (a.text != b.text) return "text of page " + b.title;
    if (text.substr(b.offset, 1) != "<") return "place of page " + b.title;
  }
  return "";
}

}  // namespace cupel::made
