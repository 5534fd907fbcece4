#include "cupel/data/resolve/compare_names.h"

#include <algorithm>
#include <array>

namespace cupel {
namespace {

enum Match : std::uint8_t { kNone, kEqual, kEqualInitial, kInitial, kNick, kHead, kSlip };
constexpr int kWorth[] = {0, 10, 8, 6, 5, 5, 5};

using Words = std::span<const Index>;

// Characters of UTF-8, by the bytes that begin one.
std::ptrdiff_t letters_of(std::string_view text) {
  return std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
}

Match match(const NameBook& names, Index x, Index y) {
  const NameBook::Word &a = names.word(x), &b = names.word(y);
  if (x == y) return a.initial ? kEqualInitial : kEqual;
  if (a.initial || b.initial) return a.first == b.first ? kInitial : kNone;
  if (names.nicknames(x, y)) return kNick;
  std::string_view shorter = names.text(x), longer = names.text(y);
  if (shorter.size() > longer.size()) std::swap(shorter, longer);
  if (longer.starts_with(shorter) && letters_of(shorter) >= 3) return kHead;
  return letters_of(shorter) >= 4 && one_slip(shorter, longer) ? kSlip : kNone;
}

struct Alignment {
  std::array<Match, kMostNameWords> kind{};  // of the pairs, in order
  std::size_t pairs = 0;
  bool heads = false, ends = false;     // the first words are a pair; the last words are
  bool more_a = false, more_b = false;  // words without a partner that are no particles
  bool initials = true;                 // these are initials
  bool particles = false;               // a particle has none
  int worth = 0;
};

Alignment align(const NameBook& names, Words a, Words b) {
  std::array<std::array<int, kMostNameWords + 1>, kMostNameWords + 1> best{};
  std::array<std::array<Match, kMostNameWords>, kMostNameWords> kind{};
  for (std::size_t i = a.size(); i-- > 0;) {
    for (std::size_t j = b.size(); j-- > 0;) {
      kind[i][j] = match(names, a[i], b[j]);
      best[i][j] = std::max(best[i + 1][j], best[i][j + 1]);
      if (kind[i][j] != kNone)
        best[i][j] = std::max(best[i][j], best[i + 1][j + 1] + kWorth[kind[i][j]]);
    }
  }
  Alignment out;
  out.worth = best[0][0];
  const auto alone = [&](Index word, bool& more) {
    const NameBook::Word& one = names.word(word);
    out.worth -= 3;
    if (one.particle) {
      out.particles = true;
    } else {
      more = true;
      out.initials = out.initials && one.initial;
    }
  };
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (kind[i][j] != kNone && best[i][j] == best[i + 1][j + 1] + kWorth[kind[i][j]]) {
      if (i == 0 && j == 0) out.heads = true;
      out.ends = i + 1 == a.size() && j + 1 == b.size();
      out.kind[out.pairs++] = kind[i++][j++];
    } else if (best[i][j] == best[i + 1][j]) {
      alone(a[i++], out.more_a);
    } else {
      alone(b[j++], out.more_b);
    }
  }
  while (i < a.size()) alone(a[i++], out.more_a);
  while (j < b.size()) alone(b[j++], out.more_b);
  return out;
}

// Hyphens may part words or not, in each name.
Alignment best_alignment(const NameBook& names, Index a, Index b) {
  Alignment best;
  bool first = true;
  for (const bool part_a : {true, false}) {
    if (!part_a && !names.has_hyphen(a)) continue;
    for (const bool part_b : {true, false}) {
      if (!part_b && !names.has_hyphen(b)) continue;
      const Alignment one = align(names, names.words(a, part_a), names.words(b, part_b));
      const bool clash = one.more_a && one.more_b, best_clash = best.more_a && best.more_b;
      if (first || (best_clash && !clash) || (best_clash == clash && one.worth > best.worth))
        best = one;
      first = false;
    }
  }
  return best;
}

bool same_letters(const NameBook& names, Words a, Words b) {
  std::size_t i = 0, j = 0, at_a = 0, at_b = 0;
  while (true) {
    while (i < a.size() && at_a == names.text(a[i]).size()) ++i, at_a = 0;
    while (j < b.size() && at_b == names.text(b[j]).size()) ++j, at_b = 0;
    if (i == a.size() || j == b.size()) return i == a.size() && j == b.size();
    if (names.text(a[i])[at_a++] != names.text(b[j])[at_b++]) return false;
  }
}

bool same_words(Words a, Words b) {
  if (a.size() != b.size()) return false;
  std::array<Index, kMostNameWords> x{}, y{};
  std::copy(a.begin(), a.end(), x.begin());
  std::copy(b.begin(), b.end(), y.begin());
  const auto size = static_cast<std::ptrdiff_t>(a.size());
  std::sort(x.begin(), x.begin() + size);
  std::sort(y.begin(), y.begin() + size);
  return x == y;
}

bool is_initial(Match kind) { return kind == kInitial || kind == kEqualInitial; }
bool is_loose(Match kind) { return kind == kNick || kind == kHead || kind == kSlip; }

NameRelation of_last_names(const Alignment& found, bool loose) {
  const Match first = found.kind[0], last = found.kind[found.pairs - 1];
  if (!found.heads || is_initial(first)) return NameRelation::kUnlike;
  if (found.ends) return NameRelation::kLastInitial;
  return loose || is_initial(last) ? NameRelation::kUnlike : NameRelation::kMoreLast;
}

NameRelation of_first_names(const Alignment& found, bool loose) {
  const auto kinds = std::span(found.kind).first(found.pairs);
  const Match first = kinds.front();
  if (is_initial(first)) {
    const auto middle = kinds.subspan(1, kinds.size() - (kinds.size() > 1 ? 2 : 1));
    if (std::find(middle.begin(), middle.end(), kEqual) != middle.end())
      return NameRelation::kInitialMiddle;
    return first == kInitial ? NameRelation::kFirstInitial : NameRelation::kInitialsOnly;
  }
  if (first == kNick) return NameRelation::kNickname;
  if (first == kHead) return NameRelation::kPrefix;
  if (first == kSlip) return NameRelation::kFirstSlip;
  if (loose) return NameRelation::kMiddleSlip;
  if (found.more_a || found.more_b)
    return found.initials ? NameRelation::kMiddleInitial : NameRelation::kMiddleName;
  const bool shortened = std::find(kinds.begin(), kinds.end(), kInitial) != kinds.end();
  return shortened || !found.particles ? NameRelation::kMiddleMatches : NameRelation::kParticles;
}

NameRelation relation_of(const Alignment& found) {
  if (found.pairs == 0) return NameRelation::kUnlike;
  if (found.more_a && found.more_b) return NameRelation::kConflict;
  const auto kinds = std::span(found.kind).first(found.pairs);
  const auto loose = std::count_if(kinds.begin(), kinds.end(), is_loose);
  if (loose > 1 || std::find(kinds.begin(), kinds.end(), kEqual) == kinds.end())
    return NameRelation::kUnlike;
  if (!found.ends || is_initial(kinds.back())) return of_last_names(found, loose > 0);
  if (kinds.back() == kNick) return NameRelation::kUnlike;  // Frank and Francis are last names, too
  if (is_loose(kinds.back()))
    return found.heads && kinds.front() == kEqual ? NameRelation::kLastSlip : NameRelation::kUnlike;
  if (!found.heads)
    return kinds.front() == kEqual && kinds.size() >= 2 ? NameRelation::kMoreFirst
                                                        : NameRelation::kUnlike;
  return of_first_names(found, loose > 0);
}

}  // namespace

bool one_slip(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > 1) return false;
  std::size_t i = 0;
  while (i < a.size() && a[i] == b[i]) ++i;
  if (a.size() < b.size()) return a.substr(i) == b.substr(i + 1);
  if (i == a.size()) return true;
  if (a.substr(i + 1) == b.substr(i + 1)) return true;
  return i + 1 < a.size() && a[i] == b[i + 1] && a[i + 1] == b[i] &&
         a.substr(i + 2) == b.substr(i + 2);
}

std::string_view in_words(NameRelation relation) {
  constexpr std::string_view kWords[kNameRelations] = {
      "the same name but for accents, hyphens, blanks or case",
      "the same words in another order",
      "one has a middle initial more",
      "one has a middle name more",
      "a middle initial for a middle name",
      "a particle is in one only",
      "an initial for the first name",
      "an initial for the first name, the same middle name",
      "both have an initial for the first name",
      "a nickname for the first name",
      "the first name is cut short",
      "the first names differ in one letter",
      "the last names differ in one letter, or one is cut short",
      "a middle name differs in one letter, or is cut short",
      "one has a last name more",
      "one has a first name more",
      "an initial for the last name",
      "little in the names agrees",
      "each name has a word that the other has not"};
  return kWords[static_cast<std::size_t>(relation)];
}

NameRelation compare_names(const NameBook& names, Index a, Index b) {
  const int mine = names.generation(a), yours = names.generation(b);
  if (mine != 0 && yours != 0 && mine != yours) return NameRelation::kConflict;
  const Words x = names.words(a, false), y = names.words(b, false);
  if (x.empty() || y.empty()) return NameRelation::kUnlike;
  if (same_letters(names, x, y)) return NameRelation::kSame;
  if (names.is_long(a) || names.is_long(b)) return NameRelation::kUnlike;
  if (same_words(x, y) || same_words(names.words(a, true), names.words(b, true)))
    return NameRelation::kSwapped;
  return relation_of(best_alignment(names, a, b));
}

}  // namespace cupel
