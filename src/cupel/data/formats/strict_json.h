// JSON files as people and scripts write them, taken at their word.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace cupel {

// Reads the file. Throws Error naming it if it is not JSON, holds a key twice in one object (of
// which a parser would drop one in silence), is nested deeper than 8, or is larger than 512 MB.
[[nodiscard]] nlohmann::json read_strict_json(const std::filesystem::path& path);
// The same of a text that was read from the file `name`.
[[nodiscard]] nlohmann::json parse_strict_json(std::string_view text, const std::string& name);
// The same, with keys in the order of the file.
[[nodiscard]] nlohmann::ordered_json read_strict_json_in_order(const std::filesystem::path& path);

// Throws Error, beginning with `where`, if `value` is no object or has a key that is not known.
void check_keys(const nlohmann::json& value, const std::string& where,
                std::initializer_list<const char*> known);

// What a message calls the value; never long.
[[nodiscard]] std::string shown_json(const nlohmann::json& value);
[[nodiscard]] std::string shown_json(const nlohmann::ordered_json& value);

}  // namespace cupel
