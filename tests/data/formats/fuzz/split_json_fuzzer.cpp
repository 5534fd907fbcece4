// A file of splits.
#include "cupel/data/formats/split_json.h"

#include "data/formats/fuzz/fuzz.h"

namespace cupel::fuzz {

void fuzz_one(std::string_view input) {
  const auto path = folder() / "input.json";
  write(path, input);
  refuse_or([&] {
    const SplitFile file = read_split_json(path);
    demand(!(file.of_pairs() ? file.pair_splits.empty() : file.splits.empty()), "there is a split");
    for (const PairSplit& split : file.pair_splits)
      for (const auto* part : {&split.train, &split.valid, &split.test})
        for (const Pair& pair : *part)
          demand(pair.source != pair.target && (file.directed || pair.source < pair.target),
                 "pairs are of two nodes, in order");
  });
}

}  // namespace cupel::fuzz
