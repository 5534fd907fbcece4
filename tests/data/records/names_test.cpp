// Printed names made fit to be compared. What each becomes was written down by hand; entities were
// held against html.unescape of Python 3.11, accents against unicodedata.normalize("NFC").
#include "cupel/data/records/names.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace cupel {
namespace {

struct Case {
  std::string printed, clean;
  unsigned mends;
};

std::string name(std::string printed, unsigned* mends = nullptr) {
  unsigned done = 0;
  (void)clean_name(printed, mends == nullptr ? done : *mends);
  return printed;
}

void expect_names(const std::vector<Case>& cases) {
  for (const Case& one : cases) {
    unsigned mends = 0;
    EXPECT_EQ(name(one.printed, &mends), one.clean) << one.printed;
    EXPECT_EQ(mends, one.mends) << one.printed;
    EXPECT_EQ(name(one.clean), one.clean) << "a clean name stays: " << one.clean;
  }
}

TEST(Names, WithTheirMarksAsPrinted) {
  const std::pair<const char*, const char*> cases[] = {
      {"David Harwath*", "David Harwath*"},
      {"Nicholas  Tatonetti1,2", "Nicholas Tatonetti1,2"},
      {"Ann Lee<sup>1</sup>", "Ann Lee1"},
      {"Ann <b>Lee</b>", ""},
      {"H\\'el\\`ene&#x2020; Roy", "H\xc3\xa9l\xc3\xa8ne\xe2\x80\xa0 Roy"},
      {"Ann  Lee", ""},
      {"O&#x27;Hare", ""},
      {"Wei Wang 0001", ""}};
  for (const auto& [given, expected] : cases) {
    std::string name = given, with_marks = "left over";
    unsigned mends = 0;
    EXPECT_TRUE(clean_name(name, mends, &with_marks)) << given;
    EXPECT_EQ(with_marks, expected);
    EXPECT_EQ((mends & kMendedFootnotes) != 0, !with_marks.empty());
    std::string again = given;
    EXPECT_TRUE(clean_name(again, mends));
    EXPECT_EQ(again, name);
  }
}

TEST(Names, LeaveWhatIsRightAsItIs) {
  expect_names({{"Yann LeCun", "Yann LeCun", 0},
                {"Laks Lakshmanan, V.S.", "Laks Lakshmanan, V.S.", 0},
                {"Edward P. Stabler, Jr.", "Edward P. Stabler, Jr.", 0},
                {"Eric H. Nyberg 3rd", "Eric H. Nyberg 3rd", 0},
                {"Chee Wee (Ben) Leong", "Chee Wee (Ben) Leong", 0},
                {"Marc’Aurelio Ranzato", "Marc’Aurelio Ranzato", 0},
                {"\xe9\x99\x88\xe5\xad\x90\xe8\xb1\xaa", "\xe9\x99\x88\xe5\xad\x90\xe8\xb1\xaa", 0},
                {"ARC A3", "ARC A3", 0},
                {"Power Edit 6.0", "Power Edit 6.0", 0},
                {"Wei Wang 0001", "Wei Wang 0001", 0},
                {"jpliu2@wtu.edu.cn", "jpliu2@wtu.edu.cn", 0},
                {"Núria Bel i Martí·Pol", "Núria Bel i Martí·Pol", 0},
                {"Chu-Cheng Lin & Arya D. McCarthy", "Chu-Cheng Lin & Arya D. McCarthy", 0}});
}

TEST(Names, TidyWhiteSpaceWithoutAWord) {
  expect_names({{"  Yizhou \t Wang\n", "Yizhou Wang", 0},
                {"Mohammad\xc2\xa0Gheshlaghi", "Mohammad Gheshlaghi", 0}});
}

TEST(Names, LoseMarksOfFootnotes) {
  const unsigned f = kMendedFootnotes;
  expect_names({{"David Harwath*", "David Harwath", f},
                {"*Azalia Mirhoseini", "Azalia Mirhoseini", f},
                {"Wieland Brendel *", "Wieland Brendel", f},
                {"Yuki Arase†", "Yuki Arase", f},
                {"Zoë K§, Jr.", "Zoë K, Jr.", f},
                {"Ann Lee¹ ²", "Ann Lee", f},
                {"Nicholas Tatonetti1", "Nicholas Tatonetti", f},
                {"Nicholas Tatonetti1,2", "Nicholas Tatonetti", f},
                {"Nicholas Tatonetti 1, 2,*", "Nicholas Tatonetti", f},
                {"José12", "José", f},
                {"Volkan Cevher[1]", "Volkan Cevher", f},
                {"Volkan Cevher (12)", "Volkan Cevher", f},
                {"1 Kha Pham", "Kha Pham", f},
                {"Kha Pham 1", "Kha Pham", f},
                {"Kha Pham,", "Kha Pham", f},
                {"Alex Liu \xc2\xb7", "Alex Liu", f},
                {"Ann Lee$^{1,2}$", "Ann Lee", f},
                {"Ann Lee $^\\dagger$", "Ann Lee", f},
                {"Ann Lee #", "Ann Lee", f},
                {"Ann Lee^1", "Ann Lee", f},
                {"Ann Lee^1,2", "Ann Lee", f}});
}

TEST(Names, HaveEntitiesDecodedHoweverOftenTheyWereEncoded) {
  const unsigned e = kMendedEntities;
  expect_names({{"Tyler O&#x27;Hare", "Tyler O'Hare", e},
                {"Tyler O&amp;#x27;Hare", "Tyler O'Hare", e},
                {"Tyler O&amp;amp;#39;Hare", "Tyler O'Hare", e},
                {"Jos&eacute; Luis", "José Luis", e},
                {"Jos&amp;eacute; Luis", "José Luis", e},
                {"Lin &amp; McCarthy", "Lin & McCarthy", e},
                {"A&B C", "A&B C", 0}});
}

TEST(Names, HaveLatexAccentsWrittenAsLetters) {
  const unsigned a = kMendedAccents;
  expect_names({{"H\\'el\\`ene Dupont", "Hélène Dupont", a},
                {"Hél\\`ene Dupont", "Hélène Dupont", a},
                {"Kurt G{\\\"o}del", "Kurt Gödel", a},
                {"Kurt G\\\"{o}del", "Kurt Gödel", a},
                {"Kurt G\\\"odel", "Kurt Gödel", a},
                {"Mar{\\'\\i}a", "María", a},
                {"Mar\\'{\\i}a", "María", a},
                {"Bj{\\o}rn \\O stby", "Bjørn Østby", a},
                {"\\L{}ukasz Kaiser", "Łukasz Kaiser", a},
                {"Pavel \\v{S}ev\\v c\\'ik", "Pavel Ševčík", a},
                {"Fran\\c{c}ois", "François", a},
                {"Erd\\H{o}s", "Erdős", a},
                {"{van der Berg}", "van der Berg", a},
                {"q\\'{x}", "qx\xcc\x81", a},
                {"Conan O\\'Brien", "Conan O'Brien", a},
                {"Ann O\\'Hara, M\\'hamed", "Ann O'Hara, M'hamed", a},
                {"Cz\\'erny L\\'opez", "Czérny López", a},
                {"\\textbf{Bold} G", "\\textbf{Bold} G", kLeftLatex},
                {"\\foo{x} G\\\"{o}del", "\\foo{x} Gödel", a | kLeftLatex},
                {"A\\B", "A\\B", kLeftLatex},
                {"Ann\\", "Ann\\", kLeftLatex},
                {"\\'", "\\'", kLeftLatex},
                {"\\varphi x", "\\varphi x", kLeftLatex}});
}

// As BibTeX has names of Vietnam.
TEST(Names, HaveTwoAccentsOverALetter) {
  const unsigned a = kMendedAccents;
  expect_names({{"Nguy{\\~{\\^e}}n", "Nguyễn", a},
                {"Nguy\\~{\\^{e}}n", "Nguyễn", a},
                {"Th\\'{\\^e}", "Thế", a},
                {"Ph\\d{\\u a}m", "Phặm", a},
                {"Nguy\\~{ê}n", "Nguyễn", a},
                {"\\'{\\o}re", "ǿre", a},
                {"\\~{\\B}", "\\~{\\B}", kLeftLatex},
                {"\\~{\\~{\\~{e}}}", "\\~{\\~{ẽ}}", a | kLeftLatex},
                {"D\\'Ângelo", "D\\'Ângelo", kLeftLatex}});
}

TEST(Names, HaveBlanksForTiesOfLatex) {
  const unsigned a = kMendedAccents;
  expect_names({{"Ann~Lee", "Ann Lee", a},
                {"J.~P.~{\\O}re", "J. P. Øre", a},
                {"x.edu/~lee", "x.edu/~lee", 0},
                {"a~b@x.edu", "a~b@x.edu", 0}});
}

// They are told and stay: what they were cannot be known.
TEST(Names, MayHaveFaultsThatStay) {
  expect_names({{"Jos\xef\xbf\xbd Garcia", "Jos\xef\xbf\xbd Garcia", kLeftGaps},
                {"JosÃ© Pombal", "JosÃ© Pombal", kLeftMisread},
                {"KÃ¶nig, FranÃ§ois", "KÃ¶nig, FranÃ§ois", kLeftMisread},
                {"Ð\xc2\xa1ÐµÑ€", "Ð\xc2\xa1ÐµÑ€", kLeftMisread},
                {"Oâ€™Hare", "Oâ€™Hare", kLeftMisread},
                {"N/A", "N/A", kLeftNone},
                {"None", "None", kLeftNone},
                {"ANONYMOUS", "ANONYMOUS", kLeftNone}});
  expect_names({{"SÃO PAULO", "SÃO PAULO", 0},
                {"Ångström Ñandú", "Ångström Ñandú", 0},
                {"IRMÃ\xc2\xa0MARIA", "IRMÃ MARIA", 0},
                {"O’Hare", "O’Hare", 0},
                {"Nan Wang", "Nan Wang", 0},
                {"Anonymous Ant", "Anonymous Ant", 0}});
  std::string place = "UniversitÃ© Paris", none = "n.a.";
  unsigned mends = 0;
  EXPECT_TRUE(clean_affiliation(place, mends));
  EXPECT_EQ(mends, kLeftMisread);
  EXPECT_TRUE(clean_affiliation(none, mends = 0));
  EXPECT_EQ(mends, kLeftNone);
}

TEST(Names, LoseTheirMarkup) {
  const unsigned m = kMendedMarkup, both = kMendedMarkup | kMendedFootnotes;
  expect_names({{"Ann <b>Lee</b>", "Ann Lee", m},
                {"Ann &lt;i&gt;Lee&lt;/i&gt;", "Ann Lee", m | kMendedEntities},
                {"Ann<br/>Lee", "Ann Lee", m},
                {"Ann Lee<sup>1</sup>", "Ann Lee", both},
                {"Ann Lee<sup>1,*</sup>", "Ann Lee", both},
                {"<sup>a</sup>Ann Lee", "Ann Lee", both},
                {"Lee<sup>a</sup><sup>,</sup><sup>b,c</sup>, Ann", "Lee, Ann", both},
                {"Lee<label>2</label>; Ann", "Lee; Ann", both},
                {"M<sup>c</sup>Donald", "McDonald", m},
                {"Eric Nyberg 3<sup>rd</sup>", "Eric Nyberg 3rd", m},
                {"Ann Lee<sup>1", "Ann Lee", both},
                {"Ann < Lee", "Ann < Lee", 0}});
}

TEST(Names, LoseCharactersThatCannotBeSeen) {
  expect_names({{"\x06 Daniel Crawford", "Daniel Crawford", kMendedUnseen},
                {"\x08"
                 "CHENG-YING LI",
                 "CHENG-YING LI", kMendedUnseen},
                {"\xe2\x80\xaaPere-Lluís", "Pere-Lluís", kMendedUnseen},
                {"Tomas Kocisky\xe2\x80\x8e*", "Tomas Kocisky", kMendedUnseen | kMendedFootnotes}});
}

// As browsers read U+0080 to U+009F.
TEST(Names, HaveCharactersOfWindowsPutRight) {
  expect_names({{"O\xc2\x92Hare", "O’Hare", kMendedWindows},
                {"\xc2\x8eiga", "Žiga", kMendedWindows},
                {"Ann\xc2\x81 Lee", "Ann Lee", kMendedUnseen},
                {"Ann\xc2\x85Lee", "Ann Lee", 0}});
  std::string text =
      "the engine\xc2\x92s \xc2\x93"
      "core\xc2\x94";
  unsigned mends = 0;
  clean_text(text, mends);
  EXPECT_EQ(text, "the engine’s “core”");
}

TEST(Names, WithoutALetterAreNone) {
  for (std::string text : {"", "11537", "*", " , ", "1,2", "&amp;", "…", "_"}) {
    unsigned mends = 0;
    EXPECT_FALSE(clean_name(text, mends)) << text;
  }
  for (std::string text : {"x", "é", "\xe9\x99\x88", "1 x"}) {
    unsigned mends = 0;
    EXPECT_TRUE(clean_name(text, mends)) << text;
  }
}

TEST(Names, OfInstitutionsKeepTheirNumbersAndStars) {
  const auto clean = [](std::string text) {
    unsigned mends = 0;
    EXPECT_TRUE(clean_affiliation(text, mends));
    return text;
  };
  EXPECT_EQ(clean(" Universit\\'e Paris 13, "), "Université Paris 13");
  EXPECT_EQ(clean("A*STAR, Singapore;"), "A*STAR, Singapore");
  EXPECT_EQ(clean("Texas A&amp;M"), "Texas A&M");
  EXPECT_EQ(clean("Texas A\\&M"), "Texas A&M");
  EXPECT_EQ(clean("<sup>1</sup>Dept of X, <i>MIT</i>"), "Dept of X, MIT");
  EXPECT_EQ(clean(" <label>a</label> Dept of X"), "Dept of X");
  EXPECT_EQ(clean("I<sup>2</sup>R, Singapore"), "I2R, Singapore");
}

TEST(Names, TextsKeepTheirFormulas) {
  std::string text = "On $\\ell_1$  norms &lt; 1\n{sic} *";
  unsigned mends = 0;
  clean_text(text, mends);
  EXPECT_EQ(text, "On $\\ell_1$ norms < 1 {sic} *");
  EXPECT_EQ(mends, kMendedEntities);
}

// What is not UTF-8 is left to others, and no byte of it makes trouble.
TEST(Names, TakeAnyBytes) {
  std::string seeds = "a&#x27;\\\"{o}$^1$ *[1]\xc3\xe2\x80\x8e\xff, 12";
  for (std::size_t from = 0; from < seeds.size(); ++from) {
    for (int byte = 0; byte < 256; byte += 3) {
      std::string text = seeds.substr(from);
      text[text.size() / 2] = static_cast<char>(byte);
      unsigned mends = 0;
      std::string one = text, two = text, three = text;
      (void)clean_name(one, mends);
      (void)clean_affiliation(two, mends);
      clean_text(three, mends);
      EXPECT_LE(one.size(), 2 * text.size());
      EXPECT_FALSE(one.starts_with(' ') || one.ends_with(' '));
    }
  }
}

TEST(Names, TakeLinearTime) {
  for (const std::string piece :
       {"&amp;", "&amp;amp", "\\'", "$", "[1", ",1", "1 ", "\\c ", "{", "<", "<sup>",
        "<sup>1</sup>", "<sup a", "\\~{", "\\c{\\c ", "a~", "Ã"}) {
    std::string text;
    while (text.size() < (1 << 20)) text += piece;
    unsigned mends = 0;
    (void)clean_name(text, mends);
    EXPECT_LE(text.size(), std::size_t{1} << 21);
  }
}

TEST(Names, MendsAreCountedInWords) {
  std::vector<std::string> told;
  count_mends(kMendedAccents | kMendedUnseen | kMendedWindows | kLeftNone, "names",
              [&](const std::string& what) { told.push_back(what); });
  EXPECT_EQ(told, (std::vector<std::string>{"names with LaTeX accents, written as letters",
                                            "names with unseen characters, taken out",
                                            "names with characters of Windows-1252, put right",
                                            "names that say there is none, as 'N/A', left as they "
                                            "are"}));
}

}  // namespace
}  // namespace cupel
