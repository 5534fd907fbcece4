// The released form of Wiki-CS: data.json and metadata.json. What is read is written and read
// again.
#include "cupel/data/formats/wiki_cs_json.h"

#include "cupel/data/formats/wiki_cs_writer.h"
#include "data/formats/fuzz/fuzz.h"

namespace cupel::fuzz {

void fuzz_one(std::string_view input) {
  const auto root = folder() / "wiki_cs";
  write_files(root, input, {"data.json", "metadata.json"});
  read(root, input.size());
  if (!std::filesystem::exists(root / "data.json")) return;
  refuse_or([&] {
    const Dataset data = read_wiki_cs(root / "data.json");
    const auto again = folder() / "wiki_cs_again";
    write_wiki_cs(data, again);
    demand(content_hash(read_wiki_cs(again / "data.json")) == content_hash(data),
           "what is written is read back");
  });
}

}  // namespace cupel::fuzz
