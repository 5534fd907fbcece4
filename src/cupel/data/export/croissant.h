// Croissant 1.0 of MLCommons (https://docs.mlcommons.org/croissant/docs/croissant-spec-1.0.html): a
// file of JSON-LD that says what a folder of text files holds.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cupel/data/export/graph_formats.h"

namespace cupel {

// The files of a graph (write_csv_graph) or a set of graphs (write_tu_dataset and
// write_set_tables). Those of facts over time are write_facts_tables().
void write_croissant_tables(const Dataset& dataset, const std::filesystem::path& folder);

// Adds croissant.json to such a folder: each file with its SHA-256 and size; the record sets of its
// tables (croissant_records.h); the credits; and the content hash of what the folder is read as,
// beside that of what was written where it is another. The same data give the same bytes. Returns
// what readers of the tables may take for something else, a phrase for each column.
// Throws Error if a file of the folder cannot be read or the new one not written.
std::vector<std::string> describe_croissant(const Written& written,
                                            const std::filesystem::path& folder);

}  // namespace cupel
