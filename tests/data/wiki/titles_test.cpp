#include "cupel/data/wiki/titles.h"

#include <gtest/gtest.h>

#include <vector>

#include "cupel/data/wiki/letter_case.h"
#include "cupel/data/wiki/references.h"

namespace cupel::test {
namespace {

const std::vector<WikiNamespace> kLatgalian = {{-1, "Seviškuo", false},
                                               {0, "", false},
                                               {1, "Sprīža", false},
                                               {4, "Vikipedeja", false},
                                               {6, "Fails", false},
                                               {14, "Kategoreja", false},
                                               {15, "Sprīža ap kategoreju", false},
                                               {828, "Modulis", false},
                                               {2302, "Gadget definition", true}};

const WikiNames& latgalian() {
  static const WikiNames names(kLatgalian, "ltg");
  return names;
}

void expect_title(std::string_view target, int space, std::string_view name) {
  const auto title = read_title(target, latgalian());
  ASSERT_TRUE(title.has_value()) << target;
  EXPECT_EQ(title->space, space) << target;
  EXPECT_EQ(title->name, name) << target;
}

void expect_none(std::string_view target) {
  const auto title = read_title(target, latgalian());
  EXPECT_FALSE(title.has_value()) << target << " is read as '" << title->name << "'";
}

TEST(Titles, BlanksAndFirstLetters) {
  expect_title("Foo bar", 0, "Foo bar");
  expect_title("foo_bar", 0, "Foo bar");
  expect_title("  _foo \xc2\xa0_ bar__", 0, "Foo bar");
  expect_title(
      "foo\xe3\x80\x80"
      "bar",
      0, "Foo bar");
  expect_title(
      "\xe2\x80\x8e"
      "foo\xe2\x80\x8f",
      0, "Foo");
  expect_title("āboli", 0, "Āboli");
  expect_title("ёж", 0, "Ёж");
  expect_title("ωmega", 0, "Ωmega");
  expect_title("հայ", 0, "Հայ");
  expect_title("ქართული", 0, "ქართული");
  expect_title("ßen", 0, "ßen");
  expect_title("ǆin", 0, "Ǆin");
  expect_title("ədəbiyyat", 0, "Ədəbiyyat");
  expect_title("ɓera", 0, "Ɓera");
  expect_title("ꙗзыкъ", 0, "Ꙗзыкъ");
  expect_title("ｗｉｋｉ", 0, "Ｗｉｋｉ");
  expect_title("𞤢𞤣", 0, "𞤀𞤣");
  expect_title("ıssız", 0, "Issız");
  expect_title("日本", 0, "日本");
  expect_title("ⅷ", 0, "ⅷ");
  expect_title("iPod", 0, "IPod");
}

TEST(Titles, NamespacesByAnyName) {
  for (const char* target :
       {"Kategoreja:bar", "kategoreja: Bar", "KATEGOREJA_:_bar", "Category:bar", "cAtegory :bar",
        ":Category:bar", ": kategoreja:bar#top", "Kategoreja:_bar "})
    expect_title(target, 14, "Bar");
  expect_title("Sprīža_ap  Kategoreju:x", 15, "X");
  expect_title("SPRĪŽA AP KATEGOREJU:x", 15, "X");
  expect_title("category talk:x", 15, "X");
  expect_title("Fails:x.jpg", 6, "X.jpg");
  expect_title("image:x.jpg", 6, "X.jpg");
  expect_title("Project:x", 4, "X");
  expect_title("wp:x", 4, "X");
  expect_title("seviškuo:statistics", -1, "Statistics");
  expect_title("module:x", 828, "X");
  expect_title("Portal:x", 0, "Portal:x");         // the dump declares no such namespace
  expect_title("gadget definition:x", 2302, "x");  // case-sensitive
  expect_title("Foo:bar", 0, "Foo:bar");
  expect_title("Foo : bar", 0, "Foo : bar");
  expect_title("Kategoreja:category:x", 14, "Category:x");
  expect_title("ltg:foo", 0, "Foo");
  expect_title(":ltg:kategoreja:foo", 14, "Foo");
  expect_title("C++", 0, "C++");
}

TEST(Titles, CyrillicNames) {
  const WikiNames names(std::vector<WikiNamespace>{{14, "Категория", false}, {0, "", true}});
  EXPECT_EQ(read_title("КАТЕГОРИЯ:ёлки", names), (WikiTitle{14, "Ёлки"}));
  EXPECT_EQ(read_title("категория:Ёлки", names), (WikiTitle{14, "Ёлки"}));
  EXPECT_EQ(read_title("ёлки", names), (WikiTitle{0, "ёлки"}));
  EXPECT_EQ(names.number_of("КатегориЯ"), 14);
  EXPECT_EQ(names.number_of("Категори"), std::nullopt);
}

// Where the letter has a dot in capitals, too.
TEST(Titles, CapitalsOfTheDottedI) {
  const std::vector<WikiNamespace> spaces = {{14, "Kategori", false}, {8, "Tam", true}};
  for (const char* spelling : {"tr", "az", "kaa"}) {
    const WikiNames names(spaces, spelling, spelling);
    EXPECT_EQ(read_title("istanbul", names), (WikiTitle{0, "İstanbul"})) << spelling;
    EXPECT_EQ(read_title("kategori:istanbul", names), (WikiTitle{14, "İstanbul"})) << spelling;
    EXPECT_EQ(read_title("Istanbul", names), (WikiTitle{0, "Istanbul"})) << spelling;
    EXPECT_EQ(read_title("ısparta", names), (WikiTitle{0, "Isparta"})) << spelling;
    EXPECT_EQ(read_title("tam:istanbul", names), (WikiTitle{8, "istanbul"})) << spelling;
  }
  EXPECT_EQ(read_title("istanbul", WikiNames(spaces, "ku", "ku")), (WikiTitle{0, "Istanbul"}));
}

// A wiki may call another namespace by one of the English names.
TEST(Titles, TheDumpsNamesWin) {
  const WikiNames names(std::vector<WikiNamespace>{{100, "Image", false}});
  EXPECT_EQ(names.number_of("image"), 100);
  EXPECT_EQ(names.number_of("image talk"), 7);
}

TEST(Titles, ReferencesAndFragments) {
  expect_title("AT&amp;T", 0, "AT&T");
  expect_title("AT&T", 0, "AT&T");
  expect_title("Caf&eacute;", 0, "Café");
  expect_title("&#233;t&#xE9;", 0, "Été");
  expect_title("foo&nbsp;bar", 0, "Foo bar");
  expect_title("foo#bar", 0, "Foo");
  expect_title("foo #bar[]", 0, "Foo");
  expect_title("foo&#35;bar", 0, "Foo");
  expect_title("category&#58;foo", 14, "Foo");
  expect_none("a &amp;lt; b");  // decoded once
  expect_none("&lt;b&gt;");
}

TEST(Titles, APartOfAPageIsTold) {
  const WikiNames names({});
  const auto has_part = [&](const char* target) {
    const std::optional<WikiTitle> title = read_title(target, names);
    return title && title->name == "Foo" && title->fragment;
  };
  for (const char* target : {"foo#bar", "foo # bar", "foo&#35;bar", "foo##", "foo#[x]"})
    EXPECT_TRUE(has_part(target)) << target;
  for (const char* target : {"foo", "foo#", "foo# _", "&#102;oo"})
    EXPECT_FALSE(has_part(target)) << target;
  EXPECT_EQ(read_title("foo#bar", names), read_title("Foo", names)) << "one page";
}

TEST(Titles, NoTitles) {
  for (const char* target : {"",
                             " ",
                             "_",
                             ":",
                             "#top",
                             "Category:",
                             "Category:#x",
                             "a[b",
                             "a]b",
                             "a{b",
                             "a}b",
                             "a|b",
                             "a<b",
                             "a>b",
                             "a\nb",
                             "a\tb",
                             "a\x7f",
                             ".",
                             "..",
                             "./a",
                             "../a",
                             "a/./b",
                             "a/../b",
                             "a/.",
                             "a/..",
                             "a~~~b",
                             "100%25",
                             "a\xff"
                             "b",
                             "a\xef\xbf\xbd",
                             "a\xed\xa0\x80",
                             "::a",
                             "Category::a",
                             "Talk:File:x",
                             "sprīža:fr:x"})
    expect_none(target);
  for (const char* target : {"en:Foo", "FR:foo", ":de:foo", "zh-min-nan:x", "simple:x", "w:x",
                             "wikt:x", "commons:Category:x", "ltg:en:x", "d:Q1"})
    expect_none(target);
  for (const char* target :
       {"...", "a/b", ".a", "a.", "a..b", "100%", "100% a", "~~", "a:b", "Re:Zero"})
    EXPECT_TRUE(read_title(target, latgalian()).has_value()) << target;
}

TEST(Titles, LongOnes) {
  const std::string longest(255, 'A');
  expect_title(longest, 0, longest);
  expect_title("Kategoreja:" + longest, 14, longest);
  expect_title(std::string(100'000, ' ') + longest + std::string(100'000, '_'), 0, longest);
  expect_none(longest + "A");
  std::string own;  // each step would move all that is behind it
  for (int k = 0; k < 200'000; ++k) own += "ltg:";
  expect_none(own);
}

TEST(Titles, OfPages) {
  EXPECT_EQ(page_title("Kategoreja:Foo", latgalian()), (WikiTitle{14, "Foo"}));
  EXPECT_EQ(page_title("En:Foo", latgalian()), (WikiTitle{0, "En:Foo"}));
  EXPECT_EQ(page_title("iPod: x", latgalian()), (WikiTitle{0, "iPod: x"}));
  EXPECT_EQ(page_title("", latgalian()), (WikiTitle{0, ""}));
}

// Python 3.11: letters c from U+0080 on for which c.upper(), or else c.title(), is another single
// letter t, without those that the wikis leave as they are: U+0345, U+10D0-10FF, U+2170-217F,
// U+24D0-24E9, U+A7B9, U+16E60-16E7F, and the digraphs in upper and title case. 1298 of them, and
// the sum of 7 ord(c) + ord(t) - ord(c).
TEST(LetterCase, TheTableIsUnicodes) {
  int letters = 0;
  std::int64_t sum = 0;
  for (char32_t c = 0x80; c < 0x110000; ++c) {
    const char32_t upper = upper_case(c);
    if (upper == c) continue;
    ++letters;
    sum += 7 * static_cast<std::int64_t>(c) + static_cast<std::int64_t>(upper) - c;
  }
  EXPECT_EQ(letters, 1298);
  EXPECT_EQ(sum, 216'715'866);
  for (char32_t c = 0; c < 0x80; ++c)
    EXPECT_EQ(upper_case(c), static_cast<char32_t>(std::toupper(static_cast<int>(c))));
}

TEST(LetterCase, BytesThatAreNotUtf8Stay) {
  for (const std::string text :
       {"\xff", "\xc3", "\xe2\x82", "\xed\xa0\x80", "\xc0\x80", "\xf4\x90\x80\x80"}) {
    EXPECT_EQ(fold_case(text), text);
    std::string capital = text;
    capitalise(capital);
    EXPECT_EQ(capital, text);
  }
  EXPECT_EQ(fold_case("a\xff"
                      "ž"),
            "A\xff"
            "Ž");
}

TEST(References, WhatIsNoneStays) {
  const auto decoded = [](std::string_view text) {
    std::string out = "before";
    decode_references(text, out);
    return out;
  };
  for (const char* text : {"", "&", "&;", "&#;", "&#x;", "&amp", "&nothing;", "&#1114112;", "&#0;",
                           "&#xd800;", "&#99999999999999999999;", "&AMP ;", "& amp;"})
    EXPECT_EQ(decoded(text), text);
  EXPECT_EQ(decoded("&amp;amp; &#38;&#x26;&euro;&thetasym;"), "&amp; &&€ϑ");
  EXPECT_EQ(decoded("&&lt;&"), "&<&");
}

}  // namespace
}  // namespace cupel::test
