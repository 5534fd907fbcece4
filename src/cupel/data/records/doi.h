// DOIs as records of publications write them.
#pragma once

#include <string>
#include <string_view>

namespace cupel {

// What readers count where read_doi() is false.
inline constexpr const char* kNoDoi = "DOIs that are none";

// The DOI in the one form by which two are compared: "10.1000/xyz" of
// "https://doi.org/10.1000/XYZ", "doi:10.1000/xyz" or " 10.1000/xyz ". It is without blanks around
// it, without character references and unseen characters (clean_text), in lower case as far as it
// is ASCII, and without "doi:" and the addresses of doi.org before it. A field that is empty, or
// says that it has no value (says_none), has none. What is not "10.", digits with dots between, a
// slash and more without a blank is no DOI: returns false, and `doi` is empty. Linear. Thread-safe.
[[nodiscard]] bool read_doi(std::string_view text, std::string& doi);

}  // namespace cupel
