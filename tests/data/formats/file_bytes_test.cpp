#include "cupel/data/formats/file_bytes.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "data/build/made_text.h"
#include "data/formats/made_bzip2.h"

namespace cupel::test {
namespace {

struct Got {
  std::vector<std::size_t> blocks;  // their sizes
  std::string text, error, sha256;
  bool operator==(const Got&) const = default;
};

Got read_with(const std::filesystem::path& path, int threads) {
  Got got;
  got.error = complaint([&] {
    FileBytes file(path, {threads});
    EXPECT_EQ(file.name(), path.string());
    std::string_view block;
    while (file.next(block)) {
      EXPECT_FALSE(block.empty());
      EXPECT_LE(block.size(), 1u << 20);
      got.text += block;
      got.blocks.push_back(block.size());
      EXPECT_EQ(file.text_bytes(), got.text.size());
    }
    EXPECT_FALSE(file.next(block));
    EXPECT_EQ(file.file_bytes(), std::filesystem::file_size(path));
    got.sha256 = file.sha256();
    EXPECT_EQ(got.sha256, sha256_file(path));
  });
  return got;
}

// The same on 1, 2 and 5 threads, of which that on 1 is returned.
Got read_file(const std::filesystem::path& path) {
  const Got one = read_with(path, 1);
  for (const int threads : {2, 5}) EXPECT_TRUE(read_with(path, threads) == one) << threads;
  return one;
}

void expect_text(const std::filesystem::path& path, const std::string& text) {
  const Got got = read_file(path);
  EXPECT_EQ(got.error, "no error");
  EXPECT_TRUE(got.text == text) << got.text.size() << " bytes for " << text.size();
}

std::string letters(std::size_t size, unsigned seed, unsigned different = 26) {
  std::mt19937 random(seed);
  std::string out(size, '\0');
  for (char& c : out) c = static_cast<char>('a' + random() % different);
  return out;
}

// Small texts, noise, what repeats itself with runs of all lengths, and long runs.
std::vector<std::string> texts() {
  std::mt19937 random(3);
  std::string noise, runs;
  for (int i = 0; i < 400'000; ++i) noise += static_cast<char>(random());
  while (runs.size() < 1'500'000)
    runs.append(random() % 400, static_cast<char>('a' + random() % 3));
  return {"", "x", "line\nline\n", letters(1000, 1), noise, runs, std::string(3 << 20, 'z')};
}

TEST(FileBytes, OneStream) {
  const Folder folder;
  for (const std::string& text : texts()) {
    expect_text(folder.write("plain", text), text);
    expect_text(folder.write_gz("gz", text), text);
    expect_text(folder.write("bz2", bzip2(text)), text);
    expect_text(folder.write("bz2", bzip2(text, 1)), text);
  }
}

TEST(FileBytes, StreamsInARow) {
  const Folder folder;
  std::string text, packed, members;
  std::mt19937 random(11);
  for (int i = 0; i < 400; ++i) {
    const std::string part =
        i % 50 == 0 ? letters(250'000, random(), 9) : letters(random() % 90, random());
    for (const std::string& next : {part, std::string()}) {
      text += next;
      packed += bzip2(next, 1 + static_cast<int>(random() % 9));
      members += Folder::gzip(next);
    }
  }
  expect_text(folder.write("bz2", packed), text);
  expect_text(folder.write("gz", members), text);
  expect_text(folder.write("bz2", bzip2("") + bzip2("") + bzip2("")), "");
}

struct MadeStream {
  std::string packed, text;
};

// Within the codes of blocks stand: the magic alone, a whole block that is valid by itself, and so
// many of both that unpacking ahead is given up. Some blocks become too long for it within another,
// or end in four equal letters, which a block may not: libbz2 must agree with what they hold.
std::vector<MadeStream> streams_of_blocks_within_blocks(std::size_t count) {
  const Bits magic = bits_of(kMagicOfBlock, 48), end = bits_of(kMagicOfEnd, 48);
  std::mt19937 random(12);
  std::vector<MadeStream> out;
  for (int tries = 0; tries < 100 && out.size() < count; ++tries) {
    Bits codes, many = "110";
    for (int i = 0; i < 40; ++i)
      codes += std::vector<Bits>{"00", "01", "10", "110", "1110"}[random() % 5];
    try {
      const MadeBlock small = block_with(codes, 8, 20 + random() % 20);
      for (int i = 0; i < 24; ++i) many += (i % 3 == 0 ? magic : small.bits) + "10";
      const std::vector<MadeBlock> blocks = {block_with(magic + "01"), block_with(small.bits),
                                             small, block_with(many),
                                             block_with("10" + end + "10" + end)};
      MadeStream made = {stream_of(blocks), ""};
      for (const MadeBlock& block : blocks) made.text += block.text;
      if (bunzip2(made.packed) == made.text) out.push_back(std::move(made));
    } catch (const std::logic_error&) {
    }
  }
  return out;
}

TEST(FileBytes, WhatLooksLikeABlockWithinABlock) {
  const Folder folder;
  MadeStream all;
  const std::vector<MadeStream> streams = streams_of_blocks_within_blocks(6);
  ASSERT_EQ(streams.size(), 6u);
  for (const MadeStream& stream : streams) {
    expect_text(folder.write("bz2", stream.packed), stream.text);
    all.packed += stream.packed;
    all.text += stream.text;
  }
  const std::string after = letters(700'000, 2, 5);
  expect_text(folder.write("bz2", all.packed + bzip2(after, 1)), all.text + after);
}

// The message too is the same on any number of threads, and libbz2 takes and refuses the same.
void expect_as_libbz2(const std::filesystem::path& path, const std::string& packed) {
  const Got got = read_with(path, 1);
  EXPECT_TRUE(read_with(path, 3) == got);
  const std::optional<std::string> expected = bunzip2(packed);
  if (expected) {
    EXPECT_EQ(got.error, "no error");
    EXPECT_TRUE(got.text == *expected);
  } else {
    EXPECT_TRUE(contains(got.error, path.string() + ": ")) << got.error;
    EXPECT_TRUE(contains(got.error, "get it again")) << got.error;
  }
}

TEST(FileBytes, CutOffAnywhere) {
  const Folder folder;
  const std::string packed = bzip2("a small file\n") + bzip2(letters(300, 4)) + bzip2("");
  const std::vector<std::size_t> ends = {bzip2("a small file\n").size(), packed.size() - 14};
  for (std::size_t size = 0; size < packed.size(); ++size) {
    const auto path = folder.write("cut", packed.substr(0, size));
    if (size < 4) {  // too little to tell: bytes as they are
      EXPECT_EQ(read_file(path).text, packed.substr(0, size));
      continue;
    }
    expect_as_libbz2(path, packed.substr(0, size));
    const bool whole = std::find(ends.begin(), ends.end(), size) != ends.end();
    EXPECT_EQ(
        contains(read_with(path, 1).error, "ends in the middle of its compressed text, after"),
        !whole)
        << size;
  }
}

TEST(FileBytes, AnyBitFlipped) {
  const Folder folder;
  const std::string text = letters(120, 9, 4), more = "more of it";
  const std::string packed = bzip2(text) + bzip2(more, 1);
  for (std::size_t bit = 0; bit < 8 * packed.size(); ++bit) {
    std::string flipped = packed;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (0x80 >> bit % 8));
    const auto path = folder.write("flipped", flipped);
    const bool known = flipped.starts_with("BZh") && flipped[3] >= '1' && flipped[3] <= '9';
    if (known) {
      expect_as_libbz2(path, flipped);
      const Got got = read_with(path, 1);
      EXPECT_TRUE(got.error != "no error" || got.text == text + more) << bit;
    } else {
      EXPECT_EQ(read_with(path, 1).text, flipped);
    }
  }
}

std::string flipped(std::string packed, std::size_t at) {
  packed.at(at) = static_cast<char>(packed.at(at) ^ 1);
  return packed;
}

TEST(FileBytes, DamageIsNamed) {
  const Folder folder;
  const auto error = [&](const std::string& packed) {
    return read_file(folder.write("a.bz2", packed)).error;
  };
  const std::string text = letters(500'000, 5), packed = bzip2(text, 1);
  const std::string name = (folder.root() / "a.bz2").string();
  EXPECT_EQ(error(packed + "and more"),
            name +
                ": is not valid bzip2 after 500000 bytes of text (something else follows its last "
                "stream, at byte " +
                std::to_string(packed.size()) + "); the file is damaged, get it again");
  EXPECT_EQ(error(packed + "BZ"), name +
                                      ": ends in the middle of its compressed text, after 500000 "
                                      "bytes of text; the file is cut off, get it again");
  EXPECT_TRUE(contains(error(packed + "BZh0"), "something else follows"));
  EXPECT_TRUE(contains(error(flipped(packed, packed.size() - 3)),
                       "after 500000 bytes of text (its stream has another checksum, at byte"));
  EXPECT_TRUE(contains(error(flipped(packed, 10)),
                       "after 0 bytes of text (a block has another checksum, at byte 4)"));
  EXPECT_TRUE(
      contains(error(flipped(packed, 4)),
               "after 0 bytes of text (neither a block nor the end of a stream, at byte 4)"));
  // A block of level 9 in a stream that says it is of level 1, after one that is.
  std::string wrong = bzip2(letters(300'000, 6));
  wrong[3] = '1';
  EXPECT_FALSE(bunzip2(packed + wrong));
  EXPECT_TRUE(contains(error(packed + wrong), "after 500000 bytes of text (a block is no such"));
  const std::string gzip = Folder::gzip(text);
  EXPECT_TRUE(contains(error(gzip + "and more"), "is not valid gzip after 500000 bytes of text"));
  // Tapes fill up a file with zeros.
  EXPECT_EQ(error(gzip + std::string(100'000, '\0')), "no error");
  EXPECT_EQ(error(gzip + std::string(10, '\0') + gzip), "no error");
  EXPECT_TRUE(contains(error(gzip + std::string(10, '\0') + "more"), "is not valid gzip"));
  EXPECT_TRUE(contains(error(gzip.substr(0, gzip.size() - 1)), "the file is cut off"));
  EXPECT_TRUE(contains(read_with(folder.root() / "none", 2).error, "there is no such file"));
}

// 46 bytes become up to 46 MB; below 64 MiB they may, a piece at a time.
TEST(FileBytes, WhatGrowsTooMuchIsRefused) {
  const Folder folder;
  const std::string zeros = bzip2(std::string(17 << 20, '0'));
  ASSERT_LT(zeros.size(), 100u);
  const Got once = read_file(folder.write("once", zeros));
  EXPECT_EQ(once.error, "no error");
  EXPECT_EQ(once.text.size(), 17u << 20);
  EXPECT_GT(once.blocks.size(), 16u);
  std::string many;
  for (int i = 0; i < 5; ++i) many += zeros;
  const Got got = read_file(folder.write("many", many));
  EXPECT_TRUE(contains(got.error, "compressed bytes become 65 MiB or more")) << got.error;
  EXPECT_TRUE(contains(got.error, "unpack the file with bunzip2")) << got.error;
  EXPECT_LE(got.text.size(), 64u << 20);
}

TEST(FileBytes, MayBeLeftAtAnyTime) {
  const Folder folder;
  const auto path = folder.write("bz2", bzip2(letters(2'000'000, 8), 1));
  for (const int reads : {0, 1, 2, 7}) {
    FileBytes file(path, {4});
    std::string_view block;
    for (int i = 0; i < reads; ++i) EXPECT_TRUE(file.next(block));
    EXPECT_THROW((void)file.sha256(), std::logic_error);
  }
  struct Enough {};
  FileBytes file(path, {3}, [](std::uint64_t, std::uint64_t) { throw Enough(); });
  std::string_view block;
  EXPECT_THROW((void)file.next(block), Enough);
}

TEST(FileBytes, TellsHowFarItIs) {
  const Folder folder;
  const std::string text = letters(4'000'000, 8);
  for (const auto& path :
       {folder.write("a", text), folder.write_gz("b", text), folder.write("c", bzip2(text))}) {
    for (const int threads : {1, 3}) {
      const std::uint64_t all = std::filesystem::file_size(path);
      std::vector<std::uint64_t> told;
      FileBytes file(path, {threads}, [&](std::uint64_t done, std::uint64_t size) {
        EXPECT_EQ(size, all);
        told.push_back(done);
      });
      std::string_view block;
      while (file.next(block)) {
      }
      ASSERT_GT(told.size(), 1u);
      EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
      EXPECT_EQ(told.back(), all);
    }
  }
}

// Sizes and SHA-256 of what Python's bz2.decompress makes of them.
TEST(FileBytes, RealDumps) {
  const char* data = std::getenv("CUPEL_DATA");
  const std::filesystem::path root = std::filesystem::path(data ? data : "/none") / "wikipedia";
  if (!std::filesystem::exists(root)) GTEST_SKIP() << "needs CUPEL_DATA with wikipedia";
  struct Dump {
    const char *path, *sha256;
    std::size_t size;
  };
  const std::vector<Dump> dumps = {
      {"aawiki-20260101/aawiki-20260101-pages-meta-current.xml.bz2",
       "ace6dd78b0aff3ad06d34763d7402d73ef8f1a3a4f575f91729f9138a7917d7a", 977'208},
      {"enwiki-samples/enwiki-latest-pages-articles1.xml-p000000010p000030302-shortened.bz2",
       "34c1c63050c87cc8477b9ae36b1cb0edf372612c92938b742e579a7109c20fa4", 6'089'746},
      {"enwiki-samples/enwiki-pages-articles-sample.xml.bz2",
       "8099fa490aeda1add6b1553e216134143c32d67c9a1b8a7ce2566ab593ed411d", 82'552}};
  for (const Dump& dump : dumps) {
    const Got got = read_file(root / dump.path);
    EXPECT_EQ(got.text.size(), dump.size);
    EXPECT_EQ(sha256(got.text), dump.sha256);
  }
}

}  // namespace
}  // namespace cupel::test
