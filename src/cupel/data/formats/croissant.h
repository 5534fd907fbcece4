// Croissant 1.0 of MLCommons (https://docs.mlcommons.org/croissant/docs/croissant-spec-1.0.html): a
// file of JSON-LD that says what a folder of text files holds.
#pragma once

#include <filesystem>

#include "cupel/data/dataset.h"
#include "cupel/data/formats/graph_formats.h"

namespace cupel {

// Adds croissant.json to a folder of write_csv_graph(): each file with its SHA-256 and size; record
// sets `nodes`, `edges`, `features` and `splits` whose fields are columns with their types; the
// credits; and the content hash of `read`, which is what the folder is read as, beside that of
// `written` where it is another. The same data give the same bytes.
// Throws Error if a file of the folder cannot be read or the new one not written.
void describe_croissant(const Dataset& written, const Dataset& read, const Credits& credits,
                        const std::filesystem::path& folder);

}  // namespace cupel
