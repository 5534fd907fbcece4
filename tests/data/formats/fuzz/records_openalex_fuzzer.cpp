// Works of OpenAlex as JSON Lines.
#include "cupel/data/records/open_alex.h"

#include "data/formats/fuzz/records_lines.h"

namespace cupel::fuzz {

void fuzz_one(std::string_view input) { read_lines_of_records<OpenAlexReader>(input); }

}  // namespace cupel::fuzz
