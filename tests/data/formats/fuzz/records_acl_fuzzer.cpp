// A collection of the ACL Anthology, as it is and packed.
#include "cupel/data/records/acl_anthology.h"

#include "data/formats/fuzz/fuzz.h"
#include "data/formats/fuzz/records_xml.h"

namespace cupel::fuzz {

void fuzz_one(std::string_view input) { read_records<AclAnthologyReader>("input.xml", input); }

}  // namespace cupel::fuzz
