// Ends of lists of authors that name nobody: "et al.".
#pragma once

#include <string>

#include "cupel/data/records/publication.h"

namespace cupel {

// What readers count for a paper with such an end.
inline constexpr const char* kCutShort =
    "papers whose list of authors is cut short by 'et al.' or 'others'";

// Takes "et al.", "and others", "& 3 others" off the end of a text, in any letter case, with the
// blanks, commas and semicolons before; returns whether it ended so. Nothing is left where nothing
// else stood there, as of "others". Linear. Thread-safe.
bool take_list_end(std::string& text);

// The same of an author's cleaned name, with its marks too. Sets `cut` if the name ended so;
// returns whether somebody is left.
[[nodiscard]] bool is_somebody(Author& author, bool& cut);

}  // namespace cupel
