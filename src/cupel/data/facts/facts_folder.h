// Facts as a folder of text files, for people, for other programs and for reading again.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/data/facts/academic.h"
#include "cupel/data/facts/fact_lines.h"
#include "cupel/data/formats/json_pieces.h"

namespace cupel {

// A file of the folder; `write` gives its content in pieces.
struct FactsTable {
  std::string name;
  std::function<void(const PutText&)> write;
};

// The files:
//   quadruples.csv   timestamp,head,tail,relation_type: ids, in the order of the facts. These are
//                    the columns that TGB's reader of temporal knowledge graphs takes.
//   entities.csv     id,type,name: ids from 0 on
//   relations.csv    id,name,head_type,tail_type,direction ("directed" or "either"),time_unit
//   authorships.csv  paper,position,entity (where `authorships` is not null)
//   quadruples.txt, stat.txt   the same facts as RE-Net has them: "s r o t" with tabs, and the
//                    numbers of entities and relations
//   parts.csv        part,facts,first,last (where facts have parts)
// Names are in double quotes. Nothing is kept but a buffer.
[[nodiscard]] std::vector<FactsTable> facts_tables(
    const std::shared_ptr<const TemporalFacts>& facts,
    const std::shared_ptr<const Authorships>& authorships = nullptr);

// Writes these files into a folder, which is made where it is not there. Throws Error if it cannot.
void write_facts_tables(const std::shared_ptr<const TemporalFacts>& facts,
                        const std::shared_ptr<const Authorships>& authorships,
                        const std::filesystem::path& folder);

// Writes these files, and `provenance` as provenance.json unless it is empty, into a new folder,
// which appears whole or not at all. Throws Error if it cannot be written or holds something.
void write_facts_folder(const std::shared_ptr<const TemporalFacts>& facts,
                        const std::shared_ptr<const Authorships>& authorships,
                        std::string_view provenance, const std::filesystem::path& folder);

// Reads quadruples.csv, entities.csv, relations.csv and, if there, parts.csv; gives back the same
// content_hash and names. Memory: 20 bytes a fact, 12 more where they are not in order, and names.
// Throws Error naming file and line, also for an end of another type than its relation says.
[[nodiscard]] TemporalFacts read_facts_folder(const std::filesystem::path& folder,
                                              FactNotes* notes = nullptr);
// Its authorships.csv; without rows if there is none. Entities are held against `facts`.
[[nodiscard]] Authorships read_authorships(const std::filesystem::path& folder,
                                           const TemporalFacts& facts);

// Whether it has any of the first three: where the others are gone, reading says so, and nothing
// else in the folder is read in their place.
[[nodiscard]] bool is_facts_folder(const std::filesystem::path& folder);

// Reads any of the forms: such a folder, RE-Net's text, a temporal csv, a temporal edge list.
// Throws Error saying what is known if it is none of them.
[[nodiscard]] TemporalFacts read_facts(const std::filesystem::path& path,
                                       FactNotes* notes = nullptr);
// Whether it is one of them. False for what cannot be read.
[[nodiscard]] bool is_facts(const std::filesystem::path& path);

}  // namespace cupel
