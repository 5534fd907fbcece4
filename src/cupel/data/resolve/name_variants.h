// The ACL Anthology's list of persons who have several names, or a namesake.
//
// Source: name_variants.yaml of the Anthology's repository, as it was until 2025.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace cupel {

struct NamedPerson {
  std::string id;                  // as an author's id= has it; empty: none
  std::vector<std::string> names;  // "First Last", as written; the canonical one first
};

// Whether the file's first line that says something begins an entry of such a list.
[[nodiscard]] bool is_name_variants(const std::filesystem::path& path);

// Calls `take` for each person in the order of the file. This is no reader of YAML but of this one
// shape: entries of "- canonical: {first: ..., last: ...}" with the keys id and variants (names in
// braces, one after each "-"), and any others, which are passed over. Names may stand in single or
// double quotes, in any order of their keys, and go on over lines until the brace closes. `place`
// is "FILE: line 7", where the entry begins.
// Memory: one entry. Throws Error naming file and line for what is not of this shape.
void read_name_variants(
    const std::filesystem::path& path,
    const std::function<void(const NamedPerson& person, const std::string& place)>& take);

}  // namespace cupel
