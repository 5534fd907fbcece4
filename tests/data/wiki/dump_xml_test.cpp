#include "cupel/data/wiki/dump_xml.h"

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <utility>

#include "data/wiki/dump_reading.h"

namespace cupel {
namespace {

using made::difference;
using made::read_all;
using made::ReadDump;

constexpr std::size_t kBlocks[] = {1, 2, 3, 7, 64, 4096};

// A small dump with everything that an export has, and with what XML allows besides.
constexpr std::string_view kOdd =
    R"(<?xml version='1.0' encoding="utf-8" standalone='yes'?>
<?xml-stylesheet href="a>b" ?><!-- a page: <page> -->
<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" xml:lang='ltg' version="0.11" >
  <siteinfo>
    <sitename>V &amp; P</sitename><dbname> ltgwiki
</dbname>
    <base>https://ltg.wikipedia.org/wiki/Suoku_puslopa</base><generator>MediaWiki 1.30</generator>
    <case>first-letter</case>
    <namespaces>
      <namespace key="-1" case="first-letter">Seviškuo</namespace>
      <namespace case='first-letter' key='0' />
      <namespace key="14" case="first-letter"><![CDATA[Kategoreja]]></namespace>
      <namespace key="2302">Gadget definition</namespace>
      <namespace key="2303" case="case-sensitive">Gadget definition talk</namespace>
    </namespaces>
  </siteinfo>
  <page>
    <title>R&amp;D &lt;&#x2014;&#8212;&gt; &quot;it&apos;s&quot;</title><ns>0</ns><id>12</id>
    <redirect title="A &quot;b&quot; &#9;'c'
 d" />
    <revision><id>900</id><parentid>899</parentid>
      <contributor><username>[[Category:No]]</username><id>77</id><title>no</title></contributor>
      <minor /><comment>[[Category:Comment]] &amp; <!-- x --></comment>
      <text bytes="17" xml:space="preserve">[[Category:A]] &lt;br /&gt; &amp;nbsp; &amp;lt; &#38;#38; ž😀 ]] > ] ]&gt; [[x]]
<!-- - > [[no]] -->second<?php echo ">"; ??><![CDATA[ <b>&amp;]] ]> ]]]]>]]<![CDATA[>]]> end</text>
      <sha1>abc</sha1>
    </revision>
    <id>13</id><title>second</title><ns>4</ns><redirect title="other"/>
    <revision><text xml:space='preserve' >. More]</text><text>]. Last]</text></revision>
  </page >
  <logitem><id>4</id><page><title>no</title></page><text>no</text></logitem>
  <page><revision><content><text>a slot</text></content><text deleted="deleted"/><text bytes="0"></text></revision>
    <unknown><title>no</title><text>no</text><a><b/></a ></unknown>
    <ns>
      14 </ns><title> Kategoreja:Žuvs </title><upload><text>no</text></upload><text>no</text><id>0014</id></page>
  <mw:page xmlns:mw="x"><mw:title>Prefixed</mw:title><mw:id>9</mw:id><mw:ns>-1</mw:ns><mw:revision><mw:text>t<i>no</i>u</mw:text></mw:revision></mw:page>
  <siteinfo><dbname>late</dbname><case>never read</case></siteinfo>
</mediawiki>
<!-- after --><?after?>
)";

std::string with_line_ends(std::string_view text, std::string_view end) {
  std::string out;
  for (const char c : text) c == '\n' ? out += end : out += c;
  return out;
}

TEST(DumpReader, ReadsWhatAnExportHolds) {
  const ReadDump read = read_all(kOdd);
  ASSERT_EQ(read.error, "");
  EXPECT_EQ(read.site.version, "0.11");
  EXPECT_EQ(read.site.language, "ltg");
  EXPECT_EQ(read.site.name, "V & P");
  EXPECT_EQ(read.site.dbname, "ltgwiki");
  EXPECT_EQ(own_language(read.site), "ltg");
  WikiSite other;
  other.dbname = "zh_min_nanwiki";
  EXPECT_EQ(own_language(other), "zh-min-nan");
  EXPECT_EQ(read.site.base, "https://ltg.wikipedia.org/wiki/Suoku_puslopa");
  EXPECT_EQ(read.site.generator, "MediaWiki 1.30");
  EXPECT_FALSE(read.site.case_sensitive);
  ASSERT_EQ(read.site.namespaces.size(), 5U);
  EXPECT_EQ(read.site.namespaces[2].number, 14);
  EXPECT_EQ(read.site.namespaces[2].name, "Kategoreja");
  EXPECT_FALSE(read.site.namespaces[3].case_sensitive);
  EXPECT_TRUE(read.site.namespaces[4].case_sensitive);
  ASSERT_EQ(read.pages.size(), 3U);
  const made::ReadPage& first = read.pages[0];
  EXPECT_EQ(first.title, "R&D <——> \"it's\"");
  EXPECT_EQ(first.id, 12);
  EXPECT_EQ(first.ns, 0);
  EXPECT_TRUE(first.redirect);
  EXPECT_EQ(first.redirect_title, "A \"b\" \t'c'  d");
  EXPECT_EQ(first.text,
            "[[Category:A]] <br /> &nbsp; &lt; &#38; ž😀 ]] > ] ]> [[x]]\n"
            "second <b>&amp;]] ]> ]]]]> end. More]]. Last]");
  EXPECT_EQ(first.offset, kOdd.find("<page>\n    <title>R"));
  EXPECT_EQ(read.pages[1].title, "Kategoreja:Žuvs");
  EXPECT_EQ(read.pages[1].ns, 14);
  EXPECT_EQ(read.pages[1].id, 14);
  EXPECT_EQ(read.pages[1].text, "");
  EXPECT_FALSE(read.pages[1].redirect);
  EXPECT_EQ(read.pages[2].title, "Prefixed");
  EXPECT_EQ(read.pages[2].ns, -1);
  EXPECT_EQ(read.pages[2].text, "tu");
}

TEST(DumpReader, BlocksOfAnySizeAndAllLineEndsGiveTheSame) {
  const ReadDump whole = read_all(kOdd);
  for (const char* end : {"\n", "\r\n", "\r"}) {
    for (const char* mark : {"", "\xef\xbb\xbf"}) {
      const std::string text = mark + with_line_ends(kOdd, end);
      for (const std::size_t block : kBlocks) {
        const ReadDump read = read_all(text, block);
        EXPECT_EQ(difference(text, read), "") << block;
        ASSERT_EQ(read.pages.size(), whole.pages.size());
        for (std::size_t k = 0; k < read.pages.size(); ++k)
          EXPECT_EQ(read.pages[k].text, whole.pages[k].text) << block;
      }
    }
  }
}

// Who reads in blocks meets the first fault first, and so does who reads it all at once.
TEST(DumpReader, TheFirstOfTwoFaultsIsTold) {
  const std::string head = "<mediawiki><siteinfo><base>";
  for (const auto& [text, place, message] :
       {std::tuple{"&`mp; ]]> ", 0, "'&`mp;' is not defined"},
        std::tuple{"]]> &`mp; ", 0, "']]>' stands outside of CDATA"},
        std::tuple{"a &amp; &#1; ]]]]>", 8, "'&#1;' is no character"},
        std::tuple{"a &]]>; ", 2, "'&' begins no reference"},
        std::tuple{"&lt;]]>&gt;", 4, "']]>' stands outside of CDATA"}}) {
    const std::string expected = fmt::format(
        "dump.xml: byte {}: {}", head.size() + 1 + static_cast<unsigned>(place), message);
    for (const std::size_t block : kBlocks) {
      const ReadDump read = read_all(head + text + "</base></siteinfo></mediawiki>", block);
      EXPECT_TRUE(read.error.starts_with(expected)) << block << ": " << read.error;
    }
  }
}

// Every place is written over by some of what XML gives a meaning to; expat says what has to come
// out.
TEST(DumpReader, AgreesWithExpatWhateverIsWritten) {
  constexpr std::string_view kBytes = "<>&;\"'/?!-[] =:#x0\r\n\t\x01\x80\xbf\xc3\xe2\xef\xf0\xff";
  int taken = 0, refused = 0, turn = 0;
  std::string text(kOdd);
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (const char byte : kBytes) {
      if (++turn % 5 != 0) continue;
      const char before = std::exchange(text[at], byte);
      const ReadDump read = read_all(text, 1 + at % 97);
      ++(read.error.empty() ? taken : refused);
      ASSERT_EQ(difference(text, read), "") << "byte " << at << " is " << static_cast<int>(byte);
      text[at] = before;
    }
  }
  EXPECT_GT(taken, 1000);
  EXPECT_GT(refused, 4000);
}

TEST(DumpReader, EveryCutIsRefused) {
  const std::size_t end = kOdd.find("</mediawiki>") + 12;
  for (std::size_t size = 0; size < end; ++size) {
    for (const std::size_t block : {std::size_t{5}, std::size_t{4096}}) {
      const ReadDump read = read_all(kOdd.substr(0, size), block);
      ASSERT_NE(read.error, "") << size;
      ASSERT_TRUE(read.error.starts_with("dump.xml: byte ")) << read.error;
      ASSERT_EQ(read.error.find('\n'), std::string::npos) << read.error;
    }
  }
  for (std::size_t size = end; size <= kOdd.size(); ++size)
    ASSERT_EQ(difference(kOdd.substr(0, size), read_all(kOdd.substr(0, size), 3)), "") << size;
}

// A text of every length around blocks, with what may be cut at its end or beginning.
TEST(DumpReader, LongTextsComeWhole) {
  std::string content, expected;
  for (int k = 0; k < 9000; ++k) {
    content += k % 7 == 0   ? "&amp;#"
               : k % 5 == 0 ? "]]&gt;\r\n"
               : k % 3 == 0 ? "ž]]"
                            : "&#x1F600; \r";
    expected += k % 7 == 0 ? "&#" : k % 5 == 0 ? "]]>\n" : k % 3 == 0 ? "ž]]" : "😀 \n";
  }
  const std::string text = "<mediawiki><page><title>T</title><id>1</id><ns>0</ns><revision><text>" +
                           content + "</text></revision></page></mediawiki>";
  for (std::size_t block = 1; block < 200'000; block += 1 + block / 3) {
    const ReadDump read = read_all(text, block);
    ASSERT_EQ(read.error, "") << block;
    ASSERT_EQ(read.pages.size(), 1U);
    ASSERT_TRUE(read.pages[0].text == expected) << block;
  }
}

TEST(DumpReader, OldSchemasTellTheNamespaceByTheTitle) {
  const auto dump = [](std::string_view title) {
    return "<mediawiki version='0.3'><siteinfo><namespaces><namespace key='0' /><namespace "
           "key='14'>"
           "Kategoreja</namespace></namespaces></siteinfo><page><title>" +
           std::string(title) + "</title><id>1</id></page></mediawiki>";
  };
  const auto ns_of = [&](std::string_view title) { return read_all(dump(title)).pages.at(0).ns; };
  EXPECT_EQ(ns_of("Žuvs"), 0);
  EXPECT_EQ(ns_of("Kategoreja:Žuvs"), 14);
  EXPECT_EQ(ns_of("kateGoreja:Žuvs"), 14);
  EXPECT_EQ(ns_of("Category:Žuvs"), 14);
  EXPECT_EQ(ns_of("Star Wars: Episode IV"), 0);
}

TEST(DumpReader, ADocumentWithoutPagesHasNone) {
  for (const char* text : {"<mediawiki/>", "<mediawiki><siteinfo/></mediawiki>\n",
                           "<mediawiki><logitem/></mediawiki>"}) {
    EXPECT_EQ(difference(text, read_all(text)), "");
    EXPECT_TRUE(read_all(text).pages.empty());
  }
}

}  // namespace
}  // namespace cupel
