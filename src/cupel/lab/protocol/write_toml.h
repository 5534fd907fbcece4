// A protocol's tree as text, in the order in which it was written.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>
#include <vector>

#include "cupel/lab/protocol/text_label.h"

namespace cupel {

// A text, and where each of its lines stood in the files that its tree is made of.
struct PlacedText {
  std::string text;
  std::vector<std::string> places;
};

// A tree of nodes of two texts, `of_base` being those of the first; these come first, and each
// text's are in the order of their lines, which is that of rows and choices. Each key is one line;
// there are no comments. Read again it says the same.
[[nodiscard]] PlacedText write_toml(const toml::table& tree, const toml::source_path_ptr& of_base,
                                    const TextLabel& base, const TextLabel& own);
// The text of a tree of one text, in the same way; what was put into it since comes last.
[[nodiscard]] std::string write_toml(const toml::table& tree);

// A name as a key, a text and a number as values: they are read again as they are.
[[nodiscard]] std::string toml_key(std::string_view name);
[[nodiscard]] std::string toml_value(std::string_view text);
[[nodiscard]] std::string toml_value(double number);

}  // namespace cupel
