#include "cupel/data/wiki/xml_characters.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/data/wiki/xml_characters.cpp"
#include "cupel/base/vector_targets.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace cupel::xml_characters::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR  // vectors of one byte hold no tables

bool AreXmlCharacters(const std::uint8_t* p, std::size_t size) {
  return first_fault({reinterpret_cast<const char*>(p), size}).at == size;
}

#else

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<std::uint8_t>;
using Bytes = hn::Vec<Tag>;

// What is wrong with two bytes in a row, a bit for each kind. Three tables are asked, by the first
// byte's upper and lower half and by the second's upper half; what all three agree on is wrong.
constexpr std::uint8_t kShort = 1,  // a lead, and no continuation behind it
    kLong = 2,                      // a continuation behind ASCII
    kLong3 = 4,                     // E0 and below A0: fewer bytes would do
    kTooLarge = 8,                  // above U+10FFFF
    kSurrogate = 16,                // ED and from A0
    kLong2 = 32,                    // C0, C1
    kLong4 = 64,                    // F0 and below 90; or F5 and more
    kTwo = 128;                     // two continuations: right where a longer character has them
constexpr std::uint8_t kAny = kShort | kLong | kTwo;

alignas(16) constexpr std::uint8_t kFirstHigh[16] = {kLong,
                                                     kLong,
                                                     kLong,
                                                     kLong,
                                                     kLong,
                                                     kLong,
                                                     kLong,
                                                     kLong,
                                                     kTwo,
                                                     kTwo,
                                                     kTwo,
                                                     kTwo,
                                                     kShort | kLong2,
                                                     kShort,
                                                     kShort | kLong3 | kSurrogate,
                                                     kShort | kTooLarge | kLong4};
alignas(16) constexpr std::uint8_t kFirstLow[16] = {kAny | kLong3 | kLong2 | kLong4,
                                                    kAny | kLong2,
                                                    kAny,
                                                    kAny,
                                                    kAny | kTooLarge,
                                                    kAny | kTooLarge | kLong4,
                                                    kAny | kTooLarge | kLong4,
                                                    kAny | kTooLarge | kLong4,
                                                    kAny | kTooLarge | kLong4,
                                                    kAny | kTooLarge | kLong4,
                                                    kAny | kTooLarge | kLong4,
                                                    kAny | kTooLarge | kLong4,
                                                    kAny | kTooLarge | kLong4,
                                                    kAny | kTooLarge | kLong4 | kSurrogate,
                                                    kAny | kTooLarge | kLong4,
                                                    kAny | kTooLarge | kLong4};
constexpr std::uint8_t kContinued = kLong | kLong2 | kTwo;
alignas(16) constexpr std::uint8_t kSecondHigh[16] = {
    kShort,
    kShort,
    kShort,
    kShort,
    kShort,
    kShort,
    kShort,
    kShort,
    kContinued | kLong3 | kLong4,         // 80 to 8F
    kContinued | kLong3 | kTooLarge,      // 90 to 9F
    kContinued | kSurrogate | kTooLarge,  // A0 to AF
    kContinued | kSurrogate | kTooLarge,  // B0 to BF
    kShort,
    kShort,
    kShort,
    kShort};
// A control that is allowed is found at its own place.
alignas(16) constexpr std::uint8_t kAllowed[16] = {255, 255, 255, 255, 255, 255, 255, 255,
                                                   255, 9,   10,  255, 255, 13,  255, 255};

// Not zero where a control is not allowed.
HWY_INLINE hn::Mask<Tag> Controls(Bytes x) {
  const Tag d;
  const Bytes allowed =
      hn::TableLookupBytes(hn::LoadDup128(d, kAllowed), hn::And(x, hn::Set(d, 15)));
  return hn::And(hn::Eq(hn::Min(x, hn::Set(d, 0x1F)), x), hn::Ne(allowed, x));
}

// Not zero where the bytes at `p` are wrong; reads the three before them, too.
HWY_INLINE Bytes Wrong(const std::uint8_t* p, Bytes x) {
  const Tag d;
  const Bytes one = hn::LoadU(d, p - 1), two = hn::LoadU(d, p - 2), three = hn::LoadU(d, p - 3);
  const Bytes pair = hn::And(
      hn::And(hn::TableLookupBytes(hn::LoadDup128(d, kFirstHigh), hn::ShiftRight<4>(one)),
              hn::TableLookupBytes(hn::LoadDup128(d, kFirstLow), hn::And(one, hn::Set(d, 15)))),
      hn::TableLookupBytes(hn::LoadDup128(d, kSecondHigh), hn::ShiftRight<4>(x)));
  // The third byte of three and more, the fourth of four: where two continuations are wanted.
  const Bytes wanted = hn::And(hn::Or(hn::SaturatedSub(two, hn::Set(d, 0xE0 - 0x80)),
                                      hn::SaturatedSub(three, hn::Set(d, 0xF0 - 0x80))),
                               hn::Set(d, 0x80));
  const auto none = hn::And(hn::And(hn::Eq(two, hn::Set(d, 0xEF)), hn::Eq(one, hn::Set(d, 0xBF))),
                            hn::Eq(hn::Max(x, hn::Set(d, 0xBE)), x));  // U+FFFE, U+FFFF
  return hn::Or(hn::Xor(pair, wanted), hn::VecFromMask(d, none));
}

// Of a text from its first byte to its last; three bytes before it and `padding` behind it can be
// read, and are blanks.
bool Padded(const std::uint8_t* p, std::size_t size) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  Bytes wrong = hn::Zero(d);
  hn::Mask<Tag> controls = hn::Ne(wrong, wrong);
  for (std::size_t at = 0; at <= size; at += lanes) {
    const Bytes x = hn::LoadU(d, p + at);
    controls = hn::Or(controls, Controls(x));
    wrong = hn::Or(wrong, Wrong(p + at, x));
  }
  return hn::AllTrue(d, hn::Eq(wrong, hn::Zero(d))) && hn::AllFalse(d, controls);
}

bool AreXmlCharacters(const std::uint8_t* p, std::size_t size) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d), step = 4 * lanes;
  // The start and the end are looked at in a place with blanks around it.
  constexpr std::size_t kMost = 4 * HWY_MAX_BYTES;
  std::uint8_t place[3 + kMost + 3 + HWY_MAX_BYTES];
  const auto apart = [&](const std::uint8_t* from, std::size_t n) {
    std::memset(place, ' ', sizeof place);
    std::memcpy(place + 3, from, n);
    return Padded(place + 3, n);
  };
  if (size <= kMost) return apart(p, size);
  std::size_t head = step;  // cut before a character
  while (head > step - 4 && (p[head] & 0xC0) == 0x80) --head;
  if (!apart(p, head)) return false;
  std::size_t at = head;
  for (; size - at >= step; at += step) {
    const Bytes a = hn::LoadU(d, p + at), b = hn::LoadU(d, p + at + lanes),
                c = hn::LoadU(d, p + at + 2 * lanes), e = hn::LoadU(d, p + at + 3 * lanes);
    const hn::Mask<Tag> controls =
        hn::Or(hn::Or(Controls(a), Controls(b)), hn::Or(Controls(c), Controls(e)));
    if (HWY_UNLIKELY(!hn::AllFalse(d, controls))) return false;
    const Bytes any = hn::Or(hn::Or(a, b), hn::Or(c, e));
    const bool ascii = hn::AllTrue(d, hn::Lt(any, hn::Set(d, 0x80)));
    // What may begin in the bytes before has to end here.
    const bool open = p[at - 1] >= 0x80;
    if (ascii && !open) continue;
    const Bytes wrong = hn::Or(hn::Or(Wrong(p + at, a), Wrong(p + at + lanes, b)),
                               hn::Or(Wrong(p + at + 2 * lanes, c), Wrong(p + at + 3 * lanes, e)));
    if (HWY_UNLIKELY(!hn::AllTrue(d, hn::Eq(wrong, hn::Zero(d))))) return false;
  }
  // Together with the last character before, which may be cut here.
  std::size_t from = at - 1;
  while (at - from < 4 && (p[from] & 0xC0) == 0x80) --from;
  return apart(p + from, size - from);
}

#endif  // HWY_SCALAR

}  // namespace cupel::xml_characters::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel {
namespace xml_characters {
HWY_EXPORT(AreXmlCharacters);
}  // namespace xml_characters

bool are_xml_characters(std::string_view text) {
  using namespace xml_characters;
  return HWY_DYNAMIC_DISPATCH(AreXmlCharacters)(reinterpret_cast<const std::uint8_t*>(text.data()),
                                                text.size());
}

std::size_t whole_characters(std::string_view text) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if (byte < 0x80) break;
    const std::size_t wanted = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
    if (wanted > back) return text.size() - back;
    if (wanted > 1) break;
  }
  return text.size();
}

XmlFault first_fault(std::string_view text) {
  constexpr char32_t kShortest[] = {0, 0, 0x80, 0x800, 0x10000};
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
    const unsigned lead = byte(0);
    const std::size_t length = lead < 0x80 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    bool right = lead < 0x80 || (lead >= 0xC2 && lead < 0xF5 && text.size() - at >= length);
    char32_t value = length == 1 ? lead : lead & (0x7Fu >> length);
    for (std::size_t i = 1; right && i < length; ++i) {
      right = (byte(i) & 0xC0) == 0x80;
      value = value << 6 | (byte(i) & 0x3F);
    }
    const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
    if (!right || value < kShortest[length] || surrogate || value > 0x10FFFF)
      return {at, "is not UTF-8"};
    if (!is_xml_character(value)) return {at, "is a character that XML does not allow"};
    at += length;
  }
  return {text.size()};
}

}  // namespace cupel
#endif  // HWY_ONCE
