// Temporal graphs in all their forms; the first byte chooses one.
#include "cupel/data/facts/facts_folder.h"
#include "cupel/data/facts/facts_in_words.h"
#include "cupel/data/facts/renet_text.h"
#include "cupel/data/facts/temporal_csv.h"
#include "cupel/data/facts/temporal_edges.h"
#include "data/formats/fuzz/fuzz.h"

namespace cupel::fuzz {

void fuzz_one(std::string_view input) {
  if (input.empty()) return;
  const char form = input.front();
  input.remove_prefix(1);
  const auto path = folder() / "input.txt";
  const auto all = folder() / "facts";
  refuse_or([&] {
    FactNotes notes;
    TemporalFacts facts;
    if (form == 'e') {
      write(path, input);
      facts = read_temporal_edges(path, &notes);
    } else if (form == 'c') {
      write(path, input);
      facts = read_temporal_csv(path, &notes);
    } else if (form == 'w') {
      write_files(all, input, {"train.txt", "test"});
      facts = read_facts_in_words(all, &notes);
    } else if (form == 'r') {
      write_files(all, input,
                  {"stat.txt", "train.txt", "test.txt", "entity2id.txt", "relation2id.txt"});
      facts = read_renet_text(all, &notes);
    } else {
      write_files(
          all, input,
          {"quadruples.csv", "entities.csv", "relations.csv", "parts.csv", "authorships.csv"});
      facts = read_facts_folder(all, &notes);
      const Authorships rows = read_authorships(all, facts);
      demand(rows.paper.size() == rows.entity.size(), "authorships have all columns");
    }
    check_invariants(facts);
    demand(facts.facts() == 0 || !content_hash(facts).empty(), "facts have a hash");
  });
}

}  // namespace cupel::fuzz
