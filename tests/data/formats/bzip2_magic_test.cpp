#include "cupel/data/formats/bzip2_magic.h"

#include <gtest/gtest.h>

#include <random>

#include "data/build/made_text.h"
#include "data/formats/made_bzip2.h"

namespace cupel::test {
namespace {

// Bits with the magic at many places, some of them overlapping (it does, by 3 bits) and some with a
// wrong bit, against a search of the text of ones and zeros; in pieces of every size.
TEST(Bzip2Magic, FoundAtEveryBit) {
  std::mt19937 random(7);
  const Bits magic = bits_of(kMagicOfBlock, 48);
  for (int round = 0; round < 300; ++round) {
    Bits bits;
    while (bits.size() < 3000) {
      for (unsigned i = random() % 70; i > 0; --i) bits += static_cast<char>('0' + random() % 2);
      Bits next = magic;
      if (random() % 3 == 0) next[random() % 48] ^= 1;
      if (random() % 4 == 0 && bits.ends_with(magic.substr(0, 3))) next = magic.substr(3);
      bits += next;
    }
    const std::string bytes = bytes_of(bits);
    bits.resize(8 * bytes.size(), '0');
    std::vector<std::uint64_t> expected;
    for (std::size_t at = bits.find(magic); at != Bits::npos; at = bits.find(magic, at + 1))
      expected.push_back(at);
    Bzip2BlockFinder finder;
    std::vector<std::uint64_t> found;
    const std::size_t step = 1 + random() % (round % 2 ? 9 : 300);
    for (std::size_t at = 0; at < bytes.size(); at += step) {
      finder.find(reinterpret_cast<const unsigned char*>(bytes.data()) + at,
                  std::min(step, bytes.size() - at), found);
    }
    ASSERT_GT(expected.size(), 10u);
    ASSERT_EQ(found, expected) << round;
  }
}

TEST(Bzip2Magic, BitsOfAFile) {
  std::mt19937 random(8);
  std::string bytes;
  Bits bits;
  for (int i = 0; i < 10'000; ++i) {
    bytes += static_cast<char>(random());
    bits += bits_of(static_cast<unsigned char>(bytes.back()), 8);
  }
  bits += Bits(200, '0');
  const Folder folder;
  const InputFile file(folder.write("a", bytes));
  FileBits read(file);
  ASSERT_EQ(read.size(), 80'000u);
  for (int i = 0; i < 3000; ++i) {
    const std::size_t at = i % 3 == 0 ? 79'900 + random() % 200 : random() % 80'000;
    const std::size_t count = 1 + random() % 56;
    EXPECT_EQ(read.at(at, static_cast<int>(count)),
              std::stoull(bits.substr(at, count), nullptr, 2));
  }
}

}  // namespace
}  // namespace cupel::test
