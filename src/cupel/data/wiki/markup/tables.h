// The second step from wikitext to visible text: tables.
#pragma once

#include <string>

#include "cupel/data/wiki/wikitext_rules.h"

namespace cupel::markup {

// `text` is what without_hidden() left. Tables, nested ones too, leave with all their cells, or
// (kKeep, and a table that is not closed) leave their cells as lines, without attributes.
void take_out_tables(std::string& text, TableText tables);

// The cells of a row as it is written, from its '|' or '!' on, as lines that begin with a blank.
void append_cells(std::string& out, std::string_view row);

}  // namespace cupel::markup
