// bzip2 as libbz2 writes and reads it, and blocks with any bits wanted within them.
#pragma once

#include <bzlib.h>

#include <bitset>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace cupel::test {

inline std::string bzip2(std::string text, int level = 9) {
  std::string out(text.size() + text.size() / 50 + 700, '\0');
  auto size = static_cast<unsigned>(out.size());
  if (BZ2_bzBuffToBuffCompress(out.data(), &size, text.data(), static_cast<unsigned>(text.size()),
                               level, 0, 0) != BZ_OK)
    throw std::runtime_error("libbz2 does not compress");
  out.resize(size);
  return out;
}

// All streams of `packed`, one after the other; nothing if libbz2 complains, if they are cut off or
// something else follows, or if there are more than `most` bytes.
inline std::optional<std::string> bunzip2(std::string packed, std::size_t most = 1 << 28) {
  std::string text;
  std::size_t at = 0;
  while (at < packed.size()) {
    bz_stream stream{};
    BZ2_bzDecompressInit(&stream, 0, 0);
    stream.next_in = packed.data() + at;
    stream.avail_in = static_cast<unsigned>(packed.size() - at);
    int status = BZ_OK;
    std::vector<char> piece(1 << 16);
    while (status == BZ_OK) {
      stream.next_out = piece.data();
      stream.avail_out = static_cast<unsigned>(piece.size());
      status = BZ2_bzDecompress(&stream);
      text.append(piece.data(), piece.size() - stream.avail_out);
      if (text.size() > most) status = BZ_OUTBUFF_FULL;
      if (status == BZ_OK && stream.avail_out > 0 && stream.avail_in == 0) status = BZ_DATA_ERROR;
    }
    at = packed.size() - stream.avail_in;
    BZ2_bzDecompressEnd(&stream);
    if (status != BZ_STREAM_END) return {};
  }
  return text;
}

// What a file is made of bit by bit, as '0' and '1'.
using Bits = std::string;

inline Bits bits_of(std::uint64_t value, int count) {
  return std::bitset<64>(value).to_string().substr(static_cast<std::size_t>(64 - count));
}

inline std::string bytes_of(Bits bits) {
  bits.resize((bits.size() + 7) / 8 * 8, '0');
  std::string out;
  for (std::size_t i = 0; i < bits.size(); i += 8)
    out += static_cast<char>(std::bitset<8>(bits, i, 8).to_ulong());
  return out;
}

inline constexpr std::uint64_t kMagicOfBlock = 0x314159265359, kMagicOfEnd = 0x177245385090;

inline std::uint32_t bzip2_checksum(const std::string& text) {
  std::uint32_t sum = 0xffffffff;
  for (const char c : text) {
    sum ^= static_cast<std::uint32_t>(static_cast<unsigned char>(c)) << 24;
    for (int i = 0; i < 8; ++i) sum = sum << 1 ^ (sum >> 31 ? 0x04c11db7u : 0u);
  }
  return ~sum;
}

struct MadeBlock {
  Bits bits;
  std::string text;
  std::uint32_t checksum = 0;
};

// A block of the first `longest` letters among whose codes `wanted` stands, bit for bit, which must
// not have `longest` ones in a row. Codes: 00 and 01 lengthen a run; 10, 110, 1110, ... are
// letters; `longest` ones, from 3 to 20, are the end. `first` is the text's row among its sorted
// rotations.
inline MadeBlock block_with(Bits wanted, int longest = 20, std::size_t first = 0) {
  std::vector<int> symbols;
  for (std::size_t i = 0; i < wanted.size();) {
    int ones = 0;
    while (i < wanted.size() && wanted[i] == '1') ++ones, ++i;
    if (ones >= longest) throw std::logic_error("so many ones are the end of the block");
    if (i == wanted.size()) wanted += '0';
    ++i;  // the zero
    if (ones > 0) {
      symbols.push_back(ones + 1);
      continue;
    }
    if (i == wanted.size()) wanted += '0';
    symbols.push_back(wanted[i++] - '0');
  }
  // Runs and move-to-front, backwards.
  const std::string letters =
      std::string("abcdefghijklmnopqrst").substr(0, static_cast<std::size_t>(longest));
  std::string order = letters, last;
  for (std::size_t i = 0; i < symbols.size();) {
    std::size_t run = 0;
    for (std::size_t weight = 1; i < symbols.size() && symbols[i] < 2; ++i, weight *= 2)
      run += weight * static_cast<std::size_t>(symbols[i] + 1);
    if (run > 20'000) throw std::logic_error("so many zeros are a long run");
    last.append(run, order[0]);
    if (i == symbols.size()) break;
    const auto place = static_cast<std::size_t>(symbols[i++] - 1);
    const char letter = order[place];
    order.erase(place, 1);
    order.insert(order.begin(), letter);
    last += letter;
  }
  // Sorting, backwards.
  std::vector<std::size_t> next;
  for (const char letter : letters)
    for (std::size_t i = 0; i < last.size(); ++i)
      if (last[i] == letter) next.push_back(i);
  MadeBlock out;
  std::size_t row = next.at(first);
  int same = 0;
  for (std::size_t i = 0; i < last.size(); ++i, row = next[row]) {
    const char letter = last[row];
    if (same == 4) {
      out.text.append(static_cast<std::size_t>(letter), out.text.back());
      same = 0;
      continue;
    }
    same = i > 0 && same > 0 && out.text.back() == letter ? same + 1 : 1;
    out.text += letter;
  }
  out.checksum = bzip2_checksum(out.text);
  // Letters are in the groups of 16 from 0x60 and from 0x70.
  const Bits used = "0" + Bits(letters.size(), '1') + Bits(31 - letters.size(), '0');
  const bool second = letters.size() > 15;
  out.bits = bits_of(kMagicOfBlock, 48) + bits_of(out.checksum, 32) + "0" + bits_of(first, 24) +
             bits_of(second ? 0x0300 : 0x0200, 16) + used.substr(0, second ? 32 : 16);
  const std::size_t selectors = symbols.size() / 50 + 1;
  out.bits += bits_of(2, 3) + bits_of(selectors, 15) + Bits(selectors, '0');
  for (int table = 0; table < 2; ++table) {
    out.bits += bits_of(2, 5) + "000";  // 2, 2, 2 bits
    for (int length = 3; length <= longest; ++length) out.bits += "100";
    out.bits += "0";  // the longest twice
  }
  out.bits += wanted + Bits(static_cast<std::size_t>(longest), '1');
  return out;
}

// A stream of blocks made so.
inline std::string stream_of(const std::vector<MadeBlock>& blocks, int level = 9) {
  Bits bits;
  for (const char c : {'B', 'Z', 'h', static_cast<char>('0' + level)})
    bits += bits_of(static_cast<unsigned char>(c), 8);
  std::uint32_t sum = 0;
  for (const MadeBlock& block : blocks) {
    bits += block.bits;
    sum = (sum << 1 | sum >> 31) ^ block.checksum;
  }
  return bytes_of(bits + bits_of(kMagicOfEnd, 48) + bits_of(sum, 32));
}

}  // namespace cupel::test
