// A protocol as a program says it.
#pragma once

#include <string>

#include "cupel/lab/protocol/protocol.h"

namespace cupel {

// The protocol that a JSON object says: the tables and keys of a protocol file, `extends` among
// them. Paths start in the current folder. Its text is TOML, so that it is kept and read as that of
// a file, and says that there is none (is_of_program()). Throws Error for what is no object, for
// null, and as parse_protocol() does, whose lines are those of that text.
[[nodiscard]] Protocol protocol_of_json(const std::string& name, const std::string& json);

// The protocol with another text, of the same name, folder and published values; of a program's,
// the text says so, too.
[[nodiscard]] Protocol with_text(const Protocol& protocol, std::string text);

// The protocol whose [tune] says what `json` says, an object with keys of [tune], and else what it
// said: of [tune.grid] and [tune.random] the rows that `json` has are replaced. Its text is written
// anew, without comments. Throws Error as above.
[[nodiscard]] Protocol with_search(const Protocol& protocol, const std::string& json);

}  // namespace cupel
