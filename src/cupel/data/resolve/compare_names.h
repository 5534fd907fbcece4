// In what two names of people differ, and whether one person may have both.
#pragma once

#include <cstdint>
#include <string_view>

#include "cupel/data/resolve/name_book.h"

namespace cupel {

// The first that holds, of folded names:
enum class NameRelation : std::uint8_t {
  kSame,           // equal letters in equal order: "Chang-Ning Huang", "Changning Huang"
  kSwapped,        // the same words in another order
  kMiddleInitial,  // one has more initials in the middle: "John A. Smith", "John Smith"
  kMiddleName,     // one has a middle name more
  kMiddleMatches,  // first and last agree; a middle initial for a middle name
  kParticles,      // "de", "van" in one only
  kFirstInitial,   // "J. Smith", "John Smith"
  kInitialMiddle,  // the same with a middle name that agrees: "K. Bretonnel Cohen"
  kInitialsOnly,   // both have an initial for the first name: "J. Smith", "J. A. Smith"
  kNickname,       // "Bob", "Robert"
  kPrefix,         // "Mitch", "Mitchell"; "Li", "Ling"
  kFirstSlip,      // the first names differ in a letter
  kLastSlip,       // the last names do, or one is the head of the other
  kMiddleSlip,     // something between does
  kMoreLast,       // one has a last name more: "Sierra", "Sierra-Martínez"
  kMoreFirst,      // one has a first name more: "Bruce Croft", "W. Bruce Croft"
  kLastInitial,    // "Deepak P.", "Deepak Padmanabhan"
  kUnlike,         // too little agrees for a proposal
  kConflict,       // each has a word that the other has not: never one person
};
inline constexpr int kNameRelations = 19;

// Words for a person: "one has a middle initial more".
[[nodiscard]] std::string_view in_words(NameRelation relation);

// Symmetric but for the order of equal alignments. Words are aligned in order: equal words, an
// initial and a word that begins with it, nicknames, a word of three letters or more and one that
// begins with it, words of four letters or more that differ in one letter (or two neighbours
// swapped). Signs of generation that differ ("jr", "sr") are a conflict. Long names (name_book.h)
// are the same or unlike. Constant time but for the letters of names that are the same.
[[nodiscard]] NameRelation compare_names(const NameBook& names, Index a, Index b);

// Whether one letter is put in, left out or changed, or two neighbours are swapped; also where the
// texts are equal. In bytes: folded letters of Latin script have one.
[[nodiscard]] bool one_slip(std::string_view a, std::string_view b);

}  // namespace cupel
