// Whole texts, against what NLTK 3.4.5 makes of them: the number of tokens and the hash of all, a
// blank behind each and a line feed behind each text.
#include "cupel/data/text/text_tokens.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "cupel/base/hash.h"
#include "cupel/data/text/pieces.h"

namespace cupel {
namespace {

std::filesystem::path real_data(const char* name) {
  const char* data = std::getenv("CUPEL_DATA");
  return std::filesystem::path(data ? data : "") / "wikipedia" / name;
}
const char* const kUd = "ud-ewt/en_ewt-ud-dev.conllu";
const char* const kLatgalian = "ltgwiki/smallwiki-latest-pages-articles.xml";

#define NEEDS(name)                                                            \
  if (!std::getenv("CUPEL_DATA") || !std::filesystem::exists(real_data(name))) \
  GTEST_SKIP() << "needs CUPEL_DATA with wikipedia/" << name

// Sentences of documents.
std::vector<std::vector<std::string>> documents() {
  std::vector<std::vector<std::string>> out;
  std::ifstream file(real_data(kUd));
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("# newdoc")) out.emplace_back();
    if (line.starts_with("# text = ")) out.back().push_back(line.substr(9));
  }
  return out;
}

std::string together(const std::vector<std::string>& sentences) {
  std::string out;
  for (const std::string& sentence : sentences) out += (out.empty() ? "" : " ") + sentence;
  return out;
}

struct Sum {
  std::size_t tokens = 0;
  Hasher hasher;
  void add(const TokenList& list) {
    tokens += list.size();
    hasher.bytes(list.joined().data(), list.joined().size()).bytes("\n", 1);
  }
};

double f1(const std::vector<TokenList>& ours, const std::vector<TokenList>& theirs) {
  std::size_t common = 0, all = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    std::map<std::string_view, std::size_t> left;
    for (const std::string_view token : theirs[i]) ++left[token];
    for (const std::string_view token : ours[i]) {
      const auto found = left.find(token);
      if (found == left.end() || found->second == 0) continue;
      --found->second;
      ++common;
    }
    all += ours[i].size() + theirs[i].size();
  }
  return 2.0 * static_cast<double>(common) / static_cast<double>(all);
}

TEST(TextTokens, OfAText) {
  TextTokenizer tokenizer(&PunktModel::english()), whole(nullptr);
  TokenList kept, all, one;
  const char* text =
      "Mr. Bell ended it.  The \"graph\" of T. Berners-Lee isn't a tree. \303\211t\303\251.";
  tokenizer.tokenize_and_keep(text, kept);
  EXPECT_EQ(kept.joined(), "mr. bell ended graph t. berners-lee n't tree \303\251t\303\251 ");
  tokenizer.tokenize(text, all);
  EXPECT_EQ(
      all.joined(),
      "Mr. Bell ended it . The `` graph '' of T. Berners-Lee is n't a tree . \303\211t\303\251 . ");
  EXPECT_EQ(all.size(), 19u);
  whole.tokenize(text, one);
  EXPECT_EQ(
      one.joined(),
      "Mr. Bell ended it. The `` graph '' of T. Berners-Lee is n't a tree. \303\211t\303\251 . ");
  tokenizer.tokenize_and_keep(" \n", kept);
  EXPECT_EQ(kept.size(), 9u);
}

TEST(TextTokens, SentencesOfEnglishAsNltk) {
  NEEDS(kUd);
  Sum sum;
  TextTokenizer words(nullptr);
  for (const auto& document : documents()) {
    for (const std::string& sentence : document) {
      TokenList tokens;
      words.tokenize(sentence, tokens);
      sum.add(tokens);
    }
  }
  EXPECT_EQ(sum.tokens, 25225u);
  EXPECT_EQ(sum.hasher.hex(), "623ea196c68003f5a03f7a3b81214f9add50b94ef1474769ae2b1eef96e64c51");
}

TEST(TextTokens, DocumentsWithAnEmptyModelAsNltk) {
  NEEDS(kUd);
  Sum sum;
  const PunktModel none;
  TextTokenizer words(&none);
  for (const auto& document : documents()) {
    TokenList tokens;
    words.tokenize_and_keep(together(document), tokens);
    sum.add(tokens);
  }
  EXPECT_EQ(sum.tokens, 12137u);
  EXPECT_EQ(sum.hasher.hex(), "0b8ba2921a82cd86ce9e48e33d1b4c1b7039121d65b0dc18886facd4aad33cb0");
}

// Latgalian has letters of many kinds, and the dump's markup has marks in all orders.
TEST(TextTokens, LinesOfADumpAsNltk) {
  NEEDS(kLatgalian);
  std::stringstream text;
  text << std::ifstream(real_data(kLatgalian), std::ios::binary).rdbuf();
  const std::string whole = text.str();
  Sum lines, sentences;
  TextTokenizer words(nullptr);
  for (std::size_t at = 0; at <= whole.size();) {
    const std::size_t end = std::min(whole.size(), whole.find('\n', at));
    TokenList tokens;
    words.tokenize(std::string_view(whole).substr(at, end - at), tokens);
    lines.add(tokens);
    at = end + 1;
  }
  EXPECT_EQ(lines.tokens, 854781u);
  EXPECT_EQ(lines.hasher.hex(), "f5d5b48b654f710dcb5c959b2f63fd4ca0cabfeed72877131b00d64a0791376e");

  PunktModel model;
  model.abbreviations = {"dr", "mr", "u.s", "etc"};
  model.starters = {"the"};
  model.contexts = {{"he", 34}};
  model.collocations = {"##number##\tand"};
  std::vector<std::string_view> found;
  split_sentences(whole, model, found);
  for (const std::string_view sentence : found) {
    TokenList pieces;
    for_each_piece(sentence, [&](std::string_view piece) { pieces.push_back(piece); });
    sentences.add(pieces);
  }
  EXPECT_EQ(found.size(), 10522u);
  EXPECT_EQ(sentences.hasher.hex(),
            "0dbb2e555a13b5af81f13006820c899a7899e749340f5ac99012f1d03476e9e2");
}

// Without a model, against the sentences that people marked: an empty model has 0.9966.
TEST(TextTokens, OwnListAgainstMarkedSentences) {
  NEEDS(kUd);
  std::vector<TokenList> ours, marked;
  TextTokenizer words(&PunktModel::english()), sentence_words(nullptr);
  for (const auto& document : documents()) {
    words.tokenize_and_keep(together(document), ours.emplace_back());
    TokenList& list = marked.emplace_back();
    for (const std::string& sentence : document) sentence_words.tokenize_and_keep(sentence, list);
  }
  EXPECT_GE(f1(ours, marked), 0.9985);
}

}  // namespace
}  // namespace cupel
