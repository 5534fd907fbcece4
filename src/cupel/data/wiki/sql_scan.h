// The scanning that reading a dump spends its time on, many bytes at a time. All of it reads up to
// kScanAhead bytes beyond what it looks for.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace cupel {

inline constexpr std::size_t kScanAhead = 32;

namespace sql_scan {

inline constexpr std::uint64_t kOnes = 0x0101010101010101, kHighs = 0x8080808080808080;

inline std::uint64_t load(const char* at) {
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return word;
}

// High bits of bytes that are zero; those above the lowest such byte mean nothing.
inline std::uint64_t zeros(std::uint64_t word) { return (word - kOnes) & ~word & kHighs; }

// How many digits a word begins with, 0..8, and their number.
inline int leading_digits(std::uint64_t word, std::uint64_t& number) {
  const std::uint64_t digits = word ^ (kOnes * '0');
  const std::uint64_t others = ((digits + kOnes * 0x76) | digits) & kHighs;
  const int count = others == 0 ? 8 : std::countr_zero(others) / 8;
  // In front of the digits go zeros; then neighbours are joined: 2, 4, 8 digits.
  std::uint64_t all = count == 0 ? 0 : digits << (64 - 8 * count);
  all = all * 10 + (all >> 8);
  number = ((all & 0x000000FF000000FF) * 0x000F424000000064 +
            ((all >> 16) & 0x000000FF000000FF) * 0x0000271000000001) >>
           32;
  return count;
}

}  // namespace sql_scan

// The first ' or \ behind a part of a string, and whether all bytes of that part are ASCII.
struct StringPart {
  const char* stop;
  bool ascii;
};

// From `at` on; there must be one.
inline StringPart scan_string_by_words(const char* at) {
  using namespace sql_scan;
  std::uint64_t seen = 0;
  for (;; at += 8) {
    const std::uint64_t word = load(at);
    const std::uint64_t found = zeros(word ^ (kOnes * '\'')) | zeros(word ^ (kOnes * '\\'));
    if (found != 0) {
      const std::uint64_t before = (found & (0 - found)) - 1;  // bits below the first that is found
      return {at + std::countr_zero(found) / 8, ((seen | (word & before >> 7)) & kHighs) == 0};
    }
    seen |= word;
  }
}

#if defined(__SSE2__)
// Most titles have no more than 32 bytes, and take one round without a branch on their length.
inline StringPart scan_string(const char* at) {
  const __m128i quote = _mm_set1_epi8('\''), backslash = _mm_set1_epi8('\\');
  const auto stops = [&](__m128i text) {
    const __m128i found =
        _mm_or_si128(_mm_cmpeq_epi8(text, quote), _mm_cmpeq_epi8(text, backslash));
    return static_cast<std::uint32_t>(_mm_movemask_epi8(found));
  };
  std::uint32_t seen = 0;
  for (;; at += 32) {
    const __m128i low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i high = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + 16));
    const std::uint32_t found = stops(low) | stops(high) << 16;
    const std::uint32_t beyond_ascii = static_cast<std::uint32_t>(_mm_movemask_epi8(low)) |
                                       static_cast<std::uint32_t>(_mm_movemask_epi8(high)) << 16;
    if (found != 0) {
      const std::uint32_t before = (found & (0 - found)) - 1;
      return {at + std::countr_zero(found), (seen | (beyond_ascii & before)) == 0};
    }
    seen |= beyond_ascii;
  }
}
#else
inline StringPart scan_string(const char* at) { return scan_string_by_words(at); }
#endif

// Behind the digits at `at`, of which there is one; of 16 digits and more, a place among them.
inline const char* read_digits(const char* at, std::int64_t& value) {
  using namespace sql_scan;
  std::uint64_t number = 0;
  int count = leading_digits(load(at), number);
  if (count == 8) {
    static constexpr std::uint64_t kTens[] = {1,      10,      100,      1000,     10000,
                                              100000, 1000000, 10000000, 100000000};
    std::uint64_t more = 0;
    const int further = leading_digits(load(at + 8), more);
    number = number * kTens[further] + more;
    count += further;
  }
  value = static_cast<std::int64_t>(number);
  return at + count;
}

// These rewrite a text where it stands and return its new size, which is not larger.
//
// MySQL's escapes (its manual, "String Literals"): \0 \b \n \r \t \Z; \% and \_ stay as they are;
// any other character stands for itself; '' is a quote.
std::size_t decode_escapes(char* text, std::size_t size);
// Pairs of hexadecimal digits; `size` is even.
std::size_t decode_hex(char* text, std::size_t size);

}  // namespace cupel
