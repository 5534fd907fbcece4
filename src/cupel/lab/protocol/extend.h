// A protocol that extends another: both together are one text, which needs neither file.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cupel/lab/protocol/protocol.h"

namespace cupel {

// A protocol as it was found, before it is parsed.
struct ProtocolSource {
  std::string name;   // "pitfalls"
  std::string label;  // of its lines in messages
  std::string text;
  std::optional<std::string> published;  // the CSV that [published] names
  std::filesystem::path folder;          // where relative paths start
  std::string place;  // what no other has: a file's path, or a shipped name; empty: a program's
};

// Whether it is the path of a protocol, and not the name of a shipped one.
[[nodiscard]] bool is_protocol_path(const std::string& name_or_path);

// A name of a shipped protocol, or a path from `folder`, which contains '/' or ends in ".toml".
// Throws Error if there is none, with the nearest name.
[[nodiscard]] ProtocolSource find_protocol(const std::string& name_or_path,
                                           const std::filesystem::path& folder);

// As parse_protocol() does. Where the text says `extends = "BASE"`, the protocol's text is that of
// the base with what this one says in place of it, and has no comments:
//   keys          one by one; lists, and tables within a [[table]], are replaced as wholes
//   [models.ROW]  the same, names in any spelling. A value of a setting ends the base's choice of
//                 it, a choice its value. [[models.ROW.on]] come after those of the base
//   [[table]]     by id; new ones come last. A row that is new, and that no [[table]] here names,
//   is
//                 one of every table of scores of the base whose rows are not listed here
//   another kind  (`model`, `command`, `function` or `quoted` of a row, `scheme`, a group's `rule`,
//   a table's
//                 `kind`) replaces all that the base says there
//   [published]   the base's values of tables, data sets and rows that are still there, of rows of
//                 the same model; those of ranks and relative scores where all of them are. Values
//                 here are added, and replace those of the same place
// What the base says of data sets that are no more is left out. Paths that start in the base's
// folder are written anew from `folder`.
// Throws Error as parse_protocol(), with the file and line of whichever said it; at `extends` for a
// base that is not there, bases that go in a circle, and a program of a base in another folder.
[[nodiscard]] Protocol parse_source(const ProtocolSource& source);

// The protocol that `text` makes of `base`, as that of a file in its folder that extends it would.
// There is no such file, which the protocol's text says (of_program.h). Throws Error as
// parse_source() does.
[[nodiscard]] Protocol extend_protocol(const Protocol& base, const std::string& name,
                                       const std::string& text);

// What a file in `folder` says at `extends` for the protocol that is called `name_or_path` here.
[[nodiscard]] std::string base_from(const std::string& name_or_path,
                                    const std::filesystem::path& folder);

}  // namespace cupel
