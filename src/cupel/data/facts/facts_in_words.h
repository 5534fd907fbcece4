// Facts whose ends and relations are written out, as most releases of ICEWS have them.
#pragma once

#include <filesystem>

#include "cupel/data/facts/fact_lines.h"

namespace cupel {

// Lines "source, relation, target, time" without a header: tabs stand between the four where the
// first line has one, else blanks. Ends and relations are texts, which numbers are as well,
// numbered in the order of their first appearance, the source of a line first; times are those of
// fact_times.h. A fifth field must be 0 or -1. Lines that are blank are skipped. A file of its own,
// or a folder with train, valid and test, each with ".txt" behind its name or without, of which
// each there is becomes a part (García-Durán et al. 2018, ICEWS14; Lacroix et al. 2020). All
// entities are of one type, "entity". Files may be compressed.
//
// Memory: 20 bytes a fact, 12 more where facts are not in order, and names.
// Throws Error naming file and line.
[[nodiscard]] TemporalFacts read_facts_in_words(const std::filesystem::path& path,
                                                FactNotes* notes = nullptr);

// Whether the first line has four such fields, or five, as facts that last have. A file of its own
// must have tabs, and one word that is no number; a folder none of stat.txt, whose numbers mean
// something (renet_text.h).
[[nodiscard]] bool is_facts_in_words(const std::filesystem::path& path);

// The files of such a folder, in the order in which they are read.
[[nodiscard]] std::vector<std::filesystem::path> worded_fact_files(
    const std::filesystem::path& folder);

}  // namespace cupel
