// Folders of facts in the text form of RE-Net, which most work on temporal knowledge graphs shares.
#pragma once

#include <filesystem>

#include "cupel/data/facts/fact_lines.h"

namespace cupel {

// stat.txt has the numbers of entities and relations (a third one, as of times, is not looked at).
// Facts are lines "s r o t" of whole numbers in train.txt, valid.txt and test.txt, of which each
// there is becomes a part, or else in quadruples.txt; a fifth number must be 0 or -1, as in the
// released YAGO and WIKI. entity2id.txt and relation2id.txt ("name TAB id", in any order, more
// columns allowed) give names where they are there. Files may be compressed. All entities are of
// one type, "entity".
//
// Memory: 20 bytes a fact, 12 more where facts are not in order, names, and 12 bytes an entity; the
// numbers in stat.txt are held against the sizes of the files (formats/claims.h).
// Throws Error naming file and line.
[[nodiscard]] TemporalFacts read_renet_text(const std::filesystem::path& folder,
                                            FactNotes* notes = nullptr);

// Whether the folder has a stat.txt and one of the files of facts.
[[nodiscard]] bool is_renet_text(const std::filesystem::path& folder);

// The files that its facts are read from, in their order.
[[nodiscard]] std::vector<std::filesystem::path> renet_fact_files(
    const std::filesystem::path& folder);

}  // namespace cupel
