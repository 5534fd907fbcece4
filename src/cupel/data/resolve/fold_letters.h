// Letters as they are compared: what typewriters, keyboards and publishers change is gone.
#pragma once

#include <string>
#include <string_view>

namespace cupel {

// The text in small letters without accents ("Müller" is "muller", "Łukasz" "lukasz", "Gauß"
// "gauss"), letters of full width as usual ones, every dash '-', apostrophes left out, and each
// other sign and white space a blank. Letters and digits of any script stay, and so do vowels and
// tones of South and South-East Asia, which are written as marks of a consonant; but for the nukta,
// which many leave out. Bytes that are no UTF-8 are blanks. Linear time. Thread-safe.
[[nodiscard]] std::string fold_letters(std::string_view text);

}  // namespace cupel
