#include "cupel/data/formats/line_reader.h"

#include <gtest/gtest.h>

#include <random>
#include <sstream>
#include <vector>

#include "cupel/base/hash.h"
#include "data/build/made_text.h"
#include "data/formats/made_bzip2.h"

namespace cupel::test {
namespace {

std::vector<std::string> lines_of(const std::filesystem::path& path) {
  LineReader reader(path);
  std::vector<std::string> out;
  std::string_view line;
  while (reader.next(line)) {
    out.emplace_back(line);
    EXPECT_EQ(reader.line_number(), out.size());
  }
  EXPECT_FALSE(reader.next(line));
  EXPECT_EQ(reader.sha256(), sha256_file(path));
  return out;
}

std::string complaint_of(const std::filesystem::path& path) {
  return complaint([&] { (void)lines_of(path); });
}

using Lines = std::vector<std::string>;

TEST(LineReader, EndsOfLines) {
  const Folder folder;
  EXPECT_EQ(lines_of(folder.write("a", "")), Lines{});
  EXPECT_EQ(lines_of(folder.write("a", "x")), Lines{"x"});
  EXPECT_EQ(lines_of(folder.write("a", "x\n")), Lines{"x"});
  EXPECT_EQ(lines_of(folder.write("a", "\n\nx\r\ny\r\n\r\n")), (Lines{"", "", "x", "y", ""}));
  EXPECT_EQ(lines_of(folder.write("a", "\xef\xbb\xbfx\n\xef\xbb\xbfy")),
            (Lines{"x", "\xef\xbb\xbfy"}));
  EXPECT_EQ(lines_of(folder.write("a", "a\rb\n\r")), (Lines{"a\rb", ""}));
}

// Lines around and beyond the sizes of blocks, against std::getline.
TEST(LineReader, LongTextsPlainAndCompressed) {
  std::mt19937 random(5);
  std::string text;
  for (const std::size_t size : {10u, 1u << 20, (1u << 20) - 1, 3u << 20, 0u, 5u, (1u << 21) + 1}) {
    for (std::size_t i = 0; i < size; ++i) text += static_cast<char>('a' + random() % 26);
    text += '\n';
  }
  for (int i = 0; i < 100'000; ++i) text += std::to_string(random()) + "\n";
  Lines expected;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) expected.push_back(line);
  const Folder folder;
  EXPECT_EQ(lines_of(folder.write("plain", text)), expected);
  EXPECT_EQ(lines_of(folder.write_gz("packed", text)), expected);
  EXPECT_EQ(lines_of(folder.write("bz2", bzip2(text))), expected);
  // Members in a row are one text, as with `cat a.gz b.gz`.
  const std::string two =
      Folder::gzip(text.substr(0, 1234567)) + Folder::gzip("") + Folder::gzip(text.substr(1234567));
  EXPECT_EQ(lines_of(folder.write("members", two)), expected);
}

TEST(LineReader, DamageIsNamed) {
  const Folder folder;
  std::string text;
  for (int i = 0; i < 50'000; ++i) text += "line " + std::to_string(i * 7919) + "\n";
  const std::string packed = Folder::gzip(text);
  EXPECT_TRUE(contains(complaint_of(folder.write("cut", packed.substr(0, packed.size() / 2))),
                       "ends in the middle of its compressed text, after line"));
  EXPECT_TRUE(contains(complaint_of(folder.write("cut", packed.substr(0, packed.size() - 3))),
                       "ends in the middle of its compressed text, after line 50000"));
  std::string damaged = packed;
  damaged[damaged.size() - 6] ^= 1;  // the checksum
  EXPECT_TRUE(contains(complaint_of(folder.write("bz2", bzip2(text) + "and more")),
                       "is not valid bzip2 after line 50000 (something else follows"));
  EXPECT_TRUE(contains(complaint_of(folder.write("crc", damaged)), "is not valid gzip"));
  EXPECT_TRUE(
      contains(complaint_of(folder.write("tail", packed + "and more")), "is not valid gzip"));
  EXPECT_TRUE(contains(complaint_of(folder.write("long", std::string((1 << 24) + (1 << 21), 'x'))),
                       "line 1: is longer than 16 MiB"));
  // A gigabyte of zeros in a megabyte: memory stays small, the line is refused.
  EXPECT_TRUE(contains(complaint_of(folder.write_gz("bomb", std::string(200 << 20, '0'))),
                       "line 1: is longer than 16 MiB"));
  EXPECT_TRUE(contains(complaint_of(folder.root() / "none"), "there is no such file"));
}

TEST(LineReader, TellsHowFarItIs) {
  const Folder folder;
  const auto path = folder.write("a", std::string(5 << 20, '\n'));
  std::vector<std::uint64_t> told;
  LineReader reader(path, [&](std::uint64_t done, std::uint64_t size) {
    EXPECT_EQ(size, 5u << 20);
    told.push_back(done);
  });
  std::string_view line;
  while (reader.next(line)) {
  }
  ASSERT_FALSE(told.empty());
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  EXPECT_EQ(told.back(), 5u << 20);
}

}  // namespace
}  // namespace cupel::test
