// Texts that look the same as the same bytes.
#pragma once

#include <string>
#include <string_view>

namespace cupel {

// The text in Unicode's normalisation form C (UAX #15): letters and their accents as one character
// where there is one, marks of one letter in one order. Unicode 14, as Python 3.11's unicodedata.
// Bytes that are no UTF-8 stay as they are. Time: n log n in the marks behind one letter, else
// linear. Thread-safe.
[[nodiscard]] std::string nfc(std::string_view text);

}  // namespace cupel
