// Numbers and texts as JSON. Digits are those of Python's repr() and of NumPy's float32.
#include "cupel/data/formats/json_pieces.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "cupel/base/random.h"

namespace cupel {
namespace {

template <class Real>
std::string written(Real value) {
  std::string out;
  append_json_number(out, value);
  return out;
}

std::string as_json(std::string_view text) {
  std::string out;
  append_json_text(out, text);
  return out;
}

TEST(JsonPieces, FloatsHaveTheirFewestDigits) {
  EXPECT_EQ(written(0.1f), "0.1");
  EXPECT_EQ(written(1.0f / 3), "0.33333334");
  EXPECT_EQ(written(0.0001f), "1e-04");
  EXPECT_EQ(written(1e-5f), "1e-05");
  EXPECT_EQ(written(2.5e-7f), "2.5e-07");
  EXPECT_EQ(written(16777216.0f), "16777216.0");
  EXPECT_EQ(written(1e16f), "1e+16");
  EXPECT_EQ(written(std::numeric_limits<float>::max()), "3.4028235e+38");
  EXPECT_EQ(written(std::numeric_limits<float>::denorm_min()), "1e-45");
  EXPECT_EQ(written(-0.0f), "-0.0");
  EXPECT_EQ(written(-12.0f), "-12.0");
}

TEST(JsonPieces, DoublesAreThoseOfPython) {
  EXPECT_EQ(written(0.010337668183746089), "0.010337668183746089");
  EXPECT_EQ(written(7.190018150411672e-05), "7.190018150411672e-05");
  EXPECT_EQ(written(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(written(1e22), "1e+22");
  EXPECT_EQ(written(123456789012345680.0), "1.2345678901234568e+17");
  EXPECT_EQ(written(9007199254740993.0), "9007199254740992.0");
  EXPECT_EQ(written(5e-324), "5e-324");
}

// Its seven digits lie half-way between two floats once they are a double.
TEST(JsonPieces, AFloatIsReadBackByWayOfADouble) {
  const auto value = std::bit_cast<float>(std::uint32_t{0x15ae43fd});
  EXPECT_NE(static_cast<float>(7.038531e-26), value) << "else this tests nothing";
  EXPECT_EQ(static_cast<float>(std::stod(written(value))), value);
  Stream random({11, 0x9503}, 1);
  for (int k = 0; k < 20'000; ++k) {
    const auto any = std::bit_cast<float>(random.next_below(0xffffffffu));
    if (!std::isfinite(any)) continue;
    const std::string text = written(any);
    double read = 0;
    ASSERT_EQ(std::from_chars(text.data(), text.data() + text.size(), read).ptr,
              text.data() + text.size());
    ASSERT_EQ(std::bit_cast<std::uint32_t>(static_cast<float>(read)),
              std::bit_cast<std::uint32_t>(any));
  }
}

TEST(JsonPieces, TextsAreEscapedWhereTheyMustBe) {
  EXPECT_EQ(as_json("a \"b\" \\ /é漢😀"), R"("a \"b\" \\ /é漢😀")");
  EXPECT_EQ(as_json("\n\t\r\b\x1f\x7f"), R"("\n\t\r\u0008\u001f\u007f")");
  EXPECT_EQ(as_json(std::string_view("\0", 1)), R"("\u0000")");
  EXPECT_EQ(as_json("a\u202eb\u2028"), R"("a\u202eb\u2028")") << "turns the order of letters";
  EXPECT_EQ(as_json("\U000E0041"), R"("\udb40\udc41")") << "a tag, which nobody sees";
  EXPECT_EQ(as_json("\xff"
                    "a\xc3"),
            "\"\uFFFDa\uFFFD\"");
  for (char32_t c = 0; c < 0x3000; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    const std::string text = nlohmann::json::parse(fmt::format("\"\\u{:04x}\"", +c));
    EXPECT_EQ(nlohmann::json::parse(as_json(text)).get<std::string>(), text);
  }
}

TEST(JsonPieces, ComesInPieces) {
  std::string all;
  std::size_t pieces = 0, longest = 0;
  const PutText put = [&](std::string_view piece) {
    all += piece;
    ++pieces;
    longest = std::max(longest, piece.size());
  };
  JsonPieces out(put);
  out.list(50'000, [&](std::size_t k) { out.number(static_cast<std::int64_t>(k)); });
  out.finish();
  EXPECT_EQ(nlohmann::json::parse(all)[49'999], 49'999);
  EXPECT_GT(pieces, 4u);
  EXPECT_LT(longest, 66'000u);
}

}  // namespace
}  // namespace cupel
