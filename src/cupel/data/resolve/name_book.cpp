#include "cupel/data/resolve/name_book.h"

#include <algorithm>
#include <array>

#include "cupel/data/resolve/first_name_first.h"
#include "cupel/data/resolve/fold_letters.h"
#include "cupel/data/resolve/word_lists.h"
#include "cupel/data/text/characters.h"

namespace cupel {
namespace {

// A name, and what people who have it are called.
constexpr std::string_view kNicknames = R"(
robert bob rob bobby
william bill will billy
richard rick dick rich
james jim jimmy jamie
michael mike mick
thomas tom
david dave
daniel dan danny
joseph joe
christopher chris
matthew matt
andrew andy drew
anthony tony
edward ed ted eddie
eduard ed
elizabeth liz beth betsy
katherine kate kathy cathy katie
catherine kate kathy cathy katie
kathleen kathy
margaret meg peggy maggie
john jack johnny
jonathan jon
stephen steve
steven steve
gregory greg
kenneth ken
ronald ron
donald don
timothy tim
benjamin ben
samuel sam
alexander alex sasha
alexandra alex sasha
nicholas nick
patricia pat patty
patrick pat
peter pete
frederick fred
lawrence larry
leonard len
philip phil
raymond ray
jeffrey jeff
geoffrey geoff
gerald jerry gerry
jennifer jenny jen
deborah deb debbie
susan sue
barbara barb
victoria vicky
rebecca becky
theodore ted
walter walt
zachary zach zack
joshua josh
nathaniel nate nathan
abraham abe
eugene gene
francis frank
henry hank harry
charles charlie chuck
douglas doug
mitchell mitch
)";

constexpr auto kParticles = std::to_array<std::string_view>(
    {"de",  "van",   "der", "den", "von", "da",  "di", "do",  "dos", "das", "el", "al", "la", "le",
     "del", "della", "ben", "bin", "ter", "ten", "du", "des", "zu",  "zur", "af", "av", "st"});

std::uint64_t pair_key(Index a, Index b) {
  return static_cast<std::uint64_t>(std::min(a, b)) << 32 |
         static_cast<std::uint64_t>(std::max(a, b));
}

}  // namespace

NameBook::NameBook() {
  each_piece(kNicknames, "\n", [&](std::string_view line) {
    Index name = -1;
    each_piece(line, " ", [&](std::string_view one) {
      const Index id = known(one);
      if (name >= 0) nicknames_.insert(pair_key(name, id));
      if (name < 0) name = id;
    });
  });
}

Index NameBook::known(std::string_view word) {
  const Index id = words_.id(word);
  if (id < static_cast<Index>(known_.size())) return id;
  const Character first = character_at(word, 0);
  known_.push_back(
      {first.code, first.size == word.size() && is_lower(first.code), is_one_of(word, kParticles)});
  return id;
}

void NameBook::add(std::string_view name) {
  const std::string folded = fold_letters(first_name_first(name));
  const std::size_t whole = whole_.size();
  int generation = 0;
  bool hyphen = false;
  std::string joined;
  each_piece(folded, " ", [&](std::string_view word) {
    const std::size_t before = whole_.size() - whole;
    if (const int sign = generation_of(word); before > 0 && sign != 0) {
      generation = sign;
      return;
    }
    if (is_title(word)) return;
    joined.clear();
    int pieces = 0;
    each_piece(word, "-", [&](std::string_view piece) {
      joined += piece;
      ++pieces;
      parted_.push_back(known(piece));
    });
    if (pieces > 1) hyphen = true;
    if (pieces > 0) whole_.push_back(known(joined));
  });
  ends_.push_back({whole_.size(), parted_.size()});
  hyphen_.push_back(hyphen);
  generation_.push_back(static_cast<std::uint8_t>(generation));
}

// How many initials end a name that does not begin with one.
std::size_t NameBook::initials_behind(std::span<const Index> words) const {
  if (words.empty() || word(words.front()).initial) return 0;
  std::size_t count = 0;
  while (word(words[words.size() - 1 - count]).initial) ++count;
  return count;
}

void NameBook::settle() {
  constexpr Index kOneIn = 20;
  Index many = 0, turned = 0;
  for (Index k = 0; k < size(); ++k) {
    many += words(k, true).size() > 1 ? 1 : 0;
    turned += initials_behind(words(k, true)) > 0 ? 1 : 0;
  }
  if (turned == 0 || turned * std::int64_t{kOneIn} < many) return;
  std::uint64_t whole = 0, parted = 0;
  const auto turn = [&](std::vector<Index>& all, std::uint64_t from, std::uint64_t to) {
    const auto name = std::span(all).subspan(from, to - from);
    const auto behind = static_cast<std::ptrdiff_t>(initials_behind(name));
    std::rotate(name.begin(), name.end() - behind, name.end());
  };
  for (const Ends& to : ends_) {
    turn(whole_, whole, to.whole);
    turn(parted_, parted, to.parted);
    whole = to.whole, parted = to.parted;
  }
}

std::span<const Index> NameBook::words(Index name, bool parted) const {
  const Ends from = name == 0 ? Ends{} : ends_[at(name) - 1], to = ends_[at(name)];
  return parted ? std::span(parted_).subspan(from.parted, to.parted - from.parted)
                : std::span(whole_).subspan(from.whole, to.whole - from.whole);
}

bool NameBook::nicknames(Index a, Index b) const { return nicknames_.contains(pair_key(a, b)); }

}  // namespace cupel
