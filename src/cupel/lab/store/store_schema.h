// The tables of a store: making them, and telling whether a file has exactly these.
#pragma once

#include <string>

#include "cupel/lab/store/sqlite.h"

namespace cupel {

// Makes the tables in an empty file, and those that a store of schema 3 or 4 lacks; notes the
// schema. Of several processes that come at once, one does it.
void make_tables(Database& db);

// The same for a store that is only read: empty ones, which last as long as the connection.
void stand_in_for_tables(Database& db);

[[nodiscard]] bool has_tables(const Database& db);

// Whether each run and cell of this store has a seal, or a mark that it is from before seals: one
// without either lost it to an edit.
[[nodiscard]] bool seals_all(const Database& db);

// Throws Error for a database of another program or a schema that is not known, and DamagedFile for
// a store whose tables are not exactly those of its schema: somebody put a view or a trigger there,
// took a table away or made it anew.
void check_schema(const Database& db);

}  // namespace cupel
