// Names of people, however they are printed, first name first.
#pragma once

#include <string>
#include <string_view>

namespace cupel {

// "Smith, John, Jr." as "John Smith Jr.", "Smith, JR" as "J R Smith". What stands behind a comma is
// the first name, unless it is a title or a sign of generation. Blanks may be added. Thread-safe.
[[nodiscard]] std::string first_name_first(std::string_view name);

// Whether a folded word (fold_letters.h) is a title: "dr", "prof", "phd".
[[nodiscard]] bool is_title(std::string_view word);
// A number for "jr", "iii" and their kin; 0 where the word is no sign of a generation.
[[nodiscard]] int generation_of(std::string_view word);

}  // namespace cupel
