// Zip archives: what is written can be read, and every lie is told apart with a sentence.
#include "cupel/data/formats/zip.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include "cupel/base/random.h"
#include "cupel/data/formats/zip_writer.h"
#include "data/formats/made_files.h"

namespace cupel {
namespace {

using cupel::error_of;
using made::expect_error;

std::span<const std::byte> bytes(const std::string& text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

std::string unpack(const ZipArchive& archive, const std::string& name, std::size_t piece = 1000) {
  const ZipMember* member = archive.find(name);
  if (member == nullptr) fail("no member {}", name);
  ZipStream stream = archive.open(*member);
  std::string out;
  while (stream.remaining() > 0) {
    const std::size_t size = std::min<std::uint64_t>(piece, stream.remaining());
    out.resize(out.size() + size);
    stream.read(out.data() + out.size() - size, size);
  }
  return out;
}

std::string noise(std::size_t size) {
  Stream random({1, 2}, 3);
  std::string out(size, '\0');
  for (char& c : out) c = static_cast<char>(random.next_u32());
  return out;
}

void put(std::string& text, std::size_t at, std::uint64_t value, int size) {
  for (int i = 0; i < size; ++i) text[at + i] = static_cast<char>(value >> (8 * i) & 0xff);
}

// One stored and one deflated member, and where their records are.
class Archive : public testing::Test {
 protected:
  void SetUp() override {
    ZipWriter writer(path_);
    writer.add("plain", bytes(plain_), false);
    writer.add("packed", bytes(packed_), true);
    writer.finish();
    content_ = made::file_content(path_);
    first_entry_ = content_.find("PK\1\2");
    second_entry_ = content_.find("PK\1\2", first_entry_ + 4);
    end_ = content_.find("PK\5\6");
  }
  void write() { made::write_file(path_, content_); }
  // The message on reading both members.
  std::string message() {
    write();
    return error_of([&] {
      const ZipArchive archive(path_);
      for (const ZipMember& m : archive.members()) (void)unpack(archive, m.name);
    });
  }
  void expect_message(const std::string& piece) {
    const std::string text = message();
    EXPECT_NE(text.find(piece), std::string::npos) << "'" << piece << "' is not in: " << text;
    EXPECT_NE(text.find(path_.string()), std::string::npos) << text;
  }

  const made::Folder folder_;
  const std::filesystem::path path_ = folder_ / "made.zip";
  const std::string plain_ = noise(500), packed_ = std::string(3000, 'x') + noise(100);
  std::string content_;
  std::size_t first_entry_ = 0, second_entry_ = 0, end_ = 0;
};

TEST_F(Archive, WhatIsWrittenIsRead) {
  const ZipArchive archive(path_);
  ASSERT_EQ(archive.members().size(), 2u);
  EXPECT_EQ(archive.members()[0].method, 0);
  EXPECT_EQ(archive.members()[1].method, 8);
  for (const std::size_t piece : {1u, 7u, 100000u}) {
    EXPECT_EQ(unpack(archive, "plain", piece), plain_);
    EXPECT_EQ(unpack(archive, "packed", piece), packed_);
  }
  EXPECT_EQ(archive.find("other"), nullptr);
}

TEST_F(Archive, LargeAndEmptyMembers) {
  const std::string large = noise(700000) + std::string(5 << 20, 'a');
  ZipWriter writer(path_);
  writer.add("large", bytes(large));
  writer.add("empty", bytes(""));
  writer.add("noise", bytes(plain_));
  writer.finish();
  const ZipArchive archive(path_);
  EXPECT_EQ(unpack(archive, "large", 123457), large);
  EXPECT_EQ(unpack(archive, "empty"), "");
  EXPECT_EQ(archive.find("noise")->method, 0) << "deflating would make it larger";
}

TEST_F(Archive, BytesDependOnContentAlone) {
  const auto again = folder_ / "again.zip";
  ZipWriter writer(again);
  writer.add("plain", bytes(plain_), false);
  writer.add("packed", bytes(packed_), true);
  writer.finish();
  EXPECT_EQ(made::file_content(again), content_);
}

TEST_F(Archive, AnUnfinishedWriterLeavesTheOldFileAndNothingElse) {
  {
    ZipWriter writer(path_);
    writer.add("other", bytes("x"));
  }
  EXPECT_EQ(made::file_content(path_), content_);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 1);
}

TEST_F(Archive, EveryTruncationIsAnError) {
  const std::string whole = content_;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    content_ = whole.substr(0, size);
    ASSERT_NE(message(), "") << size << " of " << whole.size();
  }
}

TEST_F(Archive, ADamagedByteOfDataIsFoundByTheChecksum) {
  content_[35 + 200] ^= 1;
  expect_message("member 'plain' has checksum");
}

TEST_F(Archive, AClaimOfTenGigabytesFailsBeforeAnythingIsUnpacked) {
  // zip64 sizes in the directory entry of the deflated member.
  const std::string field = {'\1', '\0', '\x08', '\0', 0, 0, 0, '\x80', 2, 0, 0, 0};  // 10 GiB
  put(content_, second_entry_ + 24, 0xffffffff, 4);
  put(content_, second_entry_ + 30, field.size(), 2);
  content_.insert(second_entry_ + 46 + 6, field);
  put(content_, end_ + field.size() + 12, end_ - first_entry_ + field.size(), 4);
  expect_message("member 'packed' claims 10737418240 bytes, which its");
}

TEST_F(Archive, Zip64SizesThatAreTrueAreRead) {
  std::string field = {'\1', '\0', '\x18', '\0'};
  for (const std::size_t value :
       {packed_.size(), content_.find("PK\1\2") - content_.find("PK\3\4", 1) - 36,
        std::size_t{0}}) {
    field.append(8, '\0');
    put(field, field.size() - 8, value, 8);
  }
  put(field, 20, content_.find("PK\3\4", 1), 8);
  put(content_, second_entry_ + 20, 0xffffffff, 4);
  put(content_, second_entry_ + 24, 0xffffffff, 4);
  put(content_, second_entry_ + 42, 0xffffffff, 4);
  put(content_, second_entry_ + 30, field.size(), 2);
  content_.insert(second_entry_ + 46 + 6, field);
  // The zip64 end record and its locator, and an end record that points to them.
  const std::size_t directory_end = end_ + field.size();
  std::string end64(56 + 20, '\0');
  put(end64, 0, 0x06064b50, 4), put(end64, 4, 44, 8);
  put(end64, 24, 2, 8), put(end64, 32, 2, 8);
  put(end64, 40, directory_end - first_entry_, 8), put(end64, 48, first_entry_, 8);
  put(end64, 56, 0x07064b50, 4), put(end64, 64, directory_end, 8), put(end64, 72, 1, 4);
  content_.insert(directory_end, end64);
  const std::size_t end = directory_end + end64.size();
  put(content_, end + 8, 0xffff, 2), put(content_, end + 10, 0xffff, 2);
  put(content_, end + 12, 0xffffffff, 4), put(content_, end + 16, 0xffffffff, 4);
  write();
  const ZipArchive archive(path_);
  EXPECT_EQ(unpack(archive, "packed"), packed_);
  EXPECT_EQ(unpack(archive, "plain"), plain_);
}

// As PyTorch writes it: a zip64 end record where none is needed.
TEST_F(Archive, AZip64EndRecordMayBeThereForNothing) {
  std::string end64(56 + 20, '\0');
  put(end64, 0, 0x06064b50, 4), put(end64, 4, 44, 8);
  put(end64, 24, 2, 8), put(end64, 32, 2, 8);
  put(end64, 40, end_ - first_entry_, 8), put(end64, 48, first_entry_, 8);
  put(end64, 56, 0x07064b50, 4), put(end64, 64, end_, 8), put(end64, 72, 1, 4);
  content_.insert(end_, end64);
  write();
  EXPECT_EQ(unpack(ZipArchive(path_), "packed"), packed_);
  put(content_, end_ + 32, 1, 8), put(content_, end_ + 24, 1, 8);
  expect_message("its two end records contradict each other");
}

TEST_F(Archive, SizesThatLie) {
  const std::string whole = content_;
  put(content_, second_entry_ + 24, packed_.size() - 1, 4);
  expect_message("unpacks to more than the 3099 bytes");
  content_ = whole;
  put(content_, second_entry_ + 24, packed_.size() + 1, 4);
  expect_message("unpacks to 3100 bytes where the archive claims 3101");
  content_ = whole;
  put(content_, first_entry_ + 24, plain_.size() + 1, 4);
  expect_message("cannot hold");
  content_ = whole;
  put(content_, second_entry_ + 20, 1 << 20, 4);
  expect_message("more than the archive has");
  content_ = whole;
  put(content_, first_entry_ + 20, plain_.size() + 50, 4);
  put(content_, first_entry_ + 24, plain_.size() + 50, 4);
  expect_message("overlaps");
}

TEST_F(Archive, OffsetsThatLie) {
  const std::string whole = content_;
  put(content_, second_entry_ + 42, 0, 4);
  expect_message("overlaps");
  content_ = whole;
  put(content_, second_entry_ + 42, 0x7fffffff, 4);
  expect_message("outside the archive");
  content_ = whole;
  put(content_, second_entry_ + 42, content_.find("PK\3\4", 1) + 1, 4);
  expect_message("is damaged");
  content_ = whole;
  put(content_, end_ + 16, 5, 4);
  expect_message("which is not where the archive ends");
  content_ = whole;
  put(content_, end_ + 8, 60000, 2);
  put(content_, end_ + 10, 60000, 2);
  expect_message("claims 60000 members");
}

TEST_F(Archive, WhatIsNotSupportedIsNamed) {
  const std::string whole = content_;
  put(content_, first_entry_ + 8, 1, 2);
  expect_message("member 'plain' is encrypted");
  content_ = whole;
  put(content_, first_entry_ + 10, 12, 2);
  expect_message("is packed with bzip2");
  content_ = whole;
  put(content_, first_entry_ + 10, 77, 2);
  expect_message("is packed with number 77");
  content_ = whole;
  put(content_, end_ + 4, 1, 2);
  expect_message("divided archive");
}

TEST_F(Archive, NamesThatDisagreeOrRepeat) {
  const std::string whole = content_;
  content_[second_entry_ + 46] = 'P';
  expect_message("the directory calls a member 'Packed' that calls itself 'packed'");
  content_ = whole;
  content_.replace(second_entry_ + 46, 6, "plain\1");
  expect_message("'plain\\x01'");
}

TEST(ZipFiles, WhatIsNoFileIsNamed) {
  const made::Folder folder;
  expect_error([&] { ZipArchive(folder / "none.zip"); }, {"none.zip", "no such file"});
  expect_error([&] { ZipArchive(folder.path()); }, {"not a regular file"});
  made::write_file(folder / "text.zip", std::string(100, 'x'));
  expect_error([&] { ZipArchive(folder / "text.zip"); }, {"no end record"});
  expect_error([&] { ZipWriter(folder / "no" / "such.zip"); }, {"such.zip", "cannot be created"});
}

// 1000 members of zeros that deflate to almost nothing are as many bytes as they truly are, and no
// more is held at a time than the caller asks for.
TEST(ZipFiles, AStreamHoldsNoMoreThanIsAskedFor) {
  const made::Folder folder;
  const std::string zeros(64 << 20, '\0');
  ZipWriter writer(folder / "bomb.zip");
  writer.add("zeros", bytes(zeros));
  writer.finish();
  EXPECT_LT(std::filesystem::file_size(folder / "bomb.zip"), 100000u);
  const ZipArchive archive(folder / "bomb.zip");
  ZipStream stream = archive.open(archive.members()[0]);
  std::vector<char> piece(1 << 20);
  std::uint64_t total = 0;
  while (stream.remaining() > 0) {
    stream.read(piece.data(), piece.size());
    total += piece.size();
  }
  EXPECT_EQ(total, zeros.size());
}

}  // namespace
}  // namespace cupel
