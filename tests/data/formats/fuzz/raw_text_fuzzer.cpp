// Raw sources, plain or gzip-compressed: a parsed text, word vectors, products; the first byte says
// which.
#include "cupel/data/formats/conllu.h"
#include "cupel/data/formats/fasttext.h"
#include "cupel/data/formats/snap_amazon.h"

#include "data/formats/fuzz/fuzz.h"

namespace cupel::fuzz {

void fuzz_one(std::string_view input) {
  if (input.empty()) return;
  const auto path = folder() / "input.txt";
  write(path, input.substr(1));
  refuse_or([&] {
    LineReader lines(path);
    if (input[0] == 'v') {
      const WordIds wanted = {{"the", 0}, {"of", 1}, {"none", 2}};
      const WordVectors vectors = read_word_vectors(lines, wanted);
      for (const float value : vectors.values) demand(std::isfinite(value), "numbers are finite");
    } else if (input[0] == 'p') {
      AmazonReader reader(lines);
      for (AmazonProduct product; reader.next(product);)
        demand(!product.asin.empty(), "a product has its number");
    } else {
      ConlluReader reader(lines);
      while (reader.next()) {
        for (const ConlluWord& word : reader.words())
          demand(word.head >= 0 && word.head <= std::ssize(reader.words()), "heads are words");
      }
    }
  });
}

}  // namespace cupel::fuzz
