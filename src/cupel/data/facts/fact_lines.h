// What the readers of facts share: numbers of a line, and what they say of a bad one.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "cupel/base/error.h"
#include "cupel/data/facts/facts.h"
#include "cupel/data/formats/line_reader.h"

namespace cupel {

// What a reader met and kept or left out, by reason: "lines out of order".
using FactNotes = std::map<std::string, std::int64_t>;
// Those that an audit tells.
inline constexpr const char* kSortedFacts = "facts earlier than the one before them, sorted";
inline constexpr const char* kCutTimes = "times with a fraction, taken down to whole numbers";
inline constexpr const char* kUnreadQuadruples =
    "files that are not read, as parts have the facts: quadruples.txt";

// The line's whole numbers, with blanks, tabs or one comma between them. False if there is anything
// else, a number that no 64 bits hold, or more than there is room for. `count` says how many there
// are before that.
bool whole_numbers(std::string_view line, std::array<std::int64_t, 8>& out, int& count);

// A whole number and nothing else; false otherwise.
bool whole_number(std::string_view text, std::int64_t& out);

// Blank, or begins with '#' or '%'.
[[nodiscard]] bool is_comment(std::string_view line);

// Why a line is no fact, in one sentence, as an Error. `wanted` says what there has to be: "source,
// relation, target and time".
[[noreturn]] void fail_not_a_fact(const LineReader& lines, std::string_view line, int wanted,
                                  const char* what);

// Throws Error if `id` is not below `size`. `what` is "entity" or "relation", `source` where the
// number of them is said.
inline void check_id(const LineReader& lines, std::int64_t id, std::int64_t size, const char* what,
                     const std::string& source) {
  if (id >= 0 && id < size) return;
  lines.fail_here(id < 0 ? fmt::format("{} {} is negative; they are numbered from 0", what, id)
                         : fmt::format("{} {} is out of range: {} says that there are {}", what, id,
                                       source, size));
}

// Throws Error if there is no room for another fact.
inline void check_room(const LineReader& lines, const TemporalFacts& facts) {
  if (facts.facts() >= kMostFacts)
    lines.fail_here(
        fmt::format("there are more than {} facts; cut the data into parts", kMostFacts));
}

// Throws Error if the line is not UTF-8.
void check_utf8(const LineReader& lines, std::string_view line);

// A name fit for one field of one line, as every writer can write it: UTF-8, with U+FFFD for bytes
// that are none, and blanks for control characters.
[[nodiscard]] std::string one_line_name(std::string_view text);

// What all readers do at the end: sorts, and notes lines out of order and repeats.
void settle(TemporalFacts& facts, FactNotes* notes);

// Throws Error that the memory does not suffice for the file.
[[noreturn]] void fail_memory(const std::filesystem::path& path);

}  // namespace cupel
