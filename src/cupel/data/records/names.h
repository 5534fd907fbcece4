// Names of people and institutions as publishers print them, made fit to be compared.
#pragma once

#include <string>
#include <string_view>

namespace cupel {

// What was done to a text, or is amiss with it and stays; white space that was tidied is not told.
enum Mend : unsigned {
  kMendedEntities = 1,   // "O&#x27;Hare", "O&amp;#x27;Hare": encoded once or several times
  kMendedAccents = 2,    // "Hél\`ene", "G{\"o}del"; braces are taken out
  kMendedFootnotes = 4,  // "David Harwath*", "Nicholas Tatonetti1,2", "Ann Lee [3]", "Ann Lee$^3$"
  kMendedUnseen = 8,     // controls, marks of direction, spaces without width (base/visible.h)
  kMendedWindows = 16,   // U+0092 for an apostrophe, as if Windows-1252 were Latin-1
  kMendedMarkup = 32,    // "Ann <b>Lee</b>", in names alone
  kLeftLatex = 64,       // "\textbf{Ann}": commands that are not known, and with them all braces
  kLeftGaps = 128,       // U+FFFD, which stands for letters that a program could not read
  kLeftMisread = 256,    // "JosÃ©": UTF-8 that was read as Latin-1 or Windows-1252
  kLeftNone = 512,       // "N/A", "none", "Anonymous": a name that says there is none
};

// All are linear in the length of the text, add what they did to `mends`, and those that return
// something whether a letter is left. White space, the no-break space among it, becomes single
// blanks, and none at the ends. The text is UTF-8; other bytes stay. Thread-safe.

// Of a person. LaTeX accents become letters, and its ties ("Ann~Lee") blanks. Signs of footnotes
// (stars, daggers, paragraph signs, raised digits) are taken out wherever they stand, but not of a
// name that looks misread, where they are parts of letters; commas, semicolons, and digits at the
// ends too: up to three digits that stand alone, in brackets or behind '^' and its kin, up to two
// behind two letters or more. Tags (text_tags.h) are taken out, with what <sup> and <label> hold if
// it is a mark: no letter, or lone ones, as "a,b", that no letter follows. What stays: "Wei Wang
// 0001" (DBLP's number of a homonym), "ARC A3", "Eric Nyberg 3rd", "Laks Lakshmanan, V.S.", and a
// name with an @, which is an address. `with_marks`, if given, becomes the name with them, mended
// otherwise; empty if there were none.
[[nodiscard]] bool clean_name(std::string& name, unsigned& mends,
                              std::string* with_marks = nullptr);
// Of an institution: entities, accents, unseen characters and those of Windows-1252, and commas and
// semicolons at the ends. Tags are taken out; of marks in <sup> and <label> only one at the head,
// since others may be of the name: "I<sup>2</sup>R".
[[nodiscard]] bool clean_affiliation(std::string& name, unsigned& mends);
// Titles, abstracts, keywords: entities, unseen characters, and those of Windows-1252.
bool clean_text(std::string& text, unsigned& mends);

// Character references of HTML alone, before a list is parted at semicolons: theirs are none of it.
void undo_entities(std::string& text, unsigned& mends);

// What a reader counts for each bit of `mends`: count("names with LaTeX accents, written as
// letters"). `what` is the texts' noun.
template <class Count>
void count_mends(unsigned mends, const std::string& what, const Count& count) {
  if ((mends & kMendedEntities) != 0) count(what + " with HTML entities, decoded");
  if ((mends & kMendedAccents) != 0) count(what + " with LaTeX accents, written as letters");
  if ((mends & kMendedFootnotes) != 0) count(what + " with marks of footnotes, taken off");
  if ((mends & kMendedUnseen) != 0) count(what + " with unseen characters, taken out");
  if ((mends & kMendedWindows) != 0) count(what + " with characters of Windows-1252, put right");
  if ((mends & kMendedMarkup) != 0) count(what + " with markup, taken out");
  if ((mends & kLeftLatex) != 0) count(what + " with LaTeX that is not known, left as they are");
  if ((mends & kLeftGaps) != 0)
    count(what + " with U+FFFD, which stands for lost letters, left as they are");
  if ((mends & kLeftMisread) != 0)
    count(what + " that look like UTF-8 read as another encoding, left as they are");
  if ((mends & kLeftNone) != 0) count(what + " that say there is none, as 'N/A', left as they are");
}

// What is amiss with a cleaned name of a person or an institution: bits kLeft... of Mend. Linear.
// Thread-safe.
[[nodiscard]] unsigned name_faults(std::string_view name);

// Whether the text has a letter of any script.
[[nodiscard]] bool has_letter(std::string_view text);

}  // namespace cupel
