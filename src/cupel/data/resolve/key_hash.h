// Keys of blocks.
#pragma once

#include <cstdint>
#include <string_view>

namespace cupel {

// Of texts in their order, and of which kind of key it is. The same in every run.
class KeyHash {
 public:
  explicit KeyHash(char kind) { add(std::string_view(&kind, 1)); }
  KeyHash& add(std::string_view text) {
    for (const char c : text) hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return *this;
  }
  // Ends a text, so that ("ab", "c") and ("a", "bc") differ.
  KeyHash& next() { return add(std::string_view("\0", 1)); }
  [[nodiscard]] std::uint64_t value() const {
    std::uint64_t x = hash_;
    x ^= x >> 33, x *= 0xff51afd7ed558ccdu;
    return x ^ (x >> 33);
  }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

}  // namespace cupel
