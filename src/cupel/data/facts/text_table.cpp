#include "cupel/data/facts/text_table.h"

#include <cstring>
#include <limits>
#include <random>

#include "cupel/base/error.h"

namespace cupel {
namespace {

std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

}  // namespace

Index TextTable::add(std::string_view text) {
  if (ends_.size() >= std::numeric_limits<Index>::max())
    fail("more than {} names cannot be kept; cut the data into parts",
         std::numeric_limits<Index>::max());
  bytes_ += text;
  ends_.push_back(bytes_.size());
  return static_cast<Index>(ends_.size() - 1);
}

TextIds::TextIds() : slots_(16, -1) {
  static const std::uint64_t secret = [] {
    std::random_device random;
    return (std::uint64_t{random()} << 32) ^ random();
  }();
  secret_[0] = secret | 1;
  secret_[1] = (secret >> 7) ^ 0x9e3779b97f4a7c15u;
}

std::uint64_t TextIds::hash(std::string_view text) const {
  std::uint64_t out = secret_[1] ^ text.size();
  for (std::size_t at = 0; at < text.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, std::min<std::size_t>(8, text.size() - at));
    out = fold(out ^ word ^ secret_[0], 0xa0761d6478bd642fu ^ secret_[1]);
  }
  return fold(out ^ secret_[0], 0xe7037ed1a0b428dbu);
}

std::size_t TextIds::slot(std::string_view text) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash(text) & mask;
  while (slots_[at] >= 0 && texts_[slots_[at]] != text) at = (at + 1) & mask;
  return at;
}

void TextIds::widen() {
  slots_.assign(slots_.size() * 2, -1);
  for (Index i = 0; i < texts_.size(); ++i) slots_[slot(texts_[i])] = i;
}

Index TextIds::id(std::string_view text) {
  std::size_t at = slot(text);
  if (slots_[at] >= 0) return slots_[at];
  if (2 * static_cast<std::size_t>(texts_.size()) >= slots_.size()) {
    widen();
    at = slot(text);
  }
  return slots_[at] = texts_.add(text);
}

Index TextIds::find(std::string_view text) const { return slots_[slot(text)]; }

}  // namespace cupel
