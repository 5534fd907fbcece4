// Exports of Scopus as CSV.
#include "cupel/data/records/scopus.h"

#include "data/formats/fuzz/records_lines.h"

namespace cupel::fuzz {

void fuzz_one(std::string_view input) { read_lines_of_records<ScopusReader>(input); }

}  // namespace cupel::fuzz
