// TEI as GROBID writes it.
#include "cupel/data/records/grobid_tei.h"

#include "data/formats/fuzz/fuzz.h"
#include "data/formats/fuzz/records_xml.h"

namespace cupel::fuzz {

void fuzz_one(std::string_view input) { read_records<GrobidTeiReader>("input.tei.xml", input); }

}  // namespace cupel::fuzz
