#include "cupel/data/formats/fasttext.h"

#include <gtest/gtest.h>

#include "data/build/made_text.h"

namespace cupel::test {
namespace {

constexpr const char* kVectors =
    "5 3\n"
    "the 0.1 -0.2 1e-3\n"
    ", 1 2 3\n"
    "caf\xc3\xa9 0.5 0.25 -4 \n"  // a blank at the end, as fastText writes
    "\xff\xfe 7 8 9\n"            // no UTF-8; the released files have such
    "The 4 5 6\n";

WordVectors read(const std::filesystem::path& path, const std::vector<std::string>& words) {
  WordIds wanted;
  for (const std::string& word : words) add_word(wanted, word);
  LineReader lines(path);
  return read_word_vectors(lines, wanted);
}

std::vector<float> vector_of(const WordVectors& vectors, Index word) {
  return {vectors.row(word), vectors.row(word) + vectors.dimension};
}

TEST(FastText, KeepsTheWantedWords) {
  const Folder folder;
  std::string windows;
  for (const char c : std::string(kVectors))
    windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  for (const auto& path : {folder.write("a.vec", kVectors), folder.write_gz("b.vec.gz", kVectors),
                           folder.write("c.vec", windows)}) {
    const WordVectors vectors = read(path, {"caf\xc3\xa9", "none", "the", "THE"});
    EXPECT_EQ(vectors.dimension, 3);
    EXPECT_EQ(vectors.words_in_file, 5);
    EXPECT_EQ(vectors.values.size(), 6u);
    ASSERT_TRUE(vectors.has(0));
    EXPECT_FALSE(vectors.has(1));
    ASSERT_TRUE(vectors.has(2));
    EXPECT_FALSE(vectors.has(3));
    EXPECT_EQ(vector_of(vectors, 0), (std::vector<float>{0.5f, 0.25f, -4.0f}));
    EXPECT_EQ(vector_of(vectors, 2), (std::vector<float>{0.1f, -0.2f, 1e-3f}));
  }
}

TEST(FastText, NumbersMayHaveASignAndBeTooSmall) {
  const Folder folder;
  const WordVectors vectors = read(folder.write("a.vec", "1 3\na +1.5 1e-400 -2\n"), {"a"});
  EXPECT_EQ(vector_of(vectors, 0), (std::vector<float>{1.5f, 0, -2}));
}

TEST(FastText, TheFirstOfRepeatedWordsCounts) {
  const Folder folder;
  const WordVectors vectors = read(folder.write("a.vec", "3 1\na 1\nb 2\na 3\n"), {"a"});
  EXPECT_EQ(vector_of(vectors, 0), std::vector<float>{1});
  EXPECT_EQ(vectors.repeated, 1);
}

TEST(FastText, ComplaintsNameTheLine) {
  const Folder folder;
  const auto complaint_of = [&](const std::string& text) {
    return complaint([&] { (void)read(folder.write("a.vec", text), {"the", ","}); });
  };
  const std::string good = kVectors;
  const std::pair<std::string, const char*> cases[] = {
      {"", "a.vec: is empty"},
      {good.substr(4), "line 1: is 'the 0.1 -0.2 1e-3' where the number of words"},
      {replaced(good, "5 3", "5"), "line 1: is '5' where"},
      {replaced(good, "5 3", "5 3 2"), "line 1: is '5 3 2' where"},
      {replaced(good, "5 3", "-5 3"), "line 1: is '-5 3' where"},
      {replaced(good, "5 3", "5 0"), "line 1: is '5 0' where"},
      {replaced(good, "5 3", "99999999999999999999 3"), "line 1"},
      {replaced(good, "5 3", "5 99999999"), "line 1: says 99999999 numbers per word; the limit"},
      // Nothing is set aside for what a first line claims.
      {replaced(good, "5 3", "9000000000000000000 3"),
       "ends after 5 words where its first line says"},
      {replaced(good, "5 3", "6 3"), "a.vec: ends after 5 words where its first line says 6"},
      {replaced(good, "5 3", "4 3"), "line 6: is a word more than the 4"},
      {replaced(good, "5 3", "5 300"),
       "line 2: word 'the' has 3 numbers where the first line says 300"},
      {replaced(good, ", 1 2 3", ", 1 2"), "line 3: word ',' has 2 numbers"},
      {replaced(good, ", 1 2 3", ", 1 2 3 4"), "line 3: word ',' has 4 numbers"},
      {replaced(good, ", 1 2 3", " 1 2 3"), "line 3: word '' has 3 numbers"},
      {replaced(good, ", 1 2 3", ""), "line 3: word '' has 0 numbers"},
      {replaced(good, ", 1 2 3", ", 1  3"), "line 3: the vector of ',' holds '', which"},
      {replaced(good, ", 1 2 3", ", 1 nan 3"), "line 3: the vector of ',' holds 'nan', which"},
      {replaced(good, ", 1 2 3", ", 1 2,5 3"), "holds '2,5', which is not a finite number"},
      {replaced(good, ", 1 2 3", ", 1 1e99 3"), "holds '1e99', which"},
      {good.substr(0, good.find(", 1 2") + 4), "line 3: word ',' has 1 numbers"}};
  for (const auto& [text, part] : cases)
    EXPECT_TRUE(contains(complaint_of(text), part)) << part << "\n" << complaint_of(text);
}

}  // namespace
}  // namespace cupel::test
