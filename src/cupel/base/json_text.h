// JSON as text, whatever its texts hold.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace cupel {

// `value` with lines indented by `indent` blanks (-1: in one line), and a line end. Bytes that are
// not UTF-8, as names of files may have, become U+FFFD; characters that could steer a terminal or
// turn the order of letters (visible.h) are escaped, so that a reader of JSON gets them back. Never
// throws for what the texts hold.
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& value, int indent = 2);
[[nodiscard]] std::string json_text(const nlohmann::json& value, int indent = 2);

}  // namespace cupel
