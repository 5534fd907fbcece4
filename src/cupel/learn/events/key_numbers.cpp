#include "cupel/learn/events/key_numbers.h"

#include <algorithm>
#include <array>
#include <limits>
#include <random>

#include "cupel/base/error.h"

namespace cupel {
namespace {

constexpr std::size_t kFirstPlaces = 16;
constexpr std::size_t kUnderWay = 32;  // keys whose places are fetched at once

std::uint64_t drawn_once() {
  static const std::uint64_t salt = [] {
    std::random_device device;
    return std::uint64_t{device()} << 32 | device();
  }();
  return salt;
}

}  // namespace

KeyNumbers::KeyNumbers() : keys_(kFirstPlaces, kNoKey), numbers_(kFirstPlaces), shift_(64 - 4) {}

// The finaliser of MurmurHash3, of which the upper bits say the place.
std::size_t KeyNumbers::home(std::uint64_t key) const {
  static const std::uint64_t salt = drawn_once();
  std::uint64_t h = key ^ salt;
  h = (h ^ (h >> 33)) * 0xff51afd7ed558ccdu;
  h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53u;
  return static_cast<std::size_t>(h >> shift_);
}

void KeyNumbers::clear() {
  if (size_ == 0) return;
  std::ranges::fill(keys_, kNoKey);
  size_ = 0;
}

void KeyNumbers::grow() {
  AlignedVector<std::uint64_t> keys(keys_.size() * 2, kNoKey);
  AlignedVector<Index> numbers(keys.size());
  keys.swap(keys_);
  numbers.swap(numbers_);
  --shift_;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i] == kNoKey) continue;
    const std::size_t at = place_of(keys[i], home(keys[i]));
    keys_[at] = keys[i];
    numbers_[at] = numbers[i];
  }
}

std::pair<Index, bool> KeyNumbers::insert(std::uint64_t key) {
  std::size_t at = place_of(key, home(key));
  if (keys_[at] == key) return {numbers_[at], false};
  if (size_ == std::numeric_limits<Index>::max())
    fail("there are more than {} different facts, which is the most that is remembered", size_);
  if ((static_cast<std::size_t>(size_) + 1) * 3 > keys_.size() * 2) {
    grow();
    at = place_of(key, home(key));
  }
  keys_[at] = key;
  numbers_[at] = size_;
  return {size_++, true};
}

Index KeyNumbers::find(std::uint64_t key) const {
  const std::size_t at = place_of(key, home(key));
  return keys_[at] == key ? numbers_[at] : kNone;
}

template <class Take>
void KeyNumbers::each_group(std::span<const std::uint64_t> keys, const Take& take) const {
  std::array<std::size_t, kUnderWay> at;
  for (std::size_t begin = 0; begin < keys.size(); begin += kUnderWay) {
    const std::size_t n = std::min(kUnderWay, keys.size() - begin);
    for (std::size_t i = 0; i < n; ++i) {
      at[i] = home(keys[begin + i]);
      __builtin_prefetch(&keys_[at[i]]);
    }
    take(begin, std::span(at).first(n));
  }
}

void KeyNumbers::find_all(std::span<const std::uint64_t> keys, std::span<Index> numbers) const {
  each_group(keys, [&](std::size_t begin, std::span<std::size_t> at) {
    for (std::size_t i = 0; i < at.size(); ++i) {
      at[i] = place_of(keys[begin + i], at[i]);
      __builtin_prefetch(&numbers_[at[i]]);
    }
    for (std::size_t i = 0; i < at.size(); ++i)
      numbers[begin + i] = keys_[at[i]] == kNoKey ? kNone : numbers_[at[i]];
  });
}

void KeyNumbers::has_all(std::span<const std::uint64_t> keys, std::span<std::uint8_t> has) const {
  each_group(keys, [&](std::size_t begin, std::span<std::size_t> at) {
    for (std::size_t i = 0; i < at.size(); ++i)
      has[begin + i] = keys_[place_of(keys[begin + i], at[i])] != kNoKey;
  });
}

}  // namespace cupel
