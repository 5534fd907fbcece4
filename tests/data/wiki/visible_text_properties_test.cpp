// Texts made together with what is to be seen of them, and texts made to cost time or memory.
#include <gtest/gtest.h>

#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "cupel/data/formats/text.h"
#include "cupel/data/wiki/visible_text.h"

namespace cupel {
namespace {

const WikitextRules kRules;

struct Made {
  std::string wikitext, text;
};

// Makes balanced wikitext. Parts are set apart by blanks, so that words can be compared.
class Maker {
 public:
  explicit Maker(unsigned seed) : bits_(seed) {}

  Made page() {
    Made out;
    for (int k = 0; k < 8; ++k) add(out, block(3));
    return out;
  }

 private:
  static void add(Made& to, const Made& part) {
    to.wikitext += part.wikitext;
    to.text += part.text;
  }
  static Made around(const std::string& before, const Made& inside, const std::string& after) {
    return {before + " " + inside.wikitext + " " + after, inside.text};
  }
  static Made hidden(const std::string& before, const Made& inside, const std::string& after) {
    return {before + inside.wikitext + after, ""};
  }
  std::size_t below(std::size_t n) { return bits_() % n; }
  std::string word() { return "w" + std::to_string(below(100000)); }

  Made line(int depth) {
    Made out;
    for (std::size_t parts = 1 + below(3); parts > 0; --parts) {
      add(out, part(depth));
      add(out, {" ", " "});
    }
    return out;
  }

  Made part(int depth) {
    const std::string plain = word();
    if (depth == 0) return {plain, plain};
    const Made inside = line(depth - 1);
    const bool no_reference = inside.wikitext.find("<ref") == std::string::npos;
    const bool no_comment = inside.wikitext.find("<!--") == std::string::npos;
    const bool no_nowiki = inside.wikitext.find("<nowiki") == std::string::npos &&
                           inside.wikitext.find('&') == std::string::npos;
    switch (below(16)) {
      case 0:
        return around("[[" + plain + "|", inside, "]]");
      case 1:
        return {"[[" + plain + "]]", plain};
      case 2:
        return around("[http://" + plain, inside, "]");
      case 3:
        return around("'''", inside, "'''");
      case 4:
        return around("''", inside, "''");
      case 5:
        return hidden("{{" + plain + "|", inside, "}}");
      case 6:
        return hidden("{{{" + plain + "|", inside, "}}}");
      case 7:
        if (no_reference) return hidden("<ref name=\"" + plain + "\">", inside, "</ref>");
        break;
      case 8:
        if (no_comment) return hidden("<!--", inside, "-->");
        break;
      case 9:
        return around("<span class=" + plain + ">", inside, "</span>");
      case 10:
        return hidden("[[File:" + plain + ".jpg|thumb|", inside, "]]");
      case 11:
        return hidden("<math>x_{" + plain + "}^{{2}}", {}, "</math>");
      case 12:
        if (no_nowiki && no_reference && no_comment) {
          return {"<nowiki>" + inside.wikitext + "</nowiki>", inside.wikitext};
        }
        break;
      case 13:
        return hidden("[[Category:" + plain + "]]", {}, "[[fr:" + plain + "]]");
      case 14:
        return around("-{zh-hans:", inside, ";zh-hant:" + plain + "}-");
      default:
        return {"&lt;" + plain + "&gt;", "<" + plain + ">"};
    }
    return {plain, plain};
  }

  Made block(int depth) {
    const Made inside = line(depth);
    switch (below(depth > 1 ? 7 : 5)) {
      case 0:
        return around("\n== ", inside, " ==\n");
      case 1:
        return around("\n*# ", inside, "\n");
      case 2:
        return around("\n<div>", inside, "</div>\n\n");
      case 3:
        return around("\n: ", inside, "<br>\n----\n");
      case 4:
        return around("\n", inside, "\n");
      case 5:
        return hidden("\n{| class=x\n|-\n! ", inside,
                      " || y\n|" + block(depth - 1).wikitext + "\n|}\n");
      default:
        return hidden("\n<table><tr><td>", inside, block(depth - 1).wikitext + "\n</table>\n");
    }
  }

  std::mt19937 bits_;
};

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> out;
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

TEST(VisibleTextProperties, MadePagesGiveTheWordsTheyWereMadeOf) {
  std::size_t seen = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    const Made page = Maker(seed).page();
    const std::string text = visible_text(page.wikitext, kRules);
    ASSERT_EQ(words(text), words(page.text)) << seed << "\n" << page.wikitext;
    seen += words(text).size();
  }
  EXPECT_GT(seen, 40000u);
}

std::string times(std::size_t count, const std::string& text) {
  std::string out;
  for (std::size_t k = 0; k < count; ++k) out += text;
  return out;
}

void check_promises(const std::string& wikitext, const std::string& what) {
  for (const TableText tables : {TableText::kDrop, TableText::kKeep}) {
    const std::string text = visible_text(wikitext, WikitextRules({}, tables));
    EXPECT_LE(text.size() * 5, wikitext.size() * 6) << what;
    EXPECT_TRUE(decode_utf8(text).has_value()) << what;
    EXPECT_EQ(text.find("\n\n"), std::string::npos) << what;
  }
}

// A megabyte of any of these ends at once where work grows with the text, and takes many minutes
// where it grows with its square.
TEST(VisibleTextProperties, WorkGrowsWithTheText) {
  constexpr std::size_t kSize = 1 << 20;
  for (const std::string unit : {"{{",
                                 "}}",
                                 "{",
                                 "}",
                                 "{{{",
                                 "[[",
                                 "]]",
                                 "[",
                                 "]",
                                 "[[a|",
                                 "[[a",
                                 "[[a\n",
                                 "[[a:b|",
                                 "[[File:a|",
                                 "[[a|b[",
                                 "[http://a ",
                                 "[http://a",
                                 "[//",
                                 "{|\n",
                                 "|}\n",
                                 "\n:{|",
                                 "\n{|\n|a||",
                                 "!!",
                                 "\n!a||b!!",
                                 "a|",
                                 "\n|",
                                 "<ref>",
                                 "<ref ",
                                 "<ref/>",
                                 "<ref a=b>",
                                 "</ref",
                                 "</ref ",
                                 "<!--",
                                 "<!-- -->",
                                 "<nowiki>",
                                 "<pre>&",
                                 "<math><ref><score><pre>",
                                 "'",
                                 "''",
                                 "'''",
                                 "''''",
                                 "a'''b''\n",
                                 "&",
                                 "&amp",
                                 "&#",
                                 "&#x1",
                                 "&nLt;",
                                 "_",
                                 "__",
                                 "__A",
                                 "a_",
                                 "-{",
                                 "-{a:",
                                 "-{H|",
                                 "}-",
                                 "-{a:b;",
                                 "<table>",
                                 "</table>",
                                 "<b",
                                 "<b ",
                                 "<",
                                 "\n=",
                                 "=",
                                 "\n==a",
                                 "\n;a",
                                 "\n;",
                                 ";a:",
                                 ":",
                                 "\n----",
                                 "\n*",
                                 "{{[[",
                                 "[[{{",
                                 " ",
                                 "\n",
                                 "\t \n",
                                 "[[File:a.jpg|[http://b ",
                                 "<nowiki/>",
                                 "<br>",
                                 "[[a|-{",
                                 "{{<ref>[[",
                                 "\x01\x02"}) {
    EXPECT_LE(visible_text(times(kSize / unit.size(), unit), kRules).size(), 2 * kSize) << unit;
    const std::string text = times(kSize / 16 / unit.size(), unit);
    check_promises(text + "]] }} |} ' > </ref> </table> }- ; -->\n", unit);
    check_promises("[[File:a|{{b|\n{|\n" + text, unit);
  }
}

TEST(VisibleTextProperties, DeepNestingClosesAsItOpened) {
  struct Pair {
    std::string open, close, shown;
  };
  const std::vector<Pair> pairs = {
      {"{{a", "}}", "xz"},  {"[[a|", "]]", "xyz"},       {"[[File:a|", "]]", "xz"},
      {"{{{", "}}}", "xz"}, {"\n{|\n|", "\n|}", "x\nz"}, {"<table>", "</table>", "x\nz"},
      {"-{", "}-", "xyz"},  {"{{a|[[", "]]}}", "xz"},    {"<i>", "</i>", "xyz"},
  };
  for (const Pair& pair : pairs) {
    for (const std::size_t depth : {1, 2, 1000, 4096}) {
      const std::string text = "x" + times(depth, pair.open) + "y" + times(depth, pair.close) + "z";
      EXPECT_EQ(visible_text(text, kRules), pair.shown) << pair.open << depth;
    }
    const std::string deep = "x" + times(100000, pair.open) + "y" + times(100000, pair.close) + "z";
    check_promises(deep, pair.open);
  }
}

}  // namespace
}  // namespace cupel
