// Sentences of a text by the Punkt algorithm: Kiss & Strunk 2006, "Unsupervised Multilingual
// Sentence Boundary Detection", as NLTK 3.4.5's PunktSentenceTokenizer applies a model to a text
// (realign_boundaries=True). Models are not trained here.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "cupel/data/formats/fasttext.h"

namespace cupel {

// What Punkt knows of a language. Words are in lower case and without their final period; a number
// is "##number##". Read-only use is thread-safe.
struct PunktModel {
  // How a word was seen at the beginning, in the middle, or at an unknown place of sentences, with
  // its first letter upper or lower case: the flags of `contexts`, as NLTK numbers them.
  enum Context : std::uint8_t {
    kBeginUpper = 2,
    kMiddleUpper = 4,
    kUnknownUpper = 8,
    kBeginLower = 16,
    kMiddleLower = 32,
    kUnknownLower = 64
  };
  using Words = std::unordered_set<std::string, TextHash, std::equal_to<>>;

  Words abbreviations;
  Words collocations;  // "word<TAB>next word": no sentence ends between them
  Words starters;      // words that often start sentences
  std::unordered_map<std::string, std::uint8_t, TextHash, std::equal_to<>> contexts;

  // For English where no trained model is given: abbreviations as newspapers use them, written for
  // this project. Those of scholarly prose ("e.g.", "et al.", "fig.") are left out, since NLTK's
  // model, which was trained on newspapers, ends sentences there too.
  [[nodiscard]] static const PunktModel& english();
};

// The files of a model in the form of NLTK's punkt_tab, one word, pair or (word, flags) a line.
inline constexpr const char* kPunktFiles[] = {"abbrev_types.txt", "collocations.tab",
                                              "sent_starters.txt", "ortho_context.tab"};

// Reads them, plain or gzip-compressed content, from the folder, or from its folder "english" if it
// has one and no such files. Each may have 64 MiB of text at most. Throws Error naming the file and
// line: a file that is missing, a line without its columns, flags that are none, an empty line.
[[nodiscard]] PunktModel read_punkt(const std::filesystem::path& folder);

// Appends the sentences, views of the text, which is UTF-8 (characters.h says what other bytes
// count as). What is left between them is white space. Time and memory linear in the text's length
// and the longest run of characters without white space. Thread-safe.
void split_sentences(std::string_view text, const PunktModel& model,
                     std::vector<std::string_view>& out);

}  // namespace cupel
