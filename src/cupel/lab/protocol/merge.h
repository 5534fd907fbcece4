// The tree of a protocol's text with that of one that extends it.
#pragma once

#include <toml++/toml.h>

#include <filesystem>

#include "cupel/lab/protocol/protocol.h"

namespace cupel {

// Puts what `own` says in place of what `tree` says, the text of `base`; extend.h has the rules,
// but for [published], which is replaced. Nodes are moved, so that each knows where it stood.
// Throws Error, naming `label`, the file of `own`, for choices that are none, and for a name or an
// id that `own` has twice.
void merge_protocol(toml::table& tree, const Protocol& base, toml::table own,
                    const TextLabel& label);

// Writes the paths of a tree that start in one folder as they are called from another; `prefix`
// leads from there to here.
void move_paths(toml::table& tree, const std::filesystem::path& prefix);

}  // namespace cupel
