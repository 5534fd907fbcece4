// What a selection means in a protocol, and what columns that it adds are called.
#pragma once

#include <string>
#include <vector>

#include "cupel/lab/plan/plan.h"
#include "cupel/lab/protocol/protocol.h"

namespace cupel {

// Whether `list` is empty or has the name.
[[nodiscard]] bool wanted(const std::vector<std::string>& list, const std::string& name);
// A table is wanted by its id, or by that of a table derived from it; where no table is named, all
// are but those that are run on request.
[[nodiscard]] bool wanted_table(const Protocol& protocol, const Selection& selection,
                                const TableSpec& table);

// The data sets of all tables, each once.
[[nodiscard]] std::vector<std::string> columns_of(const Protocol& protocol);
// The tables with scores of their own that are wanted.
[[nodiscard]] std::vector<const TableSpec*> wanted_tables(const Protocol& protocol,
                                                          const Selection& selection);
// The data sets that are wanted, each once: those that the selection names, else those of the
// wanted tables.
[[nodiscard]] std::vector<std::string> wanted_datasets(const Protocol& protocol,
                                                       const Selection& selection);
// The protocol's spelling of a data set that it gives a path, or nullptr.
[[nodiscard]] const std::string* named_path(const Protocol& protocol, const std::string& name);

// The references by which plans of the protocol ask for the data set called `name`: a table may
// spell it in another way.
[[nodiscard]] std::vector<std::string> references_of(const Protocol& protocol,
                                                     const std::string& name);

// Throws Error for rows, tables and choices that the protocol does not have.
void check_selection(const Protocol& protocol, const Selection& selection);

// What a column may be called that the protocol has no name for, the shortest first: what the
// loader calls the data (of a file its stem), then ever more of its path, then the reference.
[[nodiscard]] std::vector<std::string> possible_names(const std::string& reference,
                                                      const std::string& loaded);
// The first that is none of `taken`, else the last: numbers of one data set must not stand under
// the name of another.
[[nodiscard]] std::string free_name(const std::vector<std::string>& possible,
                                    const std::vector<std::string>& taken);

}  // namespace cupel
