// What is wrong with a dump, and what is said of it.
#include <gtest/gtest.h>

#include "data/wiki/dump_reading.h"

namespace cupel {
namespace {

using made::read_all;
using made::ReadDump;

std::string page(std::string_view content) {
  return "<mediawiki>\n<page>" + std::string(content) + "</page></mediawiki>";
}

std::string text_page(std::string_view text) {
  return page("<title>T</title><id>1</id><revision><text>" + std::string(text) +
              "</text></revision>");
}

struct Fault {
  std::string text, message;
};

const Fault kFaults[] = {
    {"", "dump.xml: byte 1: there is no element; this is no XML document"},
    {"INSERT INTO `page`",
     "dump.xml: byte 1: 'INSERT INTO `page`' stands outside of all elements; this is no XML "
     "document"},
    {"<html></html>",
     "dump.xml: byte 1: this is no MediaWiki export: it is 'html', not <mediawiki>; give a file "
     "like xxwiki-DATE-pages-articles.xml"},
    {"<mediawiki/><mediawiki/>",
     "dump.xml: byte 13: a second document follows; give each document a file of its own"},
    {"</>", "dump.xml: byte 1: the end of '' ends nothing; remove it"},
    {"</mediawiki>", ""},
    {"<mediawiki></>",
     "dump.xml: byte 12: the end of '' stands where 'mediawiki' has to end; correct it, or get the "
     "file again"},
    {"<mediawiki/>x",
     "dump.xml: byte 13: 'x' stands outside of all elements; remove what follows the document"},
    {"<mediawiki/></page>", "dump.xml: byte 13: the end of 'page' ends nothing; remove it"},
    {"<!DOCTYPE mediawiki [<!ENTITY a 'aaaa'>]><mediawiki/>",
     "dump.xml: byte 1: there is a document type, which could define what expands without end; "
     "remove <!DOCTYPE ...>"},
    {"<?xml version='1.0' encoding='ISO-8859-1'?><mediawiki/>",
     "dump.xml: byte 1: the encoding is 'ISO-8859-1'; convert the file to UTF-8"},
    {" <?xml version='1.0'?><mediawiki/>",
     "dump.xml: byte 2: <?xml ...?> does not stand at the start; give each document a file of its "
     "own"},
    {std::string("\xff\xfe<\0m\0", 6), ""},
    {"<mediawiki><page><title>A</title><id>1</id>",
     "dump.xml: byte 44, in the page 'A': ends within the element 'page'; it is cut off, get it "
     "again"},
    {"<mediawiki><page><title>A</title><id>1</i",
     "dump.xml: byte 42, in the page 'A': ends within the element 'id'; it is cut off, get it "
     "again"},
    {page("<title>A</title><id>1</title></id>"),
     "dump.xml: byte 40, in the page 'A': the end of 'title' stands where 'id' has to end; correct "
     "it, or get the file again"},
    {page("<id>1</id>"),
     "dump.xml: byte 13: a <page> has no <title>, or an empty one; give it one"},
    {page("<title> </title><id>1</id>"),
     "dump.xml: byte 13: a <page> has no <title>, or an empty one; give it one"},
    {page("<title>A</title>"),
     "dump.xml: byte 13, in the page 'A': the <page> has no <id>; give it one"},
    {page("<title>A\tb</title><id>1</id>"), ""},
    {page("<title>A</title><id>-1</id>"),
     "dump.xml: byte 41, in the page 'A': '-1' of <id> is no whole number from 0 to "
     "9223372036854775807; correct it"},
    {page("<title>A</title><id>9223372036854775808</id>"), ""},
    {page("<title>A</title><id></id>"), ""},
    {page("<title>A</title><id>1</id><ns>2147483648</ns>"), ""},
    {text_page("a & b"),
     "dump.xml: byte 63, in the page 'T': '&' begins no reference; write it as '&amp;'"},
    {text_page("a &nbsp; b"),
     "dump.xml: byte 63, in the page 'T': '&nbsp;' is not defined; XML has &lt;, &gt;, &amp;, "
     "&quot;, &apos; and numbers"},
    {text_page("&#0;"),
     "dump.xml: byte 61, in the page 'T': '&#0;' is no character that XML allows; correct it"},
    {text_page("&#xD800;"), ""},
    {text_page("&#x110000;"), ""},
    {text_page("&#xFFFE;"), ""},
    {text_page("&#99999999999999999999;"), ""},
    {text_page("&#;"), ""},
    {text_page("&#x;"), ""},
    {text_page("&#X41;"), ""},
    {text_page("&#" + std::string(70, '0') + "65;"), ""},
    {text_page("a ]]> b"),
     "dump.xml: byte 63, in the page 'T': ']]>' stands outside of CDATA; write it as ']]&gt;'"},
    {text_page("a \xc3( b"),
     "dump.xml: byte 63, in the page 'T': '\\xc3( b' is not UTF-8; correct the file, or get it "
     "again"},
    {text_page("a \x1b b"),
     "dump.xml: byte 63, in the page 'T': '\\x1b b<' is a character that XML does not allow; "
     "correct the file, or get it again"},
    {text_page("\xef\xbf\xbf"), ""},
    {text_page("\xed\xa0\x80"), ""},
    {text_page("a < b"),
     "dump.xml: byte 63, in the page 'T': '<' begins no tag; write it as '&lt;'"},
    {text_page("a </ b"), ""},
    {text_page("<b <c>"),
     "dump.xml: byte 64, in the page 'T': '<' stands in the tag '<b ', which has no end; end it by "
     "'>'"},
    {text_page("<b c>"),
     "dump.xml: byte 65, in the page 'T': an attribute has no value in the tag '<b c>'; correct "
     "it"},
    {text_page("<b c=1>"), ""},
    {text_page("<b c='1'd='2'/>"), ""},
    {text_page("<b c='1' c='2'/>"), ""},
    {text_page("<b c='<'/>"), ""},
    {text_page("<b c='&x;'/>"), ""},
    {text_page("<b c='>"), ""},
    {text_page("<!-- a -- b -->"), ""},
    {text_page("<!-- a --->"), ""},
    {text_page("<!ELEMENT a>"),
     "dump.xml: byte 61, in the page 'T': '<!' begins neither a comment nor CDATA; write '<' as "
     "'&lt;'"},
    {text_page("<?XML a?>"), ""},
    {text_page("<? a?>"), ""},
    {text_page("<?a"), ""},
    {text_page("<![CDATA[ ]] >"), ""},
    {"<![CDATA[]]><mediawiki/>",
     "dump.xml: byte 1: CDATA stands outside of all elements; remove it"},
    {"<mediawiki><siteinfo><case>any</case></siteinfo></mediawiki>",
     "dump.xml: byte 31: 'any' is not a case of titles; 'first-letter' and 'case-sensitive' are"},
    {"<mediawiki><siteinfo><namespaces><namespace/></namespaces></siteinfo></mediawiki>",
     "dump.xml: byte 34: a <namespace> has no key; give it one"},
};

TEST(DumpFaults, AreToldWithTheirPlace) {
  for (const Fault& fault : kFaults) {
    const ReadDump whole = read_all(fault.text);
    SCOPED_TRACE(fault.text);
    EXPECT_NE(whole.error, "");
    if (!fault.message.empty()) {
      EXPECT_EQ(whole.error, fault.message);
    }
    EXPECT_EQ(made::difference(fault.text, whole), "");
    for (const std::size_t block : {1, 2, 3, 7, 64}) {
      // What is quoted of a tag or a text may end with the block.
      const std::string error = read_all(fault.text, block).error;
      EXPECT_EQ(error.substr(0, error.find('\'')), whole.error.substr(0, whole.error.find('\'')));
    }
  }
}

// `count` bytes, one after the other, between a head and a tail, without holding them.
class Repeated final : public ByteSource {
 public:
  Repeated(std::string head, std::size_t count, std::string tail)
      : parts_{std::move(head), std::string(1 << 20, 'x'), std::move(tail)}, count_(count) {}
  bool next(std::string_view& block) override {
    if (step_ == 1 && count_ > 0) {
      block = std::string_view(parts_[1]).substr(0, std::min(count_, parts_[1].size()));
      count_ -= block.size();
      return true;
    }
    if (step_ == 1) ++step_;
    if (step_ > 2) return false;
    block = parts_[step_++];
    return true;
  }
  const std::string& name() const override { return name_; }

 private:
  std::string parts_[3], name_ = "dump.xml";
  std::size_t count_, step_ = 0;
};

ReadDump read_repeated(std::string head, std::size_t count, std::string tail) {
  Repeated source(std::move(head), count, std::move(tail));
  return read_all(source);
}

TEST(DumpFaults, SizesHaveLimits) {
  const std::string begin = "<mediawiki><page><title>T</title><id>1</id><revision>",
                    end = "</revision></page></mediawiki>";
  const auto error_of = [](const ReadDump& read) { return read.error; };
  EXPECT_EQ(
      error_of(read_repeated("<mediawiki><page><title>", 1 << 20, "</title>")),
      "dump.xml: byte 18: a title has more than 1024 bytes, and MediaWiki's have 255 behind the "
      "namespace; correct it");
  EXPECT_EQ(read_repeated("<mediawiki><page><title>", 1024, "</title><id>1</id></page></mediawiki>")
                .pages.at(0)
                .title.size(),
            1024U);
  EXPECT_NE(error_of(read_repeated("<mediawiki><page><title>", 1025, "</title>")), "");
  // Whole pages are kept, comments and unknown elements are not.
  const std::size_t large = 100'000'000;
  const ReadDump page = read_repeated(begin + "<text>", large, "</text>" + end);
  EXPECT_EQ(page.error, "");
  EXPECT_EQ(page.pages.at(0).text.size(), large);
  EXPECT_EQ(error_of(read_repeated(begin + "<text>", kLongestPage + 1, "</text>" + end)),
            "dump.xml: byte 54, in the page 'T': the text of a page has more than 256 MiB; take "
            "the page out of the file");
  for (const auto& [head, tail] : {std::pair("<comment>", "</comment>"), std::pair("<!--", "-->"),
                                   std::pair("<?a ", "?>"), std::pair("<a><![CDATA[", "]]></a>")}) {
    const ReadDump read = read_repeated(begin + head, large, tail + end);
    EXPECT_EQ(read.error, "");
    EXPECT_EQ(read.pages.size(), 1U);
  }
  const ReadDump tag = read_repeated(begin + "<text a='", large, "'/>" + end);
  EXPECT_EQ(
      tag.error,
      "dump.xml: byte 54, in the page 'T': the tag '<text a='xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
      "xxxxxxxxxxxxxxx...' has more than 64 KiB; this is no MediaWiki export");
}

TEST(DumpFaults, NestingHasALimit) {
  for (const int depth : {255, 256, 100'000}) {
    std::string text = "<mediawiki>";
    for (int k = 1; k < depth; ++k) text += "<a>";
    for (int k = 1; k < depth; ++k) text += "</a>";
    const ReadDump read = read_all(text + "</mediawiki>");
    EXPECT_EQ(read.error, depth <= 256 ? ""
                                       : "dump.xml: byte 777: elements are nested deeper than 256; "
                                         "this is no MediaWiki export");
  }
  std::string attributes;
  for (int k = 0; k < 64; ++k) attributes += " a" + std::to_string(k) + "=''";
  EXPECT_EQ(read_all("<mediawiki" + attributes + "/>").error, "");
  EXPECT_NE(read_all("<mediawiki" + attributes + " b=''/>").error, "");
}

// An error of the source is passed on as it is.
TEST(DumpFaults, OfTheSourceArePassedOn) {
  class Broken final : public ByteSource {
   public:
    bool next(std::string_view& block) override {
      if (given_++ > 0) fail("dump.xml.bz2: is damaged");
      block = "<mediawiki><page><title>T</title>";
      return true;
    }
    const std::string& name() const override { return name_; }

   private:
    int given_ = 0;
    std::string name_ = "dump.xml.bz2";
  } source;
  EXPECT_EQ(read_all(source).error, "dump.xml.bz2: is damaged");
}

}  // namespace
}  // namespace cupel
