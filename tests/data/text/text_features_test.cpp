#include "cupel/data/text/text_features.h"

#include <gtest/gtest.h>

#include <random>

namespace cupel {
namespace {

TokenList tokens(const std::vector<std::string>& words) {
  TokenList out;
  for (const std::string& word : words) out.push_back(word);
  return out;
}

WordVectors vectors_of(const std::vector<std::vector<float>>& rows, Index dimension) {
  WordVectors out;
  out.dimension = dimension;
  Index used = 0;
  for (const auto& row : rows) {
    out.row_of.push_back(row.empty() ? -1 : used++);
    out.values.insert(out.values.end(), row.begin(), row.end());
  }
  return out;
}

TEST(TextFeatures, AreMeansOverAllTokens) {
  const std::vector<TokenList> nodes = {tokens({"a", "b", "a", "x"}), tokens({}),
                                        tokens({"x", "x"}), tokens({"b"})};
  const WordIds words = words_of_nodes(nodes);
  ASSERT_EQ(words.size(), 3u);
  EXPECT_EQ(words.find("a")->second, 0);
  EXPECT_EQ(words.find("b")->second, 1);
  EXPECT_EQ(words.find("x")->second, 2);
  const TextFeatures out = text_features(nodes, words, vectors_of({{1, -2}, {4, 8}, {}}, 2), {1});
  ASSERT_EQ(out.values.rows, 4);
  ASSERT_EQ(out.values.cols, 2);
  const std::vector<float> all(out.values.values.begin(), out.values.values.end());
  EXPECT_EQ(all, (std::vector<float>{1.5f, 1.0f, 0, 0, 0, 0, 4, 8}));
  EXPECT_EQ(out.tokens, 7);
  EXPECT_EQ(out.tokens_without_vector, 3);
  EXPECT_EQ(out.nodes_without_tokens, 1);
  EXPECT_EQ(out.nodes_without_vector, 1);
}

TEST(TextFeatures, AWordThatWasNotAskedForHasNoVector) {
  const std::vector<TokenList> nodes = {tokens({"a", "later"})};
  const TextFeatures out = text_features(nodes, {{"a", 0}}, vectors_of({{3}}, 1), {1});
  EXPECT_EQ(out.values(0, 0), 1.5f);
  EXPECT_EQ(out.tokens_without_vector, 1);
}

// In double, and so exact for these sums where float would lose all but the first term.
TEST(TextFeatures, SumInDouble) {
  const std::vector<TokenList> nodes = {tokens({"big", "one", "one", "minus"})};
  const TextFeatures out =
      text_features(nodes, words_of_nodes(nodes), vectors_of({{1e10f}, {1}, {-1e10f}}, 1), {1});
  EXPECT_EQ(out.values(0, 0), 0.5f);
}

TEST(TextFeatures, TheSameOnAnyNumberOfThreads) {
  std::mt19937 random(3);
  std::vector<TokenList> nodes(700);
  for (TokenList& node : nodes) {
    for (std::size_t k = random() % 40; k > 0; --k) node.push_back(std::to_string(random() % 50));
  }
  const WordIds words = words_of_nodes(nodes);
  std::vector<std::vector<float>> rows(words.size());
  for (auto& row : rows) {
    for (int k = 0; k < 5 && &row != rows.data(); ++k)
      row.push_back(static_cast<float>(random()) * 1e-9f);
  }
  const WordVectors vectors = vectors_of(rows, 5);
  const TextFeatures one = text_features(nodes, words, vectors, {1});
  for (const int threads : {2, 5}) {
    const TextFeatures many = text_features(nodes, words, vectors, {threads});
    EXPECT_EQ(many.values.values, one.values.values);
    EXPECT_EQ(many.tokens_without_vector, one.tokens_without_vector);
  }
}

}  // namespace
}  // namespace cupel
