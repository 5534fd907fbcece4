// Damaged raw files: read, or refused with an Error that names the file; nothing else.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "cupel/data/formats/conllu.h"
#include "cupel/data/formats/fasttext.h"
#include "cupel/data/formats/snap_amazon.h"
#include "data/build/made_text.h"

namespace cupel::test {
namespace {

const std::string kText =
    "# text\n1-2\tal\t_\t_\t_\t_\t_\t_\t_\t_\n1\ta\ta\tADP\t_\t_\t2\tcase\t_\t_\n"
    "2\tmar\tmar\tNOUN\t_\t_\t0\troot\t_\t_\n2.1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    "1\tS\xc3\xad\t_\tINTJ\t_\t_\t0\troot\t_\t_\n\n";
const std::string kVectors = "3 2\nthe 0.1 -2\nof 1e-3 4 \n\xff 1 2\n";
const std::string kProducts =
    "# x\nTotal items: 2\n\nId:   0\nASIN: A\n  discontinued product\n\nId:   1\nASIN: B\n"
    "  title: T: x\n  group: Book\n  salesrank: 3\n  similar: 2  A  C\n  categories: 1\n"
    "   |Books[1]|X[2]\n  reviews: total: 1  downloaded: 1  avg rating: 4.5\n"
    "    2000-7-28  cutomer: A2  rating: 5  votes:  1  helpful:   0\n\n";

std::string mutated(std::string text, std::mt19937& random) {
  static const std::string kOdd = std::string("\0\n\r\t :.-19", 11) + "\xff\xc3";
  for (unsigned changes = 1 + random() % 3; changes > 0 && !text.empty(); --changes) {
    const std::size_t at = random() % text.size();
    switch (random() % 5) {
      case 0:
        text[at] = static_cast<char>(random());
        break;
      case 1:
        text[at] = kOdd[random() % kOdd.size()];
        break;
      case 2:
        text.erase(at, 1 + random() % 12);
        break;
      case 3:
        text.insert(at, text.substr(random() % text.size(), random() % 40));
        break;
      default:
        text.resize(at);
    }
  }
  return text;
}

template <class Reads>
void attack(const std::string& good, bool packed, Reads reads) {
  const Folder folder;
  std::mt19937 random(11);
  int refused = 0;
  constexpr int kRounds = 1500;
  for (int round = 0; round < kRounds; ++round) {
    const auto path = folder.write("raw", mutated(packed ? Folder::gzip(good) : good, random));
    LineReader lines(path);
    try {
      reads(lines);
    } catch (const Error& error) {
      ++refused;
      ASSERT_TRUE(contains(error.what(), path.string() + ": ")) << error.what();
    }
  }
  EXPECT_GT(refused, kRounds / 10);
  EXPECT_LT(refused, kRounds);
}

TEST(RawReaders, DamagedFilesAreReadOrRefused) {
  for (const bool packed : {false, true}) {
    attack(kText, packed, [](LineReader& lines) {
      ConlluReader reader(lines);
      while (reader.next()) {
        for (const ConlluWord& word : reader.words()) {
          ASSERT_GE(word.head, 0);
          ASSERT_LE(static_cast<std::size_t>(word.head), reader.words().size());
        }
      }
    });
    attack(kVectors, packed, [](LineReader& lines) {
      const WordIds wanted = {{"the", 0}, {"of", 1}, {"none", 2}};
      const WordVectors vectors = read_word_vectors(lines, wanted);
      for (Index word = 0; word < 3; ++word) {
        if (!vectors.has(word)) continue;
        for (Index d = 0; d < vectors.dimension; ++d)
          ASSERT_TRUE(std::isfinite(vectors.row(word)[d]));
      }
    });
    attack(kProducts, packed, [](LineReader& lines) {
      AmazonReader reader(lines);
      AmazonProduct product;
      while (reader.next(product)) {
        ASSERT_FALSE(product.asin.empty());
        ASSERT_TRUE(product.average_rating >= 0 && product.average_rating <= 5);
      }
    });
  }
}

}  // namespace
}  // namespace cupel::test
