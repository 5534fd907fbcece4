// A Punkt model's four files and a text, by "%%" lines: sentences and tokens of the text with that
// model and with our own. Word vectors in GloVe's format, where the input starts with "v".
#include <cmath>

#include "cupel/data/formats/glove.h"
#include "cupel/data/text/pieces.h"
#include "cupel/data/text/stop_words.h"
#include "cupel/data/text/text_tokens.h"
#include "data/formats/fuzz/fuzz.h"

namespace cupel::fuzz {
namespace {

void read_vectors(std::string_view input) {
  const auto path = folder() / "input.txt";
  write(path, input);
  refuse_or([&] {
    LineReader lines(path);
    const WordIds wanted = {{"the", 0}, {". .", 1}, {"none", 2}};
    for (const float value : read_glove(lines, wanted).values)
      demand(std::isfinite(value), "numbers are finite");
  });
}

std::string without_spaces(std::string_view text) {
  std::string out;
  for_each_piece(text, [&](std::string_view piece) { out += piece; });
  return out;
}

void tokenize(std::string_view text, const PunktModel& model) {
  std::vector<std::string_view> sentences;
  split_sentences(text, model, sentences);
  const char* last = text.data();
  std::string together;
  for (const std::string_view sentence : sentences) {
    demand(!sentence.empty() && sentence.data() >= last, "sentences follow each other");
    last = sentence.data() + sentence.size();
    together += without_spaces(sentence);
  }
  demand(last <= text.data() + text.size(), "sentences are of the text");
  demand(together == without_spaces(text), "sentences are the text but white space");

  TextTokenizer tokenizer(&model);
  TokenList all, kept, again;
  tokenizer.tokenize(text, all);
  tokenizer.tokenize_and_keep(text, kept);
  for (const std::string_view token : all) append_kept(token, again);
  demand(kept == again, "tokens are kept one by one or all at once");
  for (const std::string_view token : kept) {
    demand(!token.empty() && without_spaces(token) == token, "no token is empty or has a space");
  }
}

}  // namespace

void fuzz_one(std::string_view input) {
  if (input.starts_with("v")) {
    read_vectors(input.substr(1));
    return;
  }
  const auto root = folder() / "model";
  std::filesystem::create_directories(root);
  const std::vector<std::string> names(std::begin(kPunktFiles), std::end(kPunktFiles));
  write_files(root, input, names);
  const std::vector<std::string_view> parts = parts_of(input);
  const std::string_view text = parts.back();
  tokenize(text, PunktModel::english());
  refuse_or([&] { tokenize(text, read_punkt(root)); });
}

}  // namespace cupel::fuzz
