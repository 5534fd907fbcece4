// Exports of Web of Science as tagged text.
#include "cupel/data/records/web_of_science.h"

#include "data/formats/fuzz/records_lines.h"

namespace cupel::fuzz {

void fuzz_one(std::string_view input) { read_lines_of_records<WebOfScienceReader>(input); }

}  // namespace cupel::fuzz
