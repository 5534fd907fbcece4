// Texts as names of files.
#pragma once

#include <string>

namespace cupel::report {

// With "_" for all but letters, digits and "_-."; one of more than 200 characters is cut, and ends
// with a hash of the whole.
[[nodiscard]] std::string plain_key(const std::string& text);

// The same, but texts that differ have names that differ, also where nobody minds upper case.
[[nodiscard]] std::string file_stem(const std::string& text);

}  // namespace cupel::report
