// The bytes of a pickle, taken from the front: numbers, lines and texts as its instructions have
// them.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace cupel {

// Refers to both. Every function throws Error naming `where` and the position of the instruction
// for what is cut off or malformed; nothing is allocated for a length that is only claimed.
class PickleBytes {
 public:
  PickleBytes(const std::string& where, const std::string& bytes) : where_(where), bytes_(bytes) {}

  std::size_t size() const { return bytes_.size(); }
  std::size_t start() const { return start_; }  // of the instruction that was taken last

  unsigned char instruction();
  std::string_view take(std::uint64_t size);
  std::uint64_t little(int size);  // little-endian, without a sign
  double big_endian_double();
  std::string_view line();                       // without its line feed
  std::int64_t long_number(std::uint64_t size);  // two's complement of any length
  std::string quoted_line();                     // a Python literal: 'it\'s\x00'
  std::string escaped_line();                    // Latin-1 with \uXXXX, as UTF-8
  template <class T>
  T number(std::string_view text) const;

  [[noreturn]] void damaged(std::string_view what) const;

 private:
  const std::string& where_;
  const std::string& bytes_;
  std::size_t at_ = 0, start_ = 0;
};

template <class T>
T PickleBytes::number(std::string_view text) const {
  T value{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size())
    damaged("there is no number that fits 64 bits");
  return value;
}

}  // namespace cupel
