#include "cupel/base/hash.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cupel/base/error.h"

namespace cupel {
namespace {

TEST(Sha256, KnownAnswers) {  // FIPS 180-2, appendix B
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST(Sha256, PiecesEqualTheWhole) {
  Hasher pieces;
  for (const char c : std::string("abc")) pieces.bytes(&c, 1);
  EXPECT_EQ(pieces.hex(), sha256("abc"));
}

TEST(Hasher, FieldsDoNotRunTogether) {
  EXPECT_NE(Hasher().field("ab").field("c").hex(), Hasher().field("a").field("bc").hex());
}

TEST(Sha256File, EqualsTheBytes) {
  const auto path = std::filesystem::temp_directory_path() / "cupel_hash_test";
  const std::string bytes(700'000, 'x');  // more than one read
  std::ofstream(path, std::ios::binary) << bytes;
  EXPECT_EQ(sha256_file(path), sha256(bytes));
  std::filesystem::remove(path);
  EXPECT_THROW((void)sha256_file(path), Error);
}

}  // namespace
}  // namespace cupel
