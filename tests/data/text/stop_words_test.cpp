#include "cupel/data/text/stop_words.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace cupel {
namespace {

std::vector<std::string> kept(const std::vector<std::string>& tokens) {
  TokenList list;
  for (const std::string& token : tokens) append_kept(token, list);
  std::vector<std::string> out;
  for (const std::string_view token : list) out.emplace_back(token);
  EXPECT_EQ(out.size(), list.size());
  return out;
}

using Tokens = std::vector<std::string>;

// NLTK's file has 936 bytes: a line for each.
TEST(StopWords, AreThoseOfNltk345) {
  std::size_t bytes = 0;
  std::set<std::string_view> different;
  for (const std::string_view word : english_stop_words()) {
    bytes += word.size() + 1;
    different.insert(word);
    EXPECT_TRUE(is_left_out(word, word)) << word;
    EXPECT_FALSE(is_left_out("x" + std::string(word), "x" + std::string(word)));
    EXPECT_FALSE(is_left_out(std::string(word) + "_", std::string(word) + "_"));
  }
  EXPECT_EQ(english_stop_words().size(), 179u);
  EXPECT_EQ(different.size(), 179u);
  EXPECT_EQ(bytes, 936u);
  for (const char* later : {"he'd", "i'm", "we'll"}) EXPECT_FALSE(is_left_out(later, later));
}

TEST(StopWords, KeepWordsInLowerCaseWithRepetitions) {
  EXPECT_EQ(
      kept({"The", "Graph", "GRAPH", "isn't", "It", "THAT'LL", "\303\211t\303\251", "a1", "n't"}),
      (Tokens{"graph", "graph", "\303\251t\303\251", "a1", "n't"}));
}

// A token that is a piece of string.punctuation in its order, and no other run of marks.
TEST(StopWords, Punctuation) {
  EXPECT_EQ(kept({".",  "#$",  "!\"", "<=>", "...",          "--", "``", "''", "\"\"", "'s",
                  "'S", "'ll", "$#",  "`{",  "\342\200\224", "()", ")(", "-.", "._",   "'"}),
            (Tokens{"...", "--", "'ll", "$#", "\342\200\224", ")(", "._"}));
}

}  // namespace
}  // namespace cupel
