// What NLTK 3.4.5's word_tokenize(text, preserve_line=True) says, typed in.
#include "cupel/data/text/treebank.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace cupel {
namespace {

std::vector<std::string> tokens_of(std::string_view text) {
  TreebankTokenizer tokenizer;
  std::vector<std::string> out;
  tokenizer.for_each_token(text, [&](std::string_view token) { out.emplace_back(token); });
  return out;
}

std::string joined(std::string_view text) {
  std::string out;
  for (const std::string& token : tokens_of(text)) out += (out.empty() ? "" : "|") + token;
  return out;
}

TEST(Treebank, SplitsAsNltkDoes) {
  const std::pair<const char*, const char*> cases[] = {
      {"Good muffins cost $3.88 in New York.", "Good|muffins|cost|$|3.88|in|New|York|."},
      {"They'll say \"I can't, won't & shouldn't\" (ever)!",
       "They|'ll|say|``|I|ca|n't|,|wo|n't|&|should|n't|''|(|ever|)|!"},
      {"\"Hello,\" she said; 'n' he: 'OK'.", "``|Hello|,|''|she|said|;|'|n|'|he|:|'OK|'|."},
      {"\342\200\234Curly\342\200\235 \342\200\230quotes\342\200\231 \302\253and\302\273 "
       "\342\200\236low\342\200\234 ones.\342\200\235",
       "\342\200\234|Curly|\342\200\235|\342\200\230|quotes|\342\200\231|\302\253|and|\302\273|"
       "\342\200\236|low|\342\200\234|ones|.|\342\200\235"},
      {"It costs 1,000,000 -- at 10:30, or 10:a...",
       "It|costs|1,000,000|--|at|10:30|,|or|10|:|a|..."},
      {"Wait....", "Wait|...|."},
      {"He said ''so'' and ``thus'' and ```more```.",
       "He|said|``|so|''|and|``|thus|''|and|``|`|more|``|`|."},
      {"I cannot, gonna, Gotta gimme wanna lemme d'ye mor'n",
       "I|can|not|,|gon|na|,|Got|ta|gim|me|wan|na|lem|me|d|'ye|mor|'|n"},
      {"'Tis 'twas (\"x\")  [a]{b}<c>", "'T|is|'t|was|(|``|x|''|)|[|a|]|{|b|}|<|c|>"},
      {"John's dogs' O'Neil's 'em rock 'n' roll ' s",
       "John|'s|dogs|'|O'Neil|'s|'em|rock|'|n|'|roll|'|s"},
      {"a::b ,c, :1 :\331\241 end,\n", "a|:|:b|,|c|,|:1|:\331\241|end|,"},
      {"x.\302\240y\343\200\200z (etc.).  ", "x.|y|z|(|etc.|)|."},
      {"The U.S. \"Inc.\" said it.'\342\200\235  ", "The|U.S.|``|Inc.|''|said|it|.|'|\342\200\235"},
      {"AT&T #1 @home 50% $5 a_b", "AT|&|T|#|1|@|home|50|%|$|5|a_b"},
      {"\305\277\304\261 d'\305\277 cannot\314\201 can\304\260not GIMME g\304\261mme",
       "\305\277\304\261|d'\305\277|can|not|\314\201|can\304\260not|GIM|ME|g\304\261m|me"},
      {"... .. . ?! --- ----", "...|..|.|?|!|--|-|--|--"},
      {"don't DON'T Don'T I'd I'D we'Re you'Ll", "do|n't|DO|N'T|Don'T|I|'d|I|'D|we'Re|you'Ll"},
      {"", ""},
      {" \t\n", ""},
      {"wanna\n'tis gonna'tis", "wan|na|'t|is|gon|na|'t|is"},
      {"\344\270\255\346\226\207\343\200\202 \342\200\234\345\245\275,\345\220\227?\342\200\235 "
       "\303\251.",
       "\344\270\255\346\226\207\343\200\202|\342\200\234|\345\245\275|,|\345\220\227|?|"
       "\342\200\235|\303\251|."},
      {"a' ' b' c'' d''' ''''", "a|'|'|b|'|c|''|d|''|'|``|''"},
  };
  for (const auto& [text, tokens] : cases) EXPECT_EQ(joined(text), tokens) << text;
}

const std::vector<std::string> kPieces = {"a",
                                          "S",
                                          "n't",
                                          "'",
                                          "''",
                                          "\"",
                                          "`",
                                          "``",
                                          ".",
                                          "...",
                                          " ",
                                          "  ",
                                          "\n",
                                          ",",
                                          ":",
                                          "1",
                                          "(",
                                          "]",
                                          "<",
                                          "!",
                                          "--",
                                          "cannot",
                                          "gonna ",
                                          " 'tis",
                                          "\302\253",
                                          "\342\200\235",
                                          "\303\251",
                                          "\302\240",
                                          "\343\200\200",
                                          "\360\237\230\200"};

std::string random_text(std::mt19937& random, std::size_t pieces) {
  std::string text;
  for (std::size_t k = 0; k < pieces; ++k) text += kPieces[random() % kPieces.size()];
  return text;
}

// Double quotes and pairs of single ones change, white space leaves; all else stays in its order.
TEST(Treebank, TokensAreTheTextWithoutWhiteSpace) {
  const auto without_quotes = [](std::string_view text) {
    std::string out;
    for_each_piece(text, [&](std::string_view piece) {
      for (const char c : piece)
        if (c != '\'' && c != '"' && c != '`') out += c;
    });
    return out;
  };
  std::mt19937 random(5);
  for (int round = 0; round < 3000; ++round) {
    const std::string text = random_text(random, random() % 12);
    std::string together;
    for (const std::string& token : tokens_of(text)) {
      EXPECT_FALSE(token.empty());
      std::size_t pieces = 0;
      for_each_piece(token, [&](std::string_view) { ++pieces; });
      EXPECT_EQ(pieces, 1u) << "white space in a token of " << text;
      together += token;
    }
    EXPECT_EQ(without_quotes(together), without_quotes(text));
  }
}

// What was read before leaves no trace, nor does a text that is no UTF-8 break anything.
TEST(Treebank, ManySentencesByOne) {
  TreebankTokenizer tokenizer;
  std::mt19937 random(6);
  for (int round = 0; round < 2000; ++round) {
    std::string text = random_text(random, random() % 12);
    if (round % 2 == 1 && !text.empty()) text[random() % text.size()] = static_cast<char>(random());
    std::vector<std::string> again;
    tokenizer.for_each_token(text, [&](std::string_view token) { again.emplace_back(token); });
    EXPECT_EQ(again, tokens_of(text));
  }
}

TEST(Treebank, LongSentencesAreNoTrouble) {
  for (const char* piece :
       {"'", "\"", "a' ", ".", ". ", "`", "-", "(''", "cannot", "gonna ", "::"}) {
    std::string text;
    while (text.size() < 400'000) text += piece;
    EXPECT_FALSE(tokens_of(text).empty()) << piece;
  }
}

}  // namespace
}  // namespace cupel
