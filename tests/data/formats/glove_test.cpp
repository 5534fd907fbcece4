#include "cupel/data/formats/glove.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "data/build/made_text.h"

namespace cupel::test {
namespace {

WordVectors read(const std::filesystem::path& path, const std::vector<std::string>& words) {
  WordIds wanted;
  for (const std::string& word : words) add_word(wanted, word);
  LineReader lines(path);
  return read_glove(lines, wanted);
}

std::vector<float> vector_of(const WordVectors& vectors, Index word) {
  return {vectors.row(word), vectors.row(word) + vectors.dimension};
}

using Numbers = std::vector<float>;
constexpr const char* kVectors =
    ", 1 2 3\n"
    "the 0.1 -0.2 1e-3\n"
    ". . . 4 5 6\n"                // a word with blanks, as 840B has
    "at name@domain.com 7 8 9 \n"  // and a blank at the end
    "1990 10 11 12\n"
    "caf\xc3\xa9 0.5 0.25 -4\n"
    "the 9 9 9\n";

TEST(Glove, KeepsTheWantedWords) {
  const Folder folder;
  std::string windows;
  for (const char c : std::string(kVectors)) {
    if (c == '\n') windows += '\r';
    windows += c;
  }
  for (const auto& path : {folder.write("a.txt", kVectors), folder.write_gz("b.gz", kVectors),
                           folder.write("c.txt", windows)}) {
    const WordVectors vectors =
        read(path, {"caf\xc3\xa9", "none", "the", "1990", ". . .", "at", "at name@domain.com"});
    EXPECT_EQ(vectors.dimension, 3);
    EXPECT_EQ(vectors.words_in_file, 7);
    EXPECT_EQ(vectors.repeated, 1);
    EXPECT_EQ(vectors.values.size(), 15u);
    EXPECT_EQ(vector_of(vectors, 0), (Numbers{0.5f, 0.25f, -4}));
    EXPECT_FALSE(vectors.has(1));
    EXPECT_EQ(vector_of(vectors, 2), (Numbers{0.1f, -0.2f, 1e-3f}));
    EXPECT_EQ(vector_of(vectors, 3), (Numbers{10, 11, 12}));
    EXPECT_EQ(vector_of(vectors, 4), (Numbers{4, 5, 6}));
    EXPECT_FALSE(vectors.has(5));
    EXPECT_EQ(vector_of(vectors, 6), (Numbers{7, 8, 9}));
  }
}

TEST(Glove, TheFirstLineDecides) {
  const Folder folder;
  EXPECT_EQ(read(folder.write("a", ". . 1 2\nb 3 4\n"), {}).dimension, 2);
  EXPECT_EQ(read(folder.write("a", "7 1 2\nb 3 4\n"), {}).dimension, 2);
  EXPECT_EQ(vector_of(read(folder.write("a", "a 1"), {"a"}), 0), Numbers{1});
  // Two whole numbers are fastText's first line.
  const WordVectors counted = read(folder.write("a", "2 3\na 1 2 3\nb 4 5 6\n"), {"b"});
  EXPECT_EQ(counted.dimension, 3);
  EXPECT_EQ(vector_of(counted, 0), (Numbers{4, 5, 6}));
}

TEST(Glove, ComplaintsNameTheLine) {
  const Folder folder;
  const std::string good = kVectors;
  const std::pair<std::string, const char*> cases[] = {
      {"", "a.txt: is empty"},
      {"\n", "line 1: is '' where a word and its numbers are needed"},
      {"the\n", "line 1: is 'the' where"},
      {"the quick fox\n", "line 1: is 'the quick fox' where"},
      {replaced(good, "1e-3", ""), "line 2: word 'the' has 2 numbers where the first line has 3"},
      {replaced(good, "1e-3", "1e-3 5"), "line 2: word 'the' has 4 numbers where"},
      {replaced(good, ", 1 2 3", ", 1 2"), "line 2: word 'the' has 3 numbers where"},
      {replaced(good, "the 0.1", " 0.1"), "line 2: word '' has 3 numbers where"},
      {replaced(good, "the 0.1", "\nthe 0.1"), "line 2: word '' has 0 numbers"},
      {replaced(good, "-0.2", "x"), "line 2: the vector of 'the' holds 'x', which is not a finite"},
      {replaced(good, "-0.2", "inf"), "line 2: the vector of 'the' holds 'inf'"},
      {replaced(good, "-0.2", "1e99"), "line 2: the vector of 'the' holds '1e99'"},
      {"2 3\na 1 2 3\n", "ends after 1 words where its first line says 2"}};
  for (const auto& [text, message] : cases) {
    const std::string said = complaint([&] {
      (void)read(folder.write("a.txt", text), {"the", "a"});
    });
    EXPECT_TRUE(contains(said, message)) << said;
  }
  std::string wide = "w";
  for (int k = 0; k < 5000; ++k) wide += " 1";
  const std::string said = complaint([&] { (void)read(folder.write("a.txt", wide), {"w"}); });
  EXPECT_TRUE(contains(said, "line 1: says 5000 numbers per word; the limit is 4096")) << said;
}

// Lines and fields as awk counts them; numbers as the files have them.
TEST(Glove, PublishedFiles) {
  const char* data = std::getenv("CUPEL_DATA");
  const auto folder = std::filesystem::path(data ? data : "") / "wikipedia" / "vectors";
  if (!data || !std::filesystem::exists(folder)) GTEST_SKIP() << "needs CUPEL_DATA with wikipedia";
  const WordVectors wiki = read(folder / "glove.6B.50d.subset.txt", {"the"});
  EXPECT_EQ(wiki.dimension, 50);
  EXPECT_EQ(wiki.words_in_file, 2446);
  EXPECT_EQ(wiki.row(0)[0], 0.418f);
  const WordVectors twitter = read(folder / "glove.twitter.27B.25d.subset12k.txt", {"the"});
  EXPECT_EQ(twitter.dimension, 25);
  EXPECT_EQ(twitter.words_in_file, 11925);
  const WordVectors packed = read(folder / "allennlp-glove.6B.300d.sample.txt.gz", {"the"});
  EXPECT_EQ(packed.dimension, 300);
  EXPECT_EQ(packed.words_in_file, 100);
  EXPECT_EQ(packed.row(0)[0], 0.04656f);
}

}  // namespace
}  // namespace cupel::test
