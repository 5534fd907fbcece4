// A protocol's tree as text, in the order in which it was written.
#pragma once

#include <toml++/toml.h>

#include <string>
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

}  // namespace cupel
