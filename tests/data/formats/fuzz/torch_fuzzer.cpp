// A torch file: its pickle and its storages.
#include "data/formats/fuzz/fuzz.h"

namespace cupel::fuzz {

void fuzz_one(std::string_view input) {
  static const std::vector<std::string> kMembers = {"t/data.pkl", "t/data/0", "t/data/1",
                                                    "t/data/2",   "t/data/3", "t/data/4",
                                                    "t/data/5",   "t/data/6"};
  write_archive(folder() / "input.pt", input, kMembers);
  read(folder() / "input.pt", input.size());
}

}  // namespace cupel::fuzz
