#include "cupel/data/formats/bzip2_magic.h"

#include <algorithm>
#include <cstring>

namespace cupel {
namespace {

constexpr std::size_t kOverlap = 6;  // 48 bits that do not lie in what came before begin in these
constexpr std::size_t kBuffer = 4096;

// The 8 bytes at `data`, the first of them highest.
std::uint64_t big_endian(const unsigned char* data) {
  std::uint64_t word = 0;
  std::memcpy(&word, data, sizeof word);
  return __builtin_bswap64(word);
}

}  // namespace

Bzip2BlockFinder::Bzip2BlockFinder() : place_of_(std::size_t{1} << 16) {
  for (int place = 0; place <= 32; ++place)
    place_of_[(kBzip2Block >> (32 - place)) & 0xffff] = static_cast<std::uint8_t>(place + 1);
}

// Wherever the 48 bits begin, they cover five whole bytes, and so one of any four neighbouring
// pairs of bytes: every fourth pair is looked at. All 33 pairs that can be are different.
void Bzip2BlockFinder::find(const unsigned char* data, std::size_t size,
                            std::vector<std::uint64_t>& bits) {
  joined_.insert(joined_.end(), data, data + size);
  const std::size_t given = joined_.size();
  joined_.resize(given + 8);  // so that 8 bytes can be read from any of them
  const std::uint64_t end = 8 * (before_ + given);
  for (std::size_t i = 0; i + 1 < given; i += 4) {
    const int place = place_of_[static_cast<std::size_t>(joined_[i] << 8 | joined_[i + 1])] - 1;
    if (place < 0) continue;
    const std::uint64_t pair = 8 * i;
    if (pair < static_cast<std::uint64_t>(place)) continue;
    const std::uint64_t at = pair - static_cast<std::uint64_t>(place);
    const std::uint64_t word = big_endian(joined_.data() + at / 8) << (at % 8) >> 16;
    const std::uint64_t bit = 8 * before_ + at;
    if (word != kBzip2Block || bit + 48 > end || bit < least_) continue;
    bits.push_back(bit);
    least_ = bit + 1;
  }
  const std::size_t kept = std::min(given, kOverlap);
  before_ += given - kept;
  joined_.assign(joined_.begin() + static_cast<std::ptrdiff_t>(given - kept),
                 joined_.begin() + static_cast<std::ptrdiff_t>(given));
}

std::uint64_t FileBits::at(std::uint64_t bit, int count) {
  const std::uint64_t byte = bit / 8;
  if (byte < begin_ || byte + 8 > begin_ + buffer_.size()) {
    const std::uint64_t there = byte < file_.size() ? file_.size() - byte : 0;
    buffer_.assign(kBuffer, 0);
    begin_ = byte;
    file_.read(byte, buffer_.data(), std::min<std::uint64_t>(kBuffer, there));
  }
  return big_endian(buffer_.data() + (byte - begin_)) << (bit % 8) >> (64 - count);
}

}  // namespace cupel
