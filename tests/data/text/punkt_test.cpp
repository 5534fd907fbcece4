// What NLTK 3.4.5's PunktSentenceTokenizer says with a small model and with an empty one, typed in.
#include "cupel/data/text/punkt.h"

#include <gtest/gtest.h>

#include <random>

#include "cupel/data/text/pieces.h"
#include "data/build/made_text.h"

namespace cupel::test {
namespace {

std::vector<std::string_view> sentences_of(std::string_view text, const PunktModel& model) {
  std::vector<std::string_view> out;
  split_sentences(text, model, out);
  return out;
}

std::string joined(std::string_view text, const PunktModel& model) {
  std::string out;
  for (const std::string_view sentence : sentences_of(text, model))
    out += (out.empty() ? "" : "|") + std::string(sentence);
  return out;
}

void write_model(const Folder& folder, const std::string& under = "") {
  std::filesystem::create_directories(folder / under);
  folder.write(under + "abbrev_types.txt", "dr\netc\nu.s\np.m\nvol\n\303\251");
  folder.write(under + "collocations.tab", "##number##\tjuni\ns\tbach\nvol\tthe");
  folder.write(under + "sent_starters.txt", "however\nthen");
  folder.write(under + "ortho_context.tab",
               "the\t34\nhe\t34\nsmith\t4\nhouse\t36\nbar\t18\njuni\t12\nbrown\t36\nand\t32\n"
               "etc\t32\n");
}

TEST(Punkt, SplitsAsNltkDoesWithAModel) {
  const Folder folder;
  write_model(folder);
  const PunktModel model = read_punkt(folder.root());
  const std::pair<const char*, const char*> cases[] = {
      {"Dr. Smith came at 5 p.m. He left. The end.", "Dr. Smith came at 5 p.m.|He left.|The end."},
      {"At 5 p.m. the train (No. 3.) stopped. \"Why?\" she asked.",
       "At 5 p.m. the train (No.|3.)|stopped.|\"Why?\"|she asked."},
      {"It ended etc. However, it went on. Etc. Then more etc. Then bar.",
       "It ended etc.|However, it went on.|Etc.|Then more etc.|Then bar."},
      {"By J. Smith and J. The house. A. B. Brown. I. bar.",
       "By J. Smith and J.|The house.|A. B.|Brown.|I. bar."},
      {"On 3. Juni and 4. the rest. See 5. House. In 1990. He.",
       "On 3. Juni and 4. the rest.|See 5.|House.|In 1990.|He."},
      {"(Sent one.) Sent two. [And (three!)] \"Four.\")--five. 'Six?' seven.",
       "(Sent one.)|Sent two.|[And (three!)]|\"Four.\")--five.|'Six?'|seven."},
      {"No end", "No end"},
      {"  leading. spaces.  \n ", "  leading.|spaces."},
      {"What?no. Yes!? No...Well... And then... The end.",
       "What?no.|Yes!?|No...Well...|And then...|The end."},
      {"Vol. The S. Bach vs.S. Bach \303\251. \303\211. The x",
       "Vol. The S. Bach vs.S.|Bach \303\251. \303\211. The x"},
      {"well-dr. Smith e-mail etc-p.m. The", "well-dr. Smith e-mail etc-p.m.|The"},
      {"One.)\n\nTwo.\302\240Three.\343\200\200Four.\342\200\203five",
       "One.)|Two.|Three.|Four.|five"},
      {". . . The. ? ! The", ".|.|.|The.|?|!|The"},
      {"a.b.c? (d.e) f.g! h", "a.b.c?|(d.e) f.g!|h"},
      {"Hi.\" -- he. \"--x.\" y", "Hi.\"|-- he. \"|--x.\"|y"},
      {"\316\243\316\221\316\243. The \331\243. the -1,5. the 3-4. the ,5. the -. the",
       "\316\243\316\221\316\243.|The \331\243. the -1,5. the 3-4. the ,5. the -.|the"},
  };
  for (const auto& [text, sentences] : cases) EXPECT_EQ(joined(text, model), sentences) << text;
}

TEST(Punkt, SplitsAsNltkDoesWithAnEmptyModel) {
  const std::pair<const char*, const char*> cases[] = {
      {"Dr. Smith came at 5 p.m. He left. The end.", "Dr.|Smith came at 5 p.m.|He left.|The end."},
      {"At 5 p.m. the train (No. 3.) stopped. \"Why?\" she asked.",
       "At 5 p.m.|the train (No.|3.)|stopped.|\"Why?\"|she asked."},
      {"It ended etc. However, it went on. Etc. Then more etc. Then bar.",
       "It ended etc.|However, it went on.|Etc.|Then more etc.|Then bar."},
      {"By J. Smith and J. The house. A. B. Brown. I. bar.",
       "By J. Smith and J. The house.|A. B. Brown.|I. bar."},
  };
  for (const auto& [text, sentences] : cases) EXPECT_EQ(joined(text, {}), sentences) << text;
}

TEST(Punkt, EnglishWithoutAModel) {
  const PunktModel& english = PunktModel::english();
  EXPECT_EQ(
      joined("Mr. Jones of Acme Inc. met Sen. Ray. The U.S. Army left. It was 5 p.m. He slept.",
             english),
      "Mr. Jones of Acme Inc. met Sen. Ray.|The U.S. Army left.|It was 5 p.m.|He slept.");
  EXPECT_EQ(joined("On Jan. 5 it rained (Smith vs. Wesson). George W. Bush came.", english),
            "On Jan. 5 it rained (Smith vs. Wesson).|George W. Bush came.");
  for (const std::string& word : english.abbreviations) {
    EXPECT_FALSE(word.ends_with('.')) << word;
    EXPECT_TRUE(word.find_first_of(" \t\"") == std::string::npos && !word.empty()) << word;
  }
}

TEST(Punkt, SentencesAndWhiteSpaceAreTheText) {
  const std::vector<std::string> pieces = {
      "a",          "Dr.",  "U.S.",     ".",  "?",  "! ", " ",    "\n",  "\"",       ")",
      "(",          "'",    "--",       ",",  "1.", "J.", "The ", "he ", "\302\240", "\343\200\200",
      "\303\251. ", "\xff", "\xe3\x80", "..."};
  std::mt19937 random(8);
  for (int round = 0; round < 5000; ++round) {
    std::string text;
    for (std::size_t k = random() % 14; k > 0; --k) text += pieces[random() % pieces.size()];
    std::string together, whole;
    const auto add_to = [](std::string& out) {
      return [&out](std::string_view piece) { out += piece; };
    };
    const char* last = text.data();
    for (const std::string_view sentence : sentences_of(text, PunktModel::english())) {
      EXPECT_GE(sentence.data(), last);
      EXPECT_FALSE(sentence.empty());
      last = sentence.data() + sentence.size();
      for_each_piece(sentence, add_to(together));
    }
    for_each_piece(text, add_to(whole));
    EXPECT_EQ(together, whole);
  }
}

TEST(Punkt, LongTextsAreNoTrouble) {
  for (const char* piece : {".", "a.", ". ", "?)", "a", ").", "-", ".\n\n", "!\"--", "J. "}) {
    std::string text;
    while (text.size() < 400'000) text += piece;
    EXPECT_FALSE(sentences_of(text, PunktModel::english()).empty()) << piece;
  }
}

TEST(Punkt, AModelMayLieInAFolderOfItsLanguage) {
  const Folder folder;
  write_model(folder, "english/");
  EXPECT_EQ(read_punkt(folder.root()).starters.size(), 2u);
  EXPECT_EQ(read_punkt(folder.root()).contexts.at("house"), 36);
}

TEST(Punkt, ComplaintsNameTheFileAndTheLine) {
  const std::tuple<const char*, const char*, const char*> cases[] = {
      {"abbrev_types.txt", "dr\n\netc", "abbrev_types.txt: line 2: is empty"},
      {"abbrev_types.txt", "dr\tx", "line 1: is 'dr\\x09x' where one entry is needed"},
      {"collocations.tab", "a\tb\nc", "collocations.tab: line 2: is 'c' where two entries"},
      {"collocations.tab", "a\t", "line 1: is 'a\\x09' where two entries"},
      {"collocations.tab", "a\tb\tc", "line 1"},
      {"ortho_context.tab", "a\tb", "ortho_context.tab: line 1: has the flags 'b'"},
      {"ortho_context.tab", "a\t-2", "has the flags '-2'"},
      {"ortho_context.tab", "a\t1e2", "has the flags '1e2'"},
      {"ortho_context.tab", "a\t200", "has the flags '200'"}};
  for (const auto& [name, text, message] : cases) {
    const Folder folder;
    write_model(folder);
    folder.write(name, text);
    const std::string said = complaint([&] { (void)read_punkt(folder.root()); });
    EXPECT_TRUE(contains(said, message)) << said;
  }
  const Folder folder;
  write_model(folder);
  std::filesystem::remove(folder / "sent_starters.txt");
  const std::string said = complaint([&] { (void)read_punkt(folder.root()); });
  EXPECT_TRUE(contains(said, "has no sent_starters.txt; a Punkt model is a folder")) << said;
}

}  // namespace
}  // namespace cupel::test
