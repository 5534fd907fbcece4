// What each construct of wikitext leaves. The rules are MediaWiki's own, as mediawiki.org documents
// them under the headings that the tests are named after.
#include "cupel/data/wiki/visible_text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace cupel {
namespace {

struct Case {
  std::string wikitext, text;
};

const WikitextRules& latgalian() {
  static const WikitextRules rules({.files = {"Fails", "Файл"},
                                    .categories = {"Kategoreja", "Категория"},
                                    .pages = {"Lītuotuojs", "WP"}});
  return rules;
}

void check(const std::vector<Case>& cases, const WikitextRules& rules = latgalian()) {
  for (const Case& c : cases) EXPECT_EQ(visible_text(c.wikitext, rules), c.text) << c.wikitext;
}

TEST(VisibleText, PlainTextIsOnlyTidied) {
  check({
      {"", ""},
      {"\n \n", ""},
      {"One  word\tand\r\n\n\n another. ", "One word and\nanother."},
      {"a < b > c & d; e_f - g {h} [i] 'j' it's 100% #3 k:l =m= n*o |p| !",  //
       "a < b > c & d; e_f - g {h} [i] 'j' it's 100% #3 k:l =m= n*o |p| !"},
      {"x[y[1]] = 2; {a} }} ]] end", "x[y[1]] = 2; {a} }} ]] end"},
      {"naïve Ā 日本語 \u00a0 \U0001f600", "naïve Ā 日本語 \u00a0 \U0001f600"},
      {std::string("a\0b\x01\x02\x1f"
                   "c",
                   7),
       "abc"},
  });
}

TEST(VisibleText, CommentsLeave) {
  check({
      {"a<!-- b -->c", "ac"},
      {"a<!-- {{ [[ <ref> -->b", "ab"},
      {"a <!-- b", "a"},  // runs to the end of the page
      {"a <!-- b -- > c --> d", "a d"},
      {"== H == <!-- c -->\nx", "H\nx"},
      {"* a\n<!-- c -->\n* b", "a\nb"},
      {"a <!- b -->", "a <!- b -->"},
  });
}

TEST(VisibleText, TemplatesLeave) {
  check({
      {"a {{b}} c", "a c"},
      {"{{Infobox\n| a = [[b]]\n| c = {{d|{{e}}}}\n}}\nText", "Text"},
      {"a{{{b|c}}}d", "ad"},
      {"a{{{{{b}}}}}c", "ac"},  // an argument inside a template
      {"a{{{{b}}}}c", "a{}c"},  // an argument in braces
      {"a{{{{b}} c}}d", "ad"},  //
      {"{{#if: {{{x|}}} | y | z}}w", "w"},
      {"{{lc:ABC}}{{PAGENAME}}x", "x"},
      {"a {{b", "a {{b"},            // never closed
      {"a {{b {{c}} d", "a {{b d"},  // closes the innermost
      {"a b}} c", "a b}} c"},
      {"a {{b [[c}} d [[e]] f", "a d e f"},
      {"{a}", "{a}"},
      {"a {{b|<nowiki>}}</nowiki>}} c", "a c"},
      {"a {{b|<!-- }} -->}} c", "a c"},
      {"a {{b|<ref>}}</ref>}} c", "a c"},
      {"{{{a}}", "{"},  // the inner two match
      {"{{a}}}", "}"},
      {"'{{a}}''b''", "'b"},
  });
}

TEST(VisibleText, ReferencesLeave) {
  check({
      {"a<ref>b {{c [[d</ref>e", "ae"},
      {"a<ref name=\"x/y\">b</ref>c<ref name=x />d<ref/>e", "acde"},
      {"a<REF group='n'>b</Ref >c", "ac"},
      {"a<ref\nname=x>b</ref>c", "ac"},
      {"a<ref>b<br/>c</ref>d", "ad"},
      {"a<references/>b<references><ref name=c>d</ref></references>e", "abe"},
      {"a<ref>b", "ab"},  // never closed: the tag alone
      {"a<ref name=b", "a<ref name=b"},
      {"a</ref>b</ref >c</ref d <i>e</i>", "abc</ref d e"},
      {"a<reflist>b", "a<reflist>b"},  // another name
  });
}

TEST(VisibleText, ExtensionsLeaveWithTheirContent) {
  check({
      {"a<math>x^{{2}}</math>b", "ab"},
      {"a<math display=\"block\">\\frac{1}{2}</math>b<chem>H2O</chem>c<ce>H</ce>d", "abcd"},
      {"a\n<gallery mode=packed>\nFile:a.jpg|b\nc.jpg\n</gallery>\nd", "a\nd"},
      {"a<score>c d</score>b<timeline>x</timeline>c<hiero>A1</hiero>d", "abcd"},
      {"a<syntaxhighlight lang=c>if (a[[1]]) {{</syntaxhighlight>b<source>x</source>c", "abc"},
      {"a<imagemap>File:x</imagemap><templatestyles src=\"y\"/>b", "ab"},
      {"a<includeonly>b</includeonly>c<noinclude>d</noinclude><onlyinclude>e</onlyinclude>",
       "acde"},
      {"a<section begin=x />b<section end=x />", "ab"},
      {"a<poem>\nb\nc\n</poem>d", "a\nb\nc\nd"},
  });
}

TEST(VisibleText, NowikiAndPreAreLiteral) {
  check({
      {"<nowiki>''a'' [[b]] {{c}} &lt;d> <e></nowiki>", "''a'' [[b]] {{c}} <d> <e>"},
      {"<nowiki>* a</nowiki>\n<nowiki/>* b\n<nowiki />== c ==", "* a\n* b\n== c =="},
      {"[[a]]<nowiki />s '<nowiki/>''b''", "as 'b"},
      {"<nowiki>[[</nowiki>a]]", "[[a]]"},
      {"<nowiki>a\n* b\n__TOC__ {|</nowiki>", "a\n* b\n__TOC__ {|"},
      {"<nowiki>a", "a"},
      {"x<pre>\n* [[a]]\n  <nowiki>b</nowiki> &amp; <b>\n</pre>y", "x\n* [[a]]\nb & <b>\ny"},
      {"<code>a</code> <code><nowiki><br></nowiki></code>", "a <br>"},
      {"[[a|<nowiki>b|c]]</nowiki>]]", "b|c]]"},
  });
}

TEST(VisibleText, Links) {
  check({
      {"[[a]]s [[b|c]]d [[ e ]]", "as cd e"},
      {"[[a b#c]] [[#d]] [[/e]] [[f|g|h]]", "a b#c #d /e g|h"},
      {"[[a|b\nc]]", "b\nc"},
      {"[[a|''b'' &amp; '''c''']]", "b & c"},
      {"[[a (b)|]] [[c, d|]] [[Help:e (f)|]] [[:g:h|]]", "a c e h"},  // the pipe trick
      {"[[a|{{b}}]] c", "c"},
      {"[[|a]] [[]] [[ ]]", "a"},
      {"[[:Category:A b]] [[:File:c.jpg]] [[:fr:d]] [[:fr:d|e]]", "Category:A b File:c.jpg fr:d e"},
      {"[[User:a]] [[Lītuotuojs:b]] [[Alien: c]]", "User:a Lītuotuojs:b Alien: c"},
      {"[[a|b [c] d]] [[e|[f]]] [[g|h]]]", "b [c] d [f] h]"},
      {"[[[a]]] [[[[b]]]]", "[a] b"},
      {"[[a|b [[c]] d]] e", "b c d e"},
      {"[[a|b", "b"},
      {"[[a\nb]] c", "a\nb c"},
      {"a [[ b", "a [[ b"},
      {"[[a{b}|c]]", "a{b}|c"},
      {"''[[a|b]]'''s", "b's"},
  });
}

TEST(VisibleText, FilesLeaveWithTheirCaptions) {
  check({
      {"a[[File:b.jpg]]c", "ac"},
      {"[[File:b.jpg|thumb|left|A [[c|d]] and [[e]] [http://f g] caption]]Text", "Text"},
      {"[[Image:b.png|thumb|see [1]]] c", "c"},
      {"[[ file : b.jpg | x ]][[FAILS:c.svg|y]][[файл:г.png|thumb]][[image:d.gif]]e", "e"},
      {"[[File:b.jpg|thumb|\n* a\n* [[File:c.jpg|d [[e]]]]\n|f]]\nText", "Text"},
      {"[[File:b.jpg\n|thumb\n|c]]\nText", "Text"},
      {"[[File:b.jpg|thumb|{{c|[[d]]}} <ref>[[</ref>]] e", "e"},
      {"[[Attēls:b.jpg|thumb|c]]d[[Bild:E.SVG]]", "d"},  // an alias that no dump lists
      {"[[File:b.jpg|c '''d]] ''e'' '''f''' g", "e f g"},
      {"a[[Media:b.ogg]] [[Media:the thing|c]]", "a"},
      {"[[File:b.jpg|c [[d]] e", "c d e"},  // never closed
      {"[[Filed:b c]]", "Filed:b c"},
  });
}

TEST(VisibleText, CategoriesAndOtherWikisLeave) {
  check({
      {"a\n[[Category:B]]\n[[category : c|*]] [[Kategoreja:D]][[КАТЕГОРИЯ:е|ё]]", "a"},
      {"a\n[[fr:B]]\n[[zh-min-nan:C]][[simple:D]] [[DE:e]][[be-x-old:f|g]]", "a"},
      {"[[wikt:a|b]] [[commons:Category:C|d]] [[s:e]][[q:f]] [[Q:f|g]]", "b d g"},
      {"[[WP:a]] [[Wikipedia:b]] [[doi:10.1/2|c]]", "WP:a Wikipedia:b c"},
      {"[[2001: A Space Odyssey]] [[Is there:|x]]", "2001: A Space Odyssey x"},
  });
}

TEST(VisibleText, NamesOfNamespacesAreThoseOfTheDump) {
  const std::vector<WikiNamespace> declared = {
      {-2, "Medeja"}, {0, ""}, {2, "War"}, {6, "Fails"}, {7, "Sprīža ap"}, {14, "Kategoreja"}};
  const WikitextRules rules(wikitext_names(declared));
  check({{"[[Medeja:a|b]][[fails:c]][[Kategoreja:d]][[File:e]][[war:f]] [[min:g]]", "war:f"},
         {"[[Sprīža_ap:a]] [[sprīža  AP : b|c]]", "Sprīža_ap:a c"}},
        rules);
}

TEST(VisibleText, LinksToTheWikisOwnLanguageAreItsOwn) {
  const std::string text = "[[ltg:a|b]] [[LTG:c]] [[fr:d|e]] f";
  check({{text, "b LTG:c f"}}, WikitextRules(wikitext_names({}, "ltg")));
  check({{text, "f"}}, WikitextRules(wikitext_names({})));
}

TEST(VisibleText, ExternalLinks) {
  check({
      {"[http://a.b c d] [https://a] [//a.b e] [mailto:f@g h] [ftp://i]", "c d e h"},
      {"[HTTP://A.b ''c'' [[d|e]] f] http://g.h/i_j", "c e f http://g.h/i_j"},
      {"[http://a b [[c]]] [d]", "b c [d]"},
      {"[http://a b\nc]", "[http://a b\nc]"},  // ends with its line
      {"[http:// a] [http://]", "[http:// a] [http://]"},
      {"[[http://a b]] [[Wikipedia://a b]] [[wikipedia: a|b]]", "[b] [b] b"},
      {"[http://a?b=[c] d]", "[c d]"},  // the first bracket ends it
      {"[http://a<b>c</b>] [news:d e] [note: f]", "c e [note: f]"},
      {"([http://a b])", "(b)"},
  });
}

TEST(VisibleText, Headings) {
  check({
      {"a\n== B c ==\nd", "a\nB c\nd"},
      {"=A=\n======B======  \n====C== \n==D====", "A\nB\n==C\nD=="},
      {"== '''A''' [[b|c]] ==\n===", "A c\n="},
      {"== a", "== a"},
      {"==\n==a == b", "==\n==a == b"},
      {"==A==<ref>b</ref>{{c}}\nd", "A\nd"},
      {"x == y ==", "x == y =="},
      {"= =", ""},
  });
}

TEST(VisibleText, ListsAndLines) {
  check({
      {"* a\n** b\n# c\n#: d\n:: e\n*f", "a\nb\nc\nd\ne\nf"},
      {"; a : b\n;c:d\n; at 10:30: e\n; [[e:f|g:h]] i : j\n; http://k",
       "a\nb\nc\nd\nat 10:30\ne\ng:h i\nj\nhttp://k"},
      {"a\n----\nb\n-----c\n--- d", "a\nb\nc\n--- d"},
      {" a\n  * b", "a\n* b"},
      {"a\nb\n\n\nc", "a\nb\nc"},
      {"{{start}}\n|-\n| a || b\n|}\nc", "c"},  // rows of a table that a template began
  });
}

TEST(VisibleText, Quotes) {
  check({
      {"''a'' '''b''' '''''c''''' d", "a b c d"},
      {"''''a'''' ''''''b''''''", "'a' 'b'"},
      {"'''a''b'''''c''", "abc"},
      {"''a\nb'' 'c' d''", "a\nb 'c' d"},
      {"l'''Iliade'' e", "l'Iliade e"},  // behind a letter: an apostrophe
      {"ab '''c'' d'''e", "ab c de"},    // an even number of bold
      {"'''a''' l'''e'' xy", "a l'e xy"},
      {"dell'''a'' un b", "dell'a un b"},
      {"x '''a''", "x 'a"},
      {"[[File:a.jpg|'''b]] l'''c''", "l'c"},
  });
}

TEST(VisibleText, Tags) {
  check({
      {"a<b>c</b> <span style=\"x\">d</span> e<sub>2</sub> <SMALL >f</small>", "ac d e2 f"},
      {"a<br>b<br/>c<br />d<BR clear=all>e</br>f<hr>g", "a\nb\nc\nd\ne\nf\ng"},
      {"a<p>b</p>c<div class='x'>d</div>e<li>f<blockquote>g</blockquote>", "a\nb\nc\nd\ne\nf\ng"},
      {"a<foo>b</foo> <c d <3 <-", "a<foo>b</foo> <c d <3 <-"},  // no tags of MediaWiki's
      {"a<span b <i>c</i>", "a<span b c"},                       // a tag ends before another
      {"a<table><tr><td>b<table><td>c</table></td></tr></table>d", "a\nd"},
      {"a<table><td>b", "a\nb"},
      {"a</table>b", "a\nb"},
      {"<bb>a</bb><b", "<bb>a</bb><b"},
  });
}

TEST(VisibleText, BehaviourSwitches) {
  check({
      {"__TOC__a __NOEDITSECTION__ __БЕЗОГЛ__b__INHALTSVERZEICHNIS__ __KEIN_INHALT__", "a b"},
      {"__init__ __FILE__ a__b__c _ __ ___ http://x/__An_Y__",  //
       "__init__ __FILE__ a__b__c _ __ ___ http://x/__An_Y__"},
  });
}

TEST(VisibleText, CharacterReferences) {
  check({
      {"a&nbsp;b&#160;c&#xA0;d", "a b c d"},
      {"&lt;&gt;&amp;&quot;&apos;&eacute;&Eacute;&mdash;&euro;&alefsym;&Amacr;&nLt;",
       "<>&\"'éÉ—€ℵĀ≪\u20d2"},
      {"&#65;&#x41;&#X1F600;&#150;&#8211;", "AA\U0001f600––"},
      {"&lt;ref&gt;a&lt;/ref&gt; &#91;&#91;b&#93;&#93; &amp;lt;", "<ref>a</ref> [[b]] &lt;"},
      {"&unknown; &amp &; &#; &#x; &#0; &#xD800; &#x110000; &#xffff; &#99999999999999999999; AT&T;",
       "&unknown; &amp &; &#; &#x; &#0; &#xD800; &#x110000; &#xffff; &#99999999999999999999; "
       "AT&T;"},
  });
}

TEST(VisibleText, TablesLeave) {
  check({
      {"a\n{| class=x\n|-\n! b\n| c || d\n|}\ne", "a\ne"},
      {"a\n{|\n|\n{|\n|b\n|}\n|c\n|}d", "a\nd"},
      {"a\n::{|\n|b\n |}\nc", "a\nc"},
      {"a\n{{t}}{|\n|[[b]]\n|}\nc", "a\nc"},
      {"{|\n|a\n|}\n{|\n|b\n|}", ""},
      {"{|\n|a || style=b | c\nd", "a\nc\nd"},  // never closed: the cells stay
      {"{| x\n|a\n{| y\n|b\n|}\nc", "a\nc"},
      {"a {| b", "a {| b"},
      {"{|\n|<nowiki>\n|}</nowiki>\n|}a", "a"},
  });
}

TEST(VisibleText, CellsOfTablesMayStay) {
  const WikitextRules keep({}, TableText::kKeep);
  check(
      {
          {"a\n{| class=x\n|+ style=y | b\n|- z\n! c !! d=e | f\n|-\n| g || h=i | j\n| "
           "[[k|l]]\n|}m",
           "a\nb\nc\nf\ng\nj\nl\nm"},
          {"{|\n|\n* a\n* b\n|\n{|\n|c\n|}\n|d\n|}", "a\nb\nc\nd"},
          {"{|\n|a\nb\n!c||d!!e\n|f!!g\n|}", "a\nb\nc\nd\ne\nf!!g"},
          {"<table><tr><td>a<td>b</td></tr></table>c", "a\nb\nc"},
          {"{|\n| colspan=2 | '''a''' || {{b}} || [[File:c.jpg|d]]e\n|}", "a\ne"},
      },
      keep);
}

TEST(VisibleText, VariantsOfALanguage) {
  check({
      {"a-{b}-c", "abc"},
      {"-{zh-hans:a b;zh-hant:c d;}- -{zh-cn:e; zh-tw:f}-", "a b e"},
      {"-{A|zh:a;sr:b}- -{H|zh:c;sr:d}-e-{T|f}-", "a e"},
      {"-{zh-hans|a;b}- -{R|c:d}-", "a;b c:d"},
      {"-{zh-cn:[[a|b]];zh-tw:[[c|d]]}-", "b"},
      {"-{a -{b}- c}-", "a b c"},
      {"-{a", "-{a"},
      {"x-{y} z", "x-{y} z"},
  });
}

}  // namespace
}  // namespace cupel
