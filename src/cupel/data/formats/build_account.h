// What a folder that `cupel build expert` or `cupel resolve` made says of how it was made.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cupel {

// What a count of facts over time is called, in front of the year.
inline constexpr std::string_view kFactsOfLastYear = "facts of the last year, ";
// The inputs under which a list of keywords and a table of persons are recorded. They have no
// records.
inline constexpr const char* kKeywordsInput = "keywords";
inline constexpr const char* kPersonsInput = "persons";

struct BuildAccount {
  bool damaged = false;  // there is one, and it cannot be read
  std::string recipe;    // empty: there is none, it is not to be read, or the folder was resolved
  // What the build was given, also where its folder was resolved.
  std::map<std::string, std::string> settings;            // by name, as text
  std::map<std::string, std::vector<std::string>> files;  // by input
  // Of facts, or at most, by the setting years=1965-2021 or 2021.
  std::optional<int> last_year;
  std::optional<std::int64_t> facts;  // that this folder got, where it counts them
};

// Of FOLDER/provenance.json. It only adds to what is said of facts, so that a file that is missing
// is an empty account, and one that is too large (16 MiB) or damaged as well, but for saying so.
// Never throws Error.
[[nodiscard]] BuildAccount read_build_account(const std::filesystem::path& folder);

}  // namespace cupel
