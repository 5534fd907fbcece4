#include "cupel/data/text/letter_parts.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>

namespace cupel {
namespace {

using Parts = LetterParts;
struct ClassRun {
  char32_t first, last;
  std::uint8_t value;
};

#include "cupel/data/text/normal_form_tables.inc"

constexpr char32_t kFirstMark = 0x300;

}  // namespace

std::span<const LetterParts> letter_parts() { return kParts; }

const LetterParts* letter_parts_of(char32_t code) {
  static const std::unordered_map<char32_t, const LetterParts*> all = [] {
    std::unordered_map<char32_t, const LetterParts*> out;
    for (const LetterParts& one : kParts) out.emplace(one.whole, &one);
    return out;
  }();
  const auto found = all.find(code);
  return found == all.end() ? nullptr : found->second;
}

std::uint8_t combining_class(char32_t code) {
  if (code < kFirstMark) return 0;
  const auto* const found =
      std::upper_bound(std::begin(kClassRuns), std::end(kClassRuns), code,
                       [](char32_t wanted, const ClassRun& run) { return wanted < run.first; });
  if (found == std::begin(kClassRuns)) return 0;
  const ClassRun& run = *(found - 1);
  return code <= run.last ? run.value : 0;
}

}  // namespace cupel
